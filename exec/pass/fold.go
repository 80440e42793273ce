package pass

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// folder rewrites one Func, block by block, in order; new values go ahead of the one
// they serve.
type folder struct {
	f     *ir.Func
	subst map[*ir.Value]*ir.Value
	out   []*ir.Value // the block being rebuilt
}

// fold computes constants, turns an op on tiles of equal elements into a scalar op
// and a broadcast, and merges changes of shape.
func fold(f *ir.Func) {
	d := &folder{f: f, subst: map[*ir.Value]*ir.Value{}}
	d.block(f.Body)
	f.Replace(d.subst)
}

func (d *folder) block(b *ir.Block) {
	outer := d.out
	d.out = make([]*ir.Value, 0, len(b.Values))
	for _, v := range b.Values {
		for i, a := range v.Args {
			v.Args[i] = d.final(a)
		}
		for _, inner := range v.Blocks {
			d.block(inner)
		}
		if w := d.simplify(v); w != nil {
			d.subst[v] = w
			continue
		}
		d.out = append(d.out, v)
	}
	b.Values = d.out
	d.out = outer
}

func (d *folder) final(v *ir.Value) *ir.Value {
	for w, ok := d.subst[v]; ok; w, ok = d.subst[v] {
		v = w
	}
	return v
}

// add puts a new value ahead of the one being looked at.
func (d *folder) add(like *ir.Value, o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	v := d.f.NewValue(o, t, like.Pos, args...)
	if w := d.simplify(v); w != nil {
		return w
	}
	d.out = append(d.out, v)
	return v
}

func (d *folder) constant(like *ir.Value, t ir.Type, bits uint64) *ir.Value {
	v := d.f.NewValue(op.Const, t, like.Pos)
	v.Bits = bits
	d.out = append(d.out, v)
	return v
}

// simplify is what v may be replaced by, nil if v stays.
func (d *folder) simplify(v *ir.Value) *ir.Value {
	switch {
	case v.Op == op.Broadcast:
		return d.broadcast(v)
	case v.Op == op.Reshape:
		return d.reshape(v)
	case v.Op == ir.Fits:
		return d.fits(v)
	case v.Op == ir.GoMath:
		return d.constants(v)
	case v.Op == ir.PtrAdd:
		if isZero(v.Args[1]) {
			return v.Args[0]
		}
		return nil
	case !v.Pure() || v.Op == op.Const:
		return nil
	}
	switch ir.Family(v.Op) {
	case op.Elementwise, op.Change:
		if w := d.constants(v); w != nil {
			return w
		}
		if w := d.identity(v); w != nil {
			return w
		}
		if v.Type.IsTile() {
			if w := d.splats(v); w != nil {
				return w
			}
			return d.compare(v)
		}
	}
	return nil
}

// constants folds an op on scalar constants.
func (d *folder) constants(v *ir.Value) *ir.Value {
	if v.Type.IsTile() || v.Type.D.IsPointer() {
		return nil
	}
	in := make([]uint64, len(v.Args))
	for i, a := range v.Args {
		if a.Op != op.Const {
			return nil
		}
		in[i] = a.Bits
	}
	t := v.Args[len(v.Args)-1].Type.D
	switch v.Op {
	case ir.GoMath:
		return d.constant(v, v.Type, ir.MathNamed(v.Text).Result(v.Index, in[0], in[len(in)-1]))
	case op.Cast, op.CastRTZ:
		return d.constant(v, v.Type, dtype.Convert(v.Type.D, t, in[0], v.Op == op.CastRTZ))
	case op.Bitcast:
		return d.constant(v, v.Type, dtype.Bitcast(v.Type.D, t, in[0]))
	}
	return d.constant(v, v.Type, op.Scalar(v.Op, t, in...))
}

// identity drops operations that change nothing: of integers, where no sign of zero
// or NaN is at stake, and casts to the same type.
func (d *folder) identity(v *ir.Value) *ir.Value {
	x := v.Args[0]
	if (v.Op == op.Cast || v.Op == op.Bitcast) && x.Type == v.Type {
		return x
	}
	if len(v.Args) != 2 || !v.Type.D.IsInt() {
		return nil
	}
	y := v.Args[1]
	switch v.Op {
	case op.Add:
		if isZero(x) {
			return y
		}
		if isZero(y) {
			return x
		}
	case op.Sub, op.Shl, op.Shr:
		if isZero(y) {
			return x
		}
	case op.Mul:
		if isOne(x) {
			return y
		}
		if isOne(y) {
			return x
		}
	case op.FloorDiv:
		if isOne(y) {
			return x
		}
	case op.Mod:
		if isOne(y) {
			return d.spread(v, d.constant(v, v.Type.Elem(), 0))
		}
	case op.And:
		if v.Type.D == dtype.Bool && isOne(y) {
			return x
		}
		if v.Type.D == dtype.Bool && isOne(x) {
			return y
		}
	}
	return nil
}

// behind is the scalar that a tile repeats, nil if it is not a scalar repeated.
func behind(v *ir.Value) *ir.Value {
	if v.Op == op.Broadcast && !v.Args[0].Type.IsTile() {
		return v.Args[0]
	}
	return nil
}

func constBehind(v *ir.Value) *ir.Value {
	if s := behind(v); s != nil {
		v = s
	}
	if v.Op == op.Const {
		return v
	}
	return nil
}

func isZero(v *ir.Value) bool {
	c := constBehind(v)
	return c != nil && c.Bits == 0
}

func isOne(v *ir.Value) bool {
	c := constBehind(v)
	return c != nil && c.Bits == 1
}

// splats turns an op whose tile operands all repeat scalars into an op on those.
func (d *folder) splats(v *ir.Value) *ir.Value {
	in := make([]*ir.Value, len(v.Args))
	for i, a := range v.Args {
		if in[i] = behind(a); in[i] == nil || in[i].Type.D.IsPointer() {
			return nil
		}
	}
	s := d.add(v, v.Op, v.Type.Elem(), in...)
	return d.add(v, op.Broadcast, v.Type, s)
}

// broadcast merges a broadcast of a broadcast, and drops one that changes nothing.
func (d *folder) broadcast(v *ir.Value) *ir.Value {
	x := v.Args[0]
	switch {
	case x.Type == v.Type:
		return x
	case x.Op == op.Broadcast:
		return d.add(v, op.Broadcast, v.Type, x.Args[0])
	}
	return nil
}

// reshape merges a reshape of a reshape, and of a repeated scalar.
func (d *folder) reshape(v *ir.Value) *ir.Value {
	x := v.Args[0]
	switch {
	case x.Type == v.Type:
		return x
	case x.Op == op.Reshape:
		return d.add(v, op.Reshape, v.Type, x.Args[0])
	case behind(x) != nil && v.Type.IsTile():
		return d.add(v, op.Broadcast, v.Type, behind(x))
	case !x.Type.IsTile() && v.Type.IsTile():
		return d.add(v, op.Broadcast, v.Type, x)
	}
	return nil
}

// fits is a constant that fits, or a value that came from the narrow type.
func (d *folder) fits(v *ir.Value) *ir.Value {
	x := v.Args[0]
	switch {
	case x.Op == op.Const && v.Type.D.FitsInt(int64(x.Bits)):
		return d.constant(v, v.Type, dtype.FromInt(v.Type.D, int64(x.Bits), false))
	case x.Op == op.Cast && x.Args[0].Type == v.Type:
		return x.Args[0]
	}
	return nil
}
