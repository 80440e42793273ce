package micro

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A finisher makes results of sums in tiles as they move to C, a row in its turn: tiles of the next panel are
// multiplied meanwhile, which takes none of the vector units.
type finisher struct {
	*product.Finish
	raw    int   // in the frame: 1 if the block that moves stays sums
	leaves []int // in the frame: where the leaves of the row that moves are read
}

// newFinisher makes room in the frame. Before the first panel, a block moves to itself.
func (g *writer) newFinisher(f *product.Finish) *finisher {
	x := &finisher{Finish: f, raw: g.Alloc(8)}
	for range f.Leaves {
		x.leaves = append(x.leaves, g.Alloc(8))
	}
	g.Use(asm.MOV, lir.Frame(x.raw), g.R64(g.NewInt(1)))
	return x
}

// move moves one row on.
func (f *finisher) move(g *writer, m rowMove) {
	raw, done := g.NewLabel(), g.NewLabel()
	g.Use(asm.CMP, lir.Frame(f.raw).Sized(8), lir.Imm(0))
	g.Jump(asm.JNE, raw)
	row := &finishRow{finisher: f, g: g, from: m.from, alike: map[*ir.Value]lane.Lanes{}}
	size := f.Value.Type.D.Size()
	for i := range tileSums[0] {
		x := row.block(i)
		g.StoreAs(f.Value.Type.D, x, lir.Mem(m.to, i*tileRows*size), nil)
	}
	for k, l := range f.Leaves {
		if l.Rows {
			by := g.Word(WordLeaves + 16*k + 8)
			g.Use(asm.ADD, lir.Frame(f.leaves[k]), g.R64(by))
		}
	}
	g.Jump(asm.JMP, done)
	g.Bind(raw)
	g.copyBlocks(m)
	g.Bind(done)
	g.AddConst(m.from, 2*TileBytes)
	g.RMW(asm.ADD, g.R64(m.to), g.R64(m.ld))
}

// next has the sums of a panel move next.
func (f *finisher) next(g *writer) {
	g.Use(asm.MOV, lir.Frame(f.raw), g.R64(g.Word(WordRaw)))
	for k, l := range f.Leaves {
		at := WordLeaves + 16*k
		g.Use(asm.MOV, lir.Frame(f.leaves[k]), g.R64(g.Word(at)))
		if l.Cols {
			g.Use(asm.ADD, lir.Frame(at).Sized(8), lir.Imm(int64(2*tileRows*l.Value.Type.D.Size())))
		}
	}
}

// A finishRow is a row that moves.
type finishRow struct {
	*finisher
	g     *writer
	from  lir.Reg
	alike map[*ir.Value]lane.Lanes // leaves that are the same in all columns
}

// block is a register of results.
func (r *finishRow) block(i int) lane.Lanes {
	g := r.g
	made := map[*ir.Value]lane.Lanes{}
	sums := g.Load(r.Acc.Type.D, lir.Mem(r.from, i*TileBytes), nil)
	if r.Acc.Type.D.IsFloat() { // WordZeros is -0, or the +0 that steps of zeros would have added
		sums = g.Elementwise(op.Add, r.Acc.Type.D, sums, g.LoadSplat(r.Acc.Type.D, lir.Frame(WordZeros)))
	}
	made[r.Acc] = sums
	return r.value(r.rounded(), i, made)
}

// rounded is what of the result is computed before it is stored: a store rounds it.
func (r *finishRow) rounded() *ir.Value {
	v := r.Value
	if v.Op == op.Cast && lane.RoundsStored(v.Type.D) && v.Args[0].Type.D == dtype.Float32 {
		return v.Args[0]
	}
	return v
}

func (r *finishRow) value(v *ir.Value, i int, made map[*ir.Value]lane.Lanes) lane.Lanes {
	if x, ok := made[v]; ok {
		return x
	}
	var x lane.Lanes
	switch {
	case v.Op == op.Const:
		x = lane.Const(v.Type.D, v.Bits)
	case v.Op == op.Load || !v.Type.IsTile():
		x = r.leaf(v, i)
	case ir.Family(v.Op) == op.Shape:
		x = r.value(v.Args[0], i, made)
	default:
		in := make([]lane.Lanes, len(v.Args))
		for k, a := range v.Args {
			in[k] = r.value(a, i, made)
		}
		if x = in[0]; v.Op == op.Cast {
			x = r.g.Cast(v.Type.D, x)
		} else {
			x = r.g.Elementwise(v.Op, in[len(in)-1].D, in...)
		}
	}
	made[v] = x
	return x
}

// leaf is what is read of a load or a parameter.
func (r *finishRow) leaf(v *ir.Value, i int) lane.Lanes {
	g := r.g
	if x, ok := r.alike[v]; ok {
		return x
	}
	d := v.Type.D
	for k, l := range r.Leaves {
		switch {
		case l.Value != v:
			continue
		case l.Extra < 0:
			r.alike[v] = g.LoadSplat(d, lir.Frame(r.leaves[k]))
		case l.Cols:
			return g.Load(d, lir.Mem(g.Word(r.leaves[k]), i*tileRows*d.Size()), nil)
		default:
			r.alike[v] = g.LoadSplat(d, lir.Mem(g.Word(r.leaves[k]), 0))
		}
	}
	return r.alike[v]
}
