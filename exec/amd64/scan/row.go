package scan

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Row scans rows block by block, in registers and in somebody's loop over them.
type Row struct {
	Builder    *elementwise.Builder
	Types      []dtype.DType // of the streams that are scanned together
	Needed     []bool        // of them: what is combined of the others is never looked at
	Combine    func(prev, cur []lane.Lanes) []lane.Lanes
	Free       bool         // elements combine in any order
	Repeatable bool         // and may take part more than once, as in a maximum
	Neutral    uint64       // otherwise the bits of what has no effect
	Stored     int          // the stream whose elements are stored as they are, one by one, where Block is told to
	carried    []lane.Lanes // what the elements before the block at hand are combined to
	block      []Tile       // one of each stream, where elements come and go one by one
	prefix     *prefix      // if elements combine in any order
}

// AddsAlone reports whether elements are better added with no vectors beside them: without any of 64 bytes processors
// of Intel add float32 in two cycles instead of three or four.
func AddsAlone(g *elementwise.Builder, by op.Op, d dtype.DType) bool {
	return g.EVEX && !gather.Slow() && by == op.Add && d == dtype.Float32
}

// Begin is what stands ahead of the loop over a row's blocks.
func (r *Row) Begin() {
	g := r.Builder
	for _, d := range r.Types {
		if r.Free {
			d = laneType(d)
		}
		r.carried = append(r.carried, g.Variable(lane.Const(d, r.Neutral)))
	}
	if r.Free {
		r.prefix = newPrefix(r)
		return
	}
	for _, d := range r.Types {
		r.block = append(r.block, Tile{d, g.Alloc(g.Lanes * lane.CellSize(d))})
	}
}

// An Operand is a block of a stream: lanes, or, where it lies in memory, where its elements are.
type Operand struct {
	lane.Lanes
	At *Elements
}

// Elements are those of a block in memory, of which the first lies at a place, and the others so many steps from there.
type Elements struct {
	lir.Arg
	Step lane.Stride
}

// InTurn gives the places of elements one after another, each of which is asked for once.
func (e *Elements) InTurn(g *lir.Unit) func(i int) lir.Arg {
	by := e.Step.R
	if most := int64(math.MaxInt32 / g.Lanes); by == 0 && -most <= e.Step.N && e.Step.N <= most { // displacements
		return func(i int) lir.Arg { return e.Plus(i * int(e.Step.N)) }
	}
	if by == 0 {
		by = g.NewInt(e.Step.N)
	}
	at := e.Base()
	return func(i int) lir.Arg {
		if i%2 == 1 {
			return lir.MemIndex(at, by, 1, 0)
		}
		if i > 0 {
			next := g.NewReg(lir.GPR)
			g.Def(asm.LEA, g.R64(next), lir.MemIndex(at, by, 2, 0))
			at = next
		}
		return lir.Mem(at, 0)
	}
}

// A Place is of a block in its row.
type Place struct {
	Index      lir.Reg
	MayBeFirst bool        // where the index is 0
	Tail       *lane.Lanes // holds the lanes that exist, nil for all
	To         *Elements   // where elements are stored one by one, if they are; then Block gives no lanes
}

// Block scans a block.
func (r *Row) Block(x []Operand, p Place) []lane.Lanes {
	g := r.Builder
	if f := r.prefix; f != nil {
		lanes := f.lanes(x[0].Lanes)
		if p.MayBeFirst && r.Repeatable {
			r.atFirst(p.Index, r.carried, []lane.Lanes{g.BroadcastFirst(lanes)})
		}
		return []lane.Lanes{f.elements(f.block(lanes, r.carried[0]))}
	}
	for i, t := range r.block {
		if x[i].At == nil && !x[i].Known {
			g.Store(x[i].As(lane.CellType(t.D)), lir.Frame(t.Off), nil)
		}
	}
	if p.To != nil {
		r.chain(x, p)
		return nil
	}
	elements := r.chain(x, p)
	z := make([]lane.Lanes, len(x))
	for i, t := range r.block {
		switch {
		case !r.Needed[i]:
		case elements[i] != nil:
			z[i] = gather.Together(g, elements[i], t.cell()).As(t.D)
		default:
			z[i] = g.Load(lane.CellType(t.D), lir.Frame(t.Off), nil).As(t.D)
		}
	}
	return z
}

// atFirst assigns lanes in the first block of a row.
func (r *Row) atFirst(index lir.Reg, to, from []lane.Lanes) {
	g := r.Builder
	later := g.NewLabel()
	g.Use(asm.TEST, g.R64(index), g.R64(index))
	g.Jump(asm.JNE, later)
	r.assign(to, from)
	g.Bind(later)
}

// assign copies lanes of the streams that are needed.
func (r *Row) assign(to, from []lane.Lanes) {
	for i := range to {
		if r.Needed[i] {
			r.Builder.Assign(to[i], from[i])
		}
	}
}

// chain combines the elements of a block, of which all but constants lie in the frame, one after another. It gives the
// results of streams whose elements are left in registers; others are put into memory.
func (r *Row) chain(x []Operand, p Place) (elements [][]lir.Reg) {
	g := r.Builder
	elements = make([][]lir.Reg, len(x))
	var bits lir.Reg
	if p.Tail != nil {
		bits = g.MaskBits(p.Tail)
	}
	looks := unroll // at how many elements it looks whether there are more: all in memory that is not the frame's
	if p.To != nil || slices.ContainsFunc(x, func(o Operand) bool { return o.At != nil }) {
		looks = 1
	}
	end := g.NewLabel()
	next, to := r.operands(x), func(int) lir.Arg { return lir.Arg{} }
	if p.To != nil {
		to = p.To.InTurn(g.Unit)
	}
	z := r.first(next(0), p)
	for i := range g.Lanes {
		if i > 0 {
			z = r.Combine(z, next(i))
		}
		for s, t := range r.block {
			switch {
			case p.To != nil && s == r.Stored:
				g.StoreCell(z[s], to(i))
			case p.To != nil || !r.Needed[s]:
			case p.Tail == nil && t.cell() >= 4:
				elements[s] = append(elements[s], g.Reg(z[s], 0))
			default:
				g.StoreCell(z[s], t.place(i))
			}
		}
		if p.Tail != nil && i%looks == looks-1 && i+1 < g.Lanes {
			g.Use(asm.TEST, g.R64(bits), lir.Imm(1<<(i+1)))
			g.Jump(asm.JE, end)
		}
	}
	r.assign(r.carried, z)
	g.Bind(end)
	return elements
}

// operands gives the elements of all streams in turn.
func (r *Row) operands(x []Operand) func(i int) []lane.Lanes {
	places := make([]func(i int) lir.Arg, len(x))
	for s, t := range r.block {
		switch {
		case x[s].At != nil:
			places[s] = x[s].At.InTurn(r.Builder.Unit)
		case !x[s].Known:
			places[s] = t.place
		}
	}
	return func(i int) []lane.Lanes {
		e := make([]lane.Lanes, len(x))
		for s, t := range r.block {
			if e[s] = x[s].Lanes; places[s] != nil {
				e[s] = r.Builder.LoadCell(t.D, places[s](i))
			}
		}
		return e
	}
}

// first is what comes before a block, if anything, combined with its first element.
func (r *Row) first(first []lane.Lanes, p Place) []lane.Lanes {
	z := r.Combine(r.carried, first)
	if p.MayBeFirst {
		for i := range z {
			if r.Needed[i] {
				z[i] = r.Builder.Variable(z[i])
			}
		}
		r.atFirst(p.Index, z, first)
	}
	return z
}
