package builtin

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// operands is the receiver, if there is one, and the arguments.
func (c *Call) operands() []value.Value {
	if c.Recv.Kind == value.Poison {
		return c.Args
	}
	return append([]value.Value{c.Recv}, c.Args...)
}

// operand reports whether a value may stand beside tiles: a tile or a Go int,
// float64 or bool.
func (c *Call) operand(v value.Value) bool {
	switch v.Kind {
	case value.TileKind:
		return true
	case value.Poison:
		return false
	case value.ScalarKind:
		switch v.Basic {
		case types.Int, types.Float64, types.Bool:
			return true
		}
		name := types.Typ[v.Basic].Name()
		return c.holds(rule.NoOperand(value.Article(name), name))
	}
	return c.holds(rule.NoOperand(v.Describe(), ""))
}

func kindOf(v value.Value) dtype.Kind {
	switch v.Basic {
	case types.Bool:
		return dtype.KindBool
	case types.Int:
		return dtype.KindInt
	}
	return dtype.KindFloat
}

// A role is what a Go scalar is given a dtype for.
type role uint8

const (
	weak role = iota // it takes the dtype of the tile beside it: a float is rounded to it
	own              // it has a dtype of its own, which must hold it
	cast             // it becomes an element: a float loses its fraction in an integer
)

// literal is the scalar of type d that a Go scalar becomes, nil if it is known not
// to fit, which fail then reports.
func (c *Call) literal(d dtype.DType, v value.Value, as role, fail func() *diag.Diagnostic) *ir.Value {
	if v.Known {
		bits, fits := literalBits(d, v, as)
		if !fits {
			fail()
			return nil
		}
		return c.Constant(d, bits)
	}
	switch f := (fit{c, d, v.IR}); {
	case v.Basic == types.Bool || d == v.DType():
		return emit.Cast(&c.Emitter, v.IR, d)
	case v.Basic == types.Int:
		if !d.IsInt() || d == dtype.Bool {
			return c.CastedOnce(v.IR, d)
		}
		return c.Once(ir.Fits, d, 0, v.IR, func() *ir.Value {
			x := c.Emit(ir.Fits, ir.Scalar(d), v.IR)
			x.Text = c.Name
			return x
		})
	case d == dtype.Bool:
		f.check(f.notNaN)
	case d.IsInt():
		f.check(f.inBounds)
	case as == own && d == dtype.Float32:
		f.check(f.inFloat32)
	}
	return c.CastedOnce(v.IR, d)
}

// literalBits is a known Go scalar as an element, and whether it fits.
func literalBits(d dtype.DType, v value.Value, as role) (bits uint64, ok bool) {
	switch v.Basic {
	case types.Bool:
		return dtype.FromInt(d, int64(v.Bits), false), true
	case types.Int:
		return dtype.FromInt(d, v.Int(), false), !d.IsInt() || d == dtype.Bool || d.FitsInt(v.Int())
	}
	x := v.Float()
	bits = dtype.FromFloat(d, x)
	switch {
	case d == dtype.Bool:
		return bits, x == x
	case d.IsInt():
		lo, hi := intBounds(d)
		return bits, x > lo && x < hi || d == dtype.Int64 && x == float64(d.MinInt())
	case as == own && d == dtype.Float32:
		return bits, isInf(x) || !isInf(dtype.ToFloat(d, bits))
	}
	return bits, true
}

func isInf(x float64) bool { return x-x != 0 && x == x }

// intBounds is an exclusive range of floats whose integral part d holds; of int64,
// its least is in besides.
func intBounds(d dtype.DType) (lo, hi float64) {
	return float64(d.MinInt()) - 1, float64(d.MaxInt()) + 1
}

// A fit is a Go scalar that is to fit a dtype when the kernel runs.
type fit struct {
	c *Call
	d dtype.DType
	x *ir.Value
}

// check fails the instance where the scalar does not fit.
func (f fit) check(fits func() *ir.Value) {
	c := f.c
	c.Once(op.Assert, f.d, 0, f.x, func() *ir.Value {
		cond := fits()
		c.Check(cond, c.Name+": the float64 %v does not fit "+f.d.String(), f.x)
		return cond
	})
}

func (f fit) notNaN() *ir.Value { return emit.Compare(&f.c.Emitter, op.Eq, f.x, f.x) }

func (f fit) inBounds() *ir.Value {
	c := f.c
	lo, hi := intBounds(f.d)
	least := op.Gt
	if f.d == dtype.Int64 {
		lo, least = float64(f.d.MinInt()), op.Ge
	}
	above := emit.Compare(&c.Emitter, least, f.x, c.ScalarValue(value.Float(lo)))
	below := emit.Compare(&c.Emitter, op.Lt, f.x, c.ScalarValue(value.Float(hi)))
	return c.Emit(op.And, ir.Scalar(dtype.Bool), above, below)
}

