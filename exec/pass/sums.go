package pass

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// minSummed is how many elements a tile has at least that is summed in each round: fewer are carried in registers.
const minSummed = 128

// sums makes a tile of integers that a loop adds to, and of which only the sum is used behind it, that sum: the loop
// carries a number instead of a tile in memory, whose elements would be read and written in each round. Integers give
// the same in any order, modulo 2^n. The same holds for the greatest and the least.
func sums(f *ir.Func) {
	users := map[*ir.Value][]*ir.Value{}
	var reductions []*ir.Value
	f.Values(func(v *ir.Value) {
		for _, a := range v.Args {
			users[a] = append(users[a], v)
		}
		if ir.Family(v.Op) == op.Reducing {
			reductions = append(reductions, v)
		}
	})
	for _, v := range reductions {
		if s := summed(users, v); s != nil {
			s.become(f, v)
		}
	}
}

// A sum is carried value k of a loop: what a chain of additions makes of it in a round.
type sum struct {
	loop  *ir.Value
	k     int
	chain []*ir.Value
	terms []*ir.Value // that are added, one in each
}

// summed is what v reduces, nil if that is not such a tile.
func summed(users map[*ir.Value][]*ir.Value, v *ir.Value) *sum {
	x := v.Args[0]
	t := x.Type
	if x.Op != ir.Result || x.Args[0].Op != ir.For || !reorders(v) || t.Shape.N != 1 || t.Shape.D[0] < minSummed {
		return nil
	}
	s := &sum{loop: x.Args[0], k: x.Index}
	body := s.loop.Blocks[0]
	tile := body.Args[1+s.k]
	if len(users[x]) != 1 || !s.adds(users, op.Table[v.Op].Combine, tile, body) {
		return nil
	}
	return s
}

// reorders reports whether a reduction gives the same in any order, and in parts.
func reorders(v *ir.Value) bool {
	switch v.Op {
	case op.Sum, op.Max, op.Min:
		return v.Type.D.IsInt() && v.Type.D == v.Args[0].Type.D
	}
	return false
}

// adds reports whether x goes, through additions of a loop's body alone, to where that carries value k on, and to
// nowhere else.
func (s *sum) adds(users map[*ir.Value][]*ir.Value, o op.Op, x *ir.Value, body *ir.Block) bool {
	for len(users[x]) == 1 {
		u := users[x][0]
		if u == body.Term() {
			return u.Args[s.k] == x && len(s.terms) > 0
		}
		if u.Op != o || !slices.Contains(body.Values, u) {
			return false
		}
		s.chain, s.terms = append(s.chain, u), append(s.terms, u.Args[1-slices.Index(u.Args, x)])
		x = u
	}
	return false
}

// become makes the loop carry what reduction v gives, and v that.
func (s *sum) become(f *ir.Func, v *ir.Value) {
	x, body, o := v.Args[0], s.loop.Blocks[0], op.Table[v.Op].Combine
	tile, term := body.Args[1+s.k], body.Term()
	add := func(at *ir.Value, o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
		z := f.NewValue(o, t, v.Pos, args...)
		insert(f, at, 0, z)
		return z
	}
	first := add(s.loop, v.Op, v.Type, s.loop.Args[2+s.k])
	if c := affine.RepeatedConst(first.Args[0]); c != nil {
		n := first.Args[0].Type.Shape.D[0]
		first.Op, first.Args, first.Bits = op.Const, nil, c.Bits
		for range n - 1 {
			more := op.Scalar(o, v.Type.D, first.Bits, c.Bits)
			if more == first.Bits { // nor will another change it
				break
			}
			first.Bits = more
		}
	}
	all := s.terms[0]
	for _, t := range s.terms[1:] {
		all = add(term, o, t.Type, all, t)
	}
	s.loop.Args[2+s.k], s.loop.Results[s.k], tile.Type, x.Type = first, v.Type, v.Type, v.Type
	term.Args[s.k] = add(term, o, v.Type, tile, add(term, v.Op, v.Type, all))
	f.Replace(map[*ir.Value]*ir.Value{v: x})
	f.Walk(func(b *ir.Block) {
		b.Values = slices.DeleteFunc(b.Values, func(w *ir.Value) bool { return w == v || slices.Contains(s.chain, w) })
	})
}
