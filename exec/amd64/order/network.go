package order

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A network sorts rows of keys by bitonic merges. Elements stand in columns: number e of a row is in register
// e mod regs, lane e / regs, so that all but a few steps compare whole registers; in which order they are when it
// begins does not matter. Every merge of two sorted halves begins with a flip, where the first element meets
// the last one, and goes on with distances that halve; smaller keys always go to the lower place.
type network struct {
	*Sorter
	keys     int // where they are in the frame
	lanes    int // keys in a register
	padded   int // a row's length, a power of two
	columns  int // lanes that a row takes
	regs     int // registers that it takes
	together int // rows that share registers, as they are shorter than one
	masks    map[int]lir.Reg
	orders   map[int]lir.Reg
	special  lir.Reg // whether some element is
}

func (s *Sorter) network() *network {
	g := s.Builder
	w := &network{Sorter: s, lanes: g.Bytes / s.Width, padded: 2}
	for w.padded < s.N {
		w.padded *= 2
	}
	w.columns = min(w.padded, w.lanes)
	w.regs, w.together = w.padded/w.columns, w.lanes/w.columns
	w.keys = g.Alloc(w.together*w.padded*s.Width + g.Lanes*s.Width)
	return w
}

// inRegisters is how many registers a step works on.
func (w *network) inRegisters() int {
	if w.Builder.EVEX {
		return 16
	}
	return 8
}

// batch sorts the rows that share registers, the first of which has a number in a register.
func (w *network) batch(number lir.Reg) {
	g := w.Builder
	first := g.BinInt(asm.IMUL, number, lir.Imm(int64(w.together)))
	restores := w.Values && w.D.IsFloat()
	if restores {
		w.special = g.NewInt(0)
	}
	for q := range w.together {
		w.fill(w.cells(w.plus(first, q), w.N), w.keys+q*w.padded*w.Width)
	}
	w.sort()
	if w.Values {
		block := g.Lanes * w.Width
		g.UpTo((w.regs*g.Bytes+block-1)/block*block, block, func(j lir.Reg) {
			at, d := lir.FrameIndex(j, 1, w.keys), w.last().D
			g.Store(w.element(g.Load(d, at, nil)).As(d), at, nil)
		})
	}
	for q := range w.together {
		behind := g.NewLabel()
		row := w.plus(first, q)
		if w.Rows%w.together != 0 {
			g.Use(asm.CMP, g.R64(row), lir.Imm(int64(w.Rows)))
			g.Jump(asm.JGE, behind)
		}
		w.take(q, row)
		if restores {
			g.Use(asm.TEST, g.R64(w.special), g.R64(w.special))
			g.Jump(asm.JE, behind)
			w.restore(w.cells(row, w.N))
		}
		g.Bind(behind)
	}
}

func (s *Sorter) plus(r lir.Reg, n int) lir.Reg {
	z := s.Builder.CopyInt(r)
	s.Builder.AddConst(z, int64(n))
	return z
}

// fill makes the keys of a row, and of what pads it.
func (w *network) fill(row lir.Reg, off int) {
	g := w.Builder
	w.overKeys(row, 0, func(x, key lane.Lanes, j lir.Reg) {
		at := lir.FrameIndex(j, w.Width, off)
		if w.Values {
			g.Store(key, at, nil)
			if w.D.IsFloat() {
				none := g.NewLabel()
				g.SkipUnlessAny(w.Sorter.special(x), none)
				g.SetImm(w.special, 1)
				g.Bind(none)
			}
			return
		}
		low, high := w.indexed(key, j)
		g.StoreReg(at, low, 4, 0)
		g.StoreReg(at.Plus(g.Bytes), high, 4, 0)
	})
	filled := (w.N + g.Lanes - 1) / g.Lanes * g.Lanes
	if filled >= w.padded {
		return
	}
	last := lane.Const(dtype.Int32, math.MaxInt32)
	if w.Width == 8 {
		last = lane.Const(dtype.Int64, math.MaxInt64)
	}
	r := g.Reg(last, 0)
	g.UpTo((w.padded-filled)*w.Width, g.Bytes, func(j lir.Reg) {
		g.StoreReg(lir.FrameIndex(j, 1, off+filled*w.Width), r, 4, 0)
	})
}

