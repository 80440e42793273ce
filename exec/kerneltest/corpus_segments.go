package kerneltest

import "github.com/tiler-go/tiler/exec/kerneltest/kernels/ended"

// segments are kernels whose programs do little.
var segments = []Row{
	{
		Name: "Segments", Fn: ended.Segments, Types: numbers, Ops: "blocks chosen down wraps turned",
		Args: "x:n*20 i z:n*20 n far BLOCK OP", Grid: "n",
		Shapes: numbered("n far BLOCK", [][]int{
			{1, 1 << 30, 16}, {60, 1<<31 - 1, 32}, {47, -1 << 31, 64}, {31, -1 << 20, 4},
		}),
	},
	{
		Name: "SegmentsFar", Fn: ended.Segments, Types: numbers[:6], Ops: "far", Fails: true,
		Args: "x:n*20 i z:n*20 n far BLOCK OP", Grid: "n",
		Shapes: numbered("n far BLOCK", [][]int{
			{1, 1<<31 - 1, 16}, {9, -1 << 31, 32}, {19, -2, 64}, {47, 935, 8}, {60, 1<<31 - 40, 128}, {60, 1198, 32},
		}),
	},
}
