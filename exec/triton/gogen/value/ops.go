package value

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Printer prints what operators make of values, and notes what that tells of the kernel's parameters.
type Printer struct {
	Place
	*Facts
}

// An Operator is one of Python's: the method of tiles, the function that takes a number on
// its left, and Go's own operator.
type Operator struct {
	Method string
	Left   string // tl.Sub; "" where the operands may change places, by the method Other
	Other  string
	Infix  string
	Prec   int
	Op     op.Op
}

// Operators are those of two operands, as Python writes them.
var Operators = map[string]Operator{
	"+":  {"Add", "", "Add", "+", AddPrec, op.Add},
	"-":  {"Sub", "tl.Sub", "", "-", AddPrec, op.Sub},
	"*":  {"Mul", "", "Mul", "*", MulPrec, op.Mul},
	"/":  {"Div", "tl.Div", "", "", MulPrec, op.Div},
	"//": {"FloorDiv", "tl.FloorDiv", "", "/", MulPrec, op.FloorDiv},
	"%":  {"Mod", "tl.Mod", "", "%", MulPrec, op.Mod},
	"&":  {"And", "", "And", "&", MulPrec, op.And},
	"|":  {"Or", "", "Or", "|", AddPrec, op.Or},
	"^":  {"Xor", "", "Xor", "^", AddPrec, op.Xor},
	"<<": {"Shl", "tl.Shl", "", "<<", MulPrec, op.Shl},
	">>": {"Shr", "tl.Shr", "", ">>", MulPrec, op.Shr},
	"<":  {"Lt", "", "Gt", "<", ComparePrec, op.Lt},
	"<=": {"Le", "", "Ge", "<=", ComparePrec, op.Le},
	">":  {"Gt", "", "Lt", ">", ComparePrec, op.Gt},
	">=": {"Ge", "", "Le", ">=", ComparePrec, op.Ge},
	"==": {"Eq", "", "Eq", "==", ComparePrec, op.Eq},
	"!=": {"Ne", "", "Ne", "!=", ComparePrec, op.Ne},
}

// Lifted is a number as a tile of rank 0.
func (p *Printer) Lifted(v Value) Value {
	switch v.Kind {
	case Tile:
		return v
	case Int, Float, Bool:
		t := Type{Kind: Tile, DType: v.DType, Param: v.Param}
		if t.DType == dtype.Invalid {
			t.DType = v.Kind.dtype()
		}
		return Call(t, "tl.Full", DTypeName(t.DType), v.Code)
	}
	p.Refuse("%s where a tile is wanted", v.Kind)
	return v
}

// Strong is a value as a variable holds it: a float is a tile of its own dtype.
func (p *Printer) Strong(v Value, constant bool) Value {
	switch {
	case constant || v.Kind == Text || v.Kind == DType:
	case v.Kind == Float:
		return p.Lifted(v)
	case v.IsNumber():
		v.Weak = false
	}
	return v
}

// Count is a value as Go's int.
func (p *Printer) Count(v Value) Value {
	p.UsedAsInt(v)
	switch {
	case v.Kind == Tile && !v.Ptr:
		d := v.DType
		if d != dtype.Int64 {
			d = dtype.Int32
		}
		return v.Method(Type{Kind: Int, DType: d}, "Int")
	case v.Kind != Int:
		p.Refuse("%s where an integer is wanted", v.Kind)
	}
	return v
}

// Operand is a number as an operand beside a tile: itself where Go's rules give the dtype that
// Triton's give.
func (p *Printer) Operand(v Value, t Type, o op.Op) Value {
	if v.Kind == Tile {
		return v
	}
	if !v.IsNumber() {
		p.Refuse("%s as an operand", v.Kind)
	}
	class := o.Row().Class
	p.UsedBeside(v, t)
	if v.Weak || class == dtype.Compare && v.DType != dtype.Int64 {
		return v
	}
	if t.DType != dtype.Invalid {
		if d, err := dtype.Promote(class, t.DType, v.DType); err == nil && d == t.DType {
			return v
		}
	}
	return p.Lifted(v)
}

