package exec_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func addVectors(p *tl.Program, x, y, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	a := tl.Load(x.Add(offs), tl.Mask(mask))
	b := tl.Load(y.Add(offs), tl.Mask(mask))
	tl.Store(out.Add(offs), a.Add(b), tl.Mask(mask))
}

func matmulBlocks(p *tl.Program, x, y, out tl.Ptr, xRows, xCols, yRows, yCols int, BX, BY, BK tl.Const) {
	xOffs := tl.Arange(0, BX).Mul(xCols).Add(p.ID(0) * BX * xCols)
	yOffs := tl.Arange(0, BY).Add(p.ID(1) * BY)
	k := tl.Arange(0, BK)
	xPtrs := x.Add(xOffs.Col().Add(k.Row()))
	yPtrs := y.Add(k.Col().Mul(yCols).Add(yOffs.Row()))
	acc := tl.Zeros(tl.Float32, BX, BY)
	for i := range tl.Cdiv(xCols, BK) {
		a := tl.Load(xPtrs, tl.Mask(k.Row().Lt(xCols-i*BK)), tl.Other(0.0))
		b := tl.Load(yPtrs, tl.Mask(k.Col().Lt(yRows-i*BK)), tl.Other(0.0))
		acc = acc.Add(tl.Dot(a, b))
		xPtrs = xPtrs.Add(BK)
		yPtrs = yPtrs.Add(BK * yCols)
	}
	rows := tl.Arange(0, BX).Add(p.ID(0) * BX)
	cols := tl.Arange(0, BY).Add(p.ID(1) * BY)
	mask := rows.Col().Lt(xRows).And(cols.Row().Lt(yCols))
	tl.Store(out.Add(rows.Col().Mul(yCols).Add(cols.Row())), acc.To(tl.Float16), tl.Mask(mask))
}

func BenchmarkInterpreted(b *testing.B) {
	b.Run("vecadd/98432", func(b *testing.B) {
		const n = 98432
		x, y, out := tensor.Rand(1, tl.Float32, n), tensor.Rand(2, tl.Float32, n), tensor.Zeros(tl.Float32, n)
		k := exec.New(addVectors)
		b.SetBytes(3 * 4 * n)
		b.ReportAllocs()
		for b.Loop() {
			if err := k.Launch(exec.Grid{tl.Cdiv(n, 1024)}, x, y, out, n, 1024); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("matmul/256", func(b *testing.B) {
		const n = 256
		x, y, out := tensor.Rand(1, tl.Float32, n, n), tensor.Rand(2, tl.Float32, n, n), tensor.Zeros(tl.Float32, n, n)
		k := exec.New(matmulBlocks)
		b.ReportAllocs()
		for b.Loop() {
			if err := k.Launch(exec.Grid{n / 16, n / 16}, x, y, out, n, n, n, n, 16, 16, 32); err != nil {
				b.Fatal(err)
			}
		}
	})
}
