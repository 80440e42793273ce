package corpus

import (
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/ended"
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/plane"
	tl "github.com/tiler-go/tiler/tilelang"
)

// columns is groups of n rows of as many columns as programs lie side by side, fewer and more of them; or of every
// second one, step apart.
var columns = numbered("G n cols programs step R", [][]int{
	{1, 5, 16, 16, 1, 8}, {3, 16, 16, 16, 1, 16}, {2, 7, 33, 33, 1, 8}, {2, 9, 100, 100, 1, 16}, {1, 1, 17, 17, 1, 1},
	{2, 4, 7, 7, 1, 4}, {2, 3, 15, 15, 1, 4}, {2, 6, 40, 20, 2, 8}, {1, 64, 32, 32, 1, 64}, {3, 30, 48, 47, 1, 32},
	{5, 2, 1, 1, 1, 2}, {2, 0, 31, 31, 1, 4}, {1, 5, 64, 1, 1, 8},
})

// column is columns of which each is a program's.
func column(name, ops string, types []tl.DType, fails bool) Row {
	return Row{
		Name: name, Fn: plane.Column, Types: types, Ops: ops, Fails: fails, Shapes: columns,
		Args: "x:G*n*cols y@f32:n z:G*cols n cols step R OP", Grid: "G programs",
	}
}

// columned is columns that are stored as columns.
func columned(name, ops string, types []tl.DType, fails bool) Row {
	return Row{
		Name: name, Fn: plane.Columned, Types: types, Ops: ops, Fails: fails, Shapes: columns,
		Args: "x:G*n*cols z:G*n*cols n cols step R OP", Grid: "G programs",
	}
}

// beside are kernels whose programs lie side by side, and ones whose values are used again and again.
var beside = []Row{
	{
		Name: "Doubled", Fn: ended.Doubled, Types: []tl.DType{tl.Float32, tl.Float64}, Args: "x:n z:n n BLOCK STEPS OP",
		Ops:  "sum stored root rootsum chosen scanned less masked",
		Grid: "n/BLOCK", Shapes: numbered("n BLOCK STEPS", [][]int{{64, 64, 40}, {100, 16, 40}, {20, 32, 64}}),
	},
	column("Column", "sum index reduced row rounds early chosen deep counted",
		[]tl.DType{tl.Float32, tl.BFloat16, tl.Int32, tl.Float64, tl.Int8}, false),
	column("ColumnBeyond", "divided", append(i32, tl.Float32), true),
	columned("Columned", "copy scan back numbered apart carried",
		[]tl.DType{tl.Float32, tl.Float16, tl.Int64, tl.Uint8, tl.Float64}, false),
	columned("ColumnedBeyond", "over wide below", f32, true),
	{
		Name: "Heads", Fn: plane.Heads, Types: []tl.DType{tl.Float32, tl.BFloat16, tl.Int32}, Ops: "copy scan first signed",
		Args: "x:G*n*H*step z:G*n*H*step n H step R KNOWN OP", Grid: "G*H",
		Shapes: numbered("G n H step R KNOWN", [][]int{
			{2, 9, 8, 1, 8, 0}, {3, 20, 16, 1, 16, 0}, {2, 5, 12, 1, 4, 0}, {2, 5, 4, 1, 8, 0}, {1, 33, 24, 1, 16, 0},
			{3, 7, 8, 1, 8, 8}, {2, 31, 32, 1, 16, 32}, {2, 6, 4, 1, 4, 4}, {2, 6, 10, 1, 4, 10}, {2, 5, 8, 2, 8, 0},
			{1, 0, 16, 1, 4, 16},
		}),
	},
	singles("Singles", "one onward sum apart turned between",
		[]tl.DType{tl.Float32, tl.BFloat16, tl.Int8, tl.Int64, tl.Float64}, false),
	singles("SinglesBeyond", "beyond", f32, true),
	shortRows("ShortRow", "sum index reduced shared chosen spread taken whole few scaled back",
		[]tl.DType{tl.Float32, tl.Int32, tl.Float64, tl.Int64, tl.BFloat16}, false),
	shortRows("ShortRowBeyond", "over wide", f32, true), unfitRows(),
	fewEach("Few", "copy back turned moved twice gaps meets onward picked bytes chosen numbered same wraps",
		[]tl.DType{tl.Float32, tl.Int32, tl.BFloat16, tl.Int8, tl.Float64}, false),
	fewEach("FewBeyond", "over wide divided", f32, true),
	{
		Name: "Ragged", Fn: plane.Ragged, Types: []tl.DType{tl.Float32, tl.BFloat16, tl.Float64}, Shapes: ragged,
		Ops:  "sum below less turned dot infinite exp gone most least above nans product chosen either picked",
		Args: "x:R*L y:R*L i@i32:R z@f32:R*B L B OP", Grid: "R",
	},
	{
		Name: "RaggedCounts", Fn: plane.RaggedCounts, Types: []tl.DType{tl.Int32, tl.Int8}, Shapes: ragged,
		Ops: "sum bits both rounds most over under", Args: "x:R*L i@i32:R z@i32:R*B L B OP", Grid: "R",
	},
	onceEach("Once", "norm within never stored leaves narrow wide rounds last ahead",
		[]tl.DType{tl.Float32, tl.BFloat16}, false),
	onceEach("OnceBeyond", "beyond", f32, true),
}

