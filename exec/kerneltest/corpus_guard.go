package kerneltest

import "github.com/tiler-go/tiler/exec/kerneltest/kernels"

// guardedRows are kernels whose tensors have no more than what masks let through.
var guardedRows = []Row{
	{
		Name: "RowsTimes", Fn: kernels.RowsTimes, Types: numbers, Ops: "once kept", Shapes: matrices,
		Args: "x:rows*cols y:rows z:rows*cols rows cols R C OP", Grid: "rows/R",
	},
	{
		Name: "PickedRows", Fn: kernels.PickedRows, Types: numbers, Shapes: matrices,
		Args: "x:rows*cols i:rows*cols z:rows*cols rows cols R C", Grid: "rows/R",
	},
}
