package corpus

import (
	"strconv"

	"github.com/tiler-go/tiler/exec/kerneltest/kernels"
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/ended"
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/product"
	tl "github.com/tiler-go/tiler/tilelang"
)

// every is a row of elements that lie so many apart.
func every(stride int, types []tl.DType) Row {
	by := strconv.Itoa(max(stride, -stride))
	return Row{
		Name: "Every" + strconv.Itoa(stride), Fn: kernels.Every, Types: types,
		Args: "x:n*" + by + " z m n " + strconv.Itoa(stride) + " BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors,
	}
}

// storedEvery is the same for stores.
func storedEvery(stride int, types []tl.DType) Row {
	row := every(stride, types)
	row.Name, row.Fn = "Stored"+row.Name, kernels.StoredEvery
	row.Args = "x z:n*" + strconv.Itoa(stride) + " m n " + strconv.Itoa(stride) + " BLOCK MASK"
	return row
}

// looked is elements of a table of so many: 12 are too few.
func looked(name, ops, size string, types []tl.DType) Row {
	return Row{
		Name: name, Fn: kernels.Looked, Types: types, Ops: ops, Args: "x t:" + size + " z m n BLOCK MASK OP",
		Grid: "n/BLOCK", Shapes: vectors, Fails: size == "12", Serial: size == "12",
	}
}

// causal is rows up to each one, by short loops.
func causal(name, ops string, types []tl.DType) Row {
	return Row{
		Name: name, Fn: kernels.Causal, Types: types, Ops: ops,
		Args: "x:rows*cols w:cols*4 z:rows*cols rows cols R C OP", Grid: "rows/R cols/C", Shapes: matrices,
		Fails: ops == "outside", Serial: ops == "outside",
	}
}

// joined is rows of two matrices, of which those of one end at a column at which those of the other begin.
func joined(name, cut string) Row {
	return Row{
		Name: name, Fn: ended.JoinedRows, Types: numbers, Ops: "sum where either three crossing",
		Args: "x:rows*cols y:rows*cols z:rows*cols rows cols " + cut + " R C OP", Grid: "rows/R cols/C", Shapes: joinedRows,
	}
}

// joinedKept is the same of tiles that all of is needed of.
func joinedKept(name, cut string) Row {
	return Row{
		Name: name, Fn: ended.JoinedKept, Types: numbers, Ops: "before behind other rows scan scanned",
		Args: "x:rows*cols y:rows*cols z:rows*cols w@f32:rows*cols rows cols " + cut + " R C OP", Grid: "rows/R cols/C",
		Shapes: numbered("rows cols R C", [][]int{{3, 1000, 2, 256}, {5, 100, 1, 128}, {9, 64, 8, 64}}),
	}
}

// joinedRows are rows of at least three rounds.
var joinedRows = numbered("rows cols R C", [][]int{
	{3, 1000, 2, 256}, {5, 100, 1, 128}, {2, 64, 2, 64}, {4, 37, 4, 64}, {3, 300, 1, 512},
})

// persistent is products whose programs go through several blocks. What two programs store twice is a race.
func persistent(name, ops string) Row {
	return Row{
		Name: name, Fn: product.Persistent, Types: []tl.DType{tl.Float32, tl.BFloat16}, Ops: ops,
		Args: "x:M*K y:K*N z@f32:M*N M N K EACH BM BN BK OP", Grid: "PROGRAMS", Shapes: shared,
		Serial: ops == "twice",
	}
}

// quotients is elements whose numbers are made by divisions.
func quotients(name, ops string, types []tl.DType) Row {
	return Row{
		Name: name, Fn: kernels.Quotients, Types: types, Ops: ops, Args: "x z m n 7 BLOCK MASK OP", Grid: "n/BLOCK",
		Shapes: vectors, Fails: ops == "beyond", Serial: ops == "beyond",
	}
}

// casts is conversions to a type.
func casts(name, how, to string, types []tl.DType) Row {
	return Row{
		Name: name, Fn: kernels.Casts, Types: types, Ops: how, Args: "x z@" + to + " m :" + to + " n BLOCK MASK OP",
		Grid: "n/BLOCK", Shapes: vectors,
	}
}

// swapped is rows in which neighbours have changed places, of tensors that are shorter than a vector, too.
func swapped(name, ops string, types []tl.DType) Row {
	return Row{
		Name: name, Fn: ended.Swapped, Types: types, Ops: ops,
		Args: "x:rows*cols z:rows*C rows cols R C OP", Grid: "rows/R",
		Shapes: numbered("rows cols R C", [][]int{
			{1, 1, 1, 2}, {1, 3, 1, 8}, {1, 7, 2, 16}, {1, 8, 1, 8}, {3, 16, 4, 16}, {2, 31, 2, 64}, {5, 60, 4, 64},
			{7, 64, 3, 64},
		}),
		Fails: ops == "beyond", Serial: ops == "beyond",
	}
}

// convolutions are kernels of strides, short loops and divided indices.
var convolutions = []Row{
	every(1, f32), every(2, all), every(3, f32), every(4, i32), every(5, all), every(17, f32), every(-1, f32),
	every(-2, f32), every(-7, f32),
	storedEvery(2, all), storedEvery(3, f32), storedEvery(4, i32), storedEvery(5, f32),
	looked("Looked", "few nibble both mod limits quotient range", "1028", numbers),
	looked("LookedBeyond", "few nibble both mod limits range", "12", []tl.DType{tl.Float32, tl.Int8, tl.Float16}),
	causal("Causal", "past both dilated none", numbers), causal("CausalBeyond", "outside", f32),
	joined("Joined37", "37"), joined("Joined0", "0"), joined("Joined64", "64"), joined("JoinedNone", "-3"),
	joined("JoinedAll", "5000"), joined("Joined300", "300"),
	joinedKept("JoinedKept37", "37"), joinedKept("JoinedKept64", "64"), joinedKept("JoinedKeptNone", "-3"),
	quotients("Quotients", "eight seven rows pairs bits signs wide", floats),
	quotients("QuotientsBeyond", "beyond", f32),
	{
		Name: "Unneeded", Fn: ended.Unneeded, Types: []tl.DType{tl.Float32, tl.Int8, tl.Float64, tl.BFloat16},
		Args: "x:n z:n n BLOCK OP", Grid: "1", Ops: "affine remainder quotient numbered rounds each masked chosen",
		Fails: true, Serial: true, Shapes: numbered("n BLOCK", [][]int{{5, 16}, {64, 64}, {100, 128}}),
	},
	swapped("Swapped", "flip turn pairs half back", numbers), swapped("SwappedBeyond", "beyond", floats),
	{Name: "Divisors", Fn: kernels.Divisors, Types: ints, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
}
