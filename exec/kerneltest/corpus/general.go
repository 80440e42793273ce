package corpus

import (
	"math"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/kerneltest/kernels"
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/product"
	tl "github.com/tiler-go/tiler/tilelang"
)

// A Row is a kernel of the corpus with what it is run on, a Shape a launch's numbers.
type (
	Row   = kerneltest.Row
	Shape = kerneltest.Shape
)

var (
	floats  = []tl.DType{tl.Float32, tl.Float16, tl.Float64, tl.BFloat16}
	ints    = []tl.DType{tl.Int32, tl.Uint8, tl.Int64, tl.Int16, tl.Uint32, tl.Int8, tl.Uint64, tl.Uint16}
	numbers = append(append([]tl.DType{}, floats...), ints...)
	all     = append([]tl.DType{tl.Bool, tl.Float8E4NV, tl.Float8E5}, numbers...)
	wide    = []tl.DType{tl.Int32, tl.Int64, tl.Uint32, tl.Uint64}
	bits    = append([]tl.DType{tl.Bool}, ints...)
	f32     = []tl.DType{tl.Float32}
	i32     = []tl.DType{tl.Int32}
	bf16    = []tl.DType{tl.BFloat16}
)

// sizes and masks are those of the vectors.
var (
	sizes = []int{1, 15, 16, 17, 127, 128, 1000}
	masks = []string{"", "prefix", "range", "odd", "data", "none"}
)

// vectors is every size with every mask; blocks differ by mask, so that there are
// exact, padded and many-program launches.
var vectors = func() (list []Shape) {
	for _, n := range sizes {
		for _, mask := range masks {
			block := map[string]int{"": n, "prefix": tl.NextPow2(n), "range": 64, "odd": 128, "data": 48, "none": 16}[mask]
			list = append(list, Shape{Mask: mask, Vars: map[string]int{"n": n, "BLOCK": block}})
		}
	}
	return list
}()

// scatters are blocks long enough to prefetch what they store to.
var scatters = func() (list []Shape) {
	for i, mask := range masks {
		list = append(list, Shape{Mask: mask, Vars: map[string]int{"n": 1000, "BLOCK": []int{250, 128, 200}[i%3]}})
	}
	return list
}()

// strays are blocks one lane of which, at any place of a vector, is another than the others.
var strays = func() (list []Shape) {
	for at := 0; at < 64; at += 5 {
		for _, mask := range []string{"", "odd", "data"} {
			list = append(list, Shape{Mask: mask, Vars: map[string]int{"n": 64, "at": at, "BLOCK": []int{64, 32, 40}[at%3]}})
		}
	}
	return list
}()

// whole is vectors in one program.
var whole = func() (list []Shape) {
	for _, n := range sizes {
		for _, mask := range masks {
			block := tl.NextPow2(n)
			if mask == "" {
				block = n
			}
			list = append(list, Shape{Mask: mask, Vars: map[string]int{"n": n, "BLOCK": block}})
		}
	}
	return list
}()

// matrices are rows × cols in blocks of R × C.
var matrices = numbered("rows cols R C", [][]int{
	{1, 1, 1, 1}, {1, 15, 1, 16}, {16, 16, 16, 16}, {15, 17, 16, 16}, {17, 127, 4, 32}, {128, 1, 16, 1}, {3, 1000, 2, 256}, {7, 100, 8, 128},
})

// sortedRows are rows of lengths around those of registers, several of them in one, and such that fill many.
var sortedRows = numbered("rows cols R C", [][]int{
	{33, 2, 33, 2}, {7, 3, 7, 3}, {5, 4, 5, 4}, {33, 7, 33, 8}, {2, 16, 2, 16}, {3, 17, 3, 17}, {2, 33, 2, 33}, {3, 128, 3, 128}, {1, 257, 1, 257}, {2, 512, 2, 512}, {1, 2500, 1, 2500}, {1, 4096, 1, 4096},
	{9, 10, 9, 10}, {2, 49, 2, 49}, {3, 65, 3, 65}, {2, 127, 2, 128}, {1, 129, 1, 129},
})

// topRows are the first 1 to 8 of such rows, which stay in registers, and more.
var topRows = numbered("rows cols R C K", [][]int{
	{33, 8, 33, 8, 2}, {3, 2, 3, 2, 1}, {5, 7, 5, 7, 7}, {2, 64, 2, 64, 4}, {2, 1025, 2, 1025, 8}, {3, 64, 3, 64, 9}, {2, 300, 2, 300, 33}, {1, 256, 1, 256, 3},
	{9, 10, 9, 10, 2}, {5, 31, 5, 31, 3}, {5, 32, 5, 32, 3}, {3, 41, 3, 41, 8}, {3, 35, 3, 35, 1}, {2, 129, 2, 129, 9},
	{3, 63, 3, 63, 8}, {2, 260, 2, 260, 8},
})

// squares are matrices in one program.
var squares = numbered("rows cols R C AXIS", [][]int{
	{1, 1, 1, 1, 0}, {1, 15, 1, 16, 1}, {16, 16, 16, 16, 0}, {15, 17, 16, 32, 1}, {17, 15, 32, 16, 0}, {3, 127, 4, 128, 1}, {128, 5, 128, 8, 0}, {2, 1000, 2, 1024, 1}, {33, 7, 33, 7, 1},
})

// products are the sizes of matrix products.
var products = numbered("M N K", [][]int{
	{1, 1, 1}, {16, 16, 16}, {15, 17, 16}, {2, 33, 5}, {32, 16, 127}, {1, 128, 15}, {17, 1, 64}, {64, 64, 32},
})

// launches are the sizes of blocked matrix products.
var seen = numbered("R D n BR BD BN", [][]int{
	{1, 40, 33, 16, 64, 16}, {4, 16, 20, 16, 16, 16}, {16, 3, 5, 16, 16, 32}, {13, 100, 40, 16, 128, 16},
	{3, 20, 0, 16, 32, 16}, {2, 80, 16, 16, 128, 16},
})

