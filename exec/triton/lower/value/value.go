package value

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Value is what an expression gives: nil (None), bool, int64, *big.Int (where int64 does
// not hold it), float64, string, or one of the types below.
type Value any

type (
	// Tensor is what the IR holds: a tile, a scalar or a pointer.
	Tensor struct {
		IR  *ir.Value
		Dot bool // a product without an accumulator: adding to it extends its chain
	}
	// Type is a dtype, a pointer's among them; with Block it stands for a tile's type, whose
	// element_ty is D itself.
	Type struct {
		D     dtype.DType
		Block bool
	}
	Tuple []Value
	// Function is a function of a file.
	Function struct {
		Scope Scope
		Def   *syntax.FuncDef
	}
	// Row is a function of the language: what it is called, and its parameters, of which * is any number.
	Row struct {
		Names  []string // as a file finds it: "load", "builtins.len", "triton.cdiv"
		Params []string
		Member bool // tensors have it as a method, too
	}
	// Builtin is a function of the language as a value.
	Builtin struct{ *Row }
	// Method is a function of the language with its first argument.
	Method struct {
		Recv Value
		Row  *Row
	}
	// Module is an imported package, as far as the language knows it.
	Module string
	// Namespace is a module of the host, as far as its members are known.
	Namespace map[string]Value
	// Library is a module whose functions are the user's own.
	Library struct {
		Name  string
		Scope                            // of its file, nil if it has none
		Part  func(name string) *Library // a module within it, nil if there is none
	}
	// Class is a class that only isinstance asks for.
	Class string
	// Mystery is something of the host that no kernel can use, and what it is.
	Mystery string
	// Region is a block pointer or a descriptor.
	Region struct {
		Desc                    bool
		Base                    Tensor
		Shape, Strides, Offsets []Value
		Block                   []int
		NaN                     bool
	}
)

// Ints is numbers as a tuple.
func Ints(ns []int) Tuple {
	t := make(Tuple, len(ns))
	for i, n := range ns {
		t[i] = int64(n)
	}
	return t
}

// List is the elements of a tuple, or another value alone.
func List(v Value) Tuple {
	if t, ok := v.(Tuple); ok {
		return t
	}
	return Tuple{v}
}

// IsConst reports whether a value is known now.
func IsConst(v Value) bool {
	switch v := v.(type) {
	case Tensor, *Region:
		return false
	case Tuple:
		return !slices.ContainsFunc(v, func(e Value) bool { return !IsConst(e) })
	}
	return true
}

// Truth is what a known value is as a condition.
func Truth(v Value) bool {
	switch v := v.(type) {
	case nil:
		return false
	case string:
		return v != ""
	case Tuple:
		return len(v) > 0
	}
	x, ok := number.Float(v)
	return !ok || x != 0
}

// Known is a value as a constant, if it is one: a scalar of the IR that is a constant
// counts as one, too.
func Known(v Value) (Value, bool) {
	t, ok := v.(Tensor)
	if !ok {
		return v, IsConst(v)
	}
	if !IsScalarConst(t.IR) {
		return nil, false
	}
	switch d := t.IR.Type.D; {
	case d == dtype.Bool:
		return t.IR.Bits != 0, true
	case d.IsFloat():
		return dtype.ToFloat(d, t.IR.Bits), true
	case d == dtype.Uint64:
		return number.Whole(new(big.Int).SetUint64(t.IR.Bits)), true
	default:
		return dtype.ToInt(d, t.IR.Bits), true
	}
}

// Describe is a value as messages name it.
func Describe(v Value) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return "the constant " + constText(v)
	case int64, *big.Int, float64:
		return "the number " + constText(v)
	case string:
		return "the string " + strconv.Quote(v)
	case Tensor:
		return v.IR.Type.String()
	case Type:
		return "the dtype " + v.D.String()
	case Tuple:
		return "a tuple of (" + strings.Join(descriptions(v), ", ") + ")"
	case Function:
		return "the function " + v.Def.Name
	case Builtin:
		return "the function " + v.Name()
	case Method:
		return "the method " + v.Row.Name()
	case Module:
		return "the module " + string(v)
	case Namespace:
		return "a module of the host"
	case *Library:
		return "the module " + v.Name
	case Class:
		return "the class " + string(v)
	case Mystery:
		return string(v)
	case *Region:
		if v.Desc {
			return "a tensor descriptor"
		}
		return "a block pointer"
	}
	return fmt.Sprintf("a %T", v)
}

func descriptions(vs []Value) (list []string) {
	for _, v := range vs {
		list = append(list, Describe(v))
	}
	return list
}

// constText is a constant as Python prints it.
func constText(v Value) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case *big.Int:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// Member is what a module has of a name: what its file binds it to, or a module within it.
func (l *Library) Member(name string) (Value, bool) {
	if l.Scope != nil {
		if v, ok := l.Lookup(name); ok {
			return v, true
		}
	}
	part := l.Part(name)
	return part, part != nil
}

// Same reports whether two values are certainly the same.
func Same(a, b Value) bool {
	switch x := a.(type) {
	case Tensor:
		y, ok := b.(Tensor)
		return ok && x.IR == y.IR
	case *big.Int:
		y, ok := b.(*big.Int)
		return ok && x.Cmp(y) == 0
	case float64:
		y, ok := b.(float64)
		return ok && (x == y || x != x && y != y)
	case Tuple:
		y, ok := b.(Tuple)
		return ok && slices.EqualFunc(x, y, Same)
	case *Region:
		y, ok := b.(*Region)
		return ok && x.Desc == y.Desc && x.NaN == y.NaN && x.Base.IR == y.Base.IR && slices.Equal(x.Block, y.Block) &&
			slices.EqualFunc(x.Shape, y.Shape, Same) && slices.EqualFunc(x.Strides, y.Strides, Same) &&
			slices.EqualFunc(x.Offsets, y.Offsets, Same)
	case Method, Namespace:
		return false
	}
	return a == b
}

// Name is the function as Python names it.
func (r *Row) Name() string { return r.Names[0][strings.LastIndex(r.Names[0], ".")+1:] }

// Spelling is the function as messages name it.
func (r *Row) Spelling() string {
	if strings.Contains(r.Names[0], ".") {
		return r.Name()
	}
	return "tl." + r.Names[0]
}
