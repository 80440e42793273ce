package kerneltest

import (
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/ended"
	tl "github.com/tiler-go/tiler/tilelang"
)

// paddings is rows in blocks that are as long, a little longer, and much longer, with so many kinds of padding.
func paddings(kinds int) (list []Shape) {
	for i, n := range []int{1, 3, 15, 16, 17, 31, 32, 33, 48, 100, 130} {
		for j, block := range []int{n, n + 1, n + 20, 512, 1000, 40} {
			if block >= n {
				list = append(list, Shape{Vars: map[string]int{"n": n, "BLOCK": block, "PAD": (i + j) % kinds}})
			}
		}
	}
	return list
}

// paddeds are reductions of rows that end within their blocks.
var paddeds = []Row{
	{
		Name: "Padded", Fn: ended.Padded, Types: floats, Shapes: paddings(7),
		Ops:  "sum max argmax minindex product mean last turns any differ pairs",
		Args: "x:n*5 z:5 w@i32:5 n BLOCK PAD OP", Grid: "5",
	},
	{
		Name: "PaddedInts", Fn: ended.Padded, Shapes: paddings(2),
		Types: []tl.DType{tl.Int32, tl.Uint8, tl.Int64, tl.Int16},
		Ops:   "sum max argmax minindex product last turns any differ pairs",
		Args:  "x:n*5 z:5 w@i32:5 n BLOCK PAD OP", Grid: "5",
	},
}