// take puts the first elements of a sorted row where results are.
func (w *network) take(q int, row lir.Reg) {
	g := w.Builder
	to, from := w.cells(row, w.Keep), w.cells(row, w.N)
	key := w.keys + q*w.columns*w.Width
	rest := w.Keep
	for c := 0; rest > 0; {
		height := min(rest, w.regs)
		columns := rest / height
		g.UpTo(columns, 1, func(column lir.Reg) {
			at := g.NewReg(lir.GPR) // of the column's first key
			g.Def(asm.LEA, g.R64(at), lir.MemIndex(g.NewInt(0), column, w.Width, c*w.Width))
			z := g.BinInt(asm.IMUL, column, lir.Imm(int64(w.cell()*height)))
			g.RMW(asm.ADD, g.R64(z), g.R64(to))
			unroll := 1
			for unroll < 8 && height%(2*unroll) == 0 {
				unroll *= 2
			}
			g.UpTo(height, unroll, func(j lir.Reg) {
				for i := range unroll {
					w.takeOne(lir.FrameIndex(at, 1, key+i*g.Bytes), z, from, w.cell()*(i+c*w.regs))
				}
				g.RMW(asm.ADD, g.R64(at), lir.Imm(int64(unroll*g.Bytes)))
				g.RMW(asm.ADD, g.R64(z), lir.Imm(int64(w.cell()*unroll)))
			})
		})
		c += columns
		rest -= columns * height
	}
}

// takeOne puts the element of a key so many bytes behind z in the results.
func (w *network) takeOne(key lir.Arg, z, from lir.Reg, off int) {
	g := w.Builder
	k := g.NewReg(lir.GPR)
	if w.Values {
		g.CopyElement(w.Width, k, lir.FrameIndex(z, 1, w.Out+off), key)
		return
	}
	g.Def(asm.MOV, g.R32(k), key)
	w.pick(k, z, from, off)
}

// pick copies element k of a row to a place in the results, and says where it came from.
func (s *Sorter) pick(k, z, from lir.Reg, off int) {
	g := s.Builder
	if s.Where >= 0 {
		g.Use(asm.MOV, lir.FrameIndex(z, 1, s.Where+off), g.R32(k))
	}
	at := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(at), lir.MemIndex(from, k, 4, 0))
	g.CopyElement(4, g.NewReg(lir.GPR), lir.FrameIndex(z, 1, s.Out+off), lir.FrameIndex(at, 1, s.In))
}

// sort sorts the keys.
func (w *network) sort() {
	g := w.Builder
	m := w.inRegisters()
	if w.regs <= m {
		w.onRegisters(lir.Frame(w.keys), w.regs, 1, func(x []lir.Reg) {
			for size := 2; size <= w.regs; size *= 2 {
				w.mergeAll(x, size)
			}
			for c := 2; c <= w.columns; c *= 2 {
				w.mergeColumns(x, c)
				w.halve(x)
			}
		})
		return
	}
	g.UpTo(w.regs*g.Bytes, m*g.Bytes, func(j lir.Reg) {
		w.onRegisters(lir.FrameIndex(j, 1, w.keys), m, 1, func(x []lir.Reg) {
			for size := 2; size <= m; size *= 2 {
				w.mergeAll(x, size)
			}
		})
	})
	for size := 2 * m; size <= w.regs; size *= 2 {
		w.flips(size)
		w.halves(size / m)
	}
	for c := 2; c <= w.columns; c *= 2 {
		w.columnFlips(c)
		w.halves(w.regs)
	}
}

// onRegisters runs f on registers of keys, some apart from each other, and puts them back.
func (w *network) onRegisters(at lir.Arg, count, apart int, f func(x []lir.Reg)) {
	x := make([]lir.Reg, count)
	place := func(i int) lir.Arg { return at.Plus(i * apart * w.Builder.Bytes) }
	w.load(x, place)
	f(x)
	w.store(x, place)
}

