package scan

import (
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
	*elementwise.Builder
	Types      []dtype.DType // of the streams that are scanned together
	Needed     []bool        // of them: what is combined of the others is never looked at
	Combine    func(prev, cur []lane.Lanes) []lane.Lanes
	Free       bool         // elements combine in any order
	Repeatable bool         // and may take part more than once, as in a maximum; otherwise 0 has no effect
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
	for _, d := range r.Types {
		r.carried = append(r.carried, r.Variable(lane.Const(d, 0)))
	}
	if r.Free {
		r.prefix = newPrefix(r)
		return
	}
	for _, d := range r.Types {
		r.block = append(r.block, Tile{d, r.Alloc(r.Lanes * lane.CellSize(d))})
	}
}

// Block scans a block: that at an index of its row, which may be the row's first one if that is 0, and of which a tail
// holds the lanes that exist.
func (r *Row) Block(x []lane.Lanes, index lir.Reg, mayBeFirst bool, tail *lane.Lanes) []lane.Lanes {
	if p := r.prefix; p != nil {
		if mayBeFirst && r.Repeatable {
			r.atFirst(index, r.carried, []lane.Lanes{r.BroadcastFirst(x[0])})
		}
		return []lane.Lanes{p.block(x[0], r.carried[0])}
	}
	for i, t := range r.block {
		if !x[i].Known {
			r.Store(x[i].As(lane.CellType(t.D)), lir.Frame(t.Off), nil)
		}
	}
	elements := r.chain(x, index, mayBeFirst, tail)
	z := make([]lane.Lanes, len(x))
	for i, t := range r.block {
		switch {
		case !r.Needed[i]:
		case elements[i] != nil:
			z[i] = gather.Together(r.Builder, elements[i], t.cell()).As(t.D)
		default:
			z[i] = r.Load(lane.CellType(t.D), lir.Frame(t.Off), nil).As(t.D)
		}
	}
	return z
}

// atFirst assigns lanes in the first block of a row.
func (r *Row) atFirst(index lir.Reg, to, from []lane.Lanes) {
	later := r.NewLabel()
	r.Use(asm.TEST, r.R64(index), r.R64(index))
	r.Jump(asm.JNE, later)
	r.assign(to, from)
	r.Bind(later)
}

// assign copies lanes of the streams that are needed.
func (r *Row) assign(to, from []lane.Lanes) {
	for i := range to {
		if r.Needed[i] {
			r.Assign(to[i], from[i])
		}
	}
}

// chain combines the elements of a block, of which all but constants lie in the frame, one after another. It gives the
// results of streams whose elements are left in registers; others are put into memory.
func (r *Row) chain(x []lane.Lanes, index lir.Reg, mayBeFirst bool, tail *lane.Lanes) (elements [][]lir.Reg) {
	elements = make([][]lir.Reg, len(x))
	cell := func(t Tile, i int) lir.Arg { return lir.Frame(t.Off + i*t.cell()) }
	load := func(i int) []lane.Lanes {
		e := slices.Clone(x)
		for s, t := range r.block {
			if !x[s].Known {
				e[s] = r.LoadCell(t.D, cell(t, i))
			}
		}
		return e
	}
	var bits lir.Reg
	if tail != nil {
		bits = r.MaskBits(tail)
	}
	end := r.NewLabel()
	first := load(0)
	z := r.Combine(r.carried, first)
	if mayBeFirst {
		for i := range z {
			if r.Needed[i] {
				z[i] = r.Variable(z[i])
			}
		}
		r.atFirst(index, z, first)
	}
	for i := range r.Lanes {
		if i > 0 {
			z = r.Combine(z, load(i))
		}
		for s, t := range r.block {
			switch {
			case !r.Needed[s]:
			case tail == nil && t.cell() >= 4:
				elements[s] = append(elements[s], r.Reg(z[s], 0))
			default:
				r.StoreCell(z[s], cell(t, i))
			}
		}
		if tail != nil && i%unroll == unroll-1 && i+1 < r.Lanes {
			r.Use(asm.TEST, r.R64(bits), lir.Imm(1<<(i+1)))
			r.Jump(asm.JE, end)
		}
	}
	r.assign(r.carried, z)
	r.Bind(end)
	return elements
}