// inFloat32 is whether a float64 is infinite or finite in float32.
func (f fit) inFloat32() *ir.Value {
	c := f.c
	inf := value.Float(value.Infinity)
	f64 := ir.Scalar(dtype.Float64)
	back := c.Emit(op.Cast, f64, c.CastedOnce(f.x, dtype.Float32))
	finite := emit.Compare(&c.Emitter, op.Ne, c.Emit(op.Abs, f64, back), c.ScalarValue(inf))
	infinite := emit.Compare(&c.Emitter, op.Eq, c.Emit(op.Abs, f64, f.x), c.ScalarValue(inf))
	return c.Emit(op.Or, ir.Scalar(dtype.Bool), finite, infinite)
}

// operands are those of an elementwise op, and the types they are computed in.
type operands struct {
	c     *Call
	class dtype.Class
	vs    []value.Value
	x     []*ir.Value
	d     dtype.DType
	tiles dtype.DType // what the tiles alone promote to, Invalid if there are none
}

// resolve turns operands of a class into IR values, and finds the type they are
// computed in: the tiles are promoted from left to right, and then each scalar with
// what they give.
func (c *Call) resolve(class dtype.Class, vs ...value.Value) (in operands, ok bool) {
	in = operands{c: c, class: class, vs: vs, x: make([]*ir.Value, len(vs))}
	for i, v := range vs {
		if !c.operand(v) {
			return in, false
		}
		if v.Kind != value.TileKind {
			continue
		}
		in.x[i] = v.IR
		d := v.IR.Type.D
		if d.IsPointer() {
			c.holds(rule.PointerOperand(describeAll(vs)))
			return in, false
		}
		if in.tiles == dtype.Invalid {
			in.tiles = d
		} else if in.tiles, ok = in.promoted(in.tiles, d); !ok {
			return in, false
		}
	}
	in.d = in.tiles
	for i, v := range vs {
		if in.x[i] == nil {
			if in.x[i], in.d, ok = in.scalar(v); !ok {
				return in, false
			}
		}
	}
	return in, true
}

func (in *operands) promoted(x, y dtype.DType) (dtype.DType, bool) {
	d, err := dtype.Promote(in.class, x, y)
	return d, err == nil || in.c.holds(rule.NotPromoted(in.class, describeAll(in.vs), err))
}

// scalar is a Go scalar as an operand, and the type that the op is computed in with
// it.
func (in *operands) scalar(v value.Value) (*ir.Value, dtype.DType, bool) {
	c := in.c
	beside := in.tiles
	if beside == dtype.Invalid {
		beside = dtype.Bool // beside which every scalar has a type of its own
	}
	kind := kindOf(v)
	with, lit, err := dtype.PromoteLiteral(in.class, beside, kind)
	if err != nil {
		return nil, 0, c.holds(rule.NotPromoted(in.class, describeAll(in.vs), err))
	}
	as := weak
	if kind > beside.Kind() || in.class == dtype.Compare {
		as = own
	}
	x := c.literal(lit, v, as, func() *diag.Diagnostic {
		return c.broken(rule.NotBeside(describeAll(in.vs), v.Text(), lit))
	})
	switch in.d {
	case dtype.Invalid:
		return x, lit, x != nil
	case in.tiles:
		return x, with, x != nil
	}
	d, ok := in.promoted(in.d, with)
	return x, d, ok && x != nil
}

// meets reports whether there is a tile among the operands, and an op takes them.
func (in *operands) meets(o op.Op) bool {
	if in.tiles == dtype.Invalid {
		return in.c.holds(rule.NoTile(describeAll(in.vs)))
	}
	return in.c.takes(o, in.d, in.vs...)
}

func describeAll(vs []value.Value) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = v.Describe()
	}
	return rule.Sentence(parts)
}

// takes reports whether an op has a meaning for operands promoted to d.
func (c *Call) takes(o op.Op, d dtype.DType, vs ...value.Value) bool {
	return o.Row().In.Has(d) || c.holds(rule.NotDefined(o, d, describeAll(vs)))
}

// notPointer reports a pointer tile where elements are wanted.
func (c *Call) notPointer(x value.Value) bool {
	if x.Kind != value.TileKind {
		return false
	}
	return c.holds(x.IR.Type.NoPointer())
}

// condition is a bool tile, or a Go bool as one, nil if it is neither.
func (c *Call) condition(what string, v value.Value) *ir.Value {
	if !c.operand(v) {
		return nil
	}
	if v.Kind == value.ScalarKind && v.Basic == types.Bool {
		return c.ScalarValue(v)
	}
	if v.Kind == value.TileKind && v.IR.Type.D == dtype.Bool {
		return v.IR
	}
	c.holds(rule.NoCondition(what, v.Describe()))
	return nil
}
