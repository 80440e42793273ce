package value

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Kind is what sort of thing a value is.
type Kind uint8

const (
	Poison     Kind = iota // an expression that was refused: no more messages about it
	Absent                 // of a variable that has no value here; why says how that came
	ScalarKind             // a Go number or bool
	TileKind
	StringKind
	DTypeKind
	ListKind // a slice
	ArrayKind
	StructKind
	OptionKind
	DescKind
	BlockPtrKind
	FuncKind
	PointerKind
	ProgramKind
	NilKind
)

// dotness says whether adding to a tile extends its product's chain.
type dotness uint8

const (
	NoDot    dotness = iota
	Product          // a tl.Dot without an accumulator
	MaybeDot         // one or not, depending on the way taken
)

// A Value is what an expression gives during lowering. Small fields stand together: values are copied a lot.
type Value struct {
	Kind      Kind
	Known     bool        // of a scalar: its bit pattern is known
	Unrounded bool        // of a scalar: it is a floating-point product that has not been rounded by a conversion
	Dot       dotness     // of a tile
	D         dtype.DType // of a dtype

	Basic  types.BasicKind // of a scalar: its Go type
	Bits   uint64          // of a scalar, if it is known
	IR     *ir.Value       // of a tile, or of a scalar that is not known
	Base   *ir.Value       // of a pointer tile: the parameter that it points into, or the pointer to one of several
	DotPos token.Pos       // where the product was made
	Str    string          // a string; an option's name
	List   []Value         // elements, fields; the parts of an option, descriptor or block pointer
	Desc   *Layout         // of a descriptor or block pointer
	Named                  // of a function or a pointer
	Why    *Reason         // of an absent one
}

// Named is what a value is a name of: a function or, as a pointer, a variable.
type Named struct {
	Func *Closure
	Ref  *Ref
}

// Reason says why a variable has no value.
type Reason struct {
	Format string // a message about the variable, whose name is its operand
	Notes  []diag.Note
	Fix    string
	Loop   ast.Stmt  // a loop whose unrolling would give it one
	Cond   *ir.Value // what decides the way, knowing which would give it one
}

// Layout is what is known of a descriptor: its number of dimensions, the block and
// the padding. The parts are the base, then sizes, strides and, of a block pointer,
// offsets.
type Layout struct {
	N     int
	Block [ir.MaxRank]int
	Nan   bool
}

var Bad = Value{}

// GoTypes maps the numeric types of Go to element types.
var GoTypes = map[types.BasicKind]dtype.DType{
	types.Bool:    dtype.Bool,
	types.Int:     dtype.Int64,
	types.Int8:    dtype.Int8,
	types.Int16:   dtype.Int16,
	types.Int32:   dtype.Int32,
	types.Int64:   dtype.Int64,
	types.Uint:    dtype.Uint64,
	types.Uint8:   dtype.Uint8,
	types.Uint16:  dtype.Uint16,
	types.Uint32:  dtype.Uint32,
	types.Uint64:  dtype.Uint64,
	types.Float32: dtype.Float32,
	types.Float64: dtype.Float64,
}

// DType is the element type that a scalar's Go type is.
func (v Value) DType() dtype.DType {
	switch v.Basic { // the common ones first
	case types.Int:
		return dtype.Int64
	case types.Float64:
		return dtype.Float64
	case types.Bool:
		return dtype.Bool
	}
	return GoTypes[v.Basic]
}

// Int is an int that is known; Float, Bool, String and DType are known, too.
func Int(n int) Value {
	return Value{Kind: ScalarKind, Basic: types.Int, Known: true, Bits: uint64(n)}
}

func Float(x float64) Value {
	return Value{Kind: ScalarKind, Basic: types.Float64, Known: true, Bits: math.Float64bits(x)}
}

func Bool(b bool) Value {
	v := Value{Kind: ScalarKind, Basic: types.Bool, Known: true}
	if b {
		v.Bits = 1
	}
	return v
}

func String(s string) Value { return Value{Kind: StringKind, Str: s} }

func DType(d dtype.DType) Value { return Value{Kind: DTypeKind, D: d} }

// Runtime is a scalar of a Go type that v will hold.
func Runtime(b types.BasicKind, v *ir.Value) Value {
	return Value{Kind: ScalarKind, Basic: b, IR: v}
}

// Tile is a tile that is no product. Inlined, it would be code at each place that makes one; so would Pointer.
//
//go:noinline
func Tile(v *ir.Value) Value {
	if v == nil {
		return Bad
	}
	return Value{Kind: TileKind, IR: v}
}

// Pointer is a pointer tile into the tensor of parameter base.
//
//go:noinline
func Pointer(v, base *ir.Value) Value { return Value{Kind: TileKind, IR: v, Base: base} }

