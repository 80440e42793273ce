// Package once writes a Func twice over from a loop on that goes through a row block by block: for rows that are one
// block, and for others. What a round leaves for the code behind the loop need not lie in memory then, if there is one
// round, and rounds that follow each other load the row once.
package once

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass/write"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// least is how long blocks are at least: rows of random lengths would mispredict the branch for what little shorter
// ones take.
const least = 32

// most is how many values are written twice at most.
const most = 200

// Of is f, or a Func with a branch for rows of one block.
func Of(f *ir.Func) *ir.Func {
	if at := first(f.Body.Values); at < 0 || !small(f.Body.Values[at:]) {
		return f
	}
	c := f.Clone()
	at := first(c.Body.Values)
	loop := c.Body.Values[at]
	ahead, tiles := apart(c.Body.Values[:at])
	rest := append(tiles, c.Body.Values[at:len(c.Body.Values)-1]...)
	w := &writer{loop: loop}
	w.Writer = write.Writer{Fn: c, Pos: loop.Pos}
	w.Made, w.Instead = map[*ir.Value]*ir.Value{}, w.instead
	one := w.oneBlock()
	branch := w.Add(ir.If, ir.Type{}, one)
	ahead = slices.Concat(ahead, w.Out)
	w.Out = nil
	for _, v := range rest {
		w.Value(v)
	}
	branch.Blocks = []*ir.Block{w.yields(w.Out), w.yields(rest)}
	c.Body.Values = append(ahead, c.Body.Term())
	return c
}

// apart is values without tiles that nothing but code behind them needs, and these: computed in both branches they lie
// in memory in neither.
func apart(vs []*ir.Value) (ahead, tiles []*ir.Value) {
	needed := map[*ir.Value]bool{}
	var needs func(v *ir.Value)
	needs = func(v *ir.Value) {
		for _, a := range v.Args {
			needed[a] = true
		}
		for _, b := range v.Blocks {
			for _, u := range b.Values {
				needs(u)
			}
		}
	}
	for _, v := range slices.Backward(vs) {
		family := ir.Family(v.Op)
		moves := v.Type.IsTile() && !needed[v] && v.Pure() && (v.Op == ir.PtrAdd || family == op.Elementwise ||
			family == op.Change || family == op.Create || v.Op == op.Broadcast)
		if moves {
			tiles = append(tiles, v)
			continue
		}
		ahead = append(ahead, v)
		needs(v)
	}
	slices.Reverse(ahead)
	slices.Reverse(tiles)
	return ahead, tiles
}

// first is where the first loop stands that is by blocks, -1 if there is none.
func first(vs []*ir.Value) int { return slices.IndexFunc(vs, byBlocks) }

// byBlocks reports whether v is a loop that goes on by as many elements as its tiles have, and adds up such a tile. Of
// products rows are many blocks.
func byBlocks(v *ir.Value) bool {
	if v.Op != ir.For || v.Index < least || v.Args[0].Op == op.Const && v.Args[1].Op == op.Const || !straight(v) {
		return false
	}
	return slices.ContainsFunc(v.Results, func(t ir.Type) bool {
		s := t.Shape
		return t.IsTile() && !t.D.IsPointer() && slices.Contains(s.D[:s.N], v.Index)
	})
}

// straight reports whether a loop is without control flow and products.
func straight(v *ir.Value) bool {
	return !slices.ContainsFunc(v.Blocks[0].Values, func(u *ir.Value) bool {
		return u.IsControl() || u.Op == op.Dot || u.IsTerm() && u.Op != ir.Yield
	})
}

// small reports whether values are few, with those in loops, and end with the Func.
func small(vs []*ir.Value) bool {
	n := 0
	var count func(vs []*ir.Value)
	count = func(vs []*ir.Value) {
		for _, v := range vs {
			if n++; v.Op == op.Dot {
				n += most
			}
			for _, b := range v.Blocks {
				count(b.Values)
			}
		}
	}
	count(vs)
	return n <= most
}

// A writer writes values once more, loops that are as long as one as the round that they have.
type writer struct {
	write.Copier
	loop *ir.Value
}

// oneBlock is whether the loop has one round.
func (w *writer) oneBlock() *ir.Value {
	lo, hi := w.loop.Args[0], w.loop.Args[1]
	step := w.Add(op.Const, lo.Type)
	step.Bits = dtype.FromInt(lo.Type.D, int64(w.loop.Index), true)
	b := ir.Scalar(dtype.Bool)
	length := w.Add(op.Sub, lo.Type, hi, lo) // modulo 2^64, but not if lo < hi and it is small
	zero := w.Add(op.Const, lo.Type)
	some := w.Add(op.And, b, w.Add(op.Lt, b, lo, hi), w.Add(op.Gt, b, length, zero))
	return w.Add(op.And, b, some, w.Add(op.Le, b, length, step))
}

// yields is values as a block that gives nothing.
func (w *writer) yields(vs []*ir.Value) *ir.Block {
	return &ir.Block{Values: append(slices.Clone(vs), w.Fn.NewValue(ir.Yield, ir.Type{}, w.Pos))}
}

// instead writes the one round of a loop, and nothing for what it gives.
func (w *writer) instead(v *ir.Value) bool {
	if w.same(v) {
		w.round(v)
		return true
	}
	return v.Op == ir.Result && w.Made[v] != nil
}

// same reports whether v is a loop as long as the first one.
func (w *writer) same(v *ir.Value) bool {
	l := w.loop
	return v.Op == ir.For && v.Index == l.Index && v.Args[0] == l.Args[0] && v.Args[1] == l.Args[1] && straight(v)
}

// round writes the one round of a loop.
func (w *writer) round(v *ir.Value) {
	b := v.Blocks[0]
	w.Made[b.Args[0]] = v.Args[0]
	for k, x := range w.Now(v.Args[2:]) {
		w.Made[b.Args[1+k]] = x
	}
	n := len(b.Values) - 1
	for _, u := range b.Values[:n] {
		w.Value(u)
	}
	left := w.Now(b.Values[n].Args)
	w.Fn.Values(func(u *ir.Value) {
		if u.Op == ir.Result && u.Args[0] == v {
			w.Made[u] = left[u.Index]
		}
	})
}
