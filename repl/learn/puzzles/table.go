// Package puzzles is what there is to learn: kernels to write, in an order in which each adds one
// idea to those before it. It judges none.
//
// A puzzle is a row of data and two functions. The solution is a kernel that Go compiles;
// its text, and with it the name and the parameters of what is to be written, is cut out of
// this package's own source. The reference computes the same with loops over tensors. The
// skeleton that one begins with is a kernel that runs, and fails: as a rule it is what the
// puzzle before has taught, applied once too often, so that what the judge says about it is
// the lesson.
package puzzles

import (
	"embed"

	"github.com/tiler-go/tiler/repl/learn"
)

// The text of the solutions is that of this package.
//
//go:embed [ep][0-9][0-9]_*.go
var files embed.FS

// Course is all of them: the puzzles in the order in which they are to be solved, the exercises in that of the notebooks.
var Course = learn.NewCourse(files, []*learn.Puzzle{
	&puzzleAddTen,
	&puzzleDouble,
	&puzzleSquare,
	&puzzleOuterSum,
	&puzzleOuterProduct,
	&puzzleScaleRelu,
	&puzzleReluBackward,
	&puzzleRowSums,
	&puzzleSoftmax,
	&puzzleLogSumExp,
	&puzzleMatmul,
	&puzzleFindTheK,
	&puzzleHistogram,
	&puzzleConvolve,
	&puzzleInt4Matmul,
	&puzzleAttention,
}, []*learn.Puzzle{
	&exerciseSaxpy,
	&exerciseAddStrided,
	&exerciseReverse,
	&exerciseEverySecond,
	&exerciseDiagonal,
	&exerciseAddRow,
	&exerciseBiasRelu,
	&exerciseBatchedMatmul,
	&exerciseMaskedMatmul,
	&exerciseMatmulT,
	&exerciseGemmBias,
	&exerciseLogSoftmax,
	&exerciseCausalSoftmax,
	&exerciseOnlineSoftmax,
})
