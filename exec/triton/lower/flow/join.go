package flow

import (
	"maps"
	"slices"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/live"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/exec/triton/syntax"
)

// A branched is one of an If's blocks, and what it left.
type branched struct {
	block *ir.Block
	vars  map[string]value.Value
	flow  Flow
}

// Branch lowers an If of two blocks, and joins what they leave in variables that are read after
// it; where results is not nil, it joins what results gives, and returns it.
func (l *Control) Branch(c *ir.Value, then, els func() Flow, after live.Names, results func() (x, y value.Value)) value.Value {
	at, outer, vars := l.At, l.Block, l.Frame.Vars
	run := func(body func() Flow) branched {
		l.Block, l.Frame.Vars = &ir.Block{}, maps.Clone(vars)
		f := body()
		return branched{l.Block, l.Frame.Vars, f}
	}
	a := run(then)
	b := run(els)
	l.At, l.Block, l.Frame.Vars = at, outer, vars
	j := &joiner{l: l, at: at, a: a, b: b, v: l.Emit(ir.If, ir.Type{}, c)}
	j.v.Blocks = []*ir.Block{a.block, b.block}
	if results != nil {
		x, y := results()
		z := j.join(x, y)
		j.close()
		if gone, ok := z.(Lost); ok {
			value.Fail(l.Refuse("the result %s", gone.why))
		}
		return z
	}
	j.variables(after)
	j.close()
	if a.flow == Ended && b.flow == Ended {
		l.Emit(ir.Return, ir.Type{})
	}
	return nil
}

// A joiner makes the results of an If.
type joiner struct {
	l      *Control
	at     syntax.Pos
	v      *ir.Value
	a, b   branched
	xs, ys []*ir.Value // what the blocks yield
}

// close ends the blocks that go on behind the If.
func (j *joiner) close() {
	outer := j.l.Block
	for _, b := range []struct {
		branched
		yields []*ir.Value
	}{{j.a, j.xs}, {j.b, j.ys}} {
		if b.flow == Falls && b.block.Term() == nil {
			j.l.Block = b.block
			j.l.Emit(ir.Yield, ir.Type{}, b.yields...)
		}
	}
	j.l.Block = outer
}

// variables joins those that are read later.
func (j *joiner) variables(after live.Names) {
	vars := j.l.Frame.Vars
	for _, n := range slices.Sorted(maps.Keys(after)) {
		x, ok := j.a.vars[n]
		y, both := j.b.vars[n]
		switch {
		case !ok && !both:
		case j.a.flow == Ended && !both, j.b.flow == Ended && !ok:
			delete(vars, n)
		case j.a.flow == Ended:
			vars[n] = j.join(y, y)
		case j.b.flow == Ended:
			vars[n] = j.join(x, x)
		case !ok || !both:
			vars[n] = Lost{"is bound on one side of an if only", j.at}
		default:
			vars[n] = j.join(x, y)
		}
	}
}

// join is what a variable holds after the If that holds x after one block and y after the
// other.
func (j *joiner) join(x, y value.Value) value.Value {
	if value.Same(x, y) && (value.IsConst(x) || j.before(x)) {
		return x
	}
	switch x := x.(type) {
	case value.Tuple:
		if t, ok := y.(value.Tuple); ok && len(t) == len(x) {
			return value.Tuple(j.joinAll(x, t))
		}
	case *value.Region:
		if r, ok := y.(*value.Region); ok && r.Desc == x.Desc && r.NaN == x.NaN && slices.Equal(r.Block, x.Block) {
			return j.regions(x, r)
		}
	default:
		if value.IsTensorOrNumber(x) && value.IsTensorOrNumber(y) {
			return j.tensors(x, y)
		}
	}
	if gone, ok := x.(Lost); ok {
		return gone
	}
	if gone, ok := y.(Lost); ok {
		return gone
	}
	return Lost{"is " + value.Describe(x) + " after one side of an if and " + value.Describe(y) + " after the other", j.at}
}

func (j *joiner) joinAll(xs, ys []value.Value) []value.Value {
	zs := make([]value.Value, len(xs))
	for i := range xs {
		zs[i] = j.join(xs[i], ys[i])
	}
	return zs
}

func (j *joiner) regions(x, y *value.Region) value.Value {
	base, ok := j.join(x.Base, y.Base).(value.Tensor)
	if !ok {
		return Lost{"points into different tensors", j.at}
	}
	z := *x
	z.Base, z.Shape = base, j.joinAll(x.Shape, y.Shape)
	z.Strides, z.Offsets = j.joinAll(x.Strides, y.Strides), j.joinAll(x.Offsets, y.Offsets)
	return &z
}

// tensors makes one result of the If of two values.
func (j *joiner) tensors(x, y value.Value) value.Value {
	l, outer := j.l, j.l.Block
	l.Block = j.a.block
	p := l.inBlock(j.a, x)
	l.Block = j.b.block
	q := l.inBlock(j.b, y)
	l.Block = outer
	if p.Type != q.Type {
		return Lost{"is " + p.Type.String() + " after one side of an if and " + q.Type.String() + " after the other", j.at}
	}
	j.xs, j.ys = append(j.xs, p), append(j.ys, q)
	j.v.Results = append(j.v.Results, p.Type)
	return value.Tensor{IR: emit.Result(&l.Emitter, j.v, len(j.xs)-1)}
}

// inBlock is a value as a tensor of the block it comes from; nothing is added to a block that
// has ended.
func (l *Control) inBlock(b branched, v value.Value) *ir.Value {
	if t, ok := v.(value.Tensor); ok {
		return t.IR
	}
	if b.block.Term() != nil {
		d, _ := number.Type(v)
		return &ir.Value{Type: ir.Scalar(d)}
	}
	return l.ToTensor(v).IR
}

// before reports whether a value is made of nothing that one of the blocks computes: it was
// there before the If.
func (j *joiner) before(v value.Value) bool {
	if j.a.flow == Falls && j.b.flow == Falls {
		return true // what both blocks hold alike
	}
	made := map[*ir.Value]bool{}
	for _, b := range []*ir.Block{j.a.block, j.b.block} {
		for _, w := range b.Values {
			made[w] = true
		}
	}
	return !slices.ContainsFunc(parts(v), func(w *ir.Value) bool { return made[w] })
}

// parts are the IR values that a value is made of.
func parts(v value.Value) (vs []*ir.Value) {
	switch v := v.(type) {
	case value.Tensor:
		return []*ir.Value{v.IR}
	case value.Tuple:
		for _, e := range v {
			vs = append(vs, parts(e)...)
		}
	case *value.Region:
		return append([]*ir.Value{v.Base.IR}, parts(value.Tuple(slices.Concat(v.Shape, v.Strides, v.Offsets)))...)
	}
	return vs
}

// rebuilt is a value with other parts in order.
func rebuilt(v value.Value, next func() *ir.Value) value.Value {
	switch v := v.(type) {
	case value.Tensor:
		return value.Tensor{IR: next()}
	case value.Tuple:
		z := make(value.Tuple, len(v))
		for i, e := range v {
			z[i] = rebuilt(e, next)
		}
		return z
	case *value.Region:
		z := *v
		z.Base = value.Tensor{IR: next()}
		list := func(xs []value.Value) []value.Value { return rebuilt(value.Tuple(xs), next).(value.Tuple) }
		z.Shape, z.Strides, z.Offsets = list(v.Shape), list(v.Strides), list(v.Offsets)
		return &z
	}
	return v
}
