package kerneltest

import (
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/ended"
	tl "github.com/tiler-go/tiler/tilelang"
)

// walked is types of elements that are taken one by one.
var walked = []tl.DType{tl.Float32, tl.Int32, tl.Float16, tl.Float64, tl.Int8}

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
	{
		Name: "Walks", Fn: ended.Walks, Types: walked, Serial: true,
		Ops:  "along back fours twos columns far same some nested all narrow",
		Args: "x:n*20 z:n*20 i:n*20 n far OP", Grid: "n", Shapes: numbered("n far", [][]int{
			{1, 1 << 59}, {9, -1 << 60}, {19, 0}, {60, -1 << 63},
		}),
	},
	{
		Name: "WalksOver", Fn: ended.Walks, Types: walked[:3], Ops: "along back same all", Serial: true,
		Args: "xz:n*20 i:n*20 n far OP", Grid: "n", Shapes: numbered("n far", [][]int{{9, 1}}),
	},
	{
		Name: "WalksOut", Fn: ended.Walks, Types: walked[:3], Ops: "fails turned stored last first",
		Fails: true, Serial: true,
		Args: "x:n*20 z:n*20 i:n*20 n far OP", Grid: "n", Shapes: numbered("n far", [][]int{
			{1, 1}, {9, -1}, {9, 2}, {19, 20}, {19, 1 << 31}, {19, 1 << 59}, {19, -1 << 59}, {9, 1 << 62},
			{60, -1 << 63}, {60, 1}, {9, 1<<63 - 1},
		}),
	},
	{
		Name: "WalksGaps", Fn: ended.Walks, Types: walked[:3], Ops: "along fours stored", Fails: true, Serial: true,
		Args: "x:n*20 v:n*4:20:12:1 i:n*20 n far OP", Grid: "n", Shapes: numbered("n far", [][]int{
			{1, 1}, {9, 2}, {19, 20}, {60, 1},
		}),
	},
}
