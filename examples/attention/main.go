// Command attention computes softmax(q·kᵀ·scale)·v for every head without ever holding
// the matrix of weights: flash attention, the forward pass.
package main

import (
	"fmt"
	"math"
	"os"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// attention computes BLOCK_M rows of one head's result per program. It goes through
// the keys BLOCK_N at a time and keeps, for each row, the greatest score so far, the sum
// of the weights relative to it, and the weighted sum of values. When a greater score
// turns up, what was summed before is scaled down. Scores are in powers of 2: scale
// includes log2(e). q, k, v and out are [heads, n, HEAD].
func attention(p *tl.Program, q, k, v, out tl.Ptr, n int, scale float64, CAUSAL bool, HEAD, BLOCK_M, BLOCK_N tl.Const) {
	first := p.ID(1) * n * HEAD
	rows := tl.Arange(0, BLOCK_M).Add(p.ID(0) * BLOCK_M)
	dims := tl.Arange(0, HEAD)
	rowOffs := rows.Col().Mul(HEAD).Add(dims.Row()).Add(first)
	queries := tl.Load(q.Add(rowOffs), tl.Mask(rows.Col().Lt(n)), tl.Other(0))

	highest := tl.Full(tl.Float32, math.Inf(-1), BLOCK_M)
	total := tl.Zeros(tl.Float32, BLOCK_M)
	acc := tl.Zeros(tl.Float32, BLOCK_M, HEAD)
	end := n
	if CAUSAL {
		end = min(n, (p.ID(0)+1)*BLOCK_M)
	}
	for start := 0; start < end; start += BLOCK_N {
		keys := tl.Arange(0, BLOCK_N).Add(start)
		keyT := tl.Load(k.Add(dims.Col().Add(keys.Row().Mul(HEAD)).Add(first)), tl.Mask(keys.Row().Lt(n)), tl.Other(0))
		scores := tl.Dot(queries, keyT).Mul(scale)
		visible := keys.Row().Lt(n)
		if CAUSAL {
			visible = visible.And(keys.Row().Le(rows.Col()))
		}
		scores = tl.Where(visible, scores, math.Inf(-1))

		before := highest
		highest = tl.Maximum(highest, tl.Max(scores, tl.Axis(1)))
		weights := tl.Exp2(scores.Sub(highest.Col()))
		shrink := tl.Exp2(before.Sub(highest))
		total = total.Mul(shrink).Add(tl.Sum(weights, tl.Axis(1)))

		values := tl.Load(v.Add(keys.Col().Mul(HEAD).Add(dims.Row()).Add(first)), tl.Mask(keys.Col().Lt(n)), tl.Other(0))
		acc = acc.Mul(shrink.Col()).Add(tl.Dot(weights.To(values.DType()), values))
	}
	tl.Store(out.Add(rowOffs), acc.Div(total.Col()), tl.Mask(rows.Col().Lt(n)))
}

// attend is the attention of every head; q, k and v are [heads, n, head].
func attend(q, k, v *tensor.Tensor, causal bool) (*tensor.Tensor, error) {
	const BLOCK_M, BLOCK_N = 32, 32
	heads, n, head := q.Dim(0), q.Dim(1), q.Dim(2)
	out := tensor.Empty(q.DType(), heads, n, head)
	scale := math.Log2E / math.Sqrt(float64(head))
	grid := exec.Grid{tl.Cdiv(n, BLOCK_M), heads}
	return out, exec.New(attention).Launch(grid, q, k, v, out, n, scale, causal, head, BLOCK_M, BLOCK_N)
}

func main() {
	q, k, v := tensor.Randn(0, tl.Float16, 2, 100, 64), tensor.Randn(1, tl.Float16, 2, 100, 64), tensor.Randn(2, tl.Float16, 2, 100, 64)
	out, err := attend(q, k, v, true)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(out)
}
