package corpus

import (
	"github.com/tiler-go/tiler/exec/kerneltest/kernels"
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/plane"
	tl "github.com/tiler-go/tiler/tilelang"
)

// narrow are kernels of rows that are less than a vector or two, of lengths that constants say.
var narrow = []Row{{
	Name: "Narrow", Fn: kernels.Narrow, Types: all, Ops: "padded part bound across data strided",
	Args: "x:rows*W z:rows*C m:rows*C rows cols R W C OP", Grid: "rows/R",
	Shapes: numbered("rows cols R W C", [][]int{
		{11, 1, 8, 1, 2}, {9, 2, 4, 2, 3}, {20, 3, 16, 3, 4}, {8, 4, 8, 4, 5}, {17, 6, 9, 5, 6}, {7, 7, 3, 7, 7}, {9, 5, 5, 6, 8},
		{5, 8, 4, 3, 9}, {6, 11, 6, 10, 11}, {5, 9, 5, 8, 12}, {4, 14, 4, 13, 15}, {5, 20, 2, 17, 23}, {3, 31, 3, 30, 36},
	}),
}}

// margins are rows of which others are a part, in rounds of blocks around their ends, and parts that are woven.
var margins = []Row{{
	Name: "Margins", Fn: kernels.Margins, Types: all, Ops: "copied other mixed summed scanned",
	Args: "x:rows*cols y:rows*wide z:rows*wide cols wide first BLOCK OP", Grid: "rows",
	Shapes: numbered("rows cols wide first BLOCK", [][]int{
		{3, 250, 256, 3, 256}, {2, 256, 256, 0, 256}, {2, 200, 500, 150, 512}, {2, 64, 512, 128, 512},
		{3, 63, 512, 129, 512},
		{2, 300, 250, -20, 256}, {2, 1, 300, 299, 512}, {2, 40, 400, 400, 512}, {2, 40, 400, -40, 512},
		{2, 40, 400, -7, 400}, {2, 129, 257, 64, 300}, {1, 5000, 5010, 5, 8192}, {2, 1000, 1000, 1, 1000},
	}),
}, {
	Name: "Woven", Fn: kernels.Woven, Types: all, Ops: "copied added part data scanned counted",
	Args: "x:rows*C y:rows*C z:rows*C m:rows*C rows cols R C OP", Grid: "rows/R",
	Shapes: numbered("rows cols R C", [][]int{
		{100, 1, 64, 2}, {64, 2, 64, 3}, {1000, 2, 128, 3}, {129, 3, 128, 4}, {33, 1, 64, 4}, {128, 1, 64, 4},
		{70, 4, 64, 5},
		{1, 1, 100, 3}, {250, 2, 100, 3},
	}),
}, dense("Dense", "1", all), dense("DenseBeyond", "2", numbers), shiftedSums, shiftedSumsUnfit, sumsAgainUnfit}

// blocks are tiles of several dimensions, of which some are one dimension in memory; the last ones' rows are elsewhere.
var blocks = numbered("rows cols A B C D", [][]int{
	{4, 1, 4, 2, 3, 5}, {7, 2, 4, 1, 4, 3}, {5, 3, 2, 5, 1, 4}, {9, 1, 8, 1, 1, 2}, {3, 2, 1, 8, 4, 8},
	{6, 5, 3, 3, 7, 6}, {40, 1, 64, 1, 1, 3},
	{33, 3, 16, 2, 1, 7}, {1, 1, 1, 1, 1, 1}, {3, 4, 2, 2, 20, 16},
})

// dense is kernels.Dense, which goes beyond a tensor if rows lie further apart.
func dense(name, apart string, types []tl.DType) Row {
	return Row{
		Name: name, Fn: kernels.Dense, Types: types, Shapes: blocks, Fails: apart != "1",
		Ops:  "copied other parts within counted shared data swapped cut",
		Args: "x:rows*B*C*D y:rows*B*C*D*2 z:rows*B*C*D m:rows*B*C*D rows cols " + apart + " A B C D OP",
		Grid: "rows/A",
	}
}

// shiftedSums are sums of rows some of which lie ahead of the first or behind the last, in code for each row.
var shiftedSums = Row{
	Name: "ShiftedSums", Fn: plane.ShiftedSums, Types: numbers, Ops: "sums products other between",
	Args: "x:rows*cols y:rows*cols z:cols rows cols shift last R C OP", Grid: "programs",
	Shapes: numbered("rows cols programs shift last R C", [][]int{
		{32, 32, 1, 0, 32, 32, 32}, {40, 40, 2, 3, 40, 32, 32}, {64, 21, 1, 1, 20, 16, 32}, {9, 100, 2, 4, 7, 8, 64},
		{70, 8, 1, 40, 8, 32, 8}, {5, 3, 1, 7, 3, 16, 16}, {1, 17, 2, 1, 17, 6, 16}, {33, 64, 2, -2, 64, 32, 32},
		{50, 33, 3, 31, 0, 16, 16}, {20, 7, 1, -9, -5, 5, 24}, {0, 20, 2, 0, 20, 32, 16},
	}),
}

// shiftedSumsUnfit end behind an int64 that is no int32.
var shiftedSumsUnfit = Row{
	Name: "ShiftedSumsUnfit", Fn: plane.ShiftedSums, Types: numbers, Ops: "sums products", Fails: true,
	Args: shiftedSums.Args, Grid: "1", Shapes: numbered("rows cols shift last R C", [][]int{
		{32, 32, 0, 1 << 31, 32, 32}, {40, 16, 3, -1 << 40, 32, 32}, {0, 32, 0, 1 << 40, 32, 32},
		{32, 32, 0, -1 << 63, 32, 32}, {5, 64, 0, -1 << 63, 5, 64}, {40, 40, 3, 1<<63 - 1, 32, 64},
	}),
}

// sumsAgainUnfit end behind an int64 that is no int32, and stays none if a little is taken off.
var sumsAgainUnfit = Row{
	Name: "SumsAgainUnfit", Fn: plane.SumsAgain, Types: numbers, Fails: true,
	Args: "x:rows*cols z:cols times rows cols last R C", Grid: "1",
	Shapes: numbered("times rows cols last R C", [][]int{
		{2, 16, 64, -1 << 63, 8, 64}, {1, 9, 20, -1 << 63, 2, 64}, {3, 8, 32, 1<<63 - 1, 5, 32},
	}),
}
