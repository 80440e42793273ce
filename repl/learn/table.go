package learn

// puzzles is all of them: the order is that in which they are to be solved.
var puzzles = []*Puzzle{
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
}

// exercises is those of the tutorials, in the order of the notebooks.
var exercises = []*Puzzle{
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
}
