package flow

import (
	"maps"
	"slices"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/live"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A carry is a variable that a loop carries: what it holds before, and where its parts stand
// among the loop's.
type carry struct {
	name  string
	init  value.Value
	first int
	parts int
}

// A loop is being lowered.
type loop struct {
	*Control
	body    []syntax.Stmt
	before  map[string]value.Value
	carried []carry
	inits   []*ir.Value
	args    []*ir.Value
	nexts   []*ir.Value
}

// begin finds what the loop carries: what its body binds, was bound before and is read in it
// or after it.
func (l *Control) begin(s syntax.Stmt, body []syntax.Stmt) *loop {
	x := &loop{Control: l, body: body, before: l.Frame.Vars}
	for _, n := range live.Bound(body) {
		v, ok := x.before[n]
		if !ok || !l.Live.Around(s)[n] {
			continue
		}
		if _, gone := v.(Lost); gone {
			continue
		}
		c := carry{name: n, init: x.loopForm(v), first: len(x.inits)}
		ps := parts(c.init)
		c.parts = len(ps)
		x.inits = append(x.inits, ps...)
		x.carried = append(x.carried, c)
	}
	for _, v := range x.inits {
		x.args = append(x.args, l.Func.NewValue(op.None, v.Type, l.Here()))
	}
	return x
}

// loopForm is a value as a loop carries it: numbers as scalars, the offsets of a block pointer
// among them.
func (x *loop) loopForm(v value.Value) value.Value {
	switch v := v.(type) {
	case *value.Region:
		z := *v
		z.Offsets = nil
		for _, o := range v.Offsets {
			z.Offsets = append(z.Offsets, x.ToTensor(o))
		}
		return &z
	case value.Tuple:
		z := make(value.Tuple, len(v))
		for i, e := range v {
			z[i] = x.loopForm(e)
		}
		return z
	}
	return x.Assigned(v)
}

// enter makes the variables those that the loop's block begins with.
func (x *loop) enter() {
	x.Frame.Vars = maps.Clone(x.before)
	for _, c := range x.carried {
		i := c.first
		x.Frame.Vars[c.name] = rebuilt(c.init, func() *ir.Value { i++; return x.args[i-1] })
	}
}

// around finds what the variables hold at the end of the body, for the next round.
func (x *loop) around() {
	for _, c := range x.carried {
		end := x.loopForm(x.Frame.Vars[c.name])
		x.alike(c, end)
		x.nexts = append(x.nexts, parts(end)...)
	}
}

// alike refuses a variable that changes its type in a loop.
func (x *loop) alike(c carry, end value.Value) {
	if gone, ok := end.(Lost); ok {
		value.Fail(gone.Refuse(&x.Place, c.name))
	}
	a, b := parts(c.init), parts(end)
	alike := slices.EqualFunc(a, b, func(v, w *ir.Value) bool { return v.Type == w.Type })
	if !alike || len(a) == 0 && !value.Same(c.init, end) {
		value.Fail(x.Refuse("%s is %s before the loop and %s after a round of it: a loop does not change what a variable is",
			c.name, value.Describe(c.init), value.Describe(end)).
			Fix("convert it with .to(...), or begin with tl.zeros or tl.full of the dtype and shape that it gets"))
	}
}

// final is what a value stands for, once invariant arguments are replaced.
func (l *Control) final(v *ir.Value) *ir.Value {
	for l.put[v] != nil {
		v = l.put[v]
	}
	return v
}

// follow makes offsets that each round moves by a constant, and that are not read after the loop,
// functions of its index i, which begins at lo: what a block pointer is advanced by need not
// be carried.
func (x *loop) follow(after live.Names, b *ir.Block, i, lo *ir.Value, step int) {
	n := len(b.Values)
	for _, c := range x.carried {
		if after[c.name] {
			continue
		}
		for k := c.first; k < c.first+c.parts; k++ {
			by, ok := advance(x.nexts[k], x.args[k])
			if !ok || by%int64(step) != 0 {
				continue
			}
			x.put[x.args[k]] = x.indexed(i, lo, x.inits[k], by/int64(step))
			x.nexts[k] = x.args[k]
		}
	}
	// What was added stands at the end of the block, and belongs at its beginning.
	b.Values = append(append([]*ir.Value{}, b.Values[n:]...), b.Values[:n]...)
	x.noteBehind(b, len(b.Values)-n)
}

// advance is the constant that next is more than an int64 scalar.
func advance(next, arg *ir.Value) (by int64, ok bool) {
	if next.Op != op.Add || arg.Type != ir.Scalar(dtype.Int64) || next.Args[0] != arg || !value.IsScalarConst(next.Args[1]) {
		return 0, false
	}
	return int64(next.Args[1].Bits), true
}

// indexed is init + (i - lo) * by.
func (x *loop) indexed(i, lo, init *ir.Value, by int64) *ir.Value {
	t := i.Type
	if !value.IsScalarConst(lo) || lo.Bits != 0 {
		i = x.Emit(op.Sub, t, i, lo)
	}
	if by != 1 {
		i = x.Emit(op.Mul, t, i, x.Constant(dtype.Int64, uint64(by)))
	}
	if value.IsScalarConst(init) && init.Bits == 0 {
		return i
	}
	return x.Emit(op.Add, t, init, i)
}

// varying drops the parts that no round changes, and returns the places of the others.
func (x *loop) varying() (places []int) {
	for i, v := range x.nexts {
		if x.final(v) == x.final(x.args[i]) {
			if x.put[x.args[i]] == nil {
				x.put[x.args[i]] = x.inits[i]
			}
			continue
		}
		places = append(places, i)
	}
	return places
}

func pick(vs []*ir.Value, places []int) (z []*ir.Value) {
	for _, i := range places {
		z = append(z, vs[i])
	}
	return z
}

// leave makes the variables those after the loop v, of which places are the results.
func (x *loop) leave(v *ir.Value, places []int, line syntax.Pos) {
	results := append([]*ir.Value{}, x.inits...)
	for k, i := range places {
		v.Results = append(v.Results, x.args[i].Type)
		results[i] = emit.Result(&x.Emitter, v, k)
	}
	x.Frame.Vars = maps.Clone(x.before)
	for _, n := range live.Bound(x.body) {
		x.Frame.Vars[n] = Lost{"is bound only within the loop", line}
	}
	for _, c := range x.carried {
		i := c.first
		x.Frame.Vars[c.name] = rebuilt(c.init, func() *ir.Value { i++; return results[i-1] })
	}
}

// Count lowers a loop that counts from lo to hi: body lowers a round of it, of an index.
func (l *Control) Count(s *syntax.For, lo, hi *ir.Value, step int, body func(i *ir.Value)) {
	at, outer := l.At, l.Block
	x := l.begin(s, s.Body)
	i := l.Func.NewValue(op.None, ir.Scalar(dtype.Int64), l.Here())
	b := &ir.Block{}
	x.enter()
	l.Block = b
	body(i)
	x.around()
	x.follow(l.Live.After(s), b, i, lo, step)
	places := x.varying()
	l.Emit(ir.Yield, ir.Type{}, pick(x.nexts, places)...)
	b.Args = append([]*ir.Value{i}, pick(x.args, places)...)
	l.Block, l.At = outer, at
	v := l.Emit(ir.For, ir.Type{}, append([]*ir.Value{lo, hi}, pick(x.inits, places)...)...)
	v.Index, v.Blocks = step, []*ir.Block{b}
	x.leave(v, places, at)
}

// While lowers a Loop that is left where a condition does not hold, which is lowered in each round, before its body.
func (l *Control) While(s *syntax.While, cond func() value.Value, body func()) {
	at, outer := l.At, l.Block
	x := l.begin(s, s.Body)
	b := &ir.Block{}
	x.enter()
	l.Block = b
	holds := cond()
	l.At = at
	c := l.Condition(l.ToTensor(holds))
	test := l.Emit(ir.If, ir.Type{}, c)
	yes, no := &ir.Block{}, &ir.Block{}
	test.Blocks = []*ir.Block{yes, no}
	body()
	x.around()
	places := x.varying()
	l.Emit(ir.Continue, ir.Type{}, pick(x.nexts, places)...)
	b.Args = pick(x.args, places)
	l.At = at
	l.Block = yes
	l.Emit(ir.Yield, ir.Type{})
	l.Block = no
	l.Emit(ir.Break, ir.Type{}, slices.Clone(b.Args)...)
	l.Block = outer
	v := l.Emit(ir.Loop, ir.Type{}, pick(x.inits, places)...)
	v.Blocks = []*ir.Block{b}
	x.leave(v, places, at)
}
