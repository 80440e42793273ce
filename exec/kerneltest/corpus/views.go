package corpus

import (
	"github.com/tiler-go/tiler/exec/kerneltest/kernels"
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/plane"
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/product"
	tl "github.com/tiler-go/tiler/tilelang"
)

// gaps is views with gaps: rows of wider ones, parts of heads of packed rows, every other element, and steps
// shorter than what they step over.
var gaps = numbered("B H L stepB stepH stepL HB LB", [][]int{
	{3, 5, 60, 320, 64, 1, 8, 64}, {2, 16, 64, 3072, 64, 1, 16, 64}, {4, 4, 24, 400, 96, 1, 4, 32},
	{2, 7, 33, 700, 66, 2, 8, 64}, {3, 1, 17, 40, 40, 1, 1, 32}, {2, 8, 1, 64, 8, 1, 8, 1},
	{2, 3, 20, 60, 20, 1, 4, 32}, {2, 4, 9, 50, 3, 4, 4, 16}, {1, 8, 100, 1, 101, 1, 8, 128},
})

// between is kernels.Between for views; more elements than a row has are stored between the rows.
func between(name, ops, more string, types []tl.DType) Row {
	return Row{
		Name: name, Fn: kernels.Between, Types: types, Ops: ops, Shapes: gaps, Fails: more != "0", Serial: true,
		Args: "x:B*H*L i:128 v:B:stepB:H:stepH:L:stepL B H L stepB stepH stepL " + more + " HB LB OP", Grid: "B",
	}
}

// into is a product whose result is a view of rows and columns so many elements apart.
func into(name, view, steps string) Row {
	return Row{
		Name: name, Fn: product.Into, Types: []tl.DType{tl.Float32, tl.Float16, tl.BFloat16}, Shapes: launches,
		Args: "x:M*K y:K*N v@f32:" + view + " M N K " + steps + " BM BN BK", Grid: "M/BM N/BN",
	}
}

// crossings are matrices around the tiles that are transposed in memory.
var crossings = numbered("rows cols R C", [][]int{
	{64, 64, 32, 32}, {100, 70, 32, 64}, {33, 48, 16, 16}, {7, 200, 16, 128}, {1, 130, 64, 64}, {40, 20, 8, 4},
	{300, 9, 256, 8}, {256, 150, 128, 256},
})

// crossed is kernels.Crossed, which goes beyond a tensor if elements lie further on.
func crossed(name, ops, more string, types []tl.DType) Row {
	return Row{
		Name: name, Fn: kernels.Crossed, Types: types, Ops: ops, Shapes: crossings, Fails: more != "0", Serial: true,
		Args: "x:rows*cols y:rows*cols z:rows*cols rows cols " + more + " R C OP", Grid: "rows/R cols/C",
	}
}

// shorts are many rows of few elements, some of them of fewer than the tile.
var shorts = numbered("rows cols R C", [][]int{
	{32, 8, 16, 8}, {50, 2, 32, 2}, {70, 4, 64, 4}, {33, 3, 16, 4}, {100, 7, 128, 8}, {40, 16, 16, 16}, {20, 11, 64, 16},
	{9, 4, 8, 4}, {5, 8, 2, 8}, {300, 5, 256, 8},
})

// short is kernels.Short, which goes beyond a tensor if rows lie further on.
func short(name, ops, size, more string, types []tl.DType) Row {
	return Row{
		Name: name, Fn: kernels.Short, Types: types, Ops: ops, Shapes: shorts, Fails: more != "0",
		Args: "x:" + size + " y:rows*cols i:rows z:rows rows cols " + more + " R C OP", Grid: "rows/R",
	}
}

