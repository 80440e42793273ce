package lower

import (
	"maps"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/live"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A carry is a variable that a loop carries: what it holds before, and where its parts stand
// among the loop's.
type carry struct {
	name  string
	init  value
	first int
	parts int
}

// A loop is being lowered.
type loop struct {
	*emitter
	body    []syntax.Stmt
	before  map[string]value
	carried []carry
	inits   []*ir.Value
	args    []*ir.Value
	nexts   []*ir.Value
}

// begin finds what the loop carries: what its body binds, was bound before and is read in it
// or after it.
func (l *lowering) begin(s syntax.Stmt, body []syntax.Stmt) *loop {
	x := &loop{emitter: &l.emitter, body: body, before: l.frame.vars}
	for _, n := range live.Bound(body) {
		v, ok := x.before[n]
		if !ok || !l.live.Around(s)[n] {
			continue
		}
		if _, gone := v.(lost); gone {
			continue
		}
		c := carry{name: n, init: x.loopForm(v), first: len(x.inits)}
		ps := parts(c.init)
		c.parts = len(ps)
		x.inits = append(x.inits, ps...)
		x.carried = append(x.carried, c)
	}
	for _, v := range x.inits {
		x.args = append(x.args, l.fn.NewValue(op.None, v.Type, l.here()))
	}
	return x
}

// loopForm is a value as a loop carries it: numbers as scalars, the offsets of a block pointer
// among them.
func (x *loop) loopForm(v value) value {
	switch v := v.(type) {
	case *region:
		z := *v
		z.offsets = nil
		for _, o := range v.offsets {
			z.offsets = append(z.offsets, x.toTensor(o))
		}
		return &z
	case tuple:
		z := make(tuple, len(v))
		for i, e := range v {
			z[i] = x.loopForm(e)
		}
		return z
	}
	return x.assigned(v)
}

// enter makes the variables those that the loop's block begins with.
func (x *loop) enter() {
	x.frame.vars = maps.Clone(x.before)
	for _, c := range x.carried {
		i := c.first
		x.frame.vars[c.name] = rebuilt(c.init, func() *ir.Value { i++; return x.args[i-1] })
	}
}

// around finds what the variables hold at the end of the body, for the next round.
func (x *loop) around() {
	for _, c := range x.carried {
		end := x.loopForm(x.frame.vars[c.name])
		x.alike(c, end)
		x.nexts = append(x.nexts, parts(end)...)
	}
}

// alike refuses a variable that changes its type in a loop.
func (x *loop) alike(c carry, end value) {
	if gone, ok := end.(lost); ok {
		fail(gone.refuse(&x.place, c.name))
	}
	a, b := parts(c.init), parts(end)
	ok := len(a) == len(b)
	for i := 0; ok && i < len(a); i++ {
		ok = a[i].Type == b[i].Type
	}
	if ok && len(a) == 0 {
		ok = same(c.init, end)
	}
	if !ok {
		fail(x.refuse("%s is %s before the loop and %s after a round of it: a loop does not change what a variable is", c.name, describe(c.init), describe(end)).
			Fix("convert it with .to(...), or begin with tl.zeros or tl.full of the dtype and shape that it gets"))
	}
}

// final is what a value stands for, once invariant arguments are replaced.
func (l *emitter) final(v *ir.Value) *ir.Value {
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
	if next.Op != op.Add || arg.Type != ir.Scalar(dtype.Int64) || next.Args[0] != arg || !isScalarConst(next.Args[1]) {
		return 0, false
	}
	return int64(next.Args[1].Bits), true
}

// indexed is init + (i - lo) * by.
func (x *loop) indexed(i, lo, init *ir.Value, by int64) *ir.Value {
	t := i.Type
	if !isScalarConst(lo) || lo.Bits != 0 {
		i = x.Emit(op.Sub, t, i, lo)
	}
	if by != 1 {
		i = x.Emit(op.Mul, t, i, x.Constant(dtype.Int64, uint64(by)))
	}
	if isScalarConst(init) && init.Bits == 0 {
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
		results[i] = emit.Result(x.emitter, v, k)
	}
	x.frame.vars = maps.Clone(x.before)
	for _, n := range live.Bound(x.body) {
		x.frame.vars[n] = lost{"is bound only within the loop", line}
	}
	for _, c := range x.carried {
		i := c.first
		x.frame.vars[c.name] = rebuilt(c.init, func() *ir.Value { i++; return results[i-1] })
	}
}

// forLoop lowers a loop over range, tl.range or tl.static_range, or over a tuple.
func (l *lowering) forLoop(s *syntax.For) {
	if len(s.Else) > 0 {
		fail(l.refuse("else after a loop: not possible in a kernel"))
	}
	call, ok := s.Iter.(*syntax.Call)
	if !ok {
		l.unrolled(s, l.elements(l.expr(s.Iter)))
		return
	}
	f := l.expr(call.Func)
	b, isBuiltin := f.(builtin)
	switch {
	case isBuiltin && b.name() == "static_range", isBuiltin && b.name() == "range" && l.frame.plain:
		l.unrolled(s, l.staticNumbers(l.bind(b.row, nil, call)))
	case isBuiltin && b.name() == "range":
		l.countedLoop(s, l.bind(b.row, nil, call))
	default:
		l.unrolled(s, l.elements(l.expr(s.Iter)))
	}
}

// round lowers the body of a loop, which goes on to the next round.
func (l *lowering) round(body []syntax.Stmt) {
	if l.list(body) == ended {
		fail(l.refuse("return within a loop: not possible in a kernel").Fix("guard the rest of the loop's body with if"))
	}
}

// unrolled lowers the body once for each element.
func (l *lowering) unrolled(s *syntax.For, list tuple) {
	for _, v := range list {
		l.at = s.At
		l.assign(s.Target, v)
		l.note(s.At, s.Target)
		l.round(s.Body)
	}
}

// staticNumbers is what a range that is known counts through.
func (l *lowering) staticNumbers(c *call) tuple {
	lo, hi, step := c.rangeArgs()
	from, to, by := l.staticInt(lo, "the start of tl.static_range"), l.staticInt(hi, "the end of tl.static_range"), l.staticInt(step, "the step of tl.static_range")
	if by == 0 {
		fail(l.refuse("tl.static_range: a step of 0"))
	}
	list := tuple{}
	for i := from; i < to && by > 0 || i > to && by < 0; i += by {
		list = append(list, int64(i))
		if len(list) > maxValues {
			fail(l.refuse("tl.static_range: more than %d rounds", maxValues).Fix("loop with range instead"))
		}
	}
	return list
}

// rangeArgs are start, end and step.
func (c *call) rangeArgs() (lo, hi, step value) {
	lo, hi, step = c.arg("arg1"), c.arg("arg2"), c.arg("step")
	if hi == nil {
		lo, hi = int64(0), lo
	}
	if step == nil {
		step = int64(1)
	}
	return lo, hi, step
}

// countedLoop lowers a loop over range. A step that is known only at run time is positive, as
// in Triton.
func (l *lowering) countedLoop(s *syntax.For, c *call) {
	lo, hi, step := c.rangeArgs()
	from, to, by := l.numeric("range", lo).v, l.numeric("range", hi).v, l.numeric("range", step).v
	d := dtype.Int32
	for _, v := range []*ir.Value{from, to, by} {
		if !v.Type.D.IsInt() || v.Type.IsTile() {
			fail(l.refuse("range of %s: it counts in single integers", v.Type))
		}
		if v.Type.D.Bits() == 64 {
			d = v.Type.D
		}
	}
	from, to, by = l.cast(from, dtype.Int64), l.cast(to, dtype.Int64), l.cast(by, dtype.Int64)
	n, fixed := known(tensor{v: by})
	if fixed && n == int64(0) {
		fail(l.refuse("range: a step of 0"))
	}
	index := func(i *ir.Value) *ir.Value { return l.cast(i, d) }
	lower, upper, stride := from, to, 1
	if fixed {
		stride = int(n.(int64))
	} else {
		lower, upper = l.Constant(dtype.Int64, 0), l.rounds(from, to, by)
		index = func(i *ir.Value) *ir.Value {
			t := ir.Scalar(dtype.Int64)
			return l.cast(l.Emit(op.Add, t, from, l.Emit(op.Mul, t, i, by)), d)
		}
	}
	l.loopBody(s, lower, upper, stride, index)
}

// rounds is how often a loop from lo to hi goes around in steps that are known only at run
// time.
func (l *emitter) rounds(lo, hi, step *ir.Value) *ir.Value {
	t := ir.Scalar(dtype.Int64)
	span := l.Emit(op.Sub, t, hi, lo)
	up := l.Emit(op.Sub, t, l.Emit(op.Add, t, span, step), l.Constant(dtype.Int64, 1))
	q := l.Emit(op.FloorDiv, t, up, step)
	q.Text = "range"
	return q
}

func (l *lowering) loopBody(s *syntax.For, lo, hi *ir.Value, step int, index func(i *ir.Value) *ir.Value) {
	at, outer := l.at, l.block
	x := l.begin(s, s.Body)
	i := l.fn.NewValue(op.None, ir.Scalar(dtype.Int64), l.here())
	b := &ir.Block{}
	x.enter()
	l.block = b
	l.loops++
	l.assign(s.Target, tensor{v: index(i)})
	l.note(s.At, s.Target)
	l.round(s.Body)
	l.loops--
	x.around()
	x.follow(l.live.After(s), b, i, lo, step)
	places := x.varying()
	l.Emit(ir.Yield, ir.Type{}, pick(x.nexts, places)...)
	b.Args = append([]*ir.Value{i}, pick(x.args, places)...)
	l.block, l.at = outer, at
	v := l.Emit(ir.For, ir.Type{}, append([]*ir.Value{lo, hi}, pick(x.inits, places)...)...)
	v.Index, v.Blocks = step, []*ir.Block{b}
	x.leave(v, places, at)
}

// whileLoop lowers a while: a Loop that is left where the condition does not hold.
func (l *lowering) whileLoop(s *syntax.While) {
	if len(s.Else) > 0 {
		fail(l.refuse("else after a loop: not possible in a kernel"))
	}
	at, outer := l.at, l.block
	x := l.begin(s, s.Body)
	b := &ir.Block{}
	x.enter()
	l.block = b
	cond := l.expr(s.Cond)
	l.at = at
	c := l.condition(l.toTensor(cond))
	test := l.Emit(ir.If, ir.Type{}, c)
	yes, no := &ir.Block{}, &ir.Block{}
	test.Blocks = []*ir.Block{yes, no}
	l.loops++
	l.round(s.Body)
	l.loops--
	x.around()
	places := x.varying()
	l.Emit(ir.Continue, ir.Type{}, pick(x.nexts, places)...)
	b.Args = pick(x.args, places)
	l.at = at
	l.block = yes
	l.Emit(ir.Yield, ir.Type{})
	l.block = no
	l.Emit(ir.Break, ir.Type{}, b.Args...)
	l.block = outer
	v := l.Emit(ir.Loop, ir.Type{}, pick(x.inits, places)...)
	v.Blocks = []*ir.Block{b}
	x.leave(v, places, at)
}