// Int is what a known integer is, Float and Bool what other known numbers are.
func (v Value) Int() int64 { return dtype.ToInt(v.DType(), v.Bits) }

func (v Value) Float() float64 { return dtype.ToFloat(v.DType(), v.Bits) }

func (v Value) Bool() bool { return v.Bits != 0 }

// IsInt reports whether a scalar is known and equal to n.
func (v Value) IsInt(n int64) bool {
	return v.Kind == ScalarKind && v.Known && v.Basic != types.Bool && v.DType().IsInt() && v.Int() == n
}

// Static reports whether all of a value is known while compiling.
func Static(v Value) bool {
	return v.IR == nil && !slices.ContainsFunc(v.List, func(x Value) bool { return !Static(x) })
}

// Same reports whether two values are certainly the same: known equal, or the same
// IR values.
func Same(a, b Value) bool {
	if a.Kind != b.Kind || a.Basic != b.Basic || a.Known != b.Known || a.Bits != b.Bits || a.IR != b.IR || a.D != b.D || a.Str != b.Str || len(a.List) != len(b.List) {
		return false
	}
	if (a.Desc == nil) != (b.Desc == nil) || a.Desc != nil && *a.Desc != *b.Desc || a.Dot != b.Dot {
		return false
	}
	if !sameFunction(a.Func, b.Func) || !a.Ref.same(b.Ref) {
		return false
	}
	for i := range a.List {
		if !Same(a.List[i], b.List[i]) {
			return false
		}
	}
	return true
}

// Describe is a value as messages name it.
func (v Value) Describe() string {
	switch v.Kind {
	case ScalarKind:
		name := types.Typ[v.Basic].Name()
		if !v.Known {
			return Article(name)
		}
		return "the " + name + " " + v.Text()
	case TileKind:
		return v.IR.Type.String()
	case StringKind:
		return "the string " + strconv.Quote(v.Str)
	case DTypeKind:
		return "the dtype " + v.D.String()
	case ListKind:
		return fmt.Sprintf("a slice of %d elements", len(v.List))
	case ArrayKind:
		return "an array"
	case StructKind:
		return "a struct"
	case OptionKind:
		return "the option tl." + v.Str
	case DescKind:
		return "a tl.Desc"
	case BlockPtrKind:
		return "a tl.BlockPtr"
	case FuncKind:
		return "a function"
	case PointerKind:
		return "a pointer"
	case ProgramKind:
		return "the program"
	case NilKind:
		return "nil"
	}
	return "a value"
}

// DescribePointer is Describe with the tensor that a pointer is into.
func (v Value) DescribePointer() string {
	if v.Base != nil {
		return v.Describe() + " into " + v.Into()
	}
	return v.Describe()
}

// Into names a pointer's tensor.
func (v Value) Into() string {
	if v.Base.Op == ir.Param {
		return v.Base.Text
	}
	return "one of several"
}

// Article is a name with its article.
func Article(name string) string {
	if name[0] == 'i' {
		return "an " + name
	}
	return "a " + name
}

// Text is a known scalar as Go prints it.
func (v Value) Text() string {
	switch d := v.DType(); {
	case d == dtype.Bool:
		return strconv.FormatBool(v.Bool())
	case d.IsFloat():
		return fmt.Sprint(v.Float())
	case d.IsSigned():
		return strconv.FormatInt(v.Int(), 10)
	}
	return strconv.FormatUint(v.Bits, 10)
}

// Poisoned reports whether a value or a part of it was refused.
func (v Value) Poisoned() bool {
	if v.Kind == Poison {
		return true
	}
	for _, x := range v.List {
		if x.Poisoned() {
			return true
		}
	}
	return false
}

var (
	Infinity   = math.Inf(1)
	NotANumber = math.NaN()
)

// Scalar is a Go scalar that v holds, or v's constant.
func Scalar(b types.BasicKind, v *ir.Value) Value {
	if v.Op == op.Const {
		return Value{Kind: ScalarKind, Basic: b, Known: true, Bits: v.Bits}
	}
	return Runtime(b, v)
}

// Moved is a tile of x's elements.
//
//go:noinline
func (x Value) Moved(v *ir.Value) Value { return Pointer(v, x.Base) }

// A descriptor or block pointer is taken apart while compiling: what is left at run
// time is its base and the numbers that are not known. Its parts are the base, n
// sizes, n strides and, of a block pointer, n offsets.

func (v Value) DescBase() Value      { return v.List[0] }
func (v Value) DescShape() []Value   { return v.List[1 : 1+v.Desc.N] }
func (v Value) DescStrides() []Value { return v.List[1+v.Desc.N : 1+2*v.Desc.N] }
func (v Value) DescAt() []Value      { return v.List[1+2*v.Desc.N:] }