var beyond = numbered("M N K BM BN BK", [][]int{
	{1, 70, 5, 16, 128, 16}, {3, 16, 16, 16, 16, 16}, {9, 33, 1, 16, 64, 32}, {16, 5, 31, 16, 16, 32},
	{2, 100, 0, 4, 128, 16},
})

var launches = numbered("M N K BM BN BK", [][]int{
	{1, 1, 1, 16, 16, 16}, {15, 17, 16, 16, 16, 16}, {64, 64, 64, 32, 32, 32}, {100, 33, 127, 16, 32, 32}, {128, 128, 17, 64, 32, 16}, {130, 70, 128, 32, 16, 64},
})

// oddLaunches are such whose blocks end within a pair, or within 32 elements.
var oddLaunches = numbered("M N K BM BN BK", [][]int{{40, 50, 31, 16, 16, 5}, {33, 64, 64, 16, 32, 1}, {40, 30, 150, 16, 32, 48}})

// shared are blocked products by so many programs, each of at most so many blocks.
var shared = numbered("M N K BM BN BK PROGRAMS EACH", [][]int{
	{1, 1, 1, 16, 16, 16, 3, 1}, {33, 31, 17, 16, 16, 16, 2, 3}, {32, 64, 40, 16, 32, 16, 4, 1},
	{50, 49, 33, 16, 16, 32, 5, 4}, {48, 48, 16, 16, 16, 16, 12, 1}, {64, 31, 64, 32, 32, 32, 1, 2},
})

// chains are blocked products of every kind of edge: of registers, of tiles, of the
// parts that a chain is computed in.
var chains = append(numbered("M N K BM BN BK", [][]int{
	{32, 32, 64, 32, 32, 64}, {64, 96, 128, 32, 32, 64}, {33, 65, 70, 32, 64, 32}, {31, 63, 1030, 32, 32, 64}, {40, 48, 2100, 32, 16, 128}, {150, 290, 65, 64, 128, 64},
}), launches...)

// lengths are n programs, or one that works on n elements.
var lengths = numbered("n", [][]int{{1}, {15}, {16}, {17}, {127}, {128}})

func numbered(names string, values [][]int) (list []Shape) {
	for _, v := range values {
		s := Shape{Vars: map[string]int{}}
		for i, name := range strings.Fields(names) {
			s.Vars[name] = v[i]
		}
		list = append(list, s)
	}
	return list
}

const (
	unaryFloat = "floor ceil rint trunc round isnan isinf isfinite sqrt rsqrt exp exp2 expm1 log log2 log1p sin cos tan asin acos atan tanh erf sigmoid"
	compares   = "lt le gt ge eq ne"
)

// Rows is all of it.
func Rows() (rows []*Row) {
	for i := range Kernels {
		rows = append(rows, &Kernels[i])
	}
	for i := range Examples {
		rows = append(rows, &Examples[i])
	}
	return rows
}

// Kernels is what every engine is compared on, beside Examples.
var Kernels = slices.Concat(
	general, convolutions, flats, beside, paddeds, onwards, divided, views, narrow, margins, guardedRows, segments, packs,
	eithers, elements, extremes, pairs, imported,
)

