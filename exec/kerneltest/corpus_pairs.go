package kerneltest

import (
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/element"
	tl "github.com/tiler-go/tiler/tilelang"
)

// pairs are kernels that combine elements whose numbers differ in one bit.
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
}}
