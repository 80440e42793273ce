package corpus

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
	{
		Name: "FoldDown", Fn: ended.FoldDown, Types: numbers,
		Ops:  "sum negative mixed ones two scaled max min where unlimited index least count any kept deep later turns",
		Args: "x:rows*cols y:rows*cols z:2*R*C n cols R C OP", Grid: "1",
		Shapes: numbered("rows n cols R C", [][]int{
			{7, 7, 64, 64, 64}, {1, 0, 5, 40, 8}, {2, -3, 33, 33, 64}, {16, 16, 3, 64, 4}, {17, 17, 20, 64, 32},
			{40, 40, 7, 40, 7}, {64, 60, 16, 64, 16}, {6, 6, 100, 128, 128}, {50, 50, 2, 64, 2}, {90, 35, 40, 64, 40},
		}),
	},
	{
		Name: "ScanApart", Fn: ended.ScanApart,
		Types: []tl.DType{tl.Float32, tl.Float64, tl.Int32, tl.Float16, tl.Int8},
		Ops:   "sum dense side three back onto reversed some pairs over shifted further scaled turns chosen beyond",
		Args:  "x:n*by*3 y:n*3 z:n*by*3 n by BLOCK OP", Grid: "by", Fails: true, Serial: true,
		Shapes: numbered("n by BLOCK", [][]int{
			{1, 1, 1}, {1, 3, 16}, {5, 3, 8}, {16, 4, 16}, {33, 3, 64}, {64, 3, 64}, {100, 5, 128}, {48, 1, 100}, {9, 2, 9},
		}),
	},
	arms("Arms", "none rounds carried loaded", false),
	arms("ArmsBeyond", "beyond", true),
	{
		Name: "ManyArms", Fn: ended.ManyArms, Types: []tl.DType{tl.Int32, tl.Float32}, Grid: "R",
		Args: "x:R*n y:R*n i@i32:R z:R*n n B", Shapes: numbered("R n B", [][]int{{6, 5, 16}, {14, 16, 16}}),
	},
	wanted("Wanted", "sum later most index above between computed twice also scanned rounds added loaded chosen", false),
	wanted("WantedBeyond", "sum also mean rounds", true),
	{
		Name: "WantedLater", Fn: ended.WantedLater, Types: numbers, Ops: "carried added",
		Args: "x:R*C z@f32:R n step R C OP", Grid: "1", Shapes: numbered("n step R C", [][]int{
			{0, 1, 1, 1}, {2, 1, 8, 4}, {3, 2, 8, 32}, {5, 3, 16, 8}, {4, 7, 64, 64}, {6, -3, 16, 16}, {3, 1 << 29, 32, 4},
		}),
	},
}

// arms is kernels that pick tensors by branches.
func arms(name, ops string, fails bool) Row {
	return Row{
		Name: name, Fn: ended.Arms, Types: numbers, Ops: ops, Args: "x:n y:n z:n w:n n BLOCK OP", Grid: "n/BLOCK",
		Fails: fails, Serial: fails, Shapes: numbered("n BLOCK", [][]int{
			{1, 1}, {2, 1}, {5, 2}, {16, 8}, {33, 8}, {64, 16}, {100, 32}, {129, 32}, {200, 64}, {64, 128},
		}),
	}
}

// wanted is reductions of which the first results are stored; past the end of x are rows that are not wanted.
func wanted(name, ops string, beyond bool) Row {
	shapes := [][]int{
		{1, 1, 1, 1, 1, 1}, {1, 5, 7, 16, 16, 1}, {0, 3, 16, 8, 16, 1}, {3, 40, 60, 40, 64, 1}, {-2, 9, 33, 16, 40, 1},
		{17, 17, 128, 32, 128, 1}, {9, 8, 20, 8, 32, 1}, {5, 6, 7, 8, 7, 0}, {30, 40, 60, 40, 64, 0}, {3, 33, 50, 64, 64, 0},
		{64, 20, 64, 20, 64, 0}, {0, 4, 9, 4, 16, 0},
	}
	more := 2
	if beyond {
		more = -1
	}
	for i, s := range shapes {
		shapes[i] = append(s, max(1, s[1]*s[2]+more), 2*(s[3]+s[4]))
	}
	return Row{
		Name: name, Fn: ended.Wanted, Types: numbers, Ops: ops, Args: "x:held z@f32:room n far cols R C AXIS OP", Grid: "1",
		Shapes: numbered("n far cols R C AXIS held room", shapes), Fails: beyond, Serial: beyond,
	}
}

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

// walked is types of elements that are taken one by one.
var walked = []tl.DType{tl.Float32, tl.Int32, tl.Float16, tl.Float64, tl.Int8}

// segments are kernels whose programs do little.
var segments = []Row{
	{
		Name: "Segments", Fn: ended.Segments, Types: numbers, Ops: "blocks chosen down wraps turned counted",
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
