package pass

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// unroll writes the rounds of a short loop one after the other, where it carries a tile of numbers from round to round:
// the tile need not lie in memory then, and one loop over its elements does the work of all rounds. So it does with loops
// in it, and branches that counters decide. A loop with a Dot stays, as what it adds up is found by its shape.
func unroll(f *ir.Func) {
	u := &unroller{f, map[*ir.Value]*ir.Value{}, map[*ir.Value][]*ir.Value{}}
	u.block(f.Body)
	f.Replace(u.subst)
}

type unroller struct {
	f       *ir.Func
	subst   map[*ir.Value]*ir.Value
	results map[*ir.Value][]*ir.Value // of loops and branches that are gone
}

// What is unrolled at most: rounds, and values of all rounds.
const (
	maxRounds   = 8
	maxUnrolled = 512
)

func (u *unroller) block(b *ir.Block) {
	var out []*ir.Value
	for _, v := range b.Values {
		switch {
		case v.Op == ir.Result && u.results[v.Args[0]] != nil:
			u.subst[v] = u.results[v.Args[0]][v.Index]
		case v.Op == ir.For && cost(v, map[*ir.Value]bool{}) <= maxUnrolled:
			out = u.loop(v, map[*ir.Value]*ir.Value{}, out)
		default:
			for _, inner := range v.Blocks {
				u.block(inner)
			}
			out = append(out, v)
		}
	}
	b.Values = out
}

// roundsOf is how many rounds a loop has that may be unrolled, else 0.
func roundsOf(v *ir.Value) int {
	if v.Args[0].Op != op.Const || v.Args[1].Op != op.Const {
		return 0
	}
	lo, hi, step := int64(v.Args[0].Bits), int64(v.Args[1].Bits), int64(v.Index)
	rounds := 0
	for at := lo; step > 0 && at < hi || step < 0 && at > hi; at += step {
		if rounds++; rounds > maxRounds {
			return 0
		}
	}
	if !slices.ContainsFunc(v.Results, func(t ir.Type) bool { return t.IsTile() && !t.D.IsPointer() && t.D != dtype.Bool }) {
		return 0
	}
	return rounds
}

// cost is how many values a loop has once it is unrolled, with the loops in it and branches that the counters decide;
// more than maxUnrolled if it is not to be. Known are scalars that are constants in each round.
func cost(v *ir.Value, known map[*ir.Value]bool) int {
	rounds := roundsOf(v)
	if rounds == 0 {
		return maxUnrolled + 1
	}
	known[v.Blocks[0].Args[0]] = true
	return rounds * costOf(v.Blocks[0], known)
}

func costOf(b *ir.Block, known map[*ir.Value]bool) (n int) {
	for _, v := range b.Values {
		if computes(v) && !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return a.Op != op.Const && !known[a] }) {
			known[v] = true
		}
		switch {
		case v.Op == ir.For:
			n += cost(v, known)
		case v.Op == ir.If && known[v.Args[0]]:
			n += max(costOf(v.Blocks[0], known), costOf(v.Blocks[1], known))
		case len(v.Blocks) > 0 || v.Op == op.Dot || v.IsTerm() && v.Op != ir.Yield:
			return maxUnrolled + 1
		default:
			n++
		}
	}
	return min(n, maxUnrolled+1)
}

// computes reports whether v is a scalar that is a constant if its operands are.
func computes(v *ir.Value) bool {
	if v.Type.IsTile() || v.Type.D.IsPointer() || !v.Pure() {
		return false
	}
	family := ir.Family(v.Op)
	return family == op.Elementwise || family == op.Change || v.Op == ir.GoMath
}

// loop appends all rounds of a loop. now is what values of loops and branches around are in this round.
func (u *unroller) loop(v *ir.Value, now map[*ir.Value]*ir.Value, out []*ir.Value) []*ir.Value {
	b := v.Blocks[0]
	carried := u.all(v.Args[2:], now)
	for i := range roundsOf(v) {
		counter := u.f.NewValue(op.Const, b.Args[0].Type, v.Pos)
		counter.Bits = v.Args[0].Bits + uint64(int64(i)*int64(v.Index))
		out = append(out, counter)
		now[b.Args[0]] = counter
		for k, a := range b.Args[1:] {
			now[a] = carried[k]
		}
		out, carried = u.copy(b, now, out)
	}
	u.results[v] = carried
	return out
}

// all is what values are in this round.
func (u *unroller) all(values []*ir.Value, now map[*ir.Value]*ir.Value) []*ir.Value {
	z := make([]*ir.Value, len(values))
	for i, a := range values {
		for u.subst[a] != nil { // a result of a loop that is gone
			a = u.subst[a]
		}
		if z[i] = a; now[a] != nil {
			z[i] = now[a]
		}
	}
	return z
}

// copy appends a block's values as they are in this round, and gives what it yields.
func (u *unroller) copy(b *ir.Block, now map[*ir.Value]*ir.Value, out []*ir.Value) (block, yields []*ir.Value) {
	for _, w := range b.Values {
		args := u.all(w.Args, now)
		switch {
		case w.IsTerm():
			return out, args
		case w.Op == ir.Result && u.results[w.Args[0]] != nil:
			now[w] = u.results[w.Args[0]][w.Index]
		case w.Op == ir.For:
			out = u.loop(w, now, out)
		case w.Op == ir.If:
			taken := w.Blocks[0]
			if args[0].Bits == 0 {
				taken = w.Blocks[1]
			}
			out, u.results[w] = u.copy(taken, now, out)
		default:
			c := u.f.NewValue(w.Op, w.Type, w.Pos, args...)
			c.Results, c.Attr = w.Results, w.Attr
			if d := (folder{f: u.f}); computes(w) {
				if z := d.constants(c); z != nil {
					c = z
				}
			}
			now[w] = c
			out = append(out, c)
		}
	}
	panic("pass: a block without an end; Verify lets none pass")
}
