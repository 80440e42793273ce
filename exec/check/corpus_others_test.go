package check_test

import (
	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var faultyIndices = []kase{
	{name: "row times stride", kernel: func(p *tl.Program, x, out tl.Ptr, stride int, B tl.Const) {
		rows := tl.Arange(0, B).Add(p.ID(0) * B)
		offs := rows.Mul(stride) // want: overflow "Tile.Mul overflows int32 and is used as an address"
		tl.Store(out.Add(rows), tl.Load(x.Add(offs)))
	}, grid: exec.Grid{4}, args: args(tensor.Virtual(tl.Float32, 64, 1<<26), tensor.Virtual(tl.Float32, 64), 1<<26, 16)},

	{name: "a matrix of 100 GB", kernel: func(p *tl.Program, x, out tl.Ptr, cols int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		ptrs := x.Add(i.Col().Mul(cols).Add(j.Row())) // want: overflow "overflows int32"
		tl.Store(out.Add(i.Col().To(tl.Int64).Mul(cols).Add(j.Row())), tl.Load(ptrs))
	}, grid: exec.Grid{10000, 10000}, args: args(tensor.Virtual(tl.Float32, 160000, 160000), tensor.Virtual(tl.Float32, 160000, 160000), 160000, 16)},

	{name: "a scalar", kernel: func(p *tl.Program, x, out tl.Ptr, stride int, B tl.Const) {
		row := tl.Full(tl.Int32, p.ID(0)).Mul(stride) // want: overflow "Tile.Mul overflows int32"
		offs := row.BroadcastTo(B).Add(tl.Arange(0, B))
		tl.Store(out.Add(tl.Arange(0, B)).Add(p.ID(0)*B), tl.Load(x.Add(offs)))
	}, grid: exec.Grid{4}, args: args(tensor.Virtual(tl.Float32, 4, 1<<30), tensor.Virtual(tl.Float32, 64), 1<<30, 16)},

	{name: "a looked-up index", kernel: func(p *tl.Program, idx, out tl.Ptr, B tl.Const) {
		i := tl.Load(idx.Add(tl.Arange(0, B)))
		sq := i.Mul(i) // want: overflow "Tile.Mul overflows int32"
		tl.Store(out.Add(sq.Sub(sq)), 1.0, tl.Mask(tl.Arange(0, B).Lt(1)))
	}, grid: exec.Grid{1}, args: args(tensor.From([]int32{1 << 20, 3}), zeros(4), 2)},

	{name: "an int that does not fit", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * n * B) // want: overflow "does not fit int32"
		tl.Store(out.Add(offs), 1.0)
	}, grid: exec.Grid{2}, args: args(zeros(1), zeros(16), 1<<30, 16)},

	{name: "division by zero", kernel: func(p *tl.Program, x, y, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		a, b := tl.Load(x.Add(offs)), tl.Load(y.Add(offs))
		tl.Store(out.Add(offs), a.FloorDiv(b)) // want: div-by-zero "division by zero"
	}, grid: exec.Grid{1}, args: args(counting(tl.Int32, 4), counting(tl.Int32, 4), tensor.Zeros(tl.Int32, 4), 4)},

	{name: "remainder by zero", kernel: func(p *tl.Program, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs), offs.Mod(n)) // want: div-by-zero "division by zero"
	}, grid: exec.Grid{1}, args: args(tensor.Zeros(tl.Int32, 4), 0, 4)},

	{name: "Go's division by zero", kernel: func(p *tl.Program, out tl.Ptr, n int) {
		tl.Store(out, p.Num(0)/n) // want: div-by-zero "integer divide by zero"
	}, grid: exec.Grid{1}, args: args(zeros(1), 0)},

	{name: "shift too far", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs)).Shl(offs.Mul(20))) // want: note overflow "2 counts of 4 are outside 0 ... 31"
	}, grid: exec.Grid{1}, args: args(counting(tl.Int32, 4), tensor.Zeros(tl.Int32, 4), 4)},

	{name: "float too large for an int", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs)).Mul(1e9).To(tl.Int32)) // want: note overflow "1 values of 4 do not fit int32"
	}, grid: exec.Grid{1}, args: args(counting(tl.Float32, 4), tensor.Zeros(tl.Int32, 4), 4)},
}

