package scatter

import (
	"math"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// packed moves the lanes that the mask lets through together in the frame, and copies them to the tensor at once if
// the first and the last of them are inside, or else jumps to a label. Where the mask leaves lanes out that are counted
// all is done lane by lane.
func (s scatter) packed(k *fuse.Packed, other int) {
	fewer, done := s.NewLabel(), s.NewLabel()
	s.pack(k, other, fewer)
	if len(k.Also) == 0 {
		return
	}
	s.Jump(asm.JMP, done)
	s.BindCold(fewer)
	s.InCold(func() { s.write(other) })
	s.Bind(done)
}

// pack is packed that jumps to another label if a lane is left out.
func (s scatter) pack(k *fuse.Packed, other, fewer int) {
	m, left := affine.Identity(s.x.Shape), lane.Lanes{}
	if len(k.Also) > 0 {
		left = s.Variable(lane.Const(dtype.Bool, 0))
	}
	l := gather.NewPack(s.Builder, s.x.D, s.n)
	n := s.NewNest(s.x.Shape)
	n.Atoms = n.MaskLimits(k.Counted, m)
	n.Run(func() {
		z := s.get(n)
		mask, _ := n.LoadMask(k.Counted, m)
		on := n.WithTail(mask)
		for _, c := range k.Also {
			off := s.PrimBool(op.Not, []lane.Lanes{n.Eval(c, m)})
			if on != nil {
				off = s.Both(*on, off)
			}
			s.Assign(left, s.PrimBool(op.Or, []lane.Lanes{left, off}))
		}
		l.Add(z, on)
	})
	if len(k.Also) > 0 {
		all := s.NewLabel()
		s.SkipUnlessAny(left, all)
		s.Jump(asm.JMP, fewer)
		s.Bind(all)
	}
	s.store(k, l, other)
}

// store copies what is packed to where it goes.
func (s scatter) store(k *fuse.Packed, l *gather.Pack, other int) {
	none, far := s.NewLabel(), s.line(k, l.Count)
	s.Use(asm.TEST, s.R64(l.Count), s.R64(l.Count))
	s.Jump(asm.JE, none)
	far.inside(other)
	arg := scalar.ArgOffset(s.x.Tensor)
	s.RunsOf(s.x.Tensor, other).Steps(far.first, s.BinInt(asm.SUB, l.Count, lir.Imm(1)), k.Apart)
	l.CopyTo(lir.MemIndex(s.Word(arg), far.first, s.x.D.Size(), 0), k.Apart)
	s.Bind(none)
}

// A line is numbers of elements that have a first and a last one.
type line struct {
	scatter
	first, last lir.Reg
	narrow      lir.Reg // the last one where the numbers are widened from 32 bits; 0 if they are not
}

// line is the numbers of so many lanes that are packed.
func (s scatter) line(k *fuse.Packed, count lir.Reg) line {
	z := line{scatter: s, first: s.NewInt(1)}
	span := s.CopyInt(count)
	s.AddConst(span, -1)
	apart := int64(1)
	reach := func() lir.Reg {
		if apart == 1 {
			return s.BinInt(asm.ADD, span, s.R64(z.first))
		}
		return s.BinInt(asm.ADD, s.BinInt(asm.IMUL, span, lir.Imm(apart)), s.R64(z.first))
	}
	for _, step := range k.Steps {
		by := asm.ADD
		switch step.Op {
		case op.Cast:
			z.first = s.Extend(dtype.Int32, z.first)
			z.narrow = reach()
			continue
		case op.Mul:
			apart, by = apart*step.N, asm.IMUL
		case op.Sub:
			by = asm.SUB
		}
		z.first = s.BinInt(by, z.first, s.operand(step))
	}
	z.last = reach()
	return z
}

// operand is what a step adds, subtracts or multiplies by: of a pointer the elements from its tensor's first on.
func (s scatter) operand(step fuse.PackedStep) lir.Arg {
	switch {
	case step.V == nil:
		return lir.Imm(step.N)
	case !step.V.Type.D.IsPointer():
		return s.IntArg(step.V)
	}
	f := s.Forms.Of(step.V)
	if !f.Ok {
		scalar.Refuse("a pointer scalar that is not tensor + offset")
	}
	return s.SymArg(f.Start)
}

// inside jumps to other if a number is none of an element's.
func (z line) inside(other int) {
	if z.narrow != 0 {
		z.Use(asm.CMP, z.R64(z.narrow), lir.Imm(math.MaxInt32))
		z.Jump(asm.JG, other)
	}
	z.Use(asm.TEST, z.R64(z.first), z.R64(z.first))
	z.Jump(asm.JL, other)
	z.Use(asm.CMP, z.R64(z.last), lir.Frame(scalar.ArgOffset(z.x.Tensor)+scalar.ArgSpan))
	z.Jump(asm.JGE, other)
}
