package lower

import (
	"maps"
	"slices"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/live"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// lost is what a variable holds that is not bound on all paths to here, or not alike.
type lost struct {
	why string
	at  syntax.Pos
}

func (v lost) refuse(l *place, name string) *diag.Diagnostic {
	return l.refuse("%s %s", name, v.why).
		NoteAt(l.frame.file.syntax.At(v.at), "that is at %s", diag.Here).
		Fix("give it a value of one dtype and shape before")
}

// A branch is one of an If's blocks, and what it left.
type branched struct {
	block *ir.Block
	vars  map[string]value
	flow  flow
}

// branch lowers an If of two blocks, and joins what they leave in variables that are read after
// it; where results is not nil, it joins what results gives, and returns it.
func (l *emitter) branch(c *ir.Value, then, els func() flow, after live.Names, results func() (value, value)) value {
	at, outer, vars := l.at, l.block, l.frame.vars
	run := func(body func() flow) branched {
		l.block, l.frame.vars = &ir.Block{}, maps.Clone(vars)
		f := body()
		return branched{l.block, l.frame.vars, f}
	}
	a := run(then)
	b := run(els)
	l.at, l.block, l.frame.vars = at, outer, vars
	j := &joiner{l: l, at: at, a: a, b: b, v: l.Emit(ir.If, ir.Type{}, c)}
	j.v.Blocks = []*ir.Block{a.block, b.block}
	if results != nil {
		x, y := results()
		z := j.join(x, y)
		j.close()
		if gone, ok := z.(lost); ok {
			fail(l.refuse("the result %s", gone.why))
		}
		return z
	}
	j.variables(after)
	j.close()
	if a.flow == ended && b.flow == ended {
		l.Emit(ir.Return, ir.Type{})
	}
	return nil
}

// A joiner makes the results of an If.
type joiner struct {
	l      *emitter
	at     syntax.Pos
	v      *ir.Value
	a, b   branched
	xs, ys []*ir.Value // what the blocks yield
}

// close ends the blocks that go on behind the If.
func (j *joiner) close() {
	outer := j.l.block
	for _, b := range []struct {
		branched
		yields []*ir.Value
	}{{j.a, j.xs}, {j.b, j.ys}} {
		if b.flow == falls && b.block.Term() == nil {
			j.l.block = b.block
			j.l.Emit(ir.Yield, ir.Type{}, b.yields...)
		}
	}
	j.l.block = outer
}

// variables joins those that are read later.
func (j *joiner) variables(after live.Names) {
	vars := j.l.frame.vars
	for _, n := range slices.Sorted(maps.Keys(after)) {
		x, ok := j.a.vars[n]
		y, both := j.b.vars[n]
		switch {
		case !ok && !both:
		case j.a.flow == ended && !both, j.b.flow == ended && !ok:
			delete(vars, n)
		case j.a.flow == ended:
			vars[n] = j.join(y, y)
		case j.b.flow == ended:
			vars[n] = j.join(x, x)
		case !ok || !both:
			vars[n] = lost{"is bound on one side of an if only", j.at}
		default:
			vars[n] = j.join(x, y)
		}
	}
}

// join is what a variable holds after the If that holds x after one block and y after the
// other.
func (j *joiner) join(x, y value) value {
	if same(x, y) && (isConst(x) || j.before(x)) {
		return x
	}
	switch x := x.(type) {
	case tuple:
		if t, ok := y.(tuple); ok && len(t) == len(x) {
			return tuple(j.joinAll(x, t))
		}
	case *region:
		if r, ok := y.(*region); ok && r.desc == x.desc && r.nan == x.nan && slices.Equal(r.block, x.block) {
			return j.regions(x, r)
		}
	default:
		if isTensorOrNumber(x) && isTensorOrNumber(y) {
			return j.tensors(x, y)
		}
	}
	if gone, ok := x.(lost); ok {
		return gone
	}
	if gone, ok := y.(lost); ok {
		return gone
	}
	return lost{"is " + describe(x) + " after one side of an if and " + describe(y) + " after the other", j.at}
}

func (j *joiner) joinAll(xs, ys []value) []value {
	zs := make([]value, len(xs))
	for i := range xs {
		zs[i] = j.join(xs[i], ys[i])
	}
	return zs
}

func (j *joiner) regions(x, y *region) value {
	base, ok := j.join(x.base, y.base).(tensor)
	if !ok {
		return lost{"points into different tensors", j.at}
	}
	z := *x
	z.base, z.shape, z.strides, z.offsets = base, j.joinAll(x.shape, y.shape), j.joinAll(x.strides, y.strides), j.joinAll(x.offsets, y.offsets)
	return &z
}

// tensors makes one result of the If of two values.
func (j *joiner) tensors(x, y value) value {
	l, outer := j.l, j.l.block
	l.block = j.a.block
	p := l.inBlock(j.a, x)
	l.block = j.b.block
	q := l.inBlock(j.b, y)
	l.block = outer
	if p.Type != q.Type {
		return lost{"is " + p.Type.String() + " after one side of an if and " + q.Type.String() + " after the other", j.at}
	}
	j.xs, j.ys = append(j.xs, p), append(j.ys, q)
	j.v.Results = append(j.v.Results, p.Type)
	return tensor{v: emit.Result(l, j.v, len(j.xs)-1)}
}

// inBlock is a value as a tensor of the block it comes from; nothing is added to a block that
// has ended.
func (l *emitter) inBlock(b branched, v value) *ir.Value {
	if t, ok := v.(tensor); ok {
		return t.v
	}
	if b.block.Term() != nil {
		d, _ := number.Type(v)
		return &ir.Value{Type: ir.Scalar(d)}
	}
	return l.toTensor(v).v
}

// before reports whether a value is made of nothing that one of the blocks computes: it was
// there before the If.
func (j *joiner) before(v value) bool {
	if j.a.flow == falls && j.b.flow == falls {
		return true // what both blocks hold alike
	}
	made := map[*ir.Value]bool{}
	for _, b := range []*ir.Block{j.a.block, j.b.block} {
		for _, w := range b.Values {
			made[w] = true
		}
	}
	for _, w := range parts(v) {
		if made[w] {
			return false
		}
	}
	return true
}

// parts are the IR values that a value is made of.
func parts(v value) (vs []*ir.Value) {
	switch v := v.(type) {
	case tensor:
		return []*ir.Value{v.v}
	case tuple:
		for _, e := range v {
			vs = append(vs, parts(e)...)
		}
	case *region:
		vs = append(vs, v.base.v)
		for _, list := range [][]value{v.shape, v.strides, v.offsets} {
			vs = append(vs, parts(tuple(list))...)
		}
	}
	return vs
}

// rebuilt is a value with other parts in order.
func rebuilt(v value, next func() *ir.Value) value {
	switch v := v.(type) {
	case tensor:
		return tensor{v: next()}
	case tuple:
		z := make(tuple, len(v))
		for i, e := range v {
			z[i] = rebuilt(e, next)
		}
		return z
	case *region:
		z := *v
		z.base = tensor{v: next()}
		list := func(xs []value) []value { return rebuilt(tuple(xs), next).(tuple) }
		z.shape, z.strides, z.offsets = list(v.shape), list(v.strides), list(v.offsets)
		return &z
	}
	return v
}