// Binary is x o y.
func (p *Printer) Binary(o string, x, y Value) Value {
	if o == "**" {
		return p.power(x, y)
	}
	w, ok := Operators[o]
	if !ok {
		p.Refuse("%s has no counterpart in Go", o)
	}
	switch {
	case x.Kind == Text || x.Kind == DType || y.Kind == Text || y.Kind == DType:
		return p.compareOthers(o, x, y)
	case x.Kind == None || y.Kind == None:
		if o == "==" || o == "!=" {
			return p.isNone(o == "==", x, y)
		}
		p.Refuse("%s %s %s", x.Kind, o, y.Kind)
	case x.Kind == Tile || y.Kind == Tile:
		return p.Tiles(w, x, y)
	case x.IsNumber() && y.IsNumber():
		return p.numbers(o, w, x, y)
	}
	p.Refuse("%s %s %s has no counterpart in Go", x.Kind, o, y.Kind)
	return Value{}
}

// Tiles is an operation of which one side is a tile at least.
func (p *Printer) Tiles(w Operator, x, y Value) Value {
	if x.Ptr || y.Ptr {
		return p.moved(w, x, y)
	}
	z := Type{Kind: Tile, DType: ResultType(w.Op, x.Type, y.Type)}
	if w.Op == op.Add || w.Op == op.Sub {
		z.Param = cmp.Or(x.Param, y.Param)
	}
	x, y = p.Operand(x, y.Type, w.Op), p.Operand(y, x.Type, w.Op)
	switch {
	case x.Kind == Tile:
		return x.Method(z, w.Method, y.Code)
	case w.Left != "":
		return Call(z, w.Left, x.Code, y.Code)
	}
	return y.Method(z, w.Other, x.Code)
}

// ResultType is the dtype of an operation, Invalid if it is not known.
func ResultType(o op.Op, x, y Type) dtype.DType {
	if o.Row().Class == dtype.Compare {
		return dtype.Bool
	}
	if x.Kind != Tile {
		x, y = y, x
	}
	if x.DType == dtype.Invalid || y.DType == dtype.Invalid && !y.Weak {
		return dtype.Invalid
	}
	d := x.DType
	if !y.Weak || kindOf(y) > x.DType.Kind() {
		var err error
		if d, err = dtype.Promote(o.Row().Class, x.DType, y.DType); err != nil {
			return dtype.Invalid
		}
	}
	if o == op.Div && !d.IsFloat() {
		return dtype.Float32
	}
	if o == op.Div && d.Bits() < 32 {
		return dtype.Invalid
	}
	return d
}

// kindOf is the kind of dtype that a number has.
func kindOf(t Type) dtype.Kind {
	switch t.Kind {
	case Float:
		return dtype.KindFloat
	case Bool:
		return dtype.KindBool
	}
	return dtype.KindInt
}

// moved is a pointer with an offset.
func (p *Printer) moved(w Operator, x, y Value) Value {
	if !x.Ptr {
		x, y = y, x
		if w.Op == op.Sub {
			p.Refuse("a number minus a pointer")
		}
	}
	if w.Op != op.Add && w.Op != op.Sub || y.Ptr {
		p.Refuse("this is no operation of pointers")
	}
	p.UsedAsInt(y)
	return x.Method(x.Type, w.Method, y.Code)
}

// numbers is an operation of two of Go's numbers.
func (p *Printer) numbers(o string, w Operator, x, y Value) Value {
	switch {
	case x.Kind == Bool && y.Kind == Bool && (o == "&" || o == "|"):
		return p.Both(map[string]string{"&": "&&", "|": "||"}[o], x, y)
	case x.Kind == Float || y.Kind == Float:
		p.UsedBeside(x, Type{})
		p.UsedBeside(y, Type{})
		if x.Weak && y.Weak && w.Infix != "" && o != "%" && o != "//" && !varies(x, y) {
			z := WeakFloat
			if w.Prec == ComparePrec {
				z = Type{Kind: Bool, DType: dtype.Bool}
			}
			return Infix(w, ToFloat(x), ToFloat(y), z)
		}
		return p.Tiles(w, p.Lifted(x), y)
	case o == "/" && x.Weak && y.Weak:
		return Value{Code: ToFloat(x).At(MulPrec) + " / " + ToFloat(y).At(UnaryPrec), Prec: MulPrec, Type: WeakFloat}
	case o == "/":
		return p.Tiles(w, p.Lifted(x), p.Lifted(y))
	case x.Kind == Bool || y.Kind == Bool:
		if x.Kind == y.Kind && (o == "==" || o == "!=") {
			return Infix(w, x, y, Type{Kind: Bool, DType: dtype.Bool})
		}
		if x.Static == nil && y.Static == nil {
			return p.Tiles(w, p.Lifted(x), p.Lifted(y))
		}
		return p.truthIs(o, x, y)
	}
	return p.integers(o, w, x, y)
}

