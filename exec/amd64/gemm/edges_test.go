package gemm

import (
	"slices"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestEdgesAreDrawn: the sizes at which this package changes how it does a product are among those
// that random products are drawn around.
func TestEdgesAreDrawn(t *testing.T) {
	avx2, avx512 := newWriter(lir.AVX2, true), newWriter(lir.AVX512, true)
	f32, f64 := dtype.Float32, dtype.Float64
	edges := kerneltest.Edges
	for _, x := range []struct {
		of    string
		drawn []int
		want  []int
	}{
		{"rows", edges.Rows, []int{avx2.tiling(f32).rows, avx512.tiling(f32).rows, tilesTiling().rows, mostThinTurned / 2, mostThinTurned,
			mostThin, turnedRows, acrossRows, blockRows}},
		{"columns", edges.Cols, []int{avx2.tiling(f32).lanes(), avx2.tiling(f32).cols, avx512.tiling(f64).cols, avx512.tiling(f32).cols,
			avx512.tiling(f32).of(wideVecs, avx512).cols, tilesTiling().cols, blockCols, thinCols, thinTurnedCols}},
		{"the chain", edges.Chain, []int{pairSize / 2, groupBytes, groupSteps, tileSteps, tileBytes, packingSteps, blockK,
			blockOfTiles * tileSteps * groupBytes, 4 * blockK}},
	} {
		for _, n := range x.want {
			if !slices.Contains(x.drawn, n) {
				t.Errorf("%s: %d is missing from kerneltest.Edges", x.of, n)
			}
		}
	}
}
