package corpus

import (
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/ended"
	tl "github.com/tiler-go/tiler/tilelang"
)

// eithers are kernels of which flags say what a row is, and ones whose blocks are longer than their rows.
var eithers = []Row{
	either("EitherRow", "tensors three none where loaded masks both told equal stored two later sum",
		[]tl.DType{tl.Float32, tl.Int32, tl.BFloat16, tl.Int8, tl.Float64}, false),
	either("EitherRowBeyond", "beyond", f32, true),
	slots("Slots", "one both numbers kept each by chain also asked narrow two spread",
		[]tl.DType{tl.Int32, tl.Int64, tl.Int8, tl.Float32}, false),
	slots("SlotsBeyond", "over both", i32, true),
	{
		Name: "Left", Fn: ended.Left, Types: []tl.DType{tl.Int32, tl.Float32}, Grid: "R", Args: "x:R*n y:R*n z:R*n n rows B",
		Shapes: numbered("R n rows B", [][]int{{6, 5, 3, 16}, {3, 16, 0, 16}, {4, 33, 5, 64}}),
	},
}

func either(name, ops string, types []tl.DType, fails bool) Row {
	return Row{
		Name: name, Fn: ended.Either, Types: types, Ops: ops, Fails: fails, Grid: "R",
		Args: "x:R*n y:R*n i@i32:R z:R*n n rows B OP",
		Shapes: numbered("R n rows B", [][]int{
			{6, 5, 3, 16}, {5, 40, 2, 64}, {7, 100, 3, 32}, {4, 64, 0, 64}, {3, 33, 9, 16}, {9, 16, 3, 16}, {3, 7, 1, 8},
			{2, 0, 1, 32}, {20, 12, 7, 16},
		}),
	}
}

func slots(name, ops string, types []tl.DType, fails bool) Row {
	shapes := [][]int{
		{3, 5, 1, 16}, {4, 40, 3, 64}, {2, 100, 7, 256}, {3, 64, 16, 64}, {2, 33, 20, 128}, {5, 16, 2, 16}, {3, 1, 4, 8},
		{2, 0, 3, 32}, {2, 100, 4, 32},
	}
	if fails {
		shapes = append(shapes, []int{3, 5, 0, 16}, []int{2, 40, 0, 128})
	}
	for i, s := range shapes {
		shapes[i] = append(s, s[0]*(s[1]+8))
	}
	return Row{
		Name: name, Fn: ended.Slots, Types: types, Ops: ops, Fails: fails, Grid: "R",
		Args: "x:R*n y:16 z@i32:room n d B OP", Shapes: numbered("R n d B room", shapes),
	}
}
