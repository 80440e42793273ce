package kerneltest

import "github.com/tiler-go/tiler/exec/kerneltest/kernels/ended"

// guardedRows are kernels whose tensors have no more than what masks let through.
var guardedRows = []Row{
	{
		Name: "RowsTimes", Fn: ended.RowsTimes, Types: numbers, Ops: "once kept", Shapes: matrices,
		Args: "x:rows*cols y:rows z:rows*cols rows cols R C OP", Grid: "rows/R",
	},
	{
		Name: "PickedRows", Fn: ended.PickedRows, Types: numbers, Shapes: matrices,
		Args: "x:rows*cols i:rows*cols z:rows*cols rows cols R C", Grid: "rows/R",
	},
	{
		Name: "Guarded", Fn: ended.Guarded, Types: numbers,
		Ops:  "below alone columns either loaded float wraps wide single apart",
		Args: "x:rows*cols y:rows*cols i:rows*cols z:rows*cols w:rows*cols rows cols some R C OP", Grid: "rows/R",
		Shapes: numbered("rows cols R C some", [][]int{
			{1, 1, 1, 1, 1}, {5, 17, 1, 32, 3}, {5, 64, 1, 64, 0}, {17, 16, 8, 16, 9},
			{19, 30, 4, 32, -1}, {6, 300, 2, 512, 2}, {3, 40, 4, 64, 4},
		}),
	},
	{
		Name: "FilledRows", Fn: ended.FilledRows, Types: all, Args: "x:rows*cols z:rows*cols*2 rows cols cols*2 R C OP",
		Grid: "1", Ops: "last first ones narrow", Shapes: squares,
	},
}
