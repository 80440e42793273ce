package pass

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// unroll writes the rounds of a short loop one after the other, where it carries a tile of numbers from round to round:
// the tile need not lie in memory then, and one loop over its elements does the work of all rounds. A loop with a Dot
// stays, as what it adds up is found by its shape.
func unroll(f *ir.Func) {
	u := &unroller{f, map[*ir.Value]*ir.Value{}, map[*ir.Value][]*ir.Value{}}
	u.block(f.Body)
	f.Replace(u.subst)
}

type unroller struct {
	f       *ir.Func
	subst   map[*ir.Value]*ir.Value
	results map[*ir.Value][]*ir.Value // of loops that are gone
}

// What is unrolled at most: rounds, and values of all rounds.
const (
	maxRounds   = 8
	maxUnrolled = 256
)

func (u *unroller) block(b *ir.Block) {
	var out []*ir.Value
	for _, v := range b.Values {
		for _, inner := range v.Blocks {
			u.block(inner)
		}
		rounds := roundsOf(v)
		switch {
		case v.Op == ir.Result && u.results[v.Args[0]] != nil:
			u.subst[v] = u.results[v.Args[0]][v.Index]
		case rounds > 0:
			last := v.Args[2:]
			for i := range rounds {
				out, last = u.round(v, i, last, out)
			}
			u.results[v] = last
		default:
			out = append(out, v)
		}
	}
	b.Values = out
}

// roundsOf is how many rounds a loop has that is to be unrolled, else 0.
func roundsOf(v *ir.Value) int {
	if v.Op != ir.For || v.Args[0].Op != op.Const || v.Args[1].Op != op.Const {
		return 0
	}
	lo, hi, step := int64(v.Args[0].Bits), int64(v.Args[1].Bits), int64(v.Index)
	rounds := 0
	for at := lo; step > 0 && at < hi || step < 0 && at > hi; at += step {
		if rounds++; rounds > maxRounds {
			return 0
		}
	}
	values := v.Blocks[0].Values
	simple := func(w *ir.Value) bool {
		return len(w.Blocks) == 0 && w.Op != op.Dot && (!w.IsTerm() || w.Op == ir.Yield)
	}
	tile := func(t ir.Type) bool { return t.IsTile() && !t.D.IsPointer() && t.D != dtype.Bool }
	if rounds*len(values) > maxUnrolled || !slices.ContainsFunc(v.Results, tile) {
		return 0
	}
	if slices.ContainsFunc(values, func(w *ir.Value) bool { return !simple(w) }) {
		return 0
	}
	return rounds
}

// round appends round i of a loop that carries values into it, and gives what it yields.
func (u *unroller) round(v *ir.Value, i int, carried, out []*ir.Value) (block, next []*ir.Value) {
	b := v.Blocks[0]
	now := map[*ir.Value]*ir.Value{}
	counter := u.f.NewValue(op.Const, b.Args[0].Type, v.Pos)
	counter.Bits = v.Args[0].Bits + uint64(int64(i)*int64(v.Index))
	now[b.Args[0]] = counter
	for k, a := range b.Args[1:] {
		now[a] = carried[k]
	}
	of := func(a *ir.Value) *ir.Value {
		for u.subst[a] != nil { // a result of a loop inside that is gone
			a = u.subst[a]
		}
		if w := now[a]; w != nil {
			return w
		}
		return a
	}
	out = append(out, counter)
	for _, w := range b.Values {
		args := make([]*ir.Value, len(w.Args))
		for k, a := range w.Args {
			args[k] = of(a)
		}
		if w.IsTerm() {
			return out, args
		}
		c := u.f.NewValue(w.Op, w.Type, w.Pos, args...)
		c.Results, c.Attr = w.Results, w.Attr
		now[w] = c
		out = append(out, c)
	}
	panic("pass: a block without an end; Verify lets none pass")
}
