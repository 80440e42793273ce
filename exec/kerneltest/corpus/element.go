package corpus

import (
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/element"
	tl "github.com/tiler-go/tiler/tilelang"
)

// pairs are kernels that combine elements whose numbers differ in one bit, or store them.
var pairs = []Row{{
	Name: "Swizzled", Fn: element.Pairs,
	Types: []tl.DType{tl.Float32, tl.Int32, tl.Float64, tl.Int64, tl.Float16, tl.Int8},
	Ops:   "first second sum greatest flags sorted stored copied carried chosen column",
	Args:  "x:n z:n w:n n A B OP", Grid: "programs",
	Shapes: numbered("n A B programs", [][]int{
		{7, 1, 1, 4}, {64, 1, 8, 4}, {100, 8, 4, 2}, {65, 16, 1, 3}, {31, 4, 2, 2},
		{128, 2, 16, 2}, {50, 1, 2, 13}, {0, 8, 1, 1}, {33, 4, 8, 1}, {256, 32, 1, 4},
	}),
}, {
	Name: "SwizzledWhole", Fn: element.Pairs, Types: []tl.DType{tl.Float32, tl.Int32, tl.Float64}, Ops: "unmasked scanned",
	Args: "x:n z:n w:n n A B OP", Grid: "programs",
	Shapes: numbered("n A B programs", [][]int{
		{4, 1, 1, 2}, {64, 4, 8, 1}, {64, 8, 4, 1}, {32, 16, 1, 1}, {32, 4, 2, 2},
		{128, 2, 16, 2}, {64, 32, 1, 1}, {16, 1, 8, 1},
	}),
}, {
	Name: "InPairs", Fn: element.InPairs, Types: all, Ops: "moved shifted far place rows back",
	Args: "x:n*4 z:n*4 m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors[18:30],
}, {
	Name: "InPairsOver", Fn: element.InPairs, Types: numbers, Ops: "over", Serial: true,
	Args: "x:n*4 z:n*4 m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors[18:30],
}, {
	Name: "Grouped", Fn: element.Grouped, Types: numbers,
	Args: "x:n*BLOCK z:n*BLOCK n step EACH BLOCK", Grid: "n",
	Shapes: numbered("n step EACH BLOCK", [][]int{
		{1, 1, 2, 16}, {5, 1, 2, 64}, {9, -2, 4, 32}, {7, 1<<31 - 4, 8, 64}, {6, 3, 3, 100}, {4, 1, 1, 8},
	}),
}}

// imported is kernels that call functions of other packages.
var imported = []Row{{
	Name: "Imported", Fn: element.Imported, Types: []tl.DType{tl.Float32, tl.Int32, tl.Int8, tl.Float16},
	Ops: "method clipped stepped through generic", Args: "x:n z:n n BLOCK OP", Grid: "n/BLOCK",
	Shapes: numbered("n BLOCK", [][]int{{1, 8}, {100, 64}, {33, 32}, {300, 128}}),
}}

// converted is a row of element.Converted.
func converted(name, ops string, types ...tl.DType) Row {
	return Row{
		Name: name, Fn: element.Converted, Types: types, Args: "x:n z@f32:n w@f64:n n OP", Grid: "1", Ops: ops,
		Shapes: numbered("n", [][]int{{0}, {1}, {7}, {200}}),
	}
}

// fitting is a row of element.Fitting: of numbers all of which fit, none does, or those do not that come first or last.
func fitting() Row {
	var shapes [][]int
	for _, n := range []int{0, 1, 6, 7, 40} {
		for _, from := range []int{0, 1<<31 - 20, -1<<31 - 1, 1 << 31, 1 << 40, 1<<63 - 5} {
			shapes = append(shapes, []int{n, from, 1}, []int{n, from, -1})
		}
		shapes = append(shapes, []int{n, 5, 1 << 27}, []int{n, -1 << 31, 1 << 31})
		shapes = append(shapes, []int{n, 0, 1 << 32}, []int{n, 9, 1 << 62})
	}
	return Row{
		Name: "Fitting", Fn: element.Fitting, Types: []tl.DType{tl.Int32, tl.Uint64}, Grid: "1", Fails: true,
		Args: "x:n z:n n from step OP", Ops: "number down fours added placed some", Shapes: numbered("n from step", shapes),
	}
}

