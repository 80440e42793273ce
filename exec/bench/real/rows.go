package real

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Kernels that are bound by memory, a row per program. Elements are of any float type, and computed in float32.

// rmsNorm divides a row by the root of its mean square.
func rmsNorm(p *tl.Program, x, w, out tl.Ptr, n int, eps float64, BLOCK tl.Const) {
	cols := tl.Arange(0, BLOCK)
	mask := cols.Lt(n)
	at := cols.Add(p.ID(0) * n)
	v := tl.Load(x.Add(at), tl.Mask(mask), tl.Other(0)).To(tl.Float32)
	r := tl.Rsqrt(tl.Sum(v.Mul(v)).Div(float64(n)).Add(eps))
	weight := tl.Load(w.Add(cols), tl.Mask(mask), tl.Other(0)).To(tl.Float32)
	tl.Store(out.Add(at), v.Mul(r).Mul(weight), tl.Mask(mask))
}

// rope turns pairs of elements, half a row apart, by angles.
func rope(p *tl.Program, x, cos, sin, out tl.Ptr, half int, BLOCK tl.Const) {
	cols := tl.Arange(0, BLOCK)
	mask := cols.Lt(half)
	c := tl.Load(cos.Add(cols.Add(p.ID(0)*half)), tl.Mask(mask)).To(tl.Float32)
	s := tl.Load(sin.Add(cols.Add(p.ID(0)*half)), tl.Mask(mask)).To(tl.Float32)
	first := cols.Add(p.ID(0) * 2 * half)
	a := tl.Load(x.Add(first), tl.Mask(mask)).To(tl.Float32)
	b := tl.Load(x.Add(first.Add(half)), tl.Mask(mask)).To(tl.Float32)
	tl.Store(out.Add(first), a.Mul(c).Sub(b.Mul(s)), tl.Mask(mask))
	tl.Store(out.Add(first.Add(half)), b.Mul(c).Add(a.Mul(s)), tl.Mask(mask))
}

// swiglu is silu(gate) times up.
func swiglu(p *tl.Program, gate, up, out tl.Ptr, n int, BLOCK tl.Const) {
	cols := tl.Arange(0, BLOCK)
	mask := cols.Lt(n)
	at := cols.Add(p.ID(0) * n)
	g := tl.Load(gate.Add(at), tl.Mask(mask), tl.Other(0)).To(tl.Float32)
	u := tl.Load(up.Add(at), tl.Mask(mask), tl.Other(0)).To(tl.Float32)
	tl.Store(out.Add(at), g.Mul(tl.Sigmoid(g)).Mul(u), tl.Mask(mask))
}

// crossEntropy is the loss of a row of logits, and the gradient in their type.
func crossEntropy(p *tl.Program, x, labels, out tl.Ptr, n int, BLOCK tl.Const) {
	cols := tl.Arange(0, BLOCK)
	mask := cols.Lt(n)
	at := cols.Add(p.ID(0) * n)
	v := tl.Load(x.Add(at), tl.Mask(mask), tl.Other(math.Inf(-1))).To(tl.Float32)
	e := tl.Exp(v.Sub(tl.Max(v)))
	label := tl.Load(labels.Add(p.ID(0)))
	grad := e.Div(tl.Sum(e)).Sub(cols.Eq(label).To(tl.Float32))
	tl.Store(out.Add(at), grad, tl.Mask(mask))
}

// A rowKernel makes a program of rows × cols elements of a type.
type rowKernel func(rows, cols int, d tl.DType) Program

// typed is values in a type, and as they are then.
func typed(v []float32, d tl.DType, shape ...int) (*tensor.Tensor, func(i int) float64) {
	t := tensor.From(v, shape...).To(d)
	back := t.To(tl.Float32)
	return t, func(i int) float64 { return float64(math.Float32frombits(uint32(back.Buf().Bits(i)))) }
}

// ofRows is a program whose rows are made one by one.
func ofRows(
	name string, fn any, rows, cols int, d tl.DType, out *tensor.Tensor, fill func(r int, row []float64), args ...any,
) Program {
	rel := map[tl.DType]float64{tl.Float32: 1e-4, tl.Float16: 0x1p-10, tl.BFloat16: 0x1p-7}[d]
	return Program{
		File: "rows.go", Name: name, Fn: fn, Grid: exec.Grid{rows}, Args: args,
		Out: out, At: ByRow(cols, fill), Most: 20000, Rel: rel, Abs: rel,
	}
}

