package corpus

import (
	"math"

	"github.com/tiler-go/tiler/exec/kerneltest/kernels/ended"
	tl "github.com/tiler-go/tiler/tilelang"
)

// carries is rows of so many elements, a loop's end, block, beginning and step: rows end within the first block, at its
// end and behind it; in the last, an index wraps.
var carries = numbered("n end BLOCK FROM STEP", [][]int{
	{1, 1, 256, 0, 256}, {33, 33, 256, 0, 256}, {33, 33, 1000, 0, 1000}, {127, 127, 128, 0, 128}, {256, 256, 256, 0, 256},
	{257, 257, 256, 0, 256}, {600, 600, 256, 0, 256}, {300, 300, 256, 0, 128}, {64, 0, 300, 0, 128}, {40, 200, 256, 0, 64},
	{100, 60, 256, 5, 20}, {20, 150, 260, 19, 100}, {20, 150, 260, 20, 100}, {20, 400, 260, 30, 100},
	{100, math.MaxInt32, 1024, 0, math.MaxInt32 - 511}, {100, math.MaxInt32, 256, 7, math.MaxInt32 - 50},
})

var carriedRows = numbered("rows cols R C", [][]int{
	{1, 1, 2, 256}, {3, 33, 4, 256}, {4, 256, 4, 256}, {5, 600, 4, 256}, {9, 100, 4, 128}, {7, 40, 8, 32},
	{17, 65, 16, 64},
})

// sums is blocks around the least that are summed round by round.
var sums = numbered("n BLOCK", [][]int{
	{0, 128}, {1, 128}, {127, 128}, {128, 128}, {1000, 128}, {1000, 200}, {1000, 127}, {600, 512}, {77, 1024},
})

// onwards are tiles that loops carry, of which masks let only a part change.
var onwards = []Row{
	{
		Name: "Onward", Fn: ended.Onward, Types: []tl.DType{tl.Float32, tl.Int32, tl.Float64, tl.BFloat16, tl.Int16},
		Ops: "sum max where both read turned moves zero later fixed wider whole", Shapes: carries,
		Args: "x y:n*2 z:BLOCK*4 n end BLOCK FROM STEP OP", Grid: "1",
	},
	{
		Name: "OnwardRows", Fn: ended.OnwardRows, Types: []tl.DType{tl.Float32, tl.Int32, tl.Float16},
		Ops: "sum where rows", Shapes: carriedRows,
		Args: "x:rows*cols z@f32:8*C*R*rows rows cols R C OP", Grid: "rows/R",
	},
	{
		Name: "Summed", Fn: ended.Summed, Types: ints, Shapes: sums, Args: "x:n z@i64:1 n BLOCK OP", Grid: "1",
		Ops: "add from used count twice doubled less max sum_of_max min or seen both crossed inner",
	},
	{
		Name: "SummedFloat", Fn: ended.Summed, Types: floats, Shapes: sums, Args: "x:n z@f64:1 n BLOCK OP", Grid: "1",
		Ops: "add max min",
	},
}
