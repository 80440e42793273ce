package frontend

import (
	"go/ast"
	"go/token"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
)

// A flow says where control is after a statement.
type flow struct {
	kind flowKind
	to   *region // of leaves
}

type flowKind uint8

const (
	falls  flowKind = iota // at the next statement
	leaves                 // at the end of a region, without a jump so far
	ended                  // nowhere: the block has its terminator
)

// A region is what return, break or continue leaves.
type region struct {
	kind  regionKind
	mode  mode
	label string
	stmt  ast.Stmt // of a loop

	// What is needed to end it: the journal, the newest variable and value when it
	// began, the ways out and, of a loop, the ways round.
	mark, seq, ids int
	exits, backs   []exit
	block          *ir.Block // of a Loop: its block, whose arguments are what it carries
	post           func()    // of a loop's body: what runs before the next round
	loop           *loop     // of a loop and of its body
}

type regionKind uint8

const (
	kernelRegion regionKind = iota
	funcRegion              // left by return
	loopRegion              // left by break
	bodyRegion              // of a loop, left by continue
	switchRegion            // left by break
)

// A mode is how a region is left. Each begins with the simplest and goes on to the
// next where that does not do.
type mode uint8

const (
	returning mode = iota // the kernel: by Return
	nesting               // what follows an if that leaves on one side is put into the other side
	breaking              // a Loop that runs once, or around a loop: by Break
	counting              // a For: not at all
	looping               // a Loop: by Break
	jumping               // the body of a Loop: by Continue
)

// isLoop reports whether the region is an IR Loop.
func (r *region) isLoop() bool { return r.mode == breaking || r.mode == looping }

// An exit is a terminator that leaves a region, and what variables hold there.
type exit struct {
	block *ir.Block
	term  *ir.Value
	vars  value.State
}

// retry is panicked with when a region must be lowered again, in another mode or
// with more carried.
type retry struct{ r *region }

// within lowers a region, again and again until no retry is asked for.
func (l *control) within(r *region, body func()) {
	s, flow, regions, calls := l.Snapshot(), l.flow, len(l.regions), len(l.calls)
	for !l.try(r, body) {
		l.Restore(s)
		l.flow, l.regions, l.calls = flow, l.regions[:regions], l.calls[:calls]
	}
}

func (l *control) try(r *region, body func()) (done bool) {
	defer func() {
		if x := recover(); x != nil {
			if again, ok := x.(retry); !ok || again.r != r {
				panic(x)
			}
		}
	}()
	r.mark, r.seq, r.ids = len(l.Journal), l.Seq, l.Func.NumIDs()
	r.exits, r.backs, r.block = nil, nil, nil
	n := len(l.regions)
	l.regions = append(l.regions, r)
	body()
	l.regions = l.regions[:n]
	return true
}

// breakable lowers a region that is no loop of the IR: a function, a switch, an
// unrolled loop or round of one.
func (l *control) breakable(r *region, p token.Pos, body func()) {
	r.mode = nesting
	l.within(r, func() {
		if r.mode == nesting {
			body()
			if l.flow == (flow{leaves, r}) {
				l.flow = flow{}
			}
			return
		}
		outer, memo := l.Block, len(l.MemoLog)
		l.Block = &ir.Block{}
		r.block = l.Block
		body()
		if l.flow.kind == falls {
			l.leave(r)
		}
		l.Forget(memo)
		l.Block = outer
		l.close(r, p, nil)
	})
}

// close emits the Loop of a region whose block is done, and joins the ways out.
func (l *control) close(r *region, p token.Pos, inits []*ir.Value) {
	if l.flow.kind == leaves {
		l.simplify(l.flow.to)
	}
	l.Undo(r.mark)
	l.At(p)
	v := l.Emit(ir.Loop, ir.Type{}, inits...)
	v.Blocks = []*ir.Block{r.block}
	l.flow = flow{}
	if len(r.exits) == 0 {
		l.unreachable()
		return
	}
	l.join(v, r.exits, r.ids, r.stmt)
}

// innermost is the region that encloses what is being lowered most closely.
func (l *control) innermost() *region { return l.regions[len(l.regions)-1] }

// simplify makes a region be left by jumps, where nesting does not do.
func (l *control) simplify(r *region) {
	switch {
	case r.kind == bodyRegion && r.loop.region.mode != nesting && r.loop.region.mode != breaking:
		r.loop.region.mode, r.loop.jumps = looping, true
		panic(retry{r.loop.region})
	case r.mode == counting:
		r.mode = looping
	default:
		r.mode = breaking
	}
	panic(retry{r})
}

// leave is return, break or continue.
func (l *control) leave(r *region) {
	switch r.mode {
	case nesting:
		l.flow = flow{leaves, r}
		return
	case counting:
		l.simplify(r)
	}
	depth := 0
	for i := len(l.regions) - 1; l.regions[i] != r; i-- {
		switch inner := l.regions[i]; {
		case inner.mode == counting:
			l.simplify(inner)
		case inner.isLoop():
			depth++
		}
	}
	switch r.mode {
	case returning:
		l.Emit(ir.Return, ir.Type{})
	case jumping:
		r.post()
		l.goRound(r.loop.region, depth)
	default:
		v := emit.Indexed(l, ir.Break, ir.Type{}, depth)
		r.exits = append(r.exits, exit{l.Block, v, l.Since(r.mark, r.seq)})
	}
	l.flow = flow{kind: ended}
}

