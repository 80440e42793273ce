package bench

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// size is that of a matrix product.
type size struct{ m, n, k int }

func (s size) flops() float64 { return 2 * float64(s.m) * float64(s.n) * float64(s.k) }

// operands is the inputs of a product as values and as tensors of type d: of 24 bits in
// float32, of 8 in the narrow types and where coarse8 asks for the same values.
func operands(s size, d tl.DType, coarse8 bool) (x, y []float32, a, b *tensor.Tensor) {
	if d != tl.Float32 || coarse8 {
		x, y = coarse(s.m*s.k, 1), coarse(s.k*s.n, 2)
	} else {
		x, y = fine(s.m*s.k, 1, 1), fine(s.k*s.n, 2, 1)
	}
	a, b = tensor.From(x, s.m, s.k), tensor.From(y, s.k, s.n)
	if d != tl.Float32 {
		a, b = a.To(d), b.To(d)
	}
	return x, y, a, b
}

// roundings is how far a rounded result may be from the exact one, by type.
func roundings(as tl.DType) (rel, abs float64) {
	if as == tl.Float16 {
		return 0x1p-10, 1e-4
	}
	return 1e-5, 1e-4
}

// smallBlocks is block sizes as a tutorial has them.
var smallBlocks = size{16, 16, 32}

func blocksProgram(s size, in, as tl.DType, coarse8 bool) program {
	x, y, a, b := operands(s, in, coarse8)
	out := tensor.Zeros(tl.Float32, s.m, s.n)
	rel, abs := roundings(as)
	k := smallBlocks
	return program{
		name: "blocks", fn: blocks, out: out,
		grid: exec.Grid{tl.Cdiv(s.m, k.m), tl.Cdiv(s.n, k.n)},
		args: []any{a, b, out, s.m, s.k, s.k, s.n, k.m, k.n, k.k, as},
		want: matrixAnswer(x, y, s.m, s.n, s.k, rel, abs),
	}
}

// stridedBlocks is those of another.
var stridedBlocks = size{128, 256, 64}

func stridedProgram(s, k size, in tl.DType, coarse8 bool) program {
	x, y, a, b := operands(s, in, coarse8)
	out := tensor.Zeros(tl.Float32, s.m, s.n)
	rel, abs := roundings(tl.Float32)
	return program{
		name: "strided", fn: strided, out: out,
		grid: exec.Grid{tl.Cdiv(s.m, k.m) * tl.Cdiv(s.n, k.n)},
		args: []any{a, b, out, s.m, s.n, s.k, s.k, 1, s.n, 1, s.n, 1, k.m, k.n, k.k},
		want: matrixAnswer(x, y, s.m, s.n, s.k, rel, abs),
	}
}

func biasProgram(s size, d tl.DType) program {
	x, y, a, b := operands(s, d, true)
	z := fine(s.m*s.n, 3, 1)
	out := tensor.Zeros(d, s.m, s.n)
	rel, abs := roundings(d)
	want := matrixAnswer(x, y, s.m, s.n, s.k, rel, abs)
	bare := want.at
	want.at, want.whole = func(i int) float64 { return bare(i) + float64(z[i]) }, nil
	return program{
		name: "bias", fn: bias, out: out, grid: exec.Grid{1},
		args: []any{out, a, b, tensor.From(z, s.m, s.n), s.m, s.k, s.n},
		want: want,
	}
}

func programInt8(s, k size) program {
	a, x := whole8(s.m*s.k, 1)
	b, y := whole8(s.k*s.n, 2)
	out := tensor.Zeros(tl.Int32, s.m, s.n)
	return program{
		name: "products8", fn: products8, out: out,
		grid: exec.Grid{tl.Cdiv(s.m, k.m), tl.Cdiv(s.n, k.n)},
		args: []any{tensor.From(a, s.m, s.k), tensor.From(b, s.k, s.n), out, s.m, s.n, s.k, k.m, k.n, k.k},
		want: matrixAnswer(x, y, s.m, s.n, s.k, 0, 1e-3),
	}
}

// program16 is a product of bfloat16 by pairs, or by tiles if tiles is 1.
func program16(s, k size, tiles int) program {
	x, y, a, b := operands(s, tl.BFloat16, true)
	out := tensor.Zeros(tl.Float32, s.m, s.n)
	rel, abs := roundings(tl.Float32)
	return program{
		name: "products16", fn: products16, out: out,
		grid: exec.Grid{tl.Cdiv(s.m, k.m), tl.Cdiv(s.n, k.n)},
		args: []any{a, b, out, s.m, s.n, s.k, k.m, k.n, k.k, tiles},
		want: matrixAnswer(x, y, s.m, s.n, s.k, rel, abs),
	}
}

func programSoftmax(rows, cols int) program {
	x := fine(rows*cols, 1, 8)
	out := tensor.Zeros(tl.Float32, rows, cols)
	return program{
		name: "softmax", fn: softmax, out: out, grid: exec.Grid{rows},
		args: []any{tensor.From(x, rows, cols), out, cols, cols, cols, tl.NextPow2(cols)},
		want: softmaxAnswer(x, rows, cols),
	}
}

func programLayernorm(rows, cols int) program {
	x, w, b := fine(rows*cols, 1, 8), fine(cols, 2, 1), fine(cols, 3, 1)
	out := tensor.Zeros(tl.Float32, rows, cols)
	return program{
		name: "layernorm", fn: layernorm, out: out, grid: exec.Grid{rows},
		args: []any{tensor.From(x, rows, cols), tensor.From(w), tensor.From(b), out, cols, cols, 1e-5, tl.NextPow2(cols)},
		want: layernormAnswer(x, w, b, rows, cols),
	}
}

func programAdd(n, block int) program {
	x, y := fine(n, 1, 1), fine(n, 2, 1)
	out := tensor.Zeros(tl.Float32, n)
	return program{
		name: "add", fn: add, out: out, grid: exec.Grid{tl.Cdiv(n, block)},
		args: []any{tensor.From(x), tensor.From(y), out, n, block},
		want: answer{n: n, at: func(i int) float64 { return float64(x[i] + y[i]) }, most: 8 << 20},
	}
}

func programAttention(heads, n, head, bm, bn int) program {
	size := heads * n * head
	q, k, v := fine(size, 1, 4), fine(size, 2, 4), fine(size, 3, 4)
	shape := []int{heads, n, head}
	out := tensor.Zeros(tl.Float32, shape...)
	scale := math.Log2E / math.Sqrt(float64(head))
	return program{
		name: "attention", fn: attention, out: out, grid: exec.Grid{tl.Cdiv(n, bm), heads},
		args: []any{tensor.From(q, shape...), tensor.From(k, shape...), tensor.From(v, shape...), out, n, scale, head, bm, bn},
		want: attentionAnswer(q, k, v, heads, n, head),
	}
}

func programNothing(programs int) program {
	return program{name: "nothing", fn: nothing, grid: exec.Grid{programs}}
}