func (w *network) load(x []lir.Reg, place func(i int) lir.Arg) {
	w.masks, w.orders = map[int]lir.Reg{}, map[int]lir.Reg{}
	for i := range x {
		x[i] = w.Builder.NewVec()
		w.Builder.LoadReg(x[i], place(i), 4, 0)
	}
}

func (w *network) store(x []lir.Reg, place func(i int) lir.Arg) {
	for i, r := range x {
		w.Builder.StoreReg(place(i), r, 4, 0)
	}
}

// flips is the first steps of merging halves of so many registers, more than fit, which are as many as registers do.
func (w *network) flips(size int) {
	g := w.Builder
	m := w.inRegisters()
	apart := size / m
	g.UpTo(w.regs*g.Bytes, size*g.Bytes, func(block lir.Reg) {
		g.UpTo(apart*g.Bytes, g.Bytes, func(j lir.Reg) {
			low, high := g.CopyInt(block), g.CopyInt(block)
			g.RMW(asm.ADD, g.R64(low), g.R64(j))
			g.RMW(asm.SUB, g.R64(high), g.R64(j))
			x := make([]lir.Reg, m)
			place := func(i int) lir.Arg {
				if i < m/2 {
					return lir.FrameIndex(low, 1, w.keys+i*apart*g.Bytes)
				}
				return lir.FrameIndex(high, 1, w.keys+((i+1)*apart-1)*g.Bytes)
			}
			w.load(x, place)
			w.flip(x)
			w.halve(x[:m/2])
			w.halve(x[m/2:])
			w.store(x, place)
		})
	})
}

// halves is the steps of distances below size, a half each time.
func (w *network) halves(size int) {
	g := w.Builder
	for size > 1 {
		count := min(size, w.inRegisters())
		apart := size / count
		step := func(at lir.Arg) { w.onRegisters(at, count, apart, w.halve) }
		g.UpTo(w.regs*g.Bytes, size*g.Bytes, func(block lir.Reg) {
			if apart == 1 {
				step(lir.FrameIndex(block, 1, w.keys))
				return
			}
			g.UpTo(apart*g.Bytes, g.Bytes, func(j lir.Reg) {
				at := g.CopyInt(block)
				g.RMW(asm.ADD, g.R64(at), g.R64(j))
				step(lir.FrameIndex(at, 1, w.keys))
			})
		})
		size = apart
	}
}

// columnFlips is the steps of merging c columns that exchange lanes, on registers from both ends of the columns.
func (w *network) columnFlips(c int) {
	g := w.Builder
	const pairs = 2
	g.UpTo(w.regs/2*g.Bytes, pairs*g.Bytes, func(j lir.Reg) {
		back := g.NewInt(0)
		g.RMW(asm.SUB, g.R64(back), g.R64(j))
		x := make([]lir.Reg, 2*pairs)
		place := func(i int) lir.Arg {
			if i < pairs {
				return lir.FrameIndex(j, 1, w.keys+i*g.Bytes)
			}
			return lir.FrameIndex(back, 1, w.keys+(w.regs-2*pairs+i)*g.Bytes)
		}
		w.load(x, place)
		w.mergeColumns(x, c)
		w.store(x, place)
	})
}

// mergeAll merges sorted halves of so many registers each.
func (w *network) mergeAll(x []lir.Reg, size int) {
	for lo := 0; lo < len(x); lo += size {
		w.flip(x[lo : lo+size])
		w.halve(x[lo : lo+size/2])
		w.halve(x[lo+size/2 : lo+size])
	}
}

func (w *network) flip(x []lir.Reg) {
	for i := range len(x) / 2 {
		j := len(x) - 1 - i
		x[i], x[j] = w.ordered(x[i], x[j])
	}
}

func (w *network) halve(x []lir.Reg) {
	for d := len(x) / 2; d > 0; d /= 2 {
		for i := range x {
			if i&d == 0 {
				x[i], x[i+d] = w.ordered(x[i], x[i+d])
			}
		}
	}
}

