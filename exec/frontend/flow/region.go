package flow

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
)

// Control is where a run goes: through regions, whose bodies are functions that it is given.
type Control struct {
	value.Run
	Flow    Flow
	Regions []*Region
	Calls   []ast.Node // functions being inlined
}

// A Flow says where control is after a statement.
type Flow struct {
	Kind flowKind
	To   *Region // of leaves
}

type flowKind uint8

const (
	Falls  flowKind = iota // at the next statement
	Leaves                 // at the end of a region, without a jump so far
	ended                  // nowhere: the block has its terminator
)

// A Region is what return, break or continue leaves.
type Region struct {
	Kind  regionKind
	Mode  Mode
	Label string
	Stmt  ast.Stmt // of a loop

	// What is needed to end it: the journal, the newest variable and value when it
	// began, the ways out and, of a loop, the ways round.
	Mark, Seq, ids int
	Exits, Backs   []Exit
	Block          *ir.Block // of a Loop: its block, whose arguments are what it carries
	Post           func()    // of a loop's body: what runs before the next round
	Of             *Region   // of a loop's body: the loop
	Jumps          bool      // of a loop: continue is a jump
}

type regionKind uint8

const (
	Kernel   regionKind = iota
	Function            // left by return
	Loop                // left by break
	Body                // of a loop, left by continue
	Switch              // left by break
)

// A Mode is how a region is left. Each begins with the simplest and goes on to the
// next where that does not do.
type Mode uint8

const (
	Returning Mode = iota // the kernel: by Return
	Nesting               // what follows an if that leaves on one side is put into the other side
	breaking              // a Loop that runs once, or around a loop: by Break
	Counting              // a For: not at all
	Looping               // a Loop: by Break
	Jumping               // the body of a Loop: by Continue
)

// isLoop reports whether the region is an IR Loop.
func (r *Region) isLoop() bool { return r.Mode == breaking || r.Mode == Looping }

// An Exit is a terminator that leaves a region, and what variables hold there.
type Exit struct {
	block *ir.Block
	Term  *ir.Value
	Vars  value.State
}

// Retry is panicked with when a region must be lowered again, in another mode or
// with more carried.
type Retry struct{ Of *Region }

// Within lowers a region, again and again until no retry is asked for.
func (l *Control) Within(r *Region, body func()) {
	s, flow, regions, calls := l.Snapshot(), l.Flow, len(l.Regions), len(l.Calls)
	for !l.try(r, body) {
		l.Restore(s)
		l.Flow, l.Regions, l.Calls = flow, l.Regions[:regions], l.Calls[:calls]
	}
}

func (l *Control) try(r *Region, body func()) (done bool) {
	defer func() {
		if x := recover(); x != nil {
			if again, ok := x.(Retry); !ok || again.Of != r {
				panic(x)
			}
		}
	}()
	r.Mark, r.Seq, r.ids = len(l.Journal), l.Seq, l.Func.NumIDs()
	r.Exits, r.Backs, r.Block = nil, nil, nil
	n := len(l.Regions)
	l.Regions = append(l.Regions, r)
	body()
	l.Regions = l.Regions[:n]
	return true
}

// Breakable lowers a region that is no loop of the IR: a function, a switch, an
// unrolled loop or round of one.
func (l *Control) Breakable(r *Region, p token.Pos, body func()) {
	r.Mode = Nesting
	l.Within(r, func() {
		if r.Mode == Nesting {
			body()
			if l.Flow == (Flow{Leaves, r}) {
				l.Flow = Flow{}
			}
			return
		}
		outer, memo := l.Block, len(l.MemoLog)
		l.Block = &ir.Block{}
		r.Block = l.Block
		body()
		if l.Flow.Kind == Falls {
			l.Leave(r)
		}
		l.Forget(memo)
		l.Block = outer
		l.Close(r, p, nil)
	})
}

// Close emits the Loop of a region whose block is done, and joins the ways out.
func (l *Control) Close(r *Region, p token.Pos, inits []*ir.Value) {
	if l.Flow.Kind == Leaves {
		l.Simplify(l.Flow.To)
	}
	l.Undo(r.Mark)
	l.At(p)
	v := l.Emit(ir.Loop, ir.Type{}, inits...)
	v.Blocks = []*ir.Block{r.Block}
	l.Flow = Flow{}
	if len(r.Exits) == 0 {
		l.unreachable(r)
		return
	}
	l.join(v, r.Exits, r.ids, r.Seq, r.Stmt)
}

// innermost is the region that encloses what is being lowered most closely.
func (l *Control) innermost() *Region { return l.Regions[len(l.Regions)-1] }

// Simplify makes a region be left by jumps, where nesting does not do.
func (l *Control) Simplify(r *Region) {
	switch {
	case r.Kind == Body && r.Of.Mode != Nesting && r.Of.Mode != breaking:
		r.Of.Mode, r.Of.Jumps = Looping, true
		panic(Retry{Of: r.Of})
	case r.Mode == Counting:
		r.Mode = Looping
	default:
		r.Mode = breaking
	}
	panic(Retry{Of: r})
}

// Leave is return, break or continue.
func (l *Control) Leave(r *Region) {
	switch r.Mode {
	case Nesting:
		l.Flow = Flow{Leaves, r}
		return
	case Counting:
		l.Simplify(r)
	}
	depth := 0
	for i := len(l.Regions) - 1; l.Regions[i] != r; i-- {
		switch inner := l.Regions[i]; {
		case inner.Mode == Counting:
			l.Simplify(inner)
		case inner.isLoop():
			depth++
		}
	}
	switch r.Mode {
	case Returning:
		l.Emit(ir.Return, ir.Type{})
	case Jumping:
		r.Post()
		l.GoRound(r.Of, depth)
	default:
		v := emit.Indexed(&l.Emitter, ir.Break, ir.Type{}, depth)
		r.Exits = append(r.Exits, Exit{l.Block, v, l.Since(r.Mark, r.Seq)})
	}
	l.Flow = Flow{Kind: ended}
}