// ByRow is elements of rows that are computed as wholes: fill writes row r.
func ByRow(cols int, fill func(r int, row []float64)) (at func(i int) float64) {
	row, current := make([]float64, cols), -1
	return func(i int) float64 {
		if r := i / cols; r != current {
			fill(r, row)
			current = r
		}
		return row[i%cols]
	}
}

func programRMSNorm(rows, cols int, d tl.DType) Program {
	x, xs := typed(Fine(rows*cols, 1, 4), d, rows, cols)
	w, ws := typed(Fine(cols, 2, 2), d, cols)
	out := tensor.Zeros(d, rows, cols)
	return ofRows("rmsNorm", rmsNorm, rows, cols, d, out, func(r int, row []float64) {
		sum := 0.0
		for j := range row {
			sum += float64(xs(r*cols+j) * xs(r*cols+j))
		}
		for j := range row {
			row[j] = xs(r*cols+j) / math.Sqrt(sum/float64(cols)+1e-5) * ws(j)
		}
	}, x, w, out, cols, 1e-5, tl.NextPow2(cols))
}

func programRope(rows, cols int, d tl.DType) Program {
	half := cols / 2
	x, xs := typed(Fine(rows*cols, 1, 4), d, rows, cols)
	c, cs := typed(Fine(rows*half, 2, 2), d, rows, half)
	s, ss := typed(Fine(rows*half, 3, 2), d, rows, half)
	out := tensor.Zeros(d, rows, cols)
	return ofRows("rope", rope, rows, cols, d, out, func(r int, row []float64) {
		for j := range half {
			a, b, co, si := xs(r*cols+j), xs(r*cols+half+j), cs(r*half+j), ss(r*half+j)
			row[j], row[half+j] = float64(a*co)-float64(b*si), float64(b*co)+float64(a*si)
		}
	}, x, c, s, out, half, tl.NextPow2(half))
}

func programSwiGLU(rows, cols int, d tl.DType) Program {
	g, gs := typed(Fine(rows*cols, 1, 8), d, rows, cols)
	u, us := typed(Fine(rows*cols, 2, 4), d, rows, cols)
	out := tensor.Zeros(d, rows, cols)
	return ofRows("swiglu", swiglu, rows, cols, d, out, func(r int, row []float64) {
		for j := range row {
			v := gs(r*cols + j)
			row[j] = v / (1 + math.Exp(-v)) * us(r*cols+j)
		}
	}, g, u, out, cols, tl.NextPow2(cols))
}

func programCrossEntropy(rows, cols int, d tl.DType) Program {
	x, xs := typed(Fine(rows*cols, 1, 8), d, rows, cols)
	labels := make([]int32, rows)
	for i := range labels {
		labels[i] = int32(Mix(uint32(i), 5) % uint32(cols))
	}
	out := tensor.Zeros(d, rows, cols)
	return ofRows("crossEntropy", crossEntropy, rows, cols, d, out, func(r int, row []float64) {
		sum := 0.0
		for j := range row {
			row[j] = math.Exp(xs(r*cols + j))
			sum += row[j]
		}
		for j := range row {
			row[j] /= sum
		}
		row[labels[r]]--
	}, x, tensor.From(labels), out, cols, tl.NextPow2(cols))
}

var rowKernels = []struct {
	name       string
	rows, cols int
	program    rowKernel
}{
	{"rms norm", 4096, 2048, programRMSNorm}, {"rope", 16384, 512, programRope}, {"swiglu", 4096, 2048, programSwiGLU},
	{"cross entropy", 2048, 4096, programCrossEntropy},
}

// narrowRows have half the bytes of float32, and are to take at most 0.7 of the time.
func narrowRows() (rows []Row) {
	for _, k := range rowKernels {
		wide := func() Program { return k.program(k.rows, k.cols, tl.Float32) }
		for _, d := range []tl.DType{tl.BFloat16, tl.Float16} {
			rows = append(rows, Row{
				Name: "narrow-rows", Label: k.name + " " + d.Short(), Quick: d == tl.BFloat16, Unit: "Gelem/s",
				Work: float64(k.rows * k.cols), Program: func() Program { return k.program(k.rows, k.cols, d) },
				Rivals: []Rival{{Key: "tiler-f32", Least: 1 / 0.7, Program: wide}},
			})
		}
	}
	return rows
}

// smallRows are the programs of narrowRows, of small sizes, and in float32.
func smallRows() (all []Program) {
	for _, k := range rowKernels {
		for _, d := range []tl.DType{tl.Float32, tl.Float16, tl.BFloat16} {
			all = append(all, k.program(3, 70, d))
		}
	}
	return all
}
