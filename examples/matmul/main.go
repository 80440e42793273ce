// Command matmul multiplies matrices block by block, in an order that makes
// neighbouring programs share what they load, and applies an activation while the block
// is still at hand.
package main

import (
	"fmt"
	"os"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// matmul computes one BLOCK_M × BLOCK_N block of c = activation(a·b) per program, a
// being M×K and b K×N, of any strides. Programs are numbered down groups of GROUP_M rows
// of blocks: those that run at about the same time need few different blocks of a and b.
func matmul(p *tl.Program, a, b, c tl.Ptr, M, N, K, strideAM, strideAK, strideBK, strideBN, strideCM, strideCN int,
	BLOCK_M, BLOCK_N, BLOCK_K, GROUP_M tl.Const, ACTIVATION string) {
	rowBlocks, colBlocks := tl.Cdiv(M, BLOCK_M), tl.Cdiv(N, BLOCK_N)
	blockM, blockN := tl.Swizzle2D(p.ID(0)/colBlocks, p.ID(0)%colBlocks, rowBlocks, colBlocks, GROUP_M)

	rows := tl.Arange(0, BLOCK_M).Add(blockM * BLOCK_M)
	cols := tl.Arange(0, BLOCK_N).Add(blockN * BLOCK_N)
	k := tl.Arange(0, BLOCK_K)
	aPtrs := a.Add(rows.Col().Mul(strideAM).Add(k.Row().Mul(strideAK)))
	bPtrs := b.Add(k.Col().Mul(strideBK).Add(cols.Row().Mul(strideBN)))

	acc := tl.Zeros(tl.Float32, BLOCK_M, BLOCK_N)
	for i := range tl.Cdiv(K, BLOCK_K) {
		left := K - i*BLOCK_K
		x := tl.Load(aPtrs, tl.Mask(rows.Col().Lt(M).And(k.Row().Lt(left))), tl.Other(0))
		y := tl.Load(bPtrs, tl.Mask(k.Col().Lt(left).And(cols.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(x, y))
		aPtrs = aPtrs.Add(BLOCK_K * strideAK)
		bPtrs = bPtrs.Add(BLOCK_K * strideBK)
	}
	if ACTIVATION == "leaky_relu" {
		acc = tl.Where(acc.Ge(0), acc, acc.Mul(0.01))
	}
	cPtrs := c.Add(rows.Col().Mul(strideCM).Add(cols.Row().Mul(strideCN)))
	tl.Store(cPtrs, acc, tl.Mask(rows.Col().Lt(M).And(cols.Row().Lt(N))))
}

// multiply is activation(a·b).
func multiply(a, b *tensor.Tensor, activation string) (*tensor.Tensor, error) {
	M, K, N := a.Dim(0), a.Dim(1), b.Dim(1)
	c := tensor.Empty(a.DType(), M, N)
	grid := exec.GridFn(func(m exec.Meta) exec.Grid {
		return exec.Grid{tl.Cdiv(M, m["BLOCK_M"]) * tl.Cdiv(N, m["BLOCK_N"])}
	})
	return c, exec.New(matmul).Launch(grid, a, b, c, M, N, K,
		a.Stride(0), a.Stride(1), b.Stride(0), b.Stride(1), c.Stride(0), c.Stride(1),
		32, 32, 16, 4, activation)
}

func main() {
	c, err := multiply(tensor.Randn(0, tl.Float16, 200, 100), tensor.Randn(1, tl.Float16, 100, 150), "leaky_relu")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(c)
}
