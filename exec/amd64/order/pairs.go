package order

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A pair is registers of keys of 64 bits, and of the numbers of their elements.
type pair struct{ key, at lir.Reg }

// topPairs finds the first elements of a row as top does. Each lane takes what it sees first as it comes, in order;
// a block is looked at closer only if it has an element that is ahead of a lane's last one.
func (s *Sorter) topPairs(number lir.Reg) {
	g := s.Builder
	w := &network{Sorter: s, lanes: s.lanesOf8(), masks: map[int]lir.Reg{}, orders: map[int]lir.Reg{}}
	held := 1
	for held < s.Keep {
		held *= 2
	}
	first := make([]pair, held)
	for i := range first {
		first[i] = pair{g.NewVec(), g.NewVec()}
	}
	row, seen := s.cells(number, s.N), 0
	s.overKeys(row, (held+1)/2, func(_, key lane.Lanes, j lir.Reg) {
		at := g.Cast(dtype.Int64, g.Prim(op.Add, dtype.Int32, g.SplatInt(dtype.Int32, j), g.Iota(0)))
		for i := range 2 {
			x := pair{g.Reg(key, i), g.Reg(at, i)}
			if seen < held {
				w.insert(first[:seen], &first[seen], x)
			} else {
				none := g.NewLabel()
				s.unlessAny(s.more(first[held-1].key, x.key), none)
				w.insert(first, nil, x)
				g.Bind(none)
			}
			seen++
		}
	})
	to := g.BinInt(asm.IMUL, number, lir.Imm(int64(s.Keep)))
	for i, x := range w.mergedLanes(first)[:s.Keep] {
		k := g.NewReg(lir.GPR)
		g.Def(asm.VMOVD, g.R32(k), g.VW(x.at, 16))
		s.pickWide(k, to, row, i)
	}
}

// insert puts elements behind those of each lane's list that are not greater; what is behind all goes to rest. Those
// that are greater make room, in their order: the element alone is what all are compared with.
func (w *network) insert(list []pair, rest *pair, x pair) {
	g := w.Builder
	key := x.key
	for _, held := range list {
		low, high := w.exchanged(held, x, w.more(held.key, key))
		g.MoveVec(held.key, low.key)
		g.MoveVec(held.at, low.at)
		x = high
	}
	if rest != nil {
		g.MoveVec(rest.key, x.key)
		g.MoveVec(rest.at, x.at)
	}
}

// exchanged is two pairs that change places where a mask says so.
func (w *network) exchanged(x, y pair, mask lir.Reg) (low, high pair) {
	return pair{w.blended(x.key, y.key, mask), w.blended(x.at, y.at, mask)},
		pair{w.blended(y.key, x.key, mask), w.blended(y.at, x.at, mask)}
}

// orderedPairs is the lesser and the greater of pairs.
func (w *network) orderedPairs(x, y pair) (low, high pair) {
	equal := w.combined(asm.KANDW, asm.VPAND, w.compared(asm.VPCMPEQQ, x.key, y.key), w.more(x.at, y.at))
	return w.exchanged(x, y, w.combined(asm.KORW, asm.VPOR, w.more(x.key, y.key), equal))
}

// mergedLanes is the first of all lanes' lists: the first of two lists meet the last of each other.
func (w *network) mergedLanes(x []pair) []pair {
	for d := 1; d < w.lanes; d *= 2 {
		z := make([]pair, len(x))
		for i := range z {
			other := x[len(x)-1-i]
			z[i], _ = w.orderedPairs(x[i], pair{w.turned(other.key, d), w.turned(other.at, d)})
		}
		for d := len(z) / 2; d > 0; d /= 2 {
			for i := range z {
				if i&d == 0 {
					z[i], z[i+d] = w.orderedPairs(z[i], z[i+d])
				}
			}
		}
		x = z
	}
	return x
}
