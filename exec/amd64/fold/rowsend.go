package fold

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/reduce"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A rowsEnd is limits of the axis that is reduced, or none: rows behind them are one constant everywhere. Where that
// counts but once, whenever it comes, the reduction leaves these rows out and takes the constant at its end: a zero in
// a sum makes +0 of a -0 there as it does anywhere, and an extremum, with the lowest index of it, is the same in any
// order.
type rowsEnd struct {
	atoms []affine.Atom
	pad   uint64
}

// endOf is that of a nest's rows.
func endOf(n *nest.Nest, r *reduce.Reduction, m affine.Axes) rowsEnd {
	x := r.V.Args[0]
	if r.Identity == nil {
		return rowsEnd{}
	}
	other := func(a affine.Atom) bool { return a.Dim != r.V.Axis }
	e := rowsEnd{atoms: slices.DeleteFunc(reductionDomain(n, r, m), other)}
	bits, ok := e.behind(n, x, m)
	d := x.Type.D
	zero := bits == 0 || d.IsFloat() && bits == dtype.FromFloat(d, math.Copysign(0, -1))
	if len(e.atoms) == 0 || !ok || !r.Once && !(zero && r.Adds()) {
		return rowsEnd{}
	}
	e.pad = bits
	return e
}

// behind is the constant, if there is one, that a value is behind the limits.
func (e *rowsEnd) behind(n *nest.Nest, v *ir.Value, m affine.Axes) (bits uint64, ok bool) {
	outside := func(mask *ir.Value) bool { return mask != nil && affine.Subset(e.atoms, n.MaskLimits(mask, m)) }
	if c := affine.RepeatedConst(v); c != nil {
		return c.Bits, true
	}
	switch family := ir.Family(v.Op); {
	case v.Op == op.Load && outside(v.Memory().Mask):
		if other := v.Memory().Other; other != nil {
			return e.behind(n, other, m)
		}
		return 0, true
	case !fuse.Lazy(v):
		return 0, false
	case family == op.Shape:
		return e.behind(n, v.Args[0], affine.Through(v, m))
	case v.Op == op.Where && outside(v.Args[0]):
		return e.behind(n, v.Args[2], m)
	case family == op.Elementwise:
		in := make([]uint64, len(v.Args))
		for i, a := range v.Args {
			if in[i], ok = e.behind(n, a, m); !ok {
				return 0, false
			}
		}
		return op.Scalar(v.Op, v.Args[len(v.Args)-1].Type.D, in...), true
	case v.Op == op.Cast:
		bits, ok = e.behind(n, v.Args[0], m)
		return dtype.Convert(v.Type.D, v.Args[0].Type.D, bits, false), ok
	}
	return 0, false
}

// fill puts what changes nothing into partials' rows that no row goes to, and gives what is to be combined with the
// result: the constant, at the index of the first row behind the limits, if there is one.
func (e *rowsEnd) fill(n *nest.Nest, r *reduce.Reduction, rows []rowBuffers, length int) (more []lane.Lanes) {
	if len(e.atoms) == 0 {
		return nil
	}
	g, full := n.G, n.G.NewLabel()
	for _, x := range r.Identity {
		more = append(more, g.Variable(x))
	}
	_, hi := n.Bounds(r.V.Axis)
	g.Use(asm.CMP, g.R64(g.InReg(hi)), lir.Imm(int64(n.Shape.D[r.V.Axis])))
	g.Jump(asm.JGE, full)
	i, zero := g.CopyInt(g.InReg(hi)), g.NewInt(0)
	g.Use(asm.CMP, g.R64(i), lir.Imm(0))
	g.RMW(asm.CMOVL, g.R64(i), g.R64(zero))
	g.Assign(more[0], lane.Const(r.Types[0], e.pad))
	if r.Index {
		g.Assign(more[1], g.SplatInt(dtype.Int32, i))
	}
	g.Onward(i, g.R64(g.NewInt(reduce.Partials)), 1, reduce.Partials, func(i lir.Reg) {
		for k, b := range rows {
			at, row := g.BinInt(asm.IMUL, i, lir.Imm(int64(b.bytes))), g.NewReg(lir.GPR)
			g.Def(asm.LEA, g.R64(row), lir.FrameIndex(at, 1, b.off))
			g.UpTo(length, g.Lanes, func(j lir.Reg) {
				x := r.Identity[k].As(lane.CellType(b.d))
				g.Store(x, lir.MemIndex(row, j, lane.CellSize(b.d), 0), nil)
			})
		}
	})
	g.Bind(full)
	return more
}
