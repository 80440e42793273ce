package corpus

import (
	"math"

	"github.com/tiler-go/tiler/exec/kerneltest/kernels"
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/ended"
	tl "github.com/tiler-go/tiler/tilelang"
)

// divisors is blocks with divisors as they have ways of their own: 1, powers of two, those whose inverses have 65 bits,
// and those around half of an int64.
func divisors(negative bool) (list []Shape) {
	ds := []int{1, 2, 3, 7, 10, 641, 1 << 20, 1000003, 1<<31 - 1, 1 << 32, 1<<32 + 1, 1<<52 - 1, 1<<62 + 1, math.MaxInt64}
	if negative {
		ds = []int{-1, -2, -7, -10, -1000003, -1 << 32, -1 << 62, -math.MaxInt64, math.MinInt64}
	}
	for i, d := range ds {
		for j, mask := range masks {
			block := []int{64, 128, 16}[(i+j)%3]
			n := 3*block - i
			if mask == "" {
				n = 2 * block
			}
			list = append(list, Shape{Mask: mask, Vars: map[string]int{"n": n, "d": d, "D": d, "BLOCK": block}})
		}
	}
	return list
}

func dividedBy(name, ops string, types []tl.DType, negative bool) Row {
	return Row{
		Name: name, Fn: kernels.DividedBy, Types: types, Ops: ops, Shapes: divisors(negative),
		Args: "x y z w m n d BLOCK D MASK OP", Grid: "n/BLOCK",
	}
}

// divided is kernels that divide 64-bit integers.
var divided = []Row{
	dividedBy("DividedBy", "number constant loaded each", []tl.DType{tl.Int64, tl.Uint64}, false),
	dividedBy("DividedByNegative", "number constant", []tl.DType{tl.Int64}, true),
	{
		Name: "DividedByConstant", Fn: kernels.DividedBy, Shapes: constants, Ops: "constant",
		Types: []tl.DType{tl.Int32, tl.Int16, tl.Int8, tl.Uint32, tl.Uint16, tl.Uint8},
		Args:  "x y z w m n d BLOCK D MASK OP", Grid: "n/BLOCK",
	},
	{
		Name: "DividedTwice", Fn: ended.DividedTwice, Shapes: nested, Ops: "both other chain kept",
		Types: []tl.DType{tl.Int32, tl.Int16, tl.Uint8, tl.Int64, tl.Uint64},
		Args:  "x z w n BLOCK A B OP", Grid: "n/BLOCK",
	},
	{
		Name: "RowsDividedBy", Fn: kernels.RowsDividedBy, Types: ints, Shapes: squares, Grid: "1",
		Args: "x:rows*cols y:rows*cols z:rows*cols w:rows*cols rows cols R C AXIS",
	},
	{
		Name: "ShiftedDown", Fn: ended.Shifted, Types: []tl.DType{tl.Int32, tl.Uint8, tl.Int16, tl.Uint32},
		Shapes: shifts, Grid: "1", Args: "x:n z@i32:n w@i32:n*2 n BLOCK D OP",
		Ops: "first later before program loaded bits some_bits limited limited_below chosen wraps times again",
	},
}

// constants is blocks with divisors that all integers hold.
var constants = masked("n d D BLOCK", [][]int{
	{100, 0, 3, 64}, {64, 0, 5, 16}, {33, 0, 6, 32}, {250, 0, 7, 128}, {70, 0, 11, 64}, {96, 0, 12, 32}, {77, 0, 49, 64},
	{130, 0, 77, 128}, {60, 0, 100, 16}, {200, 0, 126, 64}, {65, 0, 127, 64},
})

// nested is blocks with two divisors, whose product a byte holds.
var nested = numbered("n A B BLOCK", [][]int{
	{100, 3, 5, 64}, {64, 7, 7, 16}, {33, 2, 3, 32}, {250, 7, 12, 128}, {70, 12, 7, 64}, {96, 5, 2, 32}, {1, 11, 11, 16},
})

// masked is numbered shapes with all masks in turn.
func masked(names string, rows [][]int) []Shape {
	list := numbered(names, rows)
	for i := range list {
		list[i].Mask = masks[i%len(masks)]
		if list[i].Mask == "" {
			list[i].Vars["n"] = 2 * list[i].Vars["BLOCK"]
		}
	}
	return list
}

// shifts is rows of blocks with powers of two, and what is none.
var shifts = numbered("n BLOCK D", [][]int{
	{0, 16, 2}, {1, 16, 2}, {7, 8, 4}, {16, 16, 2}, {33, 64, 8}, {200, 256, 16}, {128, 128, 1}, {100, 128, 3},
	{300, 512, 1 << 30}, {60, 64, 1 << 20},
})
