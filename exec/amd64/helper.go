package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/instance"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// effect translates program ids, asserts and prints.
func (g *gen) effect(v *ir.Value) {
	switch v.Op {
	case op.ProgramID, op.NumPrograms:
		g.Ints[v] = g.ScalarInt(v)
	case op.Assert:
		g.assert(v)
	case op.Print:
		g.print(v)
		g.Effects = true
	default:
		scalar.Refuse("%s", ir.OpName(v.Op))
	}
}

// assert fails the instance where a condition does not hold. A tile is looked at in Go, which finds the lane.
func (g *operations) assert(v *ir.Value) {
	c := v.Args[0]
	if !c.Type.IsTile() {
		if c.Op == op.Const && c.Bits != 0 {
			return
		}
		good := g.NewLabel()
		g.Use(asm.TEST, g.R64(g.IntReg(c)), g.R64(g.IntReg(c)))
		g.Jump(asm.JNE, good)
		g.Fail(v)
		g.Bind(good)
		return
	}
	b := g.Spill(c)
	g.Leave("assertions of tiles", func(w *instance.Instance) *ir.Failure {
		for i, on := range dtype.View[uint8](w.Region(dtype.Uint8, b.Off, b.Shape.Len())) {
			if on == 0 {
				return w.Failure(v, i, 0)
			}
		}
		return nil
	})
}

func (g *operations) print(v *ir.Value) {
	bufs := make([]*tiles.Buffer, len(v.Args))
	for i, a := range v.Args {
		bufs[i] = g.Spill(a)
	}
	g.Leave("prints", func(w *instance.Instance) *ir.Failure {
		if w.Launch.Print == nil {
			return nil
		}
		out := make([]ir.Printed, len(bufs))
		for i, b := range bufs {
			t := v.Args[i].Type
			out[i] = ir.Printed{Type: t, Elems: lane.Elements(&w.Frame, b.D, b.Off, b.Shape.Len()), GoScalar: i < len(v.Axes) && v.Axes[i] == 1}
		}
		w.Launch.Print(w.Current(), v, out)
		return nil
	})
}

// math leaves a function of Go's package math to Go, on numbers in the frame.
func (g *operations) math(v *ir.Value) {
	f, x, z := ir.MathNamed(v.Text), g.Spill(v.Args[0]), g.NewBuffer(v.Type)
	y := x
	if len(v.Args) > 1 {
		y = g.Spill(v.Args[1])
	}
	g.Leave("math."+v.Text, func(w *instance.Instance) *ir.Failure {
		at := func(b *tiles.Buffer) dtype.Buf { return w.Region(b.D, b.Off, 1) }
		at(z).SetBits(0, f.Result(v.Index, at(x).Bits(0), at(y).Bits(0)))
		return nil
	})
	g.SetScalar(v, 0, g.LoadCell(v.Type.D, lir.Frame(z.Off)))
	g.Spend(1)
}
