package elementwise

import (
	"sync"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Elementwise is an op on lanes of element type d, narrow floats included.
func (g *Builder) Elementwise(o op.Op, d dtype.DType, in ...lane.Lanes) lane.Lanes {
	row := o.Row()
	switch {
	case d.IsPointer():
		return g.Elementwise(o, dtype.Int64, in...)
	case row.Progs[d] != nil:
		return g.program(row.Progs[d], in)
	case d.IsNarrow():
		return g.narrow(o, d, in)
	}
	return g.Prim(o, d, in...)
}

// narrow is an op on narrow floats: on their float32 values, and back unless the
// result is one of the operands, or one's opposite.
func (g *Builder) narrow(o op.Op, d dtype.DType, in []lane.Lanes) lane.Lanes {
	if o == op.FMA {
		return g.fmaNarrow(d, in)
	}
	f := dtype.Float32
	wideIn := make([]lane.Lanes, len(in))
	for i, x := range in {
		if x.D == d {
			x.D = f
		}
		wideIn[i] = x
	}
	z := g.Elementwise(o, f, wideIn...)
	switch {
	case o.IsCompare():
		return z
	case o == op.Neg || o == op.Abs || o == op.Where || o >= op.Maximum && o <= op.MinimumNaN:
		return z.As(d)
	}
	return g.Normalize(d, z)
}

// program writes a math function's instructions into the loop.
func (g *Builder) program(p *op.Prog, in []lane.Lanes) lane.Lanes {
	vals := make([]lane.Lanes, len(p.In)+len(p.Body))
	clamp, nonzero := -1, lane.Lanes{}
	if g.EVEX {
		clamp = vanishingClamp(p)
	}
	copy(vals, in)
	skipTo, skipLabel := -1, 0
	for i := range p.Body {
		if i == skipTo {
			g.Bind(skipLabel)
			skipTo = -1
		}
		inst := &p.Body[i]
		z := &vals[len(p.In)+i]
		arg := func(k int) lane.Lanes { return vals[inst.Args[k]] }
		switch {
		case i == clamp:
			*z, nonzero = arg(0), g.CompareFloat(lane.NotLe, inst.D, arg(0), arg(1))
			continue
		case clamp >= 0 && len(p.In)+i == p.Out:
			*z = g.scaleWhere(inst.D, nonzero, arg(0), arg(1))
			continue
		}
		switch inst.Op {
		case op.Const:
			*z = lane.Const(inst.Type, inst.Bits)
		case op.SkipUnless:
			if inst.Bits > 0 && skipTo < 0 {
				skipTo, skipLabel = i+1+int(inst.Bits), g.NewLabel()
				g.SkipUnlessAny(arg(0), skipLabel)
			}
		case op.Lookup:
			*z = g.lookup(inst, arg(0))
		case op.Cast:
			*z = g.Cast(inst.Type, arg(0))
		case op.Bitcast:
			*z = g.Bitcast(inst.Type, arg(0))
		default:
			a := make([]lane.Lanes, inst.Op.Row().Arity)
			for k := range a {
				a[k] = arg(k)
			}
			*z = g.Prim(inst.Op, inst.D, a...)
		}
	}
	if skipTo == len(p.Body) {
		g.Bind(skipLabel)
	}
	return vals[p.Out]
}

// vanishingClamp is the number of the instruction of a program that raises its operand
// to where the result, which is a Scale, is +0; -1 if there is none. Lanes below need
// not be computed then: to scale them down to nothing would be slow.
func vanishingClamp(p *op.Prog) int {
	if n, ok := clamps.Load(p); ok {
		return n.(int)
	}
	n := -1
	if last := p.Out - len(p.In); len(p.In) == 1 && last >= 0 && p.Body[last].Op == op.Scale {
		for i := range p.Body {
			if inst := &p.Body[i]; inst.Op == op.MaximumNaN && clampsInput(p, inst) {
				n = i
			}
		}
	}
	clamps.Store(p, n)
	return n
}

var clamps sync.Map // of int, by *op.Prog

// clampsInput reports whether an instruction raises the input, which may have been
// lowered before, to a constant at which the program gives +0.
func clampsInput(p *op.Prog, inst *op.Inst) bool {
	body := func(v int) *op.Inst {
		if v < len(p.In) {
			return nil
		}
		return &p.Body[v-len(p.In)]
	}
	x, c := body(inst.Args[0]), body(inst.Args[1])
	if c == nil || c.Op != op.Const || x != nil && (x.Op != op.MinimumNaN || x.Args[0] != 0) {
		return false
	}
	in, out := dtype.NewBuf(inst.D, 1), dtype.NewBuf(inst.D, 1)
	in.SetBits(0, c.Bits)
	p.Run(out, in)
	return out.Bits(0) == 0
}

// scaleWhere is x·2^n where a mask holds and +0 elsewhere.
func (g *Builder) scaleWhere(d dtype.DType, mask, x, n lane.Lanes) lane.Lanes {
	m := g.MaskHalves(mask, d)
	return lane.EachHalf(d, func(i int) lir.Reg {
		r := g.NewVec()
		g.Def(lane.ByWidth(d, asm.VSCALEFPS, asm.VSCALEFPD), g.V(r), g.V(g.Reg(x, i)), g.Src(n, i)).Masked(m[i], true)
		return r
	})
}

// Prim is a primitive op on lanes of type d: bool, integers of any width, float32 or
// float64.
func (g *Primitives) Prim(o op.Op, d dtype.DType, in ...lane.Lanes) lane.Lanes {
	switch {
	case o == op.Where:
		return g.Blend(in[0], in[1], in[2])
	case o.IsCompare():
		return g.Compare(o, d, in[0], in[1])
	case d == dtype.Bool:
		return g.PrimBool(o, in)
	case d.IsFloat():
		return g.primFloat(o, d, in)
	}
	return g.primInt(o, d, in)
}