// onceEach is rows of one block, of none and of several.
func onceEach(name, ops string, types []tl.DType, fails bool) Row {
	return Row{
		Name: name, Fn: plane.Once, Types: types, Ops: ops, Fails: fails, Args: "x:2*R*n w:2*n z:2*R*n n B OP", Grid: "R",
		Shapes: numbered("R n B", [][]int{
			{7, 5, 32}, {5, 32, 32}, {6, 33, 32}, {4, 64, 32}, {3, 0, 32}, {25, 100, 128}, {4, 128, 64}, {9, 1, 64},
			{3, 200, 32}, {4, 200, 256},
		}),
	}
}

// ragged is rows that end within a block, in a block's first elements, and nowhere.
var ragged = numbered("R L B", [][]int{
	{40, 7, 64}, {9, 100, 32}, {20, 31, 32}, {70, 64, 128}, {30, 20, 8}, {33, 1, 32},
})

// fewEach is a few elements a program, numbered through programs: full groups of 16, and some that are left over.
func fewEach(name, ops string, types []tl.DType, fails bool) Row {
	return Row{
		Name: name, Fn: plane.Few, Types: types, Ops: ops, Fails: fails, Args: "x:n i@i32:n z:3*n n C OP",
		Grid: "n/C", Shapes: numbered("n C", [][]int{
			{512, 4}, {601, 4}, {1100, 8}, {150, 1}, {2048, 16}, {2100, 16}, {259, 2}, {4200, 32}, {0, 4}, {900, 4},
		}),
	}
}

// singles is single elements, fewer and more than lanes.
func singles(name, ops string, types []tl.DType, fails bool) Row {
	return Row{
		Name: name, Fn: plane.Singles, Types: types, Ops: ops, Fails: fails, Args: "x:n i@i32:n z:n*3 n OP", Grid: "n",
		Shapes: numbered("n", [][]int{{1}, {15}, {16}, {17}, {40}, {64}, {100}}),
	}
}

// shortRows is groups of 16 short rows and some that are left over; of one element, and of none.
func shortRows(name, ops string, types []tl.DType, fails bool) Row {
	return Row{
		Name: name, Fn: plane.ShortRow, Types: types, Ops: ops, Fails: fails,
		Args: "x:rows*pitch y:C w:G z:rows*pitch G n pitch C OP", Grid: "G",
		Shapes: numbered("G rows n pitch C", [][]int{
			{128, 136, 4, 4, 4}, {150, 158, 3, 3, 4}, {130, 138, 7, 9, 8}, {128, 136, 8, 8, 8}, {143, 151, 12, 12, 16},
			{160, 168, 16, 20, 16}, {131, 139, 1, 1, 1}, {128, 136, 0, 3, 4}, {129, 137, 2, 2, 2}, {100, 108, 5, 5, 8},
			{144, 152, 20, 32, 32}, {130, 138, 4, 4, 8},
		}),
	}
}

// unfitRows are short rows that are as long as no number of 32 bits says.
func unfitRows() Row {
	r := shortRows("ShortRowUnfit", "sum scaled over", f32, true)
	r.Shapes = numbered("G rows n pitch C", [][]int{
		{128, 136, 1 << 33, 4, 4}, {9, 17, -1 << 40, 4, 4}, {140, 148, 1 << 31, 8, 8}, {20, 28, 1 << 31, 40, 40},
		{128, 136, -1<<31 - 1, 4, 4}, {0, 8, 1 << 40, 4, 4},
	})
	return r
}
