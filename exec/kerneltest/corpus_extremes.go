package kerneltest

import (
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/ended"
	tl "github.com/tiler-go/tiler/tilelang"
)

// tables are tiles that are reduced along an axis, the first k of it another value: of a vector or less, of several
// with a rest, and of such that a mask leaves most of out.
var tables = numbered("rows cols other k R C AXIS", [][]int{
	{1, 1, 0, 1, 1, 1, 0}, {3, 1, 0, 0, 3, 1, 1}, {2, 2, 0, 1, 2, 2, 1}, {3, 7, 0, 7, 3, 7, 1}, {3, 13, 1, 3, 3, 16, 1},
	{2, 31, 0, 17, 2, 31, 1}, {2, 20, 0, 21, 2, 32, 1}, {1, 64, 0, 64, 1, 64, 1}, {2, 33, 1, 40, 2, 63, 1},
	{2, 127, 0, 127, 2, 127, 1}, {2, 128, 0, 100, 2, 128, 1}, {2, 129, 2, 129, 2, 129, 1}, {3, 40, 0, 300, 3, 300, 1},
	{2, 500, 1, 499, 2, 512, 1}, {1, 1000, 0, 1000, 1, 1000, 1}, {0, 0, 1, 0, 2, 200, 1}, {1, 70, 0, 0, 4, 256, 1},
	{2, 5, 0, 1, 2, 5, 0}, {7, 33, 0, 7, 7, 33, 0}, {16, 20, 0, 3, 16, 20, 0}, {17, 9, 1, 17, 17, 9, 0},
	{33, 5, 0, 32, 33, 5, 0}, {40, 40, 0, 50, 64, 40, 0}, {5, 17, 1, 64, 64, 17, 0}, {100, 3, 0, 99, 100, 3, 0},
	{40, 6, 0, 3, 40, 6, 1}, {20, 12, 0, 12, 32, 16, 1},
})

// extremes are reductions along an axis whose order does not show, or that one operation is.
var extremes = []Row{{
	Name: "Extrema", Fn: ended.Extrema, Types: numbers, Ops: "plain equal least greatest zeros",
	Args: pickedArgs, Grid: "1", Shapes: tables,
}, {
	Name: "ExtremaNaN", Fn: ended.Extrema, Types: floats, Ops: "nan",
	Args: pickedArgs, Grid: "1", Shapes: tables,
}, {
	Name: "Combined", Fn: ended.Combined, Types: numbers, Ops: "add mul max min any all odd",
	Args: combinedArgs, Grid: "1", Shapes: tables,
}, {
	Name: "CombinedNaN", Fn: ended.Combined, Types: floats, Ops: "maxnan minnan",
	Args: combinedArgs, Grid: "1", Shapes: tables,
}, {
	Name: "CombinedBits", Fn: ended.Combined, Types: ints, Ops: "and or xor",
	Args: combinedArgs, Grid: "1", Shapes: tables,
}, {
	Name: "CombinedBools", Fn: ended.Combined, Types: []tl.DType{tl.Bool}, Ops: "and or xor",
	Args: "x:rows*cols z:R*C rows cols 1 R C AXIS OP", Grid: "1", Shapes: tables,
}}

const (
	pickedArgs   = "x:rows*cols z:R*C*2 w@i32:R*C*3 rows cols other k R C AXIS OP"
	combinedArgs = "x:rows*cols z:R*C rows cols other R C AXIS OP"
)
