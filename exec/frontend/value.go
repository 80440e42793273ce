package frontend

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"strconv"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// kind is what sort of thing a value is.
type kind uint8

const (
	poison     kind = iota // an expression that was refused: no more messages about it
	absent                 // of a variable that has no value here; why says how that came
	scalarKind             // a Go number or bool
	tileKind
	stringKind
	dtypeKind
	listKind // a slice
	optionKind
	descKind
	blockPtrKind
	funcKind
	programKind
	nilKind
	packageKind // an imported package's name
)

// dotness says whether adding to a tile extends its product's chain.
type dotness uint8

const (
	noDot    dotness = iota
	product          // a tl.Dot without an accumulator
	maybeDot         // one or not, depending on the way taken
)

// A value is what an expression gives during lowering.
type value struct {
	kind kind

	// Of a scalar: its Go type; its bit pattern if it is known; whether it is a
	// floating-point product that has not been rounded by a conversion.
	basic     types.BasicKind
	known     bool
	unrounded bool
	bits      uint64

	v      *ir.Value   // of a tile, or of a scalar that is not known
	base   *ir.Value   // of a pointer tile: the parameter that it points into
	dot    dotness     // of a tile
	dotPos token.Pos   // where the product was made
	d      dtype.DType // of a dtype
	s      string      // a string; an option's name
	list   []value     // the elements of a list; the parts of an option, descriptor or block pointer
	desc   *layout     // of a descriptor or block pointer
	fn     *closure    // of a function
	why    *reason     // of an absent one
}

// reason says why a variable has no value.
type reason struct {
	format string // a message about the variable, whose name is its operand
	notes  []diag.Note
	fix    string
	loop   ast.Stmt  // a loop whose unrolling would give it one
	cond   *ir.Value // what decides the way, knowing which would give it one
}

// layout is what is known of a descriptor: its number of dimensions, the block and
// the padding. The parts are the base, then sizes, strides and, of a block pointer,
// offsets.
type layout struct {
	n     int
	block [ir.MaxRank]int
	nan   bool
}

// closure is a function: declared, or a literal with the variables it uses.
type closure struct {
	decl *ast.FuncDecl
	lit  *ast.FuncLit
	vars map[types.Object]*variable
}

var bad = value{}

// goTypes maps the numeric types of Go to element types.
var goTypes = map[types.BasicKind]dtype.DType{
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

// dtype is the element type that a scalar's Go type is.
func (v value) dtype() dtype.DType {
	switch v.basic { // the common ones first
	case types.Int:
		return dtype.Int64
	case types.Float64:
		return dtype.Float64
	case types.Bool:
		return dtype.Bool
	}
	return goTypes[v.basic]
}

func intValue(n int) value {
	return value{kind: scalarKind, basic: types.Int, known: true, bits: uint64(n)}
}

func floatValue(x float64) value {
	return value{kind: scalarKind, basic: types.Float64, known: true, bits: math.Float64bits(x)}
}

func boolValue(b bool) value {
	v := value{kind: scalarKind, basic: types.Bool, known: true}
	if b {
		v.bits = 1
	}
	return v
}

func stringValue(s string) value     { return value{kind: stringKind, s: s} }
func dtypeValue(d dtype.DType) value { return value{kind: dtypeKind, d: d} }

// runtime is a scalar of a Go type that v will hold.
func runtime(b types.BasicKind, v *ir.Value) value {
	return value{kind: scalarKind, basic: b, v: v}
}

// tileOf is a tile that is no product.
func tileOf(v *ir.Value) value {
	if v == nil {
		return bad
	}
	return value{kind: tileKind, v: v}
}

// pointerTo is a pointer tile into the tensor of parameter base.
func pointerTo(v, base *ir.Value) value { return value{kind: tileKind, v: v, base: base} }

func (v value) int() int64     { return dtype.ToInt(v.dtype(), v.bits) }
func (v value) float() float64 { return dtype.ToFloat(v.dtype(), v.bits) }
func (v value) bool() bool     { return v.bits != 0 }

// isKnown reports whether a scalar is known and equal to n.
func (v value) isInt(n int64) bool {
	return v.kind == scalarKind && v.known && v.basic != types.Bool && v.dtype().IsInt() && v.int() == n
}

// same reports whether two values are certainly the same: known equal, or the same
// IR values.
func same(a, b value) bool {
	if a.kind != b.kind || a.basic != b.basic || a.known != b.known || a.bits != b.bits || a.v != b.v || a.d != b.d || a.s != b.s || len(a.list) != len(b.list) {
		return false
	}
	if (a.desc == nil) != (b.desc == nil) || a.desc != nil && *a.desc != *b.desc || a.dot != b.dot {
		return false
	}
	if a.fn != b.fn && (a.fn == nil || b.fn == nil || a.fn.decl == nil || a.fn.decl != b.fn.decl) {
		return false
	}
	for i := range a.list {
		if !same(a.list[i], b.list[i]) {
			return false
		}
	}
	return true
}

// describe is a value as messages name it.
func (v value) describe() string {
	switch v.kind {
	case scalarKind:
		name := types.Typ[v.basic].Name()
		if !v.known {
			return article(name)
		}
		return "the " + name + " " + v.text()
	case tileKind:
		return v.v.Type.String()
	case stringKind:
		return "the string " + strconv.Quote(v.s)
	case dtypeKind:
		return "the dtype " + v.d.String()
	case listKind:
		return "a slice"
	case optionKind:
		return "the option tl." + v.s
	case descKind:
		return "a tl.Desc"
	case blockPtrKind:
		return "a tl.BlockPtr"
	case funcKind:
		return "a function"
	case programKind:
		return "the program"
	case nilKind:
		return "nil"
	}
	return "a value"
}

// describePointer is describe with the tensor that a pointer is into.
func (v value) describePointer() string {
	if v.base != nil {
		return v.describe() + " into " + v.base.Text
	}
	return v.describe()
}

func article(name string) string {
	if name[0] == 'i' {
		return "an " + name
	}
	return "a " + name
}

// text is a known scalar as Go prints it.
func (v value) text() string {
	switch d := v.dtype(); {
	case d == dtype.Bool:
		return strconv.FormatBool(v.bool())
	case d.IsFloat():
		return fmt.Sprint(v.float())
	case d.IsSigned():
		return strconv.FormatInt(v.int(), 10)
	}
	return strconv.FormatUint(v.bits, 10)
}

// poisoned reports whether a value or a part of it was refused.
func (v value) poisoned() bool {
	if v.kind == poison {
		return true
	}
	for _, x := range v.list {
		if x.poisoned() {
			return true
		}
	}
	return false
}

var infinity = math.Inf(1)

var notANumber = math.NaN()

// scalarOf is a Go scalar that v holds, or v's constant.
func scalarOf(b types.BasicKind, v *ir.Value) value {
	if v.Op == op.Const {
		return value{kind: scalarKind, basic: b, known: true, bits: v.Bits}
	}
	return runtime(b, v)
}
