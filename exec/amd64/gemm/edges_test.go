package gemm

import (
	"slices"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/kerneltest/corpus"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestEdgesAreDrawn: the sizes at which this package changes how it does a product are among those
// that random products are drawn around.
func TestEdgesAreDrawn(t *testing.T) {
	avx2, avx512 := lir.AVX2, lir.AVX512
	f32, f64 := dtype.Float32, dtype.Float64
	edges := corpus.Edges
	for _, x := range []struct {
		of    string
		drawn []int
		want  []int
	}{
		{"rows", edges.Rows, []int{micro.TilingOf(avx2, f32).Rows, micro.TilingOf(avx512, f32).Rows,
			micro.TilesTiling().Rows, mostThinTurned / 2, mostThinTurned, mostThin, micro.TurnedRows, micro.AcrossRows, blockRows}},
		{"columns", edges.Cols, []int{micro.TilingOf(avx2, f32).Lanes(), micro.TilingOf(avx2, f32).Cols,
			micro.TilingOf(avx512, f64).Cols, micro.TilingOf(avx512, f32).Cols,
			micro.TilingOf(avx512, f32).Of(micro.WideVecs, avx512).Cols,
			micro.TilesTiling().Cols, blockCols, thinCols, thinTurnedCols}},
		{"the chain", edges.Chain, []int{micro.PairSize / 2, micro.GroupBytes, micro.GroupSteps, micro.TileSteps,
			micro.TileBytes, packingSteps, micro.BlockK,
			micro.BlockOfTiles * micro.TileSteps * micro.GroupBytes, 4 * micro.BlockK}},
	} {
		for _, n := range x.want {
			if !slices.Contains(x.drawn, n) {
				t.Errorf("%s: %d is missing from corpus.Edges", x.of, n)
			}
		}
	}
}
