// Command int4 multiplies a matrix by weights of four bits, eight to a word, which are unpacked and scaled block by
// block on their way into the product.
package main

import (
	"fmt"
	"os"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// dequantised is a (M×K) times weights (K×N): word k/8 of a column holds weight k in the four bits from 4·(k%8) on,
// as a number from -8 to 7 plus 8. Each GROUP of weights along K has one scale in each column.
func dequantised(p *tl.Program, a, words, scales, out tl.Ptr, M, N, K int, GROUP, BM, BN, BK tl.Const) {
	rows := tl.Arange(0, BM).Add(p.ID(0) * BM)
	cols := tl.Arange(0, BN).Add(p.ID(1) * BN)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		k := tl.Arange(0, BK).Add(i * BK)
		inA := rows.Col().Lt(M).And(k.Row().Lt(K))
		x := tl.Load(a.Add(rows.Col().Mul(K).Add(k.Row())), tl.Mask(inA), tl.Other(0))
		inB := tl.Mask(k.Col().Lt(K).And(cols.Row().Lt(N)))
		word := tl.Load(words.Add(k.FloorDiv(8).Col().Mul(N).Add(cols.Row())), inB, tl.Other(0))
		scale := tl.Load(scales.Add(k.FloorDiv(GROUP).Col().Mul(N).Add(cols.Row())), inB, tl.Other(0))
		weight := word.Shr(k.Mod(8).Mul(4).Col()).And(15).Sub(8)
		acc = acc.Add(tl.Dot(x, weight.To(tl.Float32).Mul(scale)))
	}
	inOut := rows.Col().Lt(M).And(cols.Row().Lt(N))
	tl.Store(out.Add(rows.Col().Mul(N).Add(cols.Row())), acc, tl.Mask(inOut))
}

// pack makes words of weights, each from -8 to 7.
func pack(weights []int, k, n int) *tensor.Tensor {
	words := make([]int32, tl.Cdiv(k, 8)*n)
	for i, w := range weights {
		row, col := i/n, i%n
		words[row/8*n+col] |= int32(w+8) << (4 * (row % 8))
	}
	return tensor.From(words, tl.Cdiv(k, 8), n)
}

// product is a times packed weights; group is how many of these along K have one scale.
func product(a, words, scales *tensor.Tensor, group int) (*tensor.Tensor, error) {
	m, k, n := a.Dim(0), a.Dim(1), words.Dim(1)
	out := tensor.Empty(tl.Float32, m, n)
	grid := exec.Grid{tl.Cdiv(m, 32), tl.Cdiv(n, 64)}
	return out, exec.New(dequantised).Launch(grid, a, words, scales, out, m, n, k, group, 32, 64, 32)
}

func main() {
	const m, k, n, group = 40, 256, 100, 64
	weights := make([]int, k*n)
	for i := range weights {
		weights[i] = i*7%16 - 8
	}
	a, scales := tensor.Randn(0, tl.Float32, m, k), tensor.Randn(1, tl.Float32, k/group, n)
	out, err := product(a, pack(weights, k, n), scales, group)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(out)
}
