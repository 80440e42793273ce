package tiles

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Loads and stores. Where the addresses are affine, or affine in each row, and, checked once, lie inside the
// tensor, the loop goes to the tensor itself. Otherwise the exact addresses of all
// lanes are put into memory, Go carries the access out lane by lane, and the loop
// goes to a copy: which of the two is one branch ahead of the loop that sets the same
// registers either way.

// An Access is a load or store as a nest's loop sees it: memory from base on, with a
// stride in bytes for each dimension of the op's shape.
type Access struct {
	V      *ir.Value
	D      dtype.DType // of the elements in memory
	Base   lir.Reg
	Stride [ir.MaxRank]lane.Stride
	Copy   int  // frame offset of the copy
	Direct bool // there is no copy: the loop always goes to the tensor
	Turned bool // the copy is column after column
	Apart  int  // elements from one of the copy to the next, -1 if it is kept backwards
	// Copied says at run time that the loop goes to the copy; 0 if it always does, or
	// never.
	Copied lir.Reg
	Rows   *Rowwise // addresses are one element apart in rows only
}

// Steps is how many elements the copy's lie apart: as many as the tensor's in rows of a small constant stride, or in
// rows that are read or written backwards, so that code for that stride does for both.
func (a *Access) Steps(f *affine.Form, shape ir.Shape) int {
	const most = 4
	if !f.Ok || f.Base < 0 || a.Turned || a.Rows != nil || f.MayGather() {
		return 1
	}
	inner := shape.N - 1
	for inner > 0 && shape.D[inner] == 1 {
		inner--
	}
	if shape.N == 0 || f.Coef[inner] == nil || f.Coef[inner].Kind != affine.Const {
		return 1
	}
	if k := f.Coef[inner].N; k > 1 && k <= most || k == -1 {
		return int(k)
	}
	return 1
}

// InCold writes code that may be jumped over.
func (g *Memory) InCold(f func()) {
	for _, v := range g.WhereCold(f) {
		delete(g.Tiles, v)
	}
}

// CheckInside jumps to bad unless every active lane of v lies inside its tensor.
func (g *Memory) CheckInside(v *ir.Value, f *affine.Form, bad int) {
	if !g.Unchecked {
		g.CheckAccess(v, f, bad)
	}
}

// SetStrides finds an access's strides in a tensor, whose addresses have the form, beside those of a dense copy.
func (g *Memory) SetStrides(a *Access, f *affine.Form, dense [ir.MaxRank]int) {
	// All scalars first: what is computed between jumps is not there on every way.
	g.Force(f)
	shape, size := a.V.Memory().Ptr.Type.Shape, int64(a.D.Size())
	for i := range shape.N {
		switch c := f.Coef[i]; {
		case shape.D[i] == 1:
		case c != nil && c.IsConst(int64(dense[i])): // the same on both ways
			a.Stride[i] = lane.Stride{N: int64(dense[i]) * size}
		default:
			a.Stride[i].R = g.NewReg(lir.GPR)
			if c == nil {
				g.SetImm(a.Stride[i].R, 0)
			} else {
				g.Move(a.Stride[i].R, g.SymArg(g.Syms.Mul(c, g.Syms.Constant(size))))
			}
		}
	}
}

// StridesOfCopy makes an access's strides those of its dense copy, and says that it goes there.
func (g *Memory) StridesOfCopy(a *Access, dense [ir.MaxRank]int) {
	for i, s := range a.Stride {
		if s.R != 0 {
			g.SetImm(s.R, int64(dense[i])*int64(a.D.Size()))
		}
	}
	if a.Copied != 0 {
		g.SetImm(a.Copied, 1)
	}
}

// ToTensor points a's loop to the tensor.
func (g *Memory) ToTensor(a *Access, f *affine.Form) {
	g.Def(asm.MOV, g.R64(a.Base), lir.Frame(scalar.ArgOffset(f.Base)))
	g.AddScaled(a.Base, f.Start, int64(a.D.Size()))
}