var general = []Row{
	{Name: "Unary", Fn: kernels.Unary, Types: numbers, Ops: "neg abs", Args: "x z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "UnaryFloat", Fn: kernels.Unary, Types: floats, Ops: unaryFloat, Args: "x z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "UnaryBits", Fn: kernels.Unary, Types: bits, Ops: "not", Args: "x z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Binary", Fn: kernels.Binary, Types: numbers, Ops: "add sub mul maximum minimum " + compares, Args: "x y z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "BinaryFloat", Fn: kernels.Binary, Types: floats, Ops: "div mod maximum_nan minimum_nan pow atan2", Args: "x y z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "BinaryInt", Fn: kernels.Binary, Types: ints, Ops: "div floordiv mod shl shr", Args: "x y z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "BinaryBits", Fn: kernels.Binary, Types: bits, Ops: "and or xor", Args: "x y z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "BinaryWide", Fn: kernels.Binary, Types: []tl.DType{tl.Uint32, tl.Uint64, tl.Int32, tl.Int64}, Ops: "umulhi umulhi_few umulhi_many", Args: "x y z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "BinaryAlias", Fn: kernels.Binary, Types: floats, Ops: "add maximum", Args: "xx y m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Ternary", Fn: kernels.Ternary, Types: floats, Ops: "where fma clamp clamp_tiles", Args: "x y z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{
		Name: "Chosen", Fn: kernels.Chosen, Types: numbers, Ops: "gt lt ge gt_crossed lt_crossed",
		Args: "x y z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors,
	},
	{Name: "TernaryInt", Fn: kernels.Ternary, Types: []tl.DType{tl.Int32, tl.Int64, tl.Int8, tl.Int16}, Ops: "where clamp clamp_tiles", Args: "x y z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	casts("CastsF16", "to", "f16", all),
	casts("CastsF32", "to", "f32", all),
	casts("CastsI32", "to", "i32", all),
	casts("CastsU8", "to", "u8", all),
	casts("CastsI64", "to", "i64", all),
	casts("CastsF8", "to", "f8e5", all), casts("CastsE4", "to", "f8e4nv", all), casts("CastsBF16", "to", "bf16", all),
	casts("CastsZero", "zero", "f16", []tl.DType{tl.Float32, tl.Float64}),
	casts("CastsZeroBF16", "zero", "bf16", []tl.DType{tl.Float32, tl.Float64}),
	casts("CastsZeroE4", "zero", "f8e4nv", floats), casts("CastsZeroE5", "zero", "f8e5", floats),
	casts("CastsZeroF32", "zero", "f32", []tl.DType{tl.Float64}),
	casts("CastsBits", "bits", "i32", []tl.DType{tl.Float32, tl.Uint32, tl.Int32}),
	{Name: "StoreCasts", Fn: kernels.StoreCasts, Types: all, Args: "x z@bf16 m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "StoreCastsI16", Fn: kernels.StoreCasts, Types: all, Args: "x z@i16 m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Mixed", Fn: kernels.Mixed, Types: numbers, Args: "x y@f16 z@f32 m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "MixedInts", Fn: kernels.Mixed, Types: bits, Args: "x y@i16 z@i64 m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Scalars", Fn: kernels.Scalars, Types: numbers, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Axpy", Fn: kernels.Axpy, Types: numbers, Args: "x y m n 0.75 BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Horner", Fn: kernels.Horner, Types: floats, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Gelu", Fn: kernels.Gelu, Types: floats, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Mix", Fn: kernels.Mix, Types: ints, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Bools", Fn: kernels.Bools, Types: numbers, Args: "x y z@bool m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Used", Fn: kernels.Used, Types: floats, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Index", Fn: kernels.Index, Types: ints, Args: "z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},

	{Name: "Other", Fn: kernels.Other, Types: all, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "OtherTile", Fn: kernels.OtherTile, Types: numbers, Args: "x y z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Strided", Fn: kernels.Strided, Types: all, Args: "x:n*3 z m n 3 BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{
		Name: "StridedTwo", Fn: kernels.Strided, Types: numbers, Args: "x:n*2 z m n 2 BLOCK MASK",
		Grid: "n/BLOCK", Shapes: vectors,
	},
	{
		Name: "StridedFour", Fn: kernels.Strided, Types: i32, Args: "x:n*4 z m n 4 BLOCK MASK",
		Grid: "n/BLOCK", Shapes: vectors,
	},
	{
		Name: "StridedBack", Fn: kernels.StridedBack, Types: all, Args: "x:n*3 z m n 3 BLOCK MASK",
		Grid: "n/BLOCK", Shapes: vectors[18:30],
	},
	{
		Name: "Halves", Fn: kernels.Halves, Types: numbers, Args: "x:n*40 z:n*40 m n 16 BLOCK MASK",
		Grid: "n/BLOCK", Shapes: vectors,
	},
	{
		Name: "HalvesOdd", Fn: kernels.Halves, Types: f32, Args: "x:n*40 z:n*40 m n 5 BLOCK MASK",
		Grid: "n/BLOCK", Shapes: vectors,
	},
	{
		Name: "StridedOne", Fn: kernels.Strided, Types: f32, Args: "x z m n 1 BLOCK MASK",
		Grid: "n/BLOCK", Shapes: vectors,
	},
	{
		Name: "StridedNone", Fn: kernels.Strided, Types: f32, Args: "x z m n 0 BLOCK MASK",
		Grid: "n/BLOCK", Shapes: vectors,
	},
	{Name: "Backwards", Fn: kernels.Backwards, Types: all, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{
		Name: "StoredBackwards", Fn: kernels.StoredBackwards, Types: all, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK",
		Shapes: vectors,
	},
	{Name: "Wrapped", Fn: kernels.Wrapped, Types: numbers, Ops: "mod clamp", Args: "x z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Gathered", Fn: kernels.Gathered, Types: all, Args: "x i z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{
		Name: "Spared", Fn: kernels.Spared, Types: all, Args: "x:0 i z w@i32 m n BLOCK MASK", Grid: "n/BLOCK",
		Shapes: vectors,
	},
	{Name: "GatheredLong", Fn: kernels.Gathered, Types: all, Args: "x i@i64 z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{
		Name: "GatheredByBytes", Fn: kernels.Gathered, Types: all, Args: "x i@u8 z m n BLOCK MASK",
		Grid: "n/BLOCK", Shapes: vectors,
	},
	{
		Name: "GatheredByWords", Fn: kernels.Gathered, Types: numbers, Args: "x i@i16 z m n BLOCK MASK",
		Grid: "n/BLOCK", Shapes: vectors,
	},
	{
		Name: "ScatteredByWords", Fn: kernels.Scattered, Types: numbers, Args: "x i@u16 z m n BLOCK MASK",
		Grid: "n/BLOCK", Shapes: vectors,
	},
	{
		Name: "ScatteredLong", Fn: kernels.Scattered, Types: numbers, Args: "x i@i64 z m n BLOCK MASK",
		Grid: "n/BLOCK", Shapes: vectors,
	},
	{Name: "Scattered", Fn: kernels.Scattered, Types: numbers, Args: "x i z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{
		Name: "ScatteredFar", Fn: kernels.Scattered, Types: numbers, Args: "x i z:n*40 m n BLOCK MASK", Grid: "n/BLOCK",
		Shapes: scatters,
	},
	{
		Name: "Refilled", Fn: kernels.Refilled, Types: []tl.DType{tl.Int32, tl.Float32}, Args: "x i z w m n BLOCK MASK",
		Grid: "n/BLOCK", Shapes: vectors,
	},
	{
		Name: "HitsBox", Fn: kernels.HitsBox, Types: all, Ops: "first run none chosen beyond square",
		Args: "x i z n BLOCK OP", Grid: "n/BLOCK", Serial: true, Fails: true,
		Shapes: append(vectors[:len(vectors):len(vectors)], scatters...),
	},
	{
		Name: "Hits", Fn: kernels.Hits, Types: all, Ops: "same rows dense lone", Args: "x i z m n BLOCK MASK OP",
		Grid: "n/BLOCK", Shapes: append(vectors[:len(vectors):len(vectors)], scatters...), Serial: true,
	},
	{
		Name: "HitsFar", Fn: kernels.Hits, Types: numbers, Ops: "same dense lone", Args: "x i z:n*40 m n BLOCK MASK OP",
		Grid: "n/BLOCK", Shapes: scatters, Serial: true,
	},
	{
		Name: "RowsBy", Fn: kernels.RowsBy, Types: numbers, Args: "x:rows*cols i:rows z:rows*cols rows cols R C OP", Grid: "rows/R",
		Ops:    "load holes most lanes wide part turned store first twice again chosen chosen-after chosen-lanes chosen-line",
		Shapes: matrices, Serial: true,
	},
	{Name: "AtomicRows", Fn: kernels.AtomicRows, Types: append([]tl.DType{tl.Float32, tl.Float64}, wide...), Ops: "add old max xchg plain one self apart count", Args: "x:rows*cols i:rows z:rows*cols w:rows*cols rows cols R C OP", Grid: "rows/R", Shapes: matrices, Serial: true},
	{Name: "Wide", Fn: kernels.Wide, Types: numbers, Args: "x i z w@i32 m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors, Serial: true},
	{
		Name: "WideFar", Fn: kernels.Wide, Types: []tl.DType{tl.Float32, tl.Uint8, tl.Int64},
		Args: "x i z:n*40 w@i32:n*40 m n BLOCK MASK", Grid: "n/BLOCK", Shapes: scatters, Serial: true,
	},
	{Name: "Same", Fn: kernels.Same, Types: numbers, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Stencil", Fn: kernels.Stencil, Types: numbers, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "InPlace", Fn: kernels.InPlace, Types: numbers, Args: "x m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Shifted", Fn: kernels.Shifted, Types: numbers, Args: "x z m n BLOCK MASK", Grid: "1", Shapes: vectors},
	{Name: "ShiftedAlias", Fn: kernels.Shifted, Types: numbers, Args: "xz m n BLOCK MASK", Grid: "1", Shapes: vectors},
	{Name: "StencilAlias", Fn: kernels.Stencil, Types: floats, Args: "xz m n BLOCK MASK", Grid: "1", Shapes: whole},
	{Name: "Either", Fn: kernels.Either, Types: all, Args: "x:n*2 z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "EitherTile", Fn: kernels.EitherTile, Types: numbers, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Mingled", Fn: kernels.Mingled, Types: all, Args: "x:n*2 z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Marching", Fn: kernels.Marching, Types: numbers, Args: "x z m n BLOCK MASK", Grid: "1", Shapes: vectors[6:]},
	{Name: "Swapping", Fn: kernels.Swapping, Types: numbers, Args: "x:n*2 m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors[6:]},
	{Name: "Chased", Fn: kernels.Chased, Types: i32, Args: "i z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Interleaved2", Fn: kernels.Interleaved, Types: all, Args: "x:n*2 z:n*2 m n 2 BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors[18:30]},
	{Name: "Interleaved3", Fn: kernels.Interleaved, Types: all, Args: "x:n*3 z:n*3 m n 3 BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors[18:30]},
	{Name: "Interleaved4", Fn: kernels.Interleaved, Types: all, Args: "x:n*4 z:n*4 m n 4 BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors[18:30]},
	{Name: "Bisected", Fn: kernels.Bisected, Types: []tl.DType{tl.Float32, tl.Float16, tl.Float64, tl.Int8, tl.Int64}, Args: "x y z@i32 m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Joined", Fn: kernels.Joined, Types: numbers, Args: "x y z n a b BLOCK", Grid: "n/BLOCK", Shapes: numbered("n a b BLOCK", [][]int{{1, 1, 1, 16}, {40, 50, 3, 64}, {160, 10, 6, 64}, {1000, 60, 40, 256}, {999, 1, 110, 128}})},
	{
		Name: "Copied", Fn: kernels.Copied, Types: all, Ops: "all shorter longer moved itself backwards",
		Args: "x z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors,
	},
	{
		Name: "CopiedRows", Fn: kernels.CopiedRows, Types: all, Args: "x:rows*cols z:rows*cols*2 rows cols cols*2 R C",
		Grid: "1", Shapes: squares,
	},
	{Name: "Rows", Fn: kernels.Rows, Types: numbers, Args: "x:rows*cols z:rows*cols rows cols cols cols R C", Grid: "rows/R cols/C", Shapes: matrices},
	{Name: "Transposed", Fn: kernels.Transposed, Types: all, Args: "x:rows*cols z:rows*cols rows cols R C", Grid: "rows/R cols/C", Shapes: matrices},
	{Name: "Outer", Fn: kernels.Outer, Types: numbers, Args: "x:rows y:cols z:rows*cols rows cols R C", Grid: "rows/R cols/C", Shapes: matrices},
	{Name: "Described", Fn: kernels.Described, Types: numbers, Args: "x:rows*cols z:rows*cols rows cols R C", Grid: "rows/R cols/C", Shapes: matrices},
	{Name: "Advanced", Fn: kernels.Advanced, Types: numbers, Args: "x:rows*cols z:rows*cols rows cols R C", Grid: "rows/R", Shapes: matrices},
	{Name: "Elements", Fn: kernels.Elements, Types: numbers, Args: "x z n", Grid: "n", Shapes: lengths},

	{Name: "Collatz", Fn: kernels.Collatz, Types: ints[:6], Args: "x z n", Grid: "n", Shapes: lengths},
	{Name: "Search", Fn: kernels.Search, Types: floats, Args: "x z:1 n", Grid: "1", Shapes: lengths},
	{Name: "Skip", Fn: kernels.Skip, Types: numbers, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Early", Fn: kernels.Early, Types: numbers, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors[1:]},
	{Name: "Nested", Fn: kernels.Nested, Types: numbers, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Choose", Fn: kernels.Choose, Types: numbers, Args: "x y z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Inlined", Fn: kernels.Inlined, Types: numbers, Args: "x y z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Carried", Fn: kernels.Carried, Types: numbers, Args: "x y z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "PingPong", Fn: kernels.PingPong, Types: numbers, Args: "x z w m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "CarriedHalf", Fn: kernels.CarriedHalf, Types: numbers, Args: "x:2 z:3 n", Grid: "1", Shapes: lengths},
	{Name: "CarriedTurned", Fn: kernels.CarriedTurned, Types: numbers, Args: "x z:256 n", Grid: "1", Shapes: lengths},
	{
		Name: "Laps", Fn: kernels.Laps, Types: numbers, Args: "x i z:n*2 w n from BLOCK", Grid: "1",
		Shapes: numbered("n from BLOCK", [][]int{
			{1, 0, 16}, {100, 0, 64}, {160, 1 << 20, 32}, {9, -2000, 512},
			{96, 1<<31 - 97, 32}, {100, 1<<31 - 101, 32}, {1000, 1<<31 - 1001, 256},
		}),
	},
	{
		Name: "OverTurned", Fn: kernels.OverTurned, Types: numbers,
		Ops: "line turned steps rows one odd cube late masked mod", Args: "x:12000 i:16 a b cols BLOCK OP", Grid: "1",
		Shapes: numbered("a b cols BLOCK", [][]int{
			{32, 1, 64, 64}, {1, 32, 30, 64}, {1, 1, 20, 64}, {16, 64, 100, 64}, {0, 0, 0, 16}, {64, 16, 64, 64}, {33, 2, 3, 16},
		}),
	},
	{
		Name: "OverByAtomics", Fn: kernels.OverTurned, Types: append([]tl.DType{tl.Float32, tl.Float64}, wide...),
		Ops: "atomic", Args: "x:12000 i:16 a b cols BLOCK OP", Grid: "1",
		Shapes: numbered("a b cols BLOCK", [][]int{{0, 0, 0, 64}, {64, 1, 0, 64}, {1, 1, 0, 16}}),
	},
	{
		Name: "Later", Fn: kernels.Later, Types: all, Args: "x:rows*n z:n w@i32:n rows n from BLOCK", Grid: "1", Fails: true,
		Shapes: numbered("rows n from BLOCK", [][]int{
			{5, 50, 0, 16}, {4, 100, 3, 64}, {4, 9, 1<<31 - 12, 16}, {5, 33, 1<<31 - 48, 16}, {7, 1, -1 << 31, 64}, {0, 3, 0, 4},
			{2, 9, 1<<31 - 10, 16}, {4, 100, 1<<31 - 101, 64},
		}),
	},
	{
		Name: "Paired", Fn: kernels.Paired, Types: numbers, Ops: "sum one over flat deep whole", Fails: true,
		Args: "x:300 z:2*n n BLOCK OP", Grid: "n/BLOCK",
		Shapes: numbered("n BLOCK", [][]int{{1, 1}, {149, 16}, {150, 64}, {140, 128}, {151, 32}}),
	},
	{
		Name: "Diagonals", Fn: kernels.Diagonals, Types: numbers, Args: "x z:n*n n from BLOCK", Grid: "1",
		Shapes: numbered("n from BLOCK", [][]int{
			{1, 0, 16}, {40, 1, 64}, {33, -7, 48}, {20, 1<<31 - 30, 32}, {20, 1 << 40, 32}, {9, math.MaxInt64 - 20, 16}, {9, math.MinInt64, 16},
		}),
	},
	{
		Name: "Neighbours", Fn: kernels.Neighbours, Types: numbers, Shapes: vectors,
		Args: "x z@f32 m n BLOCK MASK", Grid: "n/BLOCK",
	},
	{Name: "Constants", Fn: kernels.Constants, Types: numbers, Args: "x z@f32 m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Branches", Fn: kernels.Branches, Types: numbers, Args: "x y z m n true BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "BranchesNot", Fn: kernels.Branches, Types: floats, Args: "x y z m n false BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{
		Name: "Never", Fn: kernels.Never, Types: []tl.DType{tl.Float32, tl.Int8},
		Args: "x z m n -8589934592 BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors,
	},
	{
		Name: "Digits", Fn: kernels.Digits, Types: []tl.DType{tl.Float32, tl.Float64, tl.Int8},
		Args: "x z@i32 w m n 5 BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors,
	},
	{Name: "Newton", Fn: kernels.Newton, Types: floats, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Accumulate", Fn: kernels.Accumulate, Types: numbers, Args: "x z@f32:1 m n BLOCK MASK", Grid: "1", Shapes: vectors},
	{Name: "Countdown", Fn: kernels.Countdown, Types: numbers, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Scalarwork", Fn: kernels.Scalarwork, Types: floats, Args: "z n 2.5", Grid: "n", Shapes: lengths},

	{Name: "Reduction", Fn: kernels.Reduction, Types: numbers, Ops: "sum max min argmax argmin maxindex minindex", Args: "x z w@i32 m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "ReductionBits", Fn: kernels.Reduction, Types: bits, Ops: "xorsum orsum sum", Args: "x z@i32 w@i32 m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Axis", Fn: kernels.Axis, Types: numbers, Ops: "sum max min argmax closure", Args: "x:rows*cols z@f32:rows*cols rows cols R C AXIS OP", Grid: "1", Shapes: squares},
	{Name: "Closure", Fn: kernels.Closure, Types: numbers, Args: "x z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Welford", Fn: kernels.Welford, Types: floats, Args: "x z@f32 w@f32 m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Pairs", Fn: kernels.Pairs, Types: numbers, Args: "x y@i32 z w@i32 m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Running", Fn: kernels.Running, Types: numbers, Ops: "cumsum cumsum_reverse cumprod max greater", Args: "x z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{
		Name: "RunningInt", Fn: kernels.Running, Types: bits, Ops: "min xor or and",
		Args: "x z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors,
	},
	{Name: "RunningFloat", Fn: kernels.Running, Types: []tl.DType{tl.Float32, tl.Float64, tl.Float16}, Ops: "mean_reverse", Args: "x z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Recurrence", Fn: kernels.Recurrence, Types: []tl.DType{tl.Float32, tl.Float64, tl.Float16, tl.Int32, tl.Int64}, Args: "x y z m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{
		Name: "ScanPairs", Fn: kernels.ScanPairs, Types: numbers, Ops: "pairs reverse",
		Args: "x:rows*cols y:rows*cols z:rows*cols rows cols R C AXIS OP", Grid: "1", Shapes: squares,
	},
	{
		Name: "ScanStored", Fn: kernels.ScanStored, Types: numbers,
		Ops:  "part before chosen behind again both shorter moved former latter backwards turns sums",
		Args: "x z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors,
	},
	{
		Name: "ScanTurned", Fn: kernels.ScanTurned, Types: numbers,
		Args: "x:rows*cols z:rows*cols rows cols R C", Grid: "1", Shapes: squares,
	},
	{Name: "ScanAxis", Fn: kernels.ScanAxis, Types: numbers, Args: "x:rows*cols z:rows*cols rows cols R C AXIS", Grid: "1", Shapes: squares},
	{
		Name: "ScanDown", Fn: kernels.ScanDown, Types: numbers,
		Ops: "between upto columns some both rows swapped first turned stored overlapping window twice onto " +
			"summed turnedstore turnedload repeated scattered bools deep turns",
		Args: "x:rows*cols y:rows*cols z:rows*cols rows cols R C OP", Grid: "1",
		Shapes: numbered("rows cols R C", [][]int{
			{1, 1, 1, 1}, {16, 16, 16, 16}, {5, 64, 8, 64}, {7, 70, 8, 128}, {4, 200, 4, 256}, {2, 1000, 2, 1024},
			{33, 7, 33, 7}, {9, 33, 9, 33}, {128, 5, 128, 8}, {1, 130, 4, 256}, {6, 3, 32, 32},
		}),
	},
	{Name: "Extremes", Fn: kernels.Extremes, Types: numbers, Ops: "least greatest least_nan greatest_nan", Args: "x:rows*cols z:rows rows cols OP", Grid: "rows", Shapes: numbered("rows cols", [][]int{{1, 1}, {3, 17}, {40, 5}})},
	{Name: "SoftmaxRow", Fn: kernels.SoftmaxRow, Types: floats, Args: "x z m n BLOCK MASK", Grid: "1", Shapes: whole[1:]},
	{Name: "LogSumExp", Fn: kernels.LogSumExp, Types: floats, Args: "x z@f32:1 m n BLOCK MASK", Grid: "1", Shapes: whole[1:]},
	{Name: "Norm", Fn: kernels.Norm, Types: floats, Args: "x y z m n 1e-5 BLOCK MASK", Grid: "1", Shapes: whole[1:]},
	{Name: "RMS", Fn: kernels.RMS, Types: floats, Args: "x z m n 1e-5 BLOCK MASK", Grid: "1", Shapes: vectors},
	{Name: "CrossEntropy", Fn: kernels.CrossEntropy, Types: floats, Args: "x:rows*cols i:cols z@f32:rows rows cols R C", Grid: "1", Shapes: numbered("rows cols R C", [][]int{{1, 1, 1, 1}, {3, 17, 4, 32}, {4, 127, 4, 128}, {2, 1000, 2, 1024}})},

	{Name: "Sorted", Fn: kernels.Sorted, Types: numbers, Ops: "up down arg argdown", Args: "x z w@i32 m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "SortedRows", Fn: kernels.SortedRows, Types: numbers, Ops: "up down arg argdown zeros", Args: "x:rows*cols z:rows*cols w@i32:rows*cols rows cols R C OP", Grid: "1", Shapes: sortedRows},
	{Name: "TopRows", Fn: kernels.Top, Types: numbers, Args: "x:rows*cols z:rows*K w@i32:rows*K rows cols R C K", Grid: "1", Shapes: topRows},
	{Name: "Top", Fn: kernels.Top, Types: numbers, Args: "x:rows*cols z:rows*K w@i32:rows*K rows cols R C K", Grid: "1", Shapes: numbered("rows cols R C K", [][]int{{1, 1, 1, 1, 1}, {3, 17, 4, 17, 5}, {4, 127, 4, 128, 8}, {2, 1000, 2, 1024, 16}})},
	{Name: "Counted", Fn: kernels.Counted, Types: ints, Args: "x z@i32:16 m n BLOCK MASK", Grid: "1", Shapes: whole},
	{Name: "Picked", Fn: kernels.Picked, Types: all, Args: "x:rows*cols z:rows*cols rows cols R C AXIS", Grid: "1", Shapes: squares},
	{Name: "Shuffled", Fn: kernels.Shuffled, Types: numbers, Ops: "flip interleave split cat permute trans broadcast", Args: "x z:BLOCK*4 m n BLOCK MASK OP", Grid: "1", Shapes: whole},
	{Name: "Noise", Fn: kernels.Noise, Types: f32, Ops: "rand randn", Args: "z m n 42 BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "NoiseInt", Fn: kernels.Noise, Types: []tl.DType{tl.Uint32, tl.Int64}, Ops: "randint randint4x", Args: "z m n -7 BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Dropped", Fn: kernels.Dropped, Types: floats, Args: "x y z m n 3 0.25 BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "Atomics", Fn: kernels.Atomics, Types: append([]tl.DType{tl.Float32, tl.Float64}, wide...), Ops: "add max min max_unseen min_unseen max_constant min_one xchg cas", Args: "x:5 y z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors, Serial: true},
	{Name: "AtomicsBits", Fn: kernels.Atomics, Types: wide, Ops: "and or xor", Args: "x:5 y z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors, Serial: true},
	{Name: "Counter", Fn: kernels.Counter, Types: wide, Args: "x:1 z n", Grid: "n", Shapes: lengths, Serial: true},
	{Name: "Printed", Fn: kernels.Printed, Types: numbers, Args: "x m n BLOCK MASK", Grid: "n/BLOCK", Shapes: vectors, Serial: true},

	{Name: "Product", Fn: product.Product, Types: append([]tl.DType{tl.Int8, tl.Uint8, tl.Int16, tl.Float8E5}, append(floats, wide...)...), Args: "x:M*K y:K*N z:M*N M N K", Grid: "1", Shapes: products},
	{Name: "ProductHalf", Fn: product.ProductHalf, Types: []tl.DType{tl.Float16}, Args: "x:M*K y:K*N z:M*N M N K", Grid: "1", Shapes: products},
	{Name: "ProductBias", Fn: product.ProductBias, Types: []tl.DType{tl.Float32, tl.Float16, tl.BFloat16}, Args: "x:M*K y:K*N y@f32:N z@f32:M*N M N K", Grid: "1", Shapes: products},
	{
		Name: "Prefix", Fn: product.Prefix, Types: []tl.DType{tl.Float32, tl.BFloat16, tl.Float64},
		Args: "x:n*cols z:n*cols n cols T C OP", Grid: "1",
		Ops: "ones turned bools strict upper negative twos zeros more", Shapes: numbered("n cols T C", [][]int{
			{16, 16, 16, 16}, {15, 17, 16, 32}, {64, 100, 64, 128}, {1, 64, 16, 64}, {33, 3, 40, 4},
		}),
	},
	{Name: "Batched", Fn: product.Batched, Types: floats, Args: "x:3*M*K y:3*K*N z:3*M*N 3 M N K", Grid: "1", Shapes: products},
	{Name: "Blocked", Fn: product.Blocked, Types: []tl.DType{tl.Float32, tl.Float16, tl.BFloat16},
		Args: "x:M*K y:K*N z@f32:M*N M N K BM BN BK", Grid: "M/BM N/BN", Shapes: launches},
	{Name: "Seen", Fn: product.Seen, Types: []tl.DType{tl.Float32, tl.BFloat16}, Ops: product.SeenOps,
		Args: "x:R*D y:n*D x:n*D z@f32:R*D z@f32:R R D n BR BD BN OP", Grid: "1", Fails: true, Shapes: seen},
	{Name: "ZeroBeyond", Fn: product.ZeroBeyond, Types: []tl.DType{tl.Float32, tl.Float16},
		Ops:  "plain tiny other later fresh",
		Args: "x:M*K y:K*N y@f32:M*N z@f32:M*N M N K BM BN BK OP", Grid: "1", Shapes: beyond},
	{Name: "Remaining", Fn: product.Remaining, Types: []tl.DType{tl.Float32, tl.BFloat16},
		Args: "x:M*K y:K*N z@f32:M*N M N K BM BN BK", Grid: "M/BM N/BN", Shapes: launches},
	{Name: "MultipliedRows", Fn: product.MultipliedRows, Types: []tl.DType{tl.Float32, tl.Float16, tl.BFloat16},
		Ops: product.MultipliedOps, Args: product.MultipliedArgs, Grid: "M/BM N/BN", Fails: true,
		Shapes: append(numbered("M N K BM BN BK", [][]int{{5, 300, 70, 16, 64, 32}, {13, 40, 66, 16, 16, 16}}), chains...)},
	{Name: "Computed", Fn: product.Computed, Types: []tl.DType{tl.Float32, tl.Float16, tl.BFloat16},
		Ops: product.ComputedOps, Args: product.ComputedArgs, Grid: "M/BM N/BN", Fails: true,
		Shapes: append(numbered("M N K BM BN BK", [][]int{{5, 300, 70, 16, 64, 32}, {70, 64, 96, 16, 64, 48}, {130, 40, 33, 16, 16, 16}}), chains...)},
	{Name: "Turned", Fn: product.Turned, Types: []tl.DType{tl.Float32, tl.Float16, tl.BFloat16}, Ops: "x y both", Args: "x:M*K y:K*N z@f32:M*N :f32 M N K BM BN BK OP", Grid: "M/BM N/BN", Shapes: chains},
	{Name: "TurnedDouble", Fn: product.Turned, Types: []tl.DType{tl.Float64}, Ops: "x y both", Args: "x:M*K y:K*N z:M*N :f64 M N K BM BN BK OP", Grid: "M/BM N/BN", Shapes: chains},
	{Name: "Bytes", Fn: product.Apart, Types: []tl.DType{tl.Int8}, Ops: "plain tripled", Args: "x:M*K y:K*N z@i32:M*N M N K K 1 N 1 N 1 BM BN BK OP", Grid: "M/BM N/BN", Shapes: chains},
	{Name: "BytesTurned", Fn: product.Apart, Types: []tl.DType{tl.Int8}, Ops: "plain tripled", Args: "x:M*K y:K*N z@i32:M*N M N K 1 M 1 K 1 M BM BN BK OP", Grid: "M/BM N/BN", Shapes: chains},
	{Name: "BytesApart", Fn: product.Apart, Types: []tl.DType{tl.Int8, tl.Int16}, Ops: "plain tripled", Args: "x:3*M*K y:2*K*N z@i32:2*M*N M N K 3*K 3 2*N 2 2*N 2 BM BN BK OP", Grid: "M/BM N/BN", Shapes: launches},
	{Name: "Wrapping", Fn: product.Wrapping, Types: []tl.DType{tl.Float32, tl.Float16, tl.BFloat16}, Args: "x:M*K y:K*N z@f16:M*N M N K BM BN BK 2", Grid: "M/BM*N/BN", Shapes: launches},
	persistent("Persistent", "strided grouped guarded shared nested described"),
	persistent("PersistentTwice", "twice"),
	{
		Name: "Clamped", Fn: product.Clamped, Types: f32, Ops: "where most least mod half beyond",
		Args: "x:M*K y:K*N z@f32:M*N M N K BM BN BK OP",
		Grid: "M/BM N/BN", Shapes: append(launches, chains[2]), Fails: true,
	},
	{
		Name: "Uneven", Fn: product.Uneven, Types: f32, Ops: "again stays fewer later square",
		Args: "x:M*K y:K*N z@f32:M*N M N K BM BN BK OP",
		Grid: "M/BM N/BN", Shapes: chains,
	},
	{Name: "Finished", Fn: product.Finished, Types: []tl.DType{tl.Float32, tl.Int8, tl.BFloat16}, Ops: "scales wrapped short scalar half twice over early silu", Args: "x:M*K y:K*N y@f32:M y@f32:N y@f32:M*N y@f32:2 z@f32:M*N M N K BM BN BK OP", Grid: "M/BM N/BN", Shapes: launches},
	{Name: "ProductPairs", Fn: kernels.ProductBy, Types: bf16, Ops: "straight turned alone", Args: "x:M*K y:K*N z@f32:M*N M N K 0 OP", Grid: "1", Shapes: products},
	{Name: "ProductPairsTiny", Fn: kernels.ProductBy, Types: bf16, Ops: "straight turned alone", Args: "t:M*K t:K*N t@f32:M*N M N K 0 OP", Grid: "1", Shapes: products},
	{Name: "PairsBatched", Fn: kernels.BatchedBy, Types: bf16, Args: "x:3*M*K y:3*K*N z@f32:3*M*N 3 M N K 0", Grid: "1", Shapes: products},
	{Name: "PairsBlocked", Fn: kernels.BlockedBy, Types: bf16, Ops: "straight turned biased", Args: "x:M*K y:K*N y:N z@f32:M*N M N K BM BN BK 0 OP", Grid: "M/BM N/BN", Shapes: append(launches, oddLaunches...)},
	{Name: "PairsBlockedTiny", Fn: kernels.BlockedBy, Types: bf16, Ops: "straight turned biased", Args: "t:M*K t:K*N t:N z@f32:M*N M N K BM BN BK 0 OP", Grid: "M/BM N/BN", Shapes: append(launches, oddLaunches...)},
	{Name: "PairsWrapping", Fn: kernels.WrappingBy, Types: bf16, Args: "x:M*K y:K*N z@f16:M*N M N K BM BN BK 2 0", Grid: "M/BM*N/BN", Shapes: append(launches, oddLaunches...)},
	{Name: "ProductTiles", Fn: kernels.ProductBy, Types: bf16, Ops: "straight turned alone", Args: "x:M*K y:K*N z@f32:M*N M N K 1 OP", Grid: "1", Shapes: products},
	{Name: "ProductTilesTiny", Fn: kernels.ProductBy, Types: bf16, Ops: "straight turned alone", Args: "t:M*K t:K*N t@f32:M*N M N K 1 OP", Grid: "1", Shapes: products},
	{Name: "TilesBatched", Fn: kernels.BatchedBy, Types: bf16, Args: "x:3*M*K y:3*K*N z@f32:3*M*N 3 M N K 1", Grid: "1", Shapes: products},
	{Name: "TilesBlocked", Fn: kernels.BlockedBy, Types: bf16, Ops: "straight turned biased", Args: "x:M*K y:K*N y:N z@f32:M*N M N K BM BN BK 1 OP", Grid: "M/BM N/BN", Shapes: append(chains, oddLaunches...)},
	{Name: "TilesBlockedTiny", Fn: kernels.BlockedBy, Types: bf16, Ops: "straight turned biased", Args: "t:M*K t:K*N t:N z@f32:M*N M N K BM BN BK 1 OP", Grid: "M/BM N/BN", Shapes: append(chains, oddLaunches...)},
	{Name: "TilesWrapping", Fn: kernels.WrappingBy, Types: bf16, Args: "x:M*K y:K*N z@f16:M*N M N K BM BN BK 2 1", Grid: "M/BM*N/BN", Shapes: append(chains, oddLaunches...)},
	{Name: "MatVec", Fn: kernels.MatVec, Types: floats, Args: "x:rows*cols y@f32:cols z@f32:rows rows cols R C", Grid: "1", Shapes: squares},
	{Name: "Attention", Fn: product.Attention, Types: []tl.DType{tl.Float32, tl.Float16, tl.BFloat16}, Args: "x:n*D y:n*D x:n*D z:n*D n 0.125 BM BN D", Grid: "n/BM", Shapes: numbered("n BM BN D", [][]int{{1, 16, 16, 16}, {17, 16, 16, 16}, {64, 32, 16, 32}, {100, 16, 32, 64}})},

	{Name: "Issue1", Fn: kernels.Issue1, Types: numbers, Args: "x z n true", Grid: "1", Shapes: lengths[2:]},

	{Name: "RowsBeyond", Fn: kernels.RowsBeyond, Types: []tl.DType{tl.Float32, tl.Int64, tl.Float16, tl.Uint8}, Ops: "load store wraps chosen", Args: "x:rows*cols i:rows z:rows*cols rows cols R C OP", Grid: "rows/R", Shapes: matrices, Fails: true, Serial: true},
	{Name: "AtomicRowsBeyond", Fn: kernels.AtomicRowsBeyond, Types: []tl.DType{tl.Float32, tl.Int32, tl.Float64}, Args: "x:rows*cols i:rows z:rows*cols rows cols R C", Grid: "rows/R", Shapes: matrices, Fails: true, Serial: true},
	{Name: "Beyond", Fn: kernels.Beyond, Types: []tl.DType{tl.Float32, tl.Int32, tl.Float16, tl.Uint8}, Ops: "load before early store tail gather element", Args: "x z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors, Fails: true, Serial: true},
	{
		Name: "OneBeyond", Fn: kernels.OneBeyond, Types: []tl.DType{tl.Float32, tl.Int64, tl.Uint8},
		Ops: "behind negative kept scatter", Args: "x i z m n at BLOCK MASK OP", Grid: "n/BLOCK", Shapes: strays, Fails: true,
		Serial: true,
	},
	{Name: "BeyondAtomic", Fn: kernels.Beyond, Types: wide, Ops: "atomic", Args: "x z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors, Fails: true, Serial: true},
	{Name: "Divided", Fn: kernels.Divided, Types: ints, Ops: "floordiv mod both byone int", Args: "x y z m n BLOCK MASK OP", Grid: "n/BLOCK", Shapes: vectors, Fails: true, Serial: true},
	{Name: "Unfit", Fn: kernels.Unfit, Types: numbers, Ops: "fits gather assert assertion", Args: "x z n BLOCK OP", Grid: "1", Shapes: whole, Fails: true, Serial: true},
}
