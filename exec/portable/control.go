package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/run"
	"github.com/tiler-go/tiler/exec/portable/storage"
)

// A scope is an If, For or Loop whose blocks are being lowered.
type scope struct {
	v       *ir.Value
	results []*place
	args    []*place        // what a For or Loop carries
	merges  []storage.Merge // moves of the present branch or round, to be given their span

	again, end *run.Label // the next round; after it
	next       int        // register: a For's counter
	step       uint64
}

// scopes are those that are open, the innermost last.
type scopes []*scope

func (open *scopes) push(s *scope) *scope {
	s.again, s.end = &run.Label{}, &run.Label{}
	*open = append(*open, s)
	return s
}

func (open *scopes) pop() { *open = (*open)[:len(*open)-1] }

// loop is the n-th Loop outwards.
func (open scopes) loop(n int) *scope {
	for i := len(open) - 1; ; i-- {
		if s := open[i]; s.v.Op == ir.Loop {
			if n == 0 {
				return s
			}
			n--
		}
	}
}

// merged is a place for a value of type t that is moved there from several.
func (c *compiler) merged(v *ir.Value, t ir.Type) *place {
	p := c.newPlace(v, t)
	if t.D.IsPointer() {
		p.Base = c.Reg()
	}
	return p
}

// resultPlaces is the places of those of v's results that a Result picks.
func (c *compiler) resultPlaces(v *ir.Value) []*place {
	places := make([]*place, len(v.Results))
	for _, u := range c.users[v.ID] {
		if u.Op == ir.Result && places[u.Index] == nil {
			places[u.Index] = c.merged(v, u.Type)
		}
	}
	c.results[v.ID] = places
	return places
}

// lowerIf lowers an If.
func lowerIf(c *compiler, v *ir.Value) {
	c.flushAll()
	cond := c.place(v.Args[0]).Reg
	s := c.scopes.push(&scope{v: v, results: c.resultPlaces(v)})
	other := s.again
	c.Emit(func(w *run.Worker) bool {
		if w.Regs[cond] == 0 {
			w.PC = other.PC
		}
		return true
	})
	for i, b := range v.Blocks {
		first := c.Next()
		c.block(b)
		if i == 0 {
			c.Here(other)
		}
		s.date(&c.Store, storage.Leaving, storage.Span{First: first, Last: c.Next()})
	}
	c.Here(s.end)
	c.scopes.pop()
}

// date gives the merges of a scope their kind and span.
func (s *scope) date(store *storage.Plan, kind storage.MergeKind, within storage.Span) {
	for _, m := range s.merges {
		m.Kind, m.Within = kind, within
		store.Merge(m)
	}
	s.merges = nil
}

// lowerFor lowers a For. Its results are what it carries when it ends.
func lowerFor(c *compiler, v *ir.Value) {
	c.flushAll()
	args := v.Blocks[0].Args
	s := c.scopes.push(&scope{v: v, next: c.Reg(), step: uint64(int64(v.Index))})
	c.held(args[0], s.next)
	lo, hi, i, down := c.place(v.Args[0]).Reg, c.place(v.Args[1]).Reg, s.next, v.Index < 0
	s.enter(c, args[1:], v.Args[2:])
	c.Emit(func(w *run.Worker) bool { w.Regs[i] = w.Regs[lo]; return true })
	first := c.Next()
	c.Here(s.again)
	c.Emit(func(w *run.Worker) bool {
		if w.Halted() {
			return false
		}
		if at, end := int64(w.Regs[i]), int64(w.Regs[hi]); at >= end && !down || at <= end && down {
			w.PC = s.end.PC
		}
		return true
	})
	c.block(v.Blocks[0])
	s.finish(c, first)
	c.results[v.ID] = s.args
}

// lowerLoop lowers a Loop.
func lowerLoop(c *compiler, v *ir.Value) {
	c.flushAll()
	s := c.scopes.push(&scope{v: v, results: c.resultPlaces(v)})
	s.enter(c, v.Blocks[0].Args, v.Args)
	first := c.Next()
	c.Here(s.again)
	c.Emit(func(w *run.Worker) bool { return !w.Halted() })
	c.block(v.Blocks[0])
	s.finish(c, first)
}

