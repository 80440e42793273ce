package tilelang

import (
	"fmt"
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/rule"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// An operand of an elementwise op is a Tile, int, float64 or bool. A Go scalar has
// no dtype of its own: it takes one from the tile beside it.

// kindOf is the kind of a Go scalar; tile operands report false.
func kindOf(v any) (k dtype.Kind, scalar bool) {
	switch v.(type) {
	case bool:
		return dtype.KindBool, true
	case int:
		return dtype.KindInt, true
	case float64:
		return dtype.KindFloat, true
	}
	return 0, false
}

// checkOperand refuses what is neither a tile with a value nor one of the three Go
// scalars.
func checkOperand(name string, v any) {
	switch v := v.(type) {
	case Tile:
		v.node(name)
	case int, float64, bool:
	case nil:
		must(name, rule.NoOperand("nil", ""))
	case *Tile:
		fault(name, "a pointer to a Tile as an operand").Fix("pass the Tile itself").raise()
	default:
		typ := fmt.Sprintf("%T", v)
		must(name, rule.NoOperand("a "+typ, typ))
	}
}

// A role is what a Go scalar is given a dtype for.
type role uint8

const (
	weak role = iota // it takes the dtype of the tile beside it: a float is rounded to it
	own              // it has a dtype of its own, which must hold it
	cast             // it becomes an element: a float loses its fraction in an integer
)

// literal is the scalar tile of type d that a Go scalar becomes.
func literal(name string, d dtype.DType, v any, as role) *node {
	bits, ok := literalBits(d, v, as)
	if !ok {
		broken(name, rule.NotAnElement(describe(v), d)).as(RangeFault).raise()
	}
	return newScalar(d, bits)
}

// literalBits is a Go scalar as an element of type d, and whether it fits: integers
// and Bool hold their range and no NaN; a float that is not weak may be rounded but not
// to an infinity.
func literalBits(d dtype.DType, v any, as role) (bits uint64, ok bool) {
	switch v := v.(type) {
	case bool:
		return dtype.FromInt(d, int64(b2i(v)), false), true
	case int:
		return dtype.FromInt(d, int64(v), false), !d.IsInt() || d == Bool || d.FitsInt(int64(v))
	case float64:
		bits = dtype.FromFloat(d, v)
		switch {
		case d == Bool:
			return bits, v == v
		case d.IsInt():
			return bits, math.Trunc(v) == math.Float64frombits(dtype.Convert(Float64, d, bits, false))
		case as == own && d == Float32:
			return bits, math.IsInf(v, 0) || !math.IsInf(dtype.ToFloat(d, bits), 0)
		}
		return bits, true
	}
	panic("unreachable: operands are checked")
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// operands are those of an elementwise op: nodes, and the type they are computed in.
type operands struct {
	nodes [3]*node
	d     dtype.DType
	tiles dtype.DType // what the tiles alone promote to, Invalid if there are none
}

// resolve turns operands of a class into nodes, and finds the type they are computed
// in: the tiles are promoted from left to right, and then each scalar with what they
// give.
func resolve(name string, class dtype.Class, vs ...any) (o operands) {
	for i, v := range vs {
		checkOperand(name, v)
		x, ok := v.(Tile)
		if !ok {
			continue
		}
		o.nodes[i] = x.t
		if x.t.dt.IsPointer() {
			pointerOperand(name, vs)
		}
		if o.tiles == dtype.Invalid {
			o.tiles = x.t.dt
		} else {
			o.tiles = promoted(name, class, o.tiles, x.t.dt, vs)
		}
	}
	o.d = o.tiles
	for i, v := range vs {
		if o.nodes[i] == nil {
			o.nodes[i], o.d = o.scalar(name, class, v, vs)
		}
	}
	return o
}

// promoted is the type in which two types of a class are computed.
func promoted(name string, class dtype.Class, x, y dtype.DType, vs []any) dtype.DType {
	d, err := dtype.Promote(class, x, y)
	if err != nil {
		promotionFault(name, class, vs, err)
	}
	return d
}

// scalar is a Go scalar as a node, and the type that the op is computed in with it.
func (o *operands) scalar(name string, class dtype.Class, v any, vs []any) (*node, dtype.DType) {
	kind, _ := kindOf(v)
	beside := o.tiles
	if beside == dtype.Invalid {
		beside = Bool // beside which every scalar has a type of its own
	}
	with, lit, err := dtype.PromoteLiteral(class, beside, kind)
	if err != nil {
		promotionFault(name, class, vs, err)
	}
	as := weak
	if kind > beside.Kind() || class == dtype.Compare {
		as = own
	}
	bits, ok := literalBits(lit, v, as)
	if !ok {
		broken(name, rule.NotBeside(describeAll(vs), fmt.Sprint(v), lit)).as(RangeFault).raise()
	}
	switch o.d {
	case dtype.Invalid:
		return newScalar(lit, bits), lit
	case o.tiles:
		return newScalar(lit, bits), with
	}
	return newScalar(lit, bits), promoted(name, class, o.d, with, vs)
}

// wantTile is the fault of an op on Go scalars alone.
func wantTile(name string, vs ...any) {
	for _, v := range vs {
		if _, scalar := kindOf(v); !scalar {
			return
		}
	}
	must(name, rule.NoTile(describeAll(vs)))
}

func promotionFault(name string, class dtype.Class, vs []any, err error) {
	must(name, rule.NotPromoted(class, describeAll(vs), err))
}

// describeAll is operands as messages name them: "f32[4] and the int 3".
func describeAll(vs []any) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = describe(v)
	}
	return rule.Sentence(parts)
}

func pointerOperand(name string, vs []any) {
	must(name, rule.PointerOperand(describeAll(vs)))
}

// refusePointer is for operations of one tile that do not take pointers.
func refusePointer(name string, t *node) {
	must(name, t.typ().NoPointer())
}

// shapeOf is the common shape of operands.
func shapeOf(name string, operands ...*node) shape.Shape {
	shape := operands[0].shape
	for i, x := range operands[1:] {
		z, ok := shape.Broadcast(x.shape)
		if !ok {
			broadcastFault(name, operands[:i+2])
		}
		shape = z
	}
	return shape
}

// broadcastFault is about operands of which the last one does not fit the others.
func broadcastFault(name string, operands []*node) {
	xs := make([]rule.Type, len(operands))
	for i, x := range operands {
		xs[i] = x.typ()
	}
	must(name, rule.DoNotBroadcast(xs...))
}