// down is columns that are added up block by block of rows, around the blocks that are done at once.
func down(name, ops string, types []tl.DType) Row {
	return Row{
		Name: name, Fn: kernels.Down, Types: types, Ops: ops, Grid: "cols/C",
		Args: "x:rows*cols w:rows z@f32:cols rows cols R C OP",
		Shapes: numbered("rows cols R C", [][]int{
			{1, 1, 8, 16}, {5, 3, 5, 3}, {8, 15, 8, 16}, {16, 64, 16, 64}, {33, 65, 32, 64}, {64, 128, 32, 128},
			{31, 40, 16, 40}, {17, 127, 6, 32}, {24, 256, 8, 256}, {70, 48, 32, 48}, {9, 100, 3, 50},
		}),
	}
}

// views are kernels that store into views with gaps, and ones that go across the rows of matrices.
var views = []Row{
	pickedBeside("PickedBeside", "first last turned chosen apart same scattered backwards across", all, false),
	pickedBeside("PickedBesideBeyond", "beyond beneath", numbers, true),
	crossed("Crossed", "load holes store over falling twice loop", "0", numbers),
	crossed("CrossedBeyond", "load holes store falling", "3", []tl.DType{tl.Float32, tl.BFloat16, tl.Int8, tl.Float64}),
	{
		Name: "Butterfly", Fn: kernels.Butterfly, Types: numbers, Args: "x:4*A*B z:4*A*B A B OP", Grid: "2",
		Ops: "halves first columns two flipped permuted sums carried stages",
		Shapes: numbered("A B", [][]int{
			{1, 1}, {8, 1}, {1, 16}, {4, 2}, {16, 8}, {8, 64}, {2, 512}, {3, 5}, {5, 17}, {33, 4}, {7, 100},
		}),
	},
	short("Short", "sum centred least nested closure rows columns window flat sorted carried any half",
		"2*rows*cols", "0", numbers),
	short("ShortBeyond", "sum least rows columns window flat",
		"rows*cols", "3", []tl.DType{tl.Float32, tl.Float16, tl.Int64, tl.Uint8}),
	down("Down", "sum scaled divided counted least bits", numbers),
	between("Between", "store column turned rows lanes", "0", numbers),
	between("BetweenAdd", "add addrows addlanes", "0", append([]tl.DType{tl.Float32, tl.Float64}, wide...)),
	between("BetweenBeyond", "store turned rows lanes", "1", []tl.DType{tl.Float32, tl.Int64, tl.Float16, tl.Uint8}),
	between("BetweenBeyondAdd", "add addrows addlanes", "1", wide),
	into("Into", "M:3*N:N:1", "3*N 1"),
	into("IntoTurned", "N:2*M:M:1", "1 2*M"),
	{
		Name: "ApartInto", Fn: product.Apart, Types: []tl.DType{tl.Int8, tl.Int16}, Ops: "plain tripled", Shapes: launches,
		Args: "x:M*K y:K*N v@i32:M:3*N:N:2 M N K K 1 N 1 3*N 2 BM BN BK OP", Grid: "M/BM N/BN",
	},
}

// pickedBeside are gathers of which most pick what lies side by side.
func pickedBeside(name, ops string, types []tl.DType, fails bool) Row {
	return Row{
		Name: name, Fn: plane.PickedBeside, Types: types, Ops: ops, Fails: fails,
		Args: "x:n i z:n n by R C AXIS OP", Grid: "programs",
		Shapes: numbered("n programs by R C AXIS", [][]int{
			{100, 1, 1, 1, 100, 1}, {300, 3, 3, 4, 32, 1}, {64, 1, 8, 1, 64, 1}, {77, 1, 16, 7, 11, 1}, {64, 1, 70, 2, 33, 1},
			{12, 1, 2, 3, 4, 0}, {500, 2, 1, 16, 16, 0}, {90, 1, 5, 10, 9, 0}, {40, 1, 3, 40, 1, 0}, {17, 1, 1, 1, 17, 0},
			{1, 1, 0, 1, 1, 0}, {2, 2, 0, 1, 1, 1},
		}),
	}
}
