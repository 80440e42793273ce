package kerneltest

import (
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/element"
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
}