var faultyOthers = []kase{
	{name: "wrong result", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		m := offs.Lt(n)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m), tl.Other(0)).Mul(2.5), tl.Mask(m)) // want: reference "19 of 20 elements of out differ from the reference; the worst is .19.: got 47.5, want 38"
	}, grid: exec.Grid{2}, args: args(counting(tl.Float32, 20).To(tl.Float32), zeros(20), 20, 16), ref: doubleRef},

	{name: "an element forgotten", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) { // want: reference "1 of 20 elements of out differ"
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		m := offs.Lt(n - 1)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m), tl.Other(0)).Mul(2), tl.Mask(m))
	}, grid: exec.Grid{2}, args: args(ones(20), zeros(20), 20, 16), ref: doubleRef},

	{name: "right for multiples of the block only", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		m := offs.Lt(n / B * B)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m), tl.Other(0)).Mul(2), tl.Mask(m)) // want: unwritten "15 of 63 elements of out are never written"
	}, grid: exec.Grid{4}, args: args(ones(64), zeros(64), 64, 16), ref: doubleRef},

	{name: "dead iterations", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		sum := tl.Zeros(tl.Float32, B)
		for k := range tl.Cdiv(n, B) {
			sum = sum.Add(tl.Load(x.Add(offs).Add(k*B), tl.Mask(offs.Lt(n-2*k*B)), tl.Other(0))) // want: dead-lanes "iterations 2 and 3 of 4: 0 of 8 lanes active"
		}
		tl.Store(out.Add(offs), sum)
	}, grid: exec.Grid{1}, args: args(ones(32), zeros(8), 32, 8)},

	{name: "a mask that never holds", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		v := tl.Load(x.Add(offs), tl.Mask(offs.Gt(n)), tl.Other(1)) // want: dead-lanes "0 of 8 lanes active, in every program"
		tl.Store(out.Add(offs), v)
	}, grid: exec.Grid{2}, args: args(ones(16), zeros(16), 16, 8)},

	{name: "idle programs", kernel: func(p *tl.Program, out tl.Ptr, n int, B tl.Const) { // want: note dead-lanes "program .2. does nothing"
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		tl.Store(out.Add(offs), 1.0, tl.Mask(offs.Lt(n)))
	}, grid: exec.Grid{5}, args: args(zeros(16), 16, 8)},

	{name: "not a power of two", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		v := tl.Load(x.Add(offs))  // want: not-portable "a tile of shape .100.: Triton requires powers of two"
		tl.Store(out.Add(offs), v) // want: not-portable "powers of two"
	}, grid: exec.Grid{1}, args: args(ones(100), zeros(100), 100)},

	{name: "a small product", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		i := tl.Arange(0, B)
		ptrs := x.Add(i.Col().Mul(B).Add(i.Row()))
		a := tl.Load(ptrs)
		tl.Store(out.Add(i.Col().Mul(B).Add(i.Row())), tl.Dot(a, a)) // want: not-portable "sizes of at least 16"
	}, grid: exec.Grid{1}, args: args(ones(8, 8), zeros(8, 8), 8)},

	{name: "round trip through float16", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		h := tl.Load(x.Add(offs)).To(tl.Float16)
		tl.Store(out.Add(offs), h) // want: dtype "rounded to float16 and then become float32 again"
	}, grid: exec.Grid{1}, args: args(ones(8), zeros(8), 8)},

	{name: "round trip in a cast", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		h := tl.Load(x.Add(offs)).To(tl.BFloat16)
		tl.Store(out.Add(offs), h.To(tl.Float32).Mul(2)) // want: dtype "rounded to bfloat16 and then become float32 again"
	}, grid: exec.Grid{1}, args: args(ones(8), zeros(8), 8)},

	{name: "low-precision sum", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		v := tl.Load(x.Add(tl.Arange(0, B)))
		tl.Store(out, tl.Sum(v)) // want: dtype "a sum of float16 is accumulated in float32 here"
	}, grid: exec.Grid{1}, args: args(tensor.Ones(tl.Float16, 8), tensor.Zeros(tl.Float16, 1), 8)},

	{name: "float16 and integers", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs)).Mul(offs)) // want: dtype "the integers become float16"
	}, grid: exec.Grid{1}, args: args(tensor.Ones(tl.Float16, 8), tensor.Zeros(tl.Float16, 8), 8)},

	{name: "narrow integers wrap", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		v := tl.Load(x.Add(offs))
		tl.Store(out.Add(offs), v.Mul(v)) // want: dtype "int8 and int8 stay int8, and some results wrap"
	}, grid: exec.Grid{1}, args: args(counting(tl.Int8, 16), tensor.Zeros(tl.Int8, 16), 16)},

	{name: "bfloat16 and integers", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs)).Add(offs)) // want: dtype "the result is float32, not bfloat16"
	}, grid: exec.Grid{1}, args: args(tensor.Ones(tl.BFloat16, 8), tensor.Zeros(tl.BFloat16, 8), 8)},

	{name: "float16 and bfloat16", kernel: func(p *tl.Program, x, y, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs)).Mul(tl.Load(y.Add(offs)))) // want: dtype "the result is float16, infinite above 65504"
	}, grid: exec.Grid{1}, args: args(tensor.Ones(tl.Float16, 8), tensor.Ones(tl.BFloat16, 8), tensor.Zeros(tl.Float16, 8), 8)},

	{name: "a tile too large for others", kernel: func(p *tl.Program, out tl.Ptr, B tl.Const) {
		tl.Store(out.Add(tl.Arange(0, B)), 1.0) // want: not-portable "a tile of 2097152 elements: Triton allows 1048576"
	}, grid: exec.Grid{1}, args: args(zeros(1<<21), 1<<21)},

	{name: "bools added", kernel: func(p *tl.Program, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		both := offs.Lt(n).Add(offs.Gt(2)) // want: dtype "bools are added in one bit"
		tl.Store(out.Add(offs), both)
	}, grid: exec.Grid{1}, args: args(tensor.Zeros(tl.Int32, 8), 6, 8)},

	{name: "signed and unsigned", kernel: func(p *tl.Program, x, y, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs)).Add(tl.Load(y.Add(offs)))) // want: dtype "computed in uint32, where negative numbers wrap"
	}, grid: exec.Grid{1}, args: args(counting(tl.Int32, 8), counting(tl.Uint32, 8), tensor.Zeros(tl.Int64, 8), 8)},

	{name: "an unsigned number below zero", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs)).Lt(-1)) // want: dtype "compared with a negative number"
	}, grid: exec.Grid{1}, args: args(counting(tl.Uint32, 8), tensor.Zeros(tl.Int32, 8), 8)},

	{name: "an assertion", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		v := tl.Load(x.Add(tl.Arange(0, B)))
		p.Assert(v.Lt(3), "small") // want: fault "small"
		tl.Store(out.Add(tl.Arange(0, B)), v)
	}, grid: exec.Grid{1}, args: args(counting(tl.Float32, 8), zeros(8), 8)},

	{name: "shapes that do not fit", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		v := tl.Load(x.Add(tl.Arange(0, B)))
		tl.Store(out.Add(tl.Arange(0, 4)), v) // want: fault "does not broadcast"
	}, grid: exec.Grid{1}, args: args(ones(8), zeros(8), 8)},

	{name: "a broken promise", kernel: func(p *tl.Program, x, out tl.Ptr, stride int, B tl.Const) {
		offs := tl.MultipleOf(tl.Arange(0, B).Add(p.ID(0)*stride), 8) // want: promise "begins with 12, which is not a multiple of 8"
		tl.Store(out.Add(offs), tl.Load(x.Add(offs)))
	}, grid: exec.Grid{2}, args: args(ones(24), zeros(24), 12, 8)},

	{name: "an assumption", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		v := tl.Load(x.Add(tl.Arange(0, B)))
		tl.Assume(v.Ge(1)) // want: promise "does not hold at element .0."
		tl.Store(out.Add(tl.Arange(0, B)), v)
	}, grid: exec.Grid{1}, args: args(counting(tl.Float32, 8), zeros(8), 8)},
}

func doubleRef(x, out *tensor.Tensor, n, _ int) {
	for i := range n {
		out.Set(2*x.Float(i), i)
	}
}