// counts is numbers of so many elements, in runs, which name elements so far away, so many apart: none, or fewer than a
// run has, or such as name some outside, at either end, or as wrap.
var counts = numbered("n each far step", [][]int{
	{0, 3, 0, 1}, {1, 1, 0, 1}, {7, 7, 0, 1}, {100, 9, 0, 1}, {64, 100, 0, 1}, {60, 8, 1, 1}, {60, 8, 0, 3},
	{60, 8, 0, -1}, {60, 8, -1, 1}, {60, 8, 5, 1}, {60, 8, 1 << 31, 1}, {60, 8, 1 << 40, 1},
	{60, 8, 0, 1 << 31}, {60, 8, 0, 1 << 61},
})

// ends is runs of so many elements, of which those are loaded that lie so far away.
var ends = numbered("n each far", [][]int{
	{0, 3, 0}, {1, 1, 0}, {7, 7, 0}, {96, 8, 0}, {100, 9, 0}, {60, 20, 3}, {60, 20, -1},
})

const (
	tallies   = "add one sub from xor or used both later between divided quotient"
	exchanges = "atomic_add max min and_bits or_bits xor_bits xchg cas add_unseen max_unseen"
	waits     = "not on other again beside stores inner"
)

// tallied is a row of element.Tallied. What fails is run again in the interpreter, by when other numbers are there: no
// message may name them.
func tallied(name, ops, tensors string, shapes []Shape, types ...tl.DType) Row {
	return Row{
		Name: name, Fn: element.Tallied, Types: types, Ops: ops, Shapes: shapes, Fails: true, Serial: true,
		Args: tensors + " n each far step OP", Grid: "n/each",
	}
}

// rounded is a row of element.Rounded.
func rounded(name, tensors string, types ...tl.DType) Row {
	return Row{
		Name: name, Fn: element.Rounded, Types: types, Grid: "rows/R", Args: tensors + " rows n R C OP",
		Ops: "plain halves none running falling shares backwards picked turned same some inner joined twice",
		Shapes: numbered("rows n R C", [][]int{
			{1, 1, 1, 32}, {3, 40, 2, 64}, {5, 64, 4, 64}, {4, 31, 4, 32}, {2, 47, 1, 64}, {3, 48, 2, 48}, {7, 56, 8, 56},
			{2, 1000, 1, 1024}, {2, 2048, 1, 2048}, {9, 20, 4, 32}, {3, 0, 2, 32}, {2, 72, 2, 72},
		}),
	}
}

// elements are kernels that load, and store, single elements.
var elements = []Row{
	tallied("Tallied", tallies+" "+exchanges, "i@i32:n y:n z:n", counts, wide...),
	tallied("TalliedWrap", "wraps", "i@i32:n y:n z:n", counts, wide[:3]...),
	tallied("TalliedAlias", tallies+" "+exchanges, "i@i32:n xx:n", counts, tl.Int32),
	tallied("TalliedNarrow", "add one sub from xor used both", "i@i32:n y:n z:n", counts, tl.Int8, tl.Uint16),
	tallied("TalliedApart", tallies+" "+exchanges, "i@i32:n y:n v:n:2", counts[1:], wide...),
	{
		Name: "Until", Fn: element.Until, Types: i32, Ops: waits, Shapes: ends, Fails: true, Serial: true,
		Args: "x:n z:n n each far OP", Grid: "n/each",
	},
	rounded("Rounded", "x:rows*n i@i32:rows z@bf16:rows*n*2", floats...),
	fitting(),
	converted("Converted", "plain cubed turned", tl.Int64, tl.Uint32, tl.Int32, tl.Uint64, tl.Uint8),
	converted("ConvertedWide", "odd half more", tl.Int64, tl.Uint64),
	rounded("RoundedHalves", "x:rows*n i@i32:rows z@f16:rows*n*2", tl.Float32, tl.BFloat16),
	{
		Name: "NarrowArithmetic", Fn: element.Narrow, Types: []tl.DType{tl.BFloat16, tl.Float16},
		Args: "x:n y:n z:2*n n C OP", Ops: "sum product quotient root exp silu many signs both looped", Grid: "n/C",
		Shapes: numbered("n C", [][]int{{1, 32}, {40, 32}, {100, 128}, {1000, 256}, {256, 256}, {65536, 1024}}),
	},
}