// GoRound ends the block with a jump to a Loop's next round.
func (l *Control) GoRound(r *Region, depth int) {
	v := emit.Indexed(&l.Emitter, ir.Continue, ir.Type{}, depth)
	r.Backs = append(r.Backs, Exit{l.Block, v, l.Since(r.Mark, r.Seq)})
	l.Flow = Flow{Kind: ended}
}

// Yield ends the block of a For: the way to its next round.
func (l *Control) Yield(r *Region) Exit {
	back := Exit{l.Block, l.Emit(ir.Yield, ir.Type{}), l.Since(r.Mark, r.Seq)}
	r.Backs = append(r.Backs, back)
	return back
}

// unreachable ends a block that control does not reach the end of: behind a Loop that is never left, if there is one.
func (l *Control) unreachable(never *Region) {
	l.Flow = Flow{Kind: ended}
	for _, r := range slices.Backward(l.Regions) {
		switch {
		case r == never:
		case r.Mode == Counting:
			l.Simplify(r)
		case r.isLoop():
			l.Emit(ir.Continue, ir.Type{}, slices.Clone(r.Block.Args)...)
			return
		}
	}
	l.Emit(ir.Return, ir.Type{})
}

// Branch lowers a decision that is made at run time. rest is what follows in the
// same list, nil if nothing does; branch reports whether it has lowered that too.
// tail says that the list ends at the end of the innermost region.
func (l *Control) Branch(p token.Pos, cond *ir.Value, then, otherwise, rest func(tail bool), tail bool) (consumed bool) {
	if l.Lane != nil {
		l.Refuse(p, "a run-time decision in a combining function", "it is called for many elements at once", "choose with tl.Where")
		return false
	}
	b := &branching{l: l, outer: l.Block, mark: len(l.Journal), seq: l.Seq, ids: l.Func.NumIDs()}
	b.side(0, then, tail && rest == nil)
	b.side(1, otherwise, tail && rest == nil)
	inner := l.innermost()
	for i := range b.sides {
		if rest != nil && b.sides[i].flow == (Flow{Leaves, inner}) && b.sides[1-i].flow.Kind == Falls {
			b.resume(1-i, rest, tail)
			consumed = true
			break
		}
	}
	after := b.after(tail && (consumed || rest == nil))
	b.finish(p, cond)
	if l.Flow.Kind != ended {
		l.Flow = after
	}
	return consumed
}

// branching is a branch being lowered.
type branching struct {
	l              *Control
	outer          *ir.Block
	mark, seq, ids int
	sides          [2]struct {
		block *ir.Block
		flow  Flow
		vars  value.State
		all   value.State // with those that the side declares, which pointers and closures lead to
	}
}

func (b *branching) side(i int, body func(tail bool), tail bool) {
	b.sides[i].block = &ir.Block{}
	b.run(i, body, tail)
}

// resume goes on with a side where it fell through.
func (b *branching) resume(i int, body func(tail bool), tail bool) {
	b.l.Redo(b.sides[i].all)
	b.run(i, body, tail)
}

func (b *branching) run(i int, body func(tail bool), tail bool) {
	l, s := b.l, &b.sides[i]
	memo := len(l.MemoLog)
	l.Block, l.Flow = s.block, Flow{}
	body(tail)
	s.flow, s.vars, s.all = l.Flow, l.Since(b.mark, b.seq), l.Since(b.mark, l.Seq)
	l.Undo(b.mark)
	l.Forget(memo)
	l.Block, l.Flow = b.outer, Flow{}
}

// after is where control is after the branch; complete says that a side which falls
// through reaches the end of the innermost region.
func (b *branching) after(complete bool) Flow {
	x, y := b.sides[0].flow, b.sides[1].flow
	switch {
	case x == y || y.Kind == ended:
		return x
	case x.Kind == ended:
		return y
	}
	// One side leaves a region, the other does not, or leaves another one.
	inner := b.l.innermost()
	for _, f := range []Flow{x, y} {
		if f.Kind == Leaves && (f.To != inner || !complete) {
			b.l.Simplify(f.To)
		}
	}
	return Flow{Leaves, inner}
}

// finish emits the If.
func (b *branching) finish(p token.Pos, cond *ir.Value) {
	l := b.l
	l.At(p)
	var exits []Exit
	for i := range b.sides {
		if s := &b.sides[i]; s.flow.Kind != ended {
			l.Block = s.block
			exits = append(exits, Exit{s.block, l.Emit(ir.Yield, ir.Type{}), s.vars})
		}
	}
	l.Block = b.outer
	if len(exits) == 2 && len(exits[0].block.Values)+len(exits[1].block.Values) == 2 && agree(exits) {
		for x, h := range exits[0].Vars {
			l.Set(x, h.Val, h.At)
		}
		return
	}
	v := l.Emit(ir.If, ir.Type{}, cond)
	v.Blocks = []*ir.Block{b.sides[0].block, b.sides[1].block}
	if len(exits) == 0 {
		l.unreachable(nil)
		return
	}
	l.join(v, exits, b.ids, b.seq, nil)
}

// agree reports whether variables hold the same on two ways.
func agree(exits []Exit) bool {
	for i := range exits {
		for x, h := range exits[i].Vars {
			other, ok := exits[1-i].Vars[x]
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