// mergeColumns is the steps that exchange lanes in merging c columns: registers from the begin of
// columns meet those from their end.
func (w *network) mergeColumns(x []lir.Reg, c int) {
	if len(x) == 1 {
		x[0] = w.across(x[0], c-1, c/2)
	}
	for i := range len(x) / 2 {
		j := len(x) - 1 - i
		turned := w.turned(x[j], c-1)
		low, high := w.ordered(x[i], turned)
		x[i], x[j] = w.chosen(low, high, c/2), w.turned(w.chosen(high, low, c/2), c-1)
	}
	for d := c / 4; d > 0; d /= 2 {
		for i := range x {
			x[i] = w.across(x[i], d, d)
		}
	}
}

// across is lanes in order with those whose number differs in some bits, one of which says which is the higher.
func (w *network) across(x lir.Reg, differs, bit int) lir.Reg {
	low, high := w.ordered(x, w.turned(x, differs))
	return w.chosen(low, high, bit)
}

// ordered is the lesser and the greater keys of two registers.
func (w *network) ordered(x, y lir.Reg) (low, high lir.Reg) {
	g := w.Builder
	low, high = g.NewVec(), g.NewVec()
	switch {
	case w.Width == 4:
		g.Def(asm.VPMINSD, g.V(low), g.V(x), g.V(y))
		g.Def(asm.VPMAXSD, g.V(high), g.V(x), g.V(y))
	case g.EVEX:
		g.Def(asm.VPMINSQ, g.V(low), g.V(x), g.V(y))
		g.Def(asm.VPMAXSQ, g.V(high), g.V(x), g.V(y))
	default:
		more := g.NewVec()
		g.Def(asm.VPCMPGTQ, g.V(more), g.V(x), g.V(y))
		g.Def(asm.VBLENDVPD, g.V(low), g.V(x), g.V(y), g.V(more))
		g.Def(asm.VBLENDVPD, g.V(high), g.V(y), g.V(x), g.V(more))
	}
	return low, high
}

// turned is the lanes whose numbers differ in some bits.
func (w *network) turned(x lir.Reg, differs int) lir.Reg {
	g, r := w.Builder, w.Builder.NewVec()
	if w.Width == 8 && !g.EVEX {
		order := 0
		for i := range 4 {
			order |= (i ^ differs) << (2 * i)
		}
		g.Def(asm.VPERMQ, g.V(r), g.V(x), lir.Imm(int64(int8(order))))
		return r
	}
	o := asm.VPERMD
	if w.Width == 8 {
		o = asm.VPERMQ
	}
	g.Def(o, g.V(r), g.V(w.constant(w.orders, differs, func(i int) int { return i ^ differs })), g.V(x))
	return r
}

// constant is a register of a number for each lane.
func (w *network) constant(known map[int]lir.Reg, key int, lane func(i int) int) lir.Reg {
	g := w.Builder
	if r := known[key]; r != 0 {
		return r
	}
	b := make([]byte, g.Bytes)
	for i := range w.lanes {
		for k := range w.Width {
			b[i*w.Width+k] = byte(lane(i) >> (8 * k))
		}
	}
	r := g.NewVec()
	g.LoadReg(r, g.BytesConst(b), 4, 0)
	known[key] = r
	return r
}

// chosen is x in lanes where a bit of their number is 0, y where it is 1.
func (w *network) chosen(x, y lir.Reg, bit int) lir.Reg {
	g, r := w.Builder, w.Builder.NewVec()
	if !g.EVEX {
		mask := w.constant(w.masks, bit, func(i int) int {
			if i&bit != 0 {
				return -1
			}
			return 0
		})
		g.Def(asm.VBLENDVPS, g.V(r), g.V(x), g.V(y), g.V(mask))
		return r
	}
	k := w.masks[bit]
	if k == 0 {
		bits := int64(0)
		for i := range w.lanes {
			if i&bit != 0 {
				bits |= 1 << i
			}
		}
		k = g.NewReg(lir.Mask)
		g.Def(asm.KMOVW, g.K(k), g.R32(g.NewInt(bits)))
		w.masks[bit] = k
	}
	o := asm.VPBLENDMD
	if w.Width == 8 {
		o = asm.VPBLENDMQ
	}
	g.Def(o, g.V(r), g.V(x), g.V(y)).Blended(k)
	return r
}
