package value

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Value is an expression as it is printed.
type Value struct {
	Code string
	Prec int // of its outermost operator in Go
	Type
	Static *bool   // a condition that is known
	Name   string  // the variable that it is
	Parts  []Value // of a tuple
}

// Precedences of Go.
const (
	OrPrec = iota + 1
	AndPrec
	ComparePrec
	AddPrec
	MulPrec
	UnaryPrec
	Primary
)

// At is the value's text as an operand of an operator of a precedence.
func (v Value) At(prec int) string {
	if v.Prec < prec {
		return "(" + v.Code + ")"
	}
	return v.Code
}

// Of is an expression that no operator has to be kept from.
func Of(code string, t Type) Value { return Value{Code: code, Prec: Primary, Type: t} }

// Call is a call of a function.
func Call(t Type, name string, args ...string) Value {
	return Of(name+"("+strings.Join(args, ", ")+")", t)
}

// Method is a call of a method.
func (v Value) Method(t Type, name string, args ...string) Value {
	return Call(t, v.At(Primary)+"."+name, args...)
}

// DTypeName is a dtype in Go.
func DTypeName(d dtype.DType) string {
	for _, n := range dtypeNames {
		if n.d == d {
			return "tl." + n.name
		}
	}
	return "tl.Invalid"
}

var dtypeNames = []struct {
	d    dtype.DType
	name string
}{
	{dtype.Bool, "Bool"}, {dtype.Int8, "Int8"}, {dtype.Int16, "Int16"}, {dtype.Int32, "Int32"}, {dtype.Int64, "Int64"},
	{dtype.Uint8, "Uint8"}, {dtype.Uint16, "Uint16"}, {dtype.Uint32, "Uint32"}, {dtype.Uint64, "Uint64"},
	{dtype.Float16, "Float16"}, {dtype.BFloat16, "BFloat16"}, {dtype.Float32, "Float32"}, {dtype.Float64, "Float64"},
	{dtype.Float8E4NV, "Float8E4NV"}, {dtype.Float8E5, "Float8E5"},
}

// Known is a condition that is known.
func Known(b bool) Value {
	v := Of(strconv.FormatBool(b), WeakBool)
	v.Static = &b
	return v
}

// Infix is x w y, by an operator of Go's.
func Infix(w Operator, x, y Value, t Type) Value {
	return Value{Code: x.At(w.Prec) + " " + w.Infix + " " + y.At(w.Prec+1), Prec: w.Prec, Type: t}
}

// ToFloat is a number as Go's float64.
func ToFloat(v Value) Value {
	if v.Kind != Int {
		return v
	}
	return Of("float64("+v.Code+")", WeakFloat)
}

// reserved are names that mean something else in what is printed.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`break case chan const continue default defer else fallthrough for func go goto
		if import interface map package range return select struct switch type var tl math min max len int bool string
		float64 true false nil append panic any`) {
		m[n] = true
	}
	return m
}()

// GoName is a name of Python's in Go.
func GoName(name string) string {
	if reserved[name] {
		return name + "_"
	}
	return name
}

// Literal is a constant as Go writes it.
func (p *Printer) Literal(c any) Value {
	switch c := c.(type) {
	case nil:
		return Value{}
	case bool:
		return Known(c)
	case int64:
		v := Of(strconv.FormatInt(c, 10), WeakInt)
		if c < 0 {
			v.Prec = UnaryPrec
		}
		return v
	case float64:
		return p.float(c)
	case string:
		return Of(strconv.Quote(c), Type{Kind: Text, Weak: true})
	case dtype.DType:
		return Of(DTypeName(c), Type{Kind: DType, DType: c, Weak: true})
	case []any:
		z := Value{Type: TupleOf()}
		for _, e := range c {
			v := p.Literal(e)
			z.Parts, z.Elems = append(z.Parts, v), append(z.Elems, v.Type)
		}
		return z
	}
	p.Refuse("a constant that has no counterpart in Go")
	return Value{}
}

func (p *Printer) float(x float64) Value {
	t := WeakFloat
	text := strconv.FormatFloat(x, 'g', -1, 64)
	switch text {
	case "+Inf", "-Inf":
		p.Math = true
		return Of(fmt.Sprintf("math.Inf(%s1)", strings.TrimSuffix(text[:1], "+")), t)
	case "NaN":
		p.Math = true
		return Of("math.NaN()", t)
	}
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	v := Of(text, t)
	if x < 0 {
		v.Prec = UnaryPrec
	}
	return v
}