// goRound ends the block with a jump to a Loop's next round.
func (l *control) goRound(r *region, depth int) {
	v := emit.Indexed(l, ir.Continue, ir.Type{}, depth)
	r.backs = append(r.backs, exit{l.Block, v, l.Since(r.mark, r.seq)})
	l.flow = flow{kind: ended}
}

// unreachable ends a block that control does not reach the end of.
func (l *control) unreachable() {
	l.flow = flow{kind: ended}
	for i := len(l.regions) - 1; i >= 0; i-- {
		switch r := l.regions[i]; {
		case r.mode == counting:
			l.simplify(r)
		case r.isLoop():
			l.Emit(ir.Continue, ir.Type{}, r.block.Args...)
			return
		}
	}
	l.Emit(ir.Return, ir.Type{})
}

// branch lowers a decision that is made at run time. rest is what follows in the
// same list, nil if nothing does; branch reports whether it has lowered that too.
// tail says that the list ends at the end of the innermost region.
func (l *control) branch(p token.Pos, cond *ir.Value, then, otherwise, rest func(tail bool), tail bool) (consumed bool) {
	if l.Lane != nil {
		l.Refuse(p, "a run-time decision in a combining function", "it is called for many elements at once", "choose with tl.Where")
		return false
	}
	b := &branching{l: l, outer: l.Block, mark: len(l.Journal), seq: l.Seq, ids: l.Func.NumIDs()}
	b.side(0, then, tail && rest == nil)
	b.side(1, otherwise, tail && rest == nil)
	inner := l.innermost()
	for i := range b.sides {
		if rest != nil && b.sides[i].flow == (flow{leaves, inner}) && b.sides[1-i].flow.kind == falls {
			b.resume(1-i, rest, tail)
			consumed = true
			break
		}
	}
	after := b.after(consumed || rest == nil && tail)
	b.finish(p, cond)
	if l.flow.kind != ended {
		l.flow = after
	}
	return consumed
}

// branching is a branch being lowered.
type branching struct {
	l              *control
	outer          *ir.Block
	mark, seq, ids int
	sides          [2]struct {
		block *ir.Block
		flow  flow
		vars  value.State
	}
}

func (b *branching) side(i int, body func(tail bool), tail bool) {
	b.sides[i].block = &ir.Block{}
	b.run(i, body, tail)
}

// resume goes on with a side where it fell through.
func (b *branching) resume(i int, body func(tail bool), tail bool) {
	b.l.Redo(b.sides[i].vars)
	b.run(i, body, tail)
}

func (b *branching) run(i int, body func(tail bool), tail bool) {
	l, s := b.l, &b.sides[i]
	memo := len(l.MemoLog)
	l.Block, l.flow = s.block, flow{}
	body(tail)
	s.flow, s.vars = l.flow, l.Since(b.mark, b.seq)
	l.Undo(b.mark)
	l.Forget(memo)
	l.Block, l.flow = b.outer, flow{}
}

// after is where control is after the branch; complete says that a side which falls
// through reaches the end of the innermost region.
func (b *branching) after(complete bool) flow {
	x, y := b.sides[0].flow, b.sides[1].flow
	switch {
	case x == y || y.kind == ended:
		return x
	case x.kind == ended:
		return y
	}
	// One side leaves a region, the other does not, or leaves another one.
	inner := b.l.innermost()
	for _, f := range []flow{x, y} {
		if f.kind == leaves && (f.to != inner || !complete) {
			b.l.simplify(f.to)
		}
	}
	return flow{leaves, inner}
}

// finish emits the If.
func (b *branching) finish(p token.Pos, cond *ir.Value) {
	l := b.l
	l.At(p)
	var exits []exit
	for i := range b.sides {
		if s := &b.sides[i]; s.flow.kind != ended {
			l.Block = s.block
			exits = append(exits, exit{s.block, l.Emit(ir.Yield, ir.Type{}), s.vars})
		}
	}
	l.Block = b.outer
	if len(exits) == 2 && len(exits[0].block.Values)+len(exits[1].block.Values) == 2 && agree(exits) {
		for x, h := range exits[0].vars {
			l.Set(x, h.Val, h.At)
		}
		return
	}
	v := l.Emit(ir.If, ir.Type{}, cond)
	v.Blocks = []*ir.Block{b.sides[0].block, b.sides[1].block}
	if len(exits) == 0 {
		l.unreachable()
		return
	}
	l.join(v, exits, b.ids, nil)
}

// agree reports whether variables hold the same on two ways.
func agree(exits []exit) bool {
	for i := range exits {
		for x, h := range exits[i].vars {
			other, ok := exits[1-i].vars[x]
			if !ok {
				other.Val = x.Val
			}
			if !value.Same(h.Val, other.Val) || h.Val.Kind == value.Absent {
				return false
			}
		}
	}
	return true
}