// integers is an operator of two integers; what compares two that are written out is known.
func (p *Printer) integers(o string, w Operator, x, y Value) Value {
	p.UsedAsInt(x)
	p.UsedAsInt(y)
	z := Type{Kind: Int, Weak: x.Weak && y.Weak, DType: dtype.Int32}
	if x.DType == dtype.Int64 || y.DType == dtype.Int64 {
		z.DType = dtype.Int64
	}
	if w.Prec == ComparePrec {
		z = Type{Kind: Bool, DType: dtype.Bool, Weak: z.Weak}
		a, err := strconv.Atoi(x.Code)
		b, err2 := strconv.Atoi(y.Code)
		if err == nil && err2 == nil {
			return Known(map[string]bool{
				"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b,
			}[o])
		}
	} else if o == "+" || o == "-" {
		z.Param = cmp.Or(x.Param, y.Param)
	}
	return Infix(w, x, y, z)
}

// varies reports whether one of some values is a parameter at run time.
func varies(vs ...Value) bool {
	for _, v := range vs {
		if v.Param != "" && !v.Weak {
			return true
		}
	}
	return false
}

// power is x**y.
func (p *Printer) power(x, y Value) Value {
	if n, err := strconv.Atoi(y.Code); err == nil && x.Weak && x.Kind == Int && x.Code == "2" && n >= 0 && n < 32 {
		return Value{Code: fmt.Sprint("1 << ", n), Prec: MulPrec, Type: x.Type}
	}
	p.Refuse("** has no counterpart in Go")
	return Value{}
}

// Unary is o x.
func (p *Printer) Unary(o string, x Value) Value {
	if o == "not" {
		if x.Kind == Tile {
			return p.TruthTile(x).Method(TileOf(dtype.Bool), "Not")
		}
		return Negated(p.Condition(x))
	}
	switch {
	case o == "+":
		return x
	case x.Kind == Tile && !x.Ptr:
		return x.Method(TileOf(x.DType), map[string]string{"-": "Neg", "~": "Not"}[o])
	case x.Code == "math.Inf(1)":
		x.Code = "math.Inf(-1)"
		return x
	case x.Kind == Int || x.Kind == Float && x.Weak && o == "-":
		p.UsedAsInt(x)
		x.Code, x.Prec, x.Name = map[string]string{"-": "-", "~": "^"}[o]+x.At(UnaryPrec), UnaryPrec, ""
		x.Param = ""
		return x
	case x.Kind == Float && o == "-":
		return p.Lifted(x).Method(TileOf(x.DType), "Neg")
	case x.Kind == Bool && o == "~":
		return Value{Code: "!" + x.At(UnaryPrec), Prec: UnaryPrec, Type: x.Type}
	}
	p.Refuse("%s of %s has no counterpart in Go", o, x.Kind)
	return x
}

// DTypeOf is a value's dtype; of a pointer what it points to, which element_ty then leaves.
func (p *Printer) DTypeOf(x Value) Value {
	if x.Kind == Int && x.Name != "" && x.Name == x.Param && !x.Weak {
		p.Become(x.Name, Pointer)
	}
	t := Type{Kind: DType, DType: x.DType, Weak: true}
	switch {
	case x.Kind == Block && x.Base != "":
		return Of(GoName(x.Base)+".Elem()", Type{Kind: DType, Weak: true})
	case x.Ptr:
		t.DType = dtype.Invalid
		return x.Method(t, "Elem")
	case x.Kind == Tile:
		return x.Method(t, "DType")
	case x.IsNumber():
		return Of(DTypeName(x.DType), t)
	}
	p.Refuse("the dtype of %s has no counterpart in Go", x.Kind)
	return Value{}
}

// Element is element i of a tuple of constants.
func (p *Printer) Element(x, i Value) Value {
	var n int
	if _, err := fmt.Sscan(i.Code, &n); err == nil && fmt.Sprint(n) == i.Code {
		if n < 0 {
			n += len(x.Parts)
		}
		if n >= 0 && n < len(x.Parts) {
			return x.Parts[n]
		}
	}
	if i.Kind != Int {
		p.Refuse("this index has no counterpart in Go")
	}
	codes := make([]string, len(x.Parts))
	for n, e := range x.Parts {
		if e.Kind != x.Parts[0].Kind || !e.IsNumber() {
			p.Refuse("an element of a tuple of several kinds has no counterpart in Go")
		}
		codes[n] = e.Code
	}
	return Of(fmt.Sprintf("[]%s{%s}[%s]", x.Parts[0].GoType(), strings.Join(codes, ", "), i.Code), x.Parts[0].Type)
}
