package single

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Counters. A load, integer arithmetic on what it gives, and a store of that to the same element, as in counts[i] += n,
// are one instruction, with one check, where the store stands. Nothing in between may fail or touch memory.

// An update is such three values, and the other operand.
type update struct{ load, made, other *ir.Value }

// updating is the instruction that carries an operation out in memory.
var updating = map[op.Op]asm.Op{op.Add: asm.ADD, op.Sub: asm.SUB, op.And: asm.AND, op.Or: asm.OR, op.Xor: asm.XOR}

// updateOf is the update that begins with a load, and its store; nil if none does.
func (s *Elements) updateOf(load *ir.Value) (u update, store *ir.Value) {
	g := s.g
	f, ok := s.isSingle(load)
	d, users := load.Type.D, g.Plan.Of(load).Users
	if !ok || f.Base < 0 || load.Type.IsTile() || !d.IsInt() || d.Size() < 4 || len(users) != 1 || g.Inside {
		return u, nil
	}
	u = update{load: load, made: users[0]}
	if updating[u.made.Op] == 0 || u.made.Type != load.Type || len(g.Plan.Of(u.made).Users) != 1 {
		return u, nil
	}
	switch {
	case u.made.Args[0] == load:
		u.other = u.made.Args[1]
	case u.made.Op != op.Sub:
		u.other = u.made.Args[0]
	}
	store = g.Plan.Of(u.made).Users[0]
	if u.other == nil || u.other.Type != load.Type || store.Op != op.Store || store.Memory().Val != u.made ||
		store.Memory().Ptr != load.Memory().Ptr || store.Memory().Mask != nil || !s.atOnce(load, store) {
		return u, nil
	}
	return u, store
}

// atOnce reports whether nothing between two values of a block fails or touches memory.
func (s *Elements) atOnce(first, last *ir.Value) bool {
	block := s.g.Plan.Of(first).Block
	if s.g.Plan.Of(last).Block != block {
		return false
	}
	for between, values := false, block.Values; ; values = values[1:] {
		switch v := values[0]; {
		case v == last:
			return between
		case v == first:
			between = true
		case between && !v.Pure():
			return false
		}
	}
}

// Delays reports whether a scalar is computed by a store: it is to be left out.
func (s *Elements) Delays(v *ir.Value) bool {
	if v.Op == op.Load {
		if u, store := s.updateOf(v); store != nil {
			s.updates[store] = u
			s.delayed[u.made] = true
			return true
		}
	}
	return s.delayed[v]
}

// update is a store that ends one. Outside the tensor, or in a gap, its three parts are carried out one by one.
func (s *Elements) update(v *ir.Value, f *affine.Form, u update) {
	g := s.g
	g.Force(f)
	size := v.Memory().Ptr.Type.D.Elem().Size()
	y, o := g.IntArg(u.other), updating[u.made.Op]
	if r := y.Base(); r != 0 && size == 4 {
		y = g.R32(r)
	}
	put := func(at lir.Arg) { g.Use(o, at.Sized(size), y) }
	before, rare, done := g.Here(), g.NewLabel(), g.NewLabel()
	at := s.place(f, size)
	s.checkSingle(v, f, rare)
	put(at)
	ns := g.WorkSince(before)
	g.Jump(asm.JMP, done)
	g.BindCold(rare)
	g.InCold(func() {
		outside := g.NewLabel()
		g.CheckInside(v, f, outside)
		put(at)
		g.Jump(asm.JMP, done)
		g.Bind(outside)
		copied := g.Alloc(size)
		g.Exact(u.load, copied, 1, false)
		put(lir.Frame(copied))
		g.Exact(v, copied, 1, false)
	})
	g.Bind(done)
	g.Spent(ns)
}
