package exec_test

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func smRows(p *tl.Program, out, in tl.Ptr, inStride, outStride, cols int, BLOCK tl.Const) {
	row := p.ID(0)
	offs := tl.Arange(0, BLOCK)
	mask := offs.Lt(cols)
	x := tl.Load(in.Add(row*inStride).Add(offs), tl.Mask(mask), tl.Other(negInf))
	z := tl.Exp(x.Sub(tl.Max(x, tl.Axis(0))))
	tl.Store(out.Add(row*outStride).Add(offs), z.Div(tl.Sum(z, tl.Axis(0))), tl.Mask(mask))
}

const negInf = -1e30

func normRows(p *tl.Program, x, y, w, b tl.Ptr, stride, n int, eps float64, BLOCK tl.Const) {
	row := p.ID(0)
	offs := tl.Arange(0, BLOCK)
	mask := offs.Lt(n)
	v := tl.Load(x.Add(row*stride).Add(offs), tl.Mask(mask), tl.Other(0.0))
	mean := tl.Sum(v, tl.Axis(0)).Div(n)
	d := tl.Where(mask, v.Sub(mean), 0.0)
	variance := tl.Sum(d.Mul(d), tl.Axis(0)).Div(n)
	rstd := tl.Div(1, tl.Sqrt(variance.Add(eps)))
	g := tl.Load(w.Add(offs), tl.Mask(mask))
	c := tl.Load(b.Add(offs), tl.Mask(mask))
	tl.Store(y.Add(row*stride).Add(offs), d.Mul(rstd).Mul(g).Add(c), tl.Mask(mask))
}

func BenchmarkCompiled(b *testing.B) {
	for _, engine := range []string{"portable", "avx2", "avx512"} {
		o := exec.Options{Engine: engine, Workers: 1}
		for _, n := range []int{98432, 64 << 20 / 4} {
			x, y, out := tensor.Rand(1, tl.Float32, n), tensor.Rand(2, tl.Float32, n), tensor.Zeros(tl.Float32, n)
			k := exec.New(addVectors, o)
			b.Run(fmt.Sprintf("vecadd/%s/%d", engine, n), func(b *testing.B) {
				b.SetBytes(int64(12 * n))
				for b.Loop() {
					if err := k.Launch(exec.Grid{tl.Cdiv(n, 1024)}, x, y, out, n, 1024); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		for _, s := range [][2]int{{1823, 781}, {4096, 1024}} {
			rows, cols := s[0], s[1]
			x, out := tensor.Randn(1, tl.Float32, rows, cols), tensor.Zeros(tl.Float32, rows, cols)
			k := exec.New(smRows, o)
			b.Run(fmt.Sprintf("softmax/%s/%dx%d", engine, rows, cols), func(b *testing.B) {
				b.SetBytes(int64(8 * rows * cols))
				for b.Loop() {
					if err := k.Launch(exec.Grid{rows}, out, x, cols, cols, cols, tl.NextPow2(cols)); err != nil {
						b.Fatal(err)
					}
				}
			})
			ln := exec.New(normRows, o)
			w, c := tensor.Rand(3, tl.Float32, cols), tensor.Rand(4, tl.Float32, cols)
			b.Run(fmt.Sprintf("layernorm/%s/%dx%d", engine, rows, cols), func(b *testing.B) {
				b.SetBytes(int64(8 * rows * cols))
				for b.Loop() {
					if err := ln.Launch(exec.Grid{rows}, x, out, w, c, cols, cols, 1e-5, tl.NextPow2(cols)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		for _, n := range []int{64, 256, 512} {
			x, y, out := tensor.Rand(1, tl.Float32, n, n), tensor.Rand(2, tl.Float32, n, n), tensor.Zeros(tl.Float32, n, n)
			k := exec.New(matmulBlocks, o)
			b.Run(fmt.Sprintf("matmul/%s/%d", engine, n), func(b *testing.B) {
				for b.Loop() {
					if err := k.Launch(exec.Grid{n / 16, n / 16}, x, y, out, n, n, n, n, 16, 16, 32); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(2*float64(n*n*n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
			})
		}
	}
}