// enter gives the arguments of a loop's block places, and moves their first values
// there.
func (s *scope) enter(c *compiler, args, init []*ir.Value) {
	for _, a := range args {
		p := c.merged(s.v, a.Type)
		c.places[a.ID] = p
		s.args = append(s.args, p)
	}
	c.move(s, s.args, init)
	s.date(&c.Store, storage.Entering, storage.Span{})
}

// finish ends the loop whose steps begin with first.
func (s *scope) finish(c *compiler, first int) {
	c.Here(s.end)
	rounds := storage.Span{First: first, Last: max(first, c.Next()-1)}
	c.Store.Loop(rounds)
	s.date(&c.Store, storage.Repeating, rounds)
	c.scopes.pop()
}

// lowerYield ends a branch of an If, or a round of a For.
func lowerYield(c *compiler, v *ir.Value) {
	c.flushAll()
	s := c.scopes[len(c.scopes)-1]
	if s.v.Op == ir.If {
		c.move(s, s.results, v.Args)
		c.Jump(s.end)
		return
	}
	c.move(s, s.args, v.Args)
	i, step := s.next, s.step
	c.Emit(func(w *run.Worker) bool {
		w.Regs[i] += step
		w.PC = s.again.PC
		return true
	})
}

// lowerBreak is a Break.
func lowerBreak(c *compiler, v *ir.Value) {
	c.flushAll()
	s := c.scopes.loop(v.Index)
	c.move(nil, s.results, v.Args)
	c.Jump(s.end)
}

// lowerContinue is a Continue.
func lowerContinue(c *compiler, v *ir.Value) {
	c.flushAll()
	s := c.scopes.loop(v.Index)
	c.move(s, s.args, v.Args)
	c.Jump(s.again)
}

// lowerReturn is a Return.
func lowerReturn(c *compiler, _ *ir.Value) {
	c.flushAll()
	c.Jump(c.exit)
}

// move moves values to places, all at once: no value is overwritten before it has
// been moved. Moves between buffers are noted as merges of s, unless it is nil.
func (c *compiler) move(s *scope, to []*place, values []*ir.Value) {
	from := make([]*place, len(to))
	written := map[int]bool{}
	for i, z := range to {
		if z != nil {
			from[i] = c.place(values[i])
			if z.Buf >= 0 {
				written[z.Buf] = true
			}
		}
	}
	for i, z := range to {
		if z == nil || z.Buf < 0 {
			continue
		}
		if from[i] == z { // what is there must still be there
			c.Store.Read(z.Buf, storage.AnyTime)
			continue
		}
		if x := from[i]; x.Buf >= 0 && written[x.Buf] { // also a view of z itself
			from[i] = c.staged(values[i], x)
		}
	}
	for i, z := range to {
		if z != nil && z.Buf >= 0 && from[i] != z {
			c.moveElements(s, z, from[i])
		}
	}
	c.Moves(registers(to, from))
}

// staged is a copy of x's elements.
func (c *compiler) staged(v *ir.Value, x *place) *place {
	z := c.newPlace(v, x.Type)
	z.Base = x.Base
	c.moveElements(nil, z, x)
	return z
}

// moveElements moves what x has for elements to z's buffer.
func (c *compiler) moveElements(s *scope, z, x *place) {
	f := c.feed(x, x.Type.Shape)
	if f.Direct && x.Off == 0 && s != nil && c.Store.SameSize(x.Buf, z.Buf) {
		s.merges = append(s.merges, storage.Merge{To: z.Buf, From: x.Buf, Pos: c.Next()})
		c.Store.ReadUntil(f.Touch, 0)
	}
	c.Store.Write(z.Buf, 0)
	c.Emit(func(w *run.Worker) bool {
		to := w.Bufs[z.Buf]
		if !f.Direct || w.Bufs[x.Buf].Pointer() != to.Pointer() {
			f.CopyTo(w, to)
		}
		return true
	})
}

// registers is those of places that differ.
func registers(to, from []*place) (zs, xs []int) {
	add := func(z, x int) {
		if z != x {
			zs, xs = append(zs, z), append(xs, x)
		}
	}
	for i, z := range to {
		if z == nil {
			continue
		}
		if !z.Type.IsTile() {
			add(z.Reg, from[i].Reg)
		}
		if z.Type.D.IsPointer() {
			add(z.Base, from[i].Base)
		}
	}
	return zs, xs
}
