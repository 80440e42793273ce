package corpus

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
	Name: "RowsFew", Fn: ended.Short, Types: []tl.DType{tl.Float32, tl.Float64, tl.Int32, tl.Int64, tl.Float16, tl.Int8},
	Ops: "sum apart negative most index least product numbered running", Args: "x:n*cols z:n*cols n cols other R C OP",
	Grid: "programs", Shapes: numbered("n cols programs other R C", [][]int{
		{5, 3, 5, 0, 1, 4}, {9, 7, 9, 0, 1, 8}, {4, 8, 4, 1, 1, 8}, {3, 0, 3, 1, 1, 8}, {6, 1, 6, 0, 1, 2},
		{3, 9, 3, 1, 1, 8}, {2, 6, 2, 0, 1, 7}, {20, 12, 3, 0, 8, 16}, {7, 16, 2, 1, 4, 16}, {33, 5, 2, 0, 32, 16},
		{9, 11, 3, 1, 4, 11}, {3, 0, 1, 1, 4, 16}, {12, 7, 3, 0, 4, 8}, {0, 3, 1, 0, 4, 12}, {10, 17, 3, 1, 4, 17},
	}),
}, {
	Name: "Extrema", Fn: ended.Extrema, Types: numbers, Ops: "plain equal least greatest zeros",
	Args: pickedArgs, Grid: "1", Shapes: tables,
}, {
	Name: "ExtremaNaN", Fn: ended.Extrema, Types: floats, Ops: "nan", Args: pickedArgs, Grid: "1", Shapes: tables,
}, combined("Combined", "add mul max min any all odd", numbers), combined("CombinedNaN", "maxnan minnan", floats),
	combined("CombinedBits", "and or xor", ints), {
		Name: "CombinedBools", Fn: ended.Combined, Types: []tl.DType{tl.Bool}, Ops: "and or xor",
		Args: "x:rows*cols z:R*C rows cols 1 R C AXIS OP", Grid: "1", Shapes: tables,
	}}

func combined(name, ops string, types []tl.DType) Row {
	args := "x:rows*cols z:R*C rows cols other R C AXIS OP"
	return Row{Name: name, Fn: ended.Combined, Types: types, Ops: ops, Args: args, Grid: "1", Shapes: tables}
}

const pickedArgs = "x:rows*cols z:R*C*2 w@i32:R*C*3 rows cols other k R C AXIS OP"
