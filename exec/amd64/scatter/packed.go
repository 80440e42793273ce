package scatter

import (
	"math"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/fuse/packed"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// packed moves the lanes that the mask lets through together in the frame, and copies them to the tensor at once if
// the first and the last of them are inside, or else jumps to a label. Where the mask leaves lanes out that are counted
// all is done lane by lane.
func (s scatter) packed(k *packed.Store, other int) {
	g := s.g
	fewer, done := g.NewLabel(), g.NewLabel()
	s.pack(k, other, fewer)
	if len(k.Also) == 0 {
		return
	}
	g.Jump(asm.JMP, done)
	g.BindCold(fewer)
	g.InCold(func() { s.write(other) })
	g.Bind(done)
}

// pack is packed that jumps to another label if a lane is left out.
func (s scatter) pack(k *packed.Store, other, fewer int) {
	g := s.g
	m, left := affine.Identity(s.x.Shape), lane.Lanes{}
	for _, step := range k.Steps {
		s.operand(step) // what is computed between jumps is not there on every way
	}
	if len(k.Also) > 0 {
		left = g.Variable(lane.Const(dtype.Bool, 0))
	}
	l := gather.NewPack(g.Builder, s.x.D, s.n)
	n := g.NewNest(s.x.Shape)
	n.Atoms = n.MaskLimits(k.Counted, m)
	n.Run(func() {
		z := s.get(n)
		mask, _ := n.LoadMask(k.Counted, m)
		on := n.WithTail(mask)
		for _, c := range k.Also {
			off := g.PrimBool(op.Not, []lane.Lanes{n.Eval(c, m)})
			if on != nil {
				off = g.Both(*on, off)
			}
			g.Assign(left, g.PrimBool(op.Or, []lane.Lanes{left, off}))
		}
		l.Add(z, on)
	})
	if len(k.Also) > 0 {
		all := g.NewLabel()
		g.SkipUnlessAny(left, all)
		g.Jump(asm.JMP, fewer)
		g.Bind(all)
	}
	s.store(k, l, other)
}

// store copies what is packed to where it goes.
func (s scatter) store(k *packed.Store, l *gather.Pack, other int) {
	g := s.g
	none, far := g.NewLabel(), s.line(k, l.Count)
	g.Use(asm.TEST, g.R64(l.Count), g.R64(l.Count))
	g.Jump(asm.JE, none)
	far.inside(other)
	arg := scalar.ArgOffset(s.x.Tensor)
	g.RunsOf(s.x.Tensor, other).Steps(far.first, g.BinInt(asm.SUB, l.Count, lir.Imm(1)), k.Apart)
	l.CopyTo(lir.MemIndex(g.Word(arg), far.first, s.x.D.Size(), 0), k.Apart)
	g.Bind(none)
}

// A line is numbers of elements that have a first and a last one.
type line struct {
	scatter
	first, last lir.Reg
	narrow      lir.Reg // the last one where the numbers are widened from 32 bits; 0 if they are not
}

// line is the numbers of so many lanes that are packed.
func (s scatter) line(k *packed.Store, count lir.Reg) line {
	g := s.g
	z := line{scatter: s, first: g.NewInt(1)}
	span := g.CopyInt(count)
	g.AddConst(span, -1)
	apart := int64(1)
	reach := func() lir.Reg {
		if apart == 1 {
			return g.BinInt(asm.ADD, span, g.R64(z.first))
		}
		return g.BinInt(asm.ADD, g.BinInt(asm.IMUL, span, lir.Imm(apart)), g.R64(z.first))
	}
	for _, step := range k.Steps {
		by := asm.ADD
		switch step.Op {
		case op.Cast:
			z.first = g.Extend(dtype.Int32, z.first)
			z.narrow = reach()
			continue
		case op.Mul:
			apart, by = apart*step.N, asm.IMUL
		case op.Sub:
			by = asm.SUB
		}
		z.first = g.BinInt(by, z.first, s.operand(step))
	}
	z.last = reach()
	return z
}

// operand is what a step adds, subtracts or multiplies by: of a pointer the elements from its tensor's first on.
func (s scatter) operand(step packed.Step) lir.Arg {
	g := s.g
	switch {
	case step.V == nil:
		return lir.Imm(step.N)
	case !step.V.Type.D.IsPointer():
		return g.IntArg(step.V)
	}
	f := g.Forms.Of(step.V)
	if !f.Ok {
		scalar.Refuse("a pointer scalar that is not tensor + offset")
	}
	return g.SymArg(f.Start)
}

// inside jumps to other if a number is none of an element's.
func (z line) inside(other int) {
	g := z.g
	if z.narrow != 0 {
		g.Use(asm.CMP, g.R64(z.narrow), lir.Imm(math.MaxInt32))
		g.Jump(asm.JG, other)
	}
	span := lir.Frame(scalar.ArgOffset(z.x.Tensor) + scalar.ArgSpan)
	g.Use(asm.CMP, g.R64(z.first), span)
	g.Jump(asm.JAE, other) // below zero, too; from one inside the way to the last does not wrap
	g.Use(asm.CMP, g.R64(z.last), span)
	g.Jump(asm.JGE, other)
}
