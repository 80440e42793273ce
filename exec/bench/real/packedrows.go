package real

import (
	"fmt"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// What the kernels of packed.go are run with, and the Go loops beside them.

// groupSize is how many weights along K have one scale.
const groupSize = 128

// packedWeights are k×n weights of four bits, eight to a word along K, with a scale for each group and column.
func packedWeights(k, n int) (words []int32, scales []float32) {
	words = make([]int32, tl.Cdiv(k, 8)*n)
	for i := range words {
		words[i] = int32(Mix(uint32(i), 5))
	}
	return words, Fine(tl.Cdiv(k, groupSize)*n, 6, 0.1)
}

// unpacked is weight (k, col).
func unpacked(words []int32, scales []float32, n, k, col int) float32 {
	return float32(words[k/8*n+col]>>(4*(k%8))&15-8) * scales[k/groupSize*n+col]
}

func programPackedProduct(m, n, k int) Program {
	words, scales := packedWeights(k, n)
	a, out := Fine(m*k, 1, 1), tensor.Zeros(tl.Float32, m, n)
	at := func(i int) float64 {
		sum := 0.0
		for l := range k {
			sum += float64(float64(a[i/n*k+l]) * float64(unpacked(words, scales, n, l, i%n)))
		}
		return sum
	}
	return Program{
		File: "packed.go", Name: "packedProduct", Fn: packedProduct, Grid: exec.Grid{tl.Cdiv(m, 64), tl.Cdiv(n, 64)},
		Args: []any{tensor.From(a, m, k), tensor.From(words), tensor.From(scales), out, m, n, k, 64, 64, 32, groupSize},
		Out:  out, At: at, Most: 400, Rel: 1e-5, Abs: 1e-3,
	}
}

func programPackedRow(n, k int) Program {
	p := programPackedProduct(1, n, k)
	p.Name, p.Fn, p.Grid = "packedRow", packedRow, exec.Grid{tl.Cdiv(n, 512)}
	p.Args = append(p.Args[:4:4], n, k, 512, 16, groupSize)
	return p
}

// loopPacked multiplies row by row, going through weights as they lie.
func loopPacked(m, n, k int) func() {
	words, scales := packedWeights(k, n)
	a, out := Fine(m*k, 1, 1), make([]float32, m*n)
	return func() {
		for i := range m {
			to := out[i*n:][:n]
			clear(to)
			for l, v := range a[i*k:][:k] {
				row, scale, shift := words[l/8*n:][:n], scales[l/groupSize*n:][:n], 4*(l%8)
				for j, w := range row {
					to[j] += float32(w>>shift&15-8) * scale[j] * v
				}
			}
		}
	}
}

// packed are products with weights of a few bits.
func packed() []Row {
	const n, wide = 512, 4096
	rows := []Row{
		irregularRow("packed", fmt.Sprintf("int4 %dx%dx%d", n, n, n), "GF/s", 2*n*n*n,
			func() Program { return programPackedProduct(n, n, n) },
			goLoop(1, func() func() { return loopPacked(n, n, n) }),
			Rival{Key: "tiler-float32", Least: 0.6, Program: func() Program { return programExpertRows(n, n, n, 0) }}),
		irregularRow("packed", fmt.Sprintf("int4 1x%dx%d", wide, wide), "GB/s", wide*wide/2,
			func() Program { return programPackedRow(wide, wide) },
			goLoop(1, func() func() { return loopPacked(1, wide, wide) })),
	}
	rows[1].Pass, rows[1].PassN, rows[1].OfPass = "read", wide*wide/8, 0.5
	return rows
}
