package portable_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// world is the arguments of a launch, and all the memory that they lie in.
type world struct {
	r     *rand.Rand
	args  []any // *tensor.Tensor, or a uint64 of bits
	whole []*tensor.Tensor
}

// guard is how many elements lie on both sides of a tensor.
const guard = 33

// add appends a tensor of random elements with guards around it.
func (w *world) add(d dtype.DType, n int) *tensor.Tensor {
	return w.addBits(d, n, func(int) uint64 { return randomBits(w.r, d) })
}

func (w *world) addBits(d dtype.DType, n int, bits func(i int) uint64) *tensor.Tensor {
	all := tensor.Zeros(d, n+2*guard)
	for i := range n + 2*guard {
		all.Buf().SetBits(i, guardBits(d))
	}
	x := all.Slice(0, guard, guard+n)
	for i := range n {
		x.Buf().SetBits(i, bits(i))
	}
	w.whole = append(w.whole, all)
	w.args = append(w.args, x)
	return x
}

func (w *world) ints(ns ...int) {
	for _, n := range ns {
		w.args = append(w.args, uint64(int64(n)))
	}
}

func guardBits(d dtype.DType) uint64 {
	if d == dtype.Bool {
		return 1
	}
	return 0x5a5a5a5a5a5a5a5a & (1<<(8*d.Size()-1)<<1 - 1)
}

// randomBits is an element that tests something: special values are common.
func randomBits(r *rand.Rand, d dtype.DType) uint64 {
	if d == dtype.Bool {
		return uint64(r.IntN(2))
	}
	mask := uint64(1)<<(8*d.Size()-1)<<1 - 1
	switch r.IntN(8) {
	case 0:
		return r.Uint64() & mask
	case 1, 2:
		return dtype.FromInt(d, int64(r.IntN(5)-2), false)
	case 3, 4:
		return dtype.FromFloat(d, float64(r.IntN(2000)-1000)/16)
	case 5:
		if d.IsFloat() {
			return dtype.FromFloat(d, []float64{0, math.Copysign(0, -1), inf, -inf, inf - inf}[r.IntN(5)])
		}
		return []uint64{0, mask, mask >> 1, mask>>1 + 1}[r.IntN(4)]
	}
	if d.IsFloat() {
		return dtype.FromFloat(d, r.NormFloat64())
	}
	return r.Uint64() & mask
}

var inf = math.Inf(1)

// argsOf is a world's arguments as an engine takes them.
func argsOf(w *world) []ir.Arg {
	args := make([]ir.Arg, len(w.args))
	for i, a := range w.args {
		if x, ok := a.(*tensor.Tensor); ok {
			args[i].Mem = x.Buf()
			if x.HasGaps() {
				args[i].Owns = x.Contains
			}
		} else {
			args[i].Bits = a.(uint64)
		}
	}
	return args
}

// outcome is what a launch did, beside memory.
type outcome struct {
	bad     *ir.Value
	program int
	why     any
	printed []string
	world   *world // of the portable engine
}

// number of instances of a grid.
func instances(grid [3]int) int { return grid[0] * grid[1] * grid[2] }

func runEager(f *ir.Func, grid [3]int, w *world) (o outcome) {
	for i := range instances(grid) {
		id := [3]int{i % grid[0], i / grid[0] % grid[1], i / grid[0] / grid[1]}
		e := &eager{p: tl.NewProgram(id, grid, nil)}
		bad, why := e.instance(f, w.args)
		for _, s := range e.printed {
			o.printed = append(o.printed, fmt.Sprint(i, " ", s))
		}
		if bad != nil {
			o.bad, o.program, o.why = bad, i, why
			return o
		}
	}
	return o
}

func runPortable(t testing.TB, f *ir.Func, grid [3]int, w *world) (o outcome) {
	t.Helper()
	p, err := portable.Compile(f)
	if err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	l := &portable.Launch{Args: argsOf(w), Grid: grid}
	l.Print = func(program int, v *ir.Value, operands []ir.Printed) {
		for i, x := range operands {
			bits := make([]uint64, x.Elems.Len())
			for k := range bits {
				bits[k] = x.Elems.Bits(k)
			}
			o.printed = append(o.printed, fmt.Sprint(program, " ", v.Text, i, x.Type.D, x.Type.Shape.Dims(), bits, x.GoScalar))
		}
	}
	if fail := p.NewWorker().Run(l, 0, instances(grid)); fail != nil {
		o.bad, o.program, o.why = fail.Value, fail.Program, *fail
	}
	return o
}

// same runs f under both engines, each in a world of its own that build makes, and
// demands equal results.
func same(t testing.TB, f *ir.Func, grid [3]int, build func(w *world)) outcome {
	t.Helper()
	if err := ir.Verify(f); err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	var worlds [2]*world
	for i := range worlds {
		worlds[i] = &world{r: rand.New(rand.NewPCG(1, 2))}
		build(worlds[i])
	}
	want, got := runEager(f, grid, worlds[0]), runPortable(t, f, grid, worlds[1])
	if got.bad != want.bad || got.program != want.program {
		t.Fatalf("failed at %v in program %d (%v), want %v in program %d (%v)\n%s", name(got.bad), got.program, got.why, name(want.bad), want.program, want.why, f)
	}
	for k := range max(len(got.printed), len(want.printed)) {
		if k >= len(got.printed) || k >= len(want.printed) || got.printed[k] != want.printed[k] {
			t.Fatalf("printed\n%v\nwant\n%v", got.printed, want.printed)
		}
	}
	for i, x := range worlds[0].whole {
		compareMemory(t, f, i, worlds[1].whole[i].Buf(), x.Buf(), want.bad != nil)
	}
	got.world = worlds[1]
	return got
}

func name(v *ir.Value) string {
	if v == nil {
		return "nothing"
	}
	return v.Name() + " " + ir.OpName(v.Op)
}

// compareMemory compares all elements, or only the guards. NaNs compare by class.
func compareMemory(t testing.TB, f *ir.Func, tensor int, got, want dtype.Buf, guardsOnly bool) {
	t.Helper()
	d := got.DType()
	for i := range got.Len() {
		if guardsOnly && i >= guard && i < got.Len()-guard {
			continue
		}
		g, w := got.Bits(i), want.Bits(i)
		if g != w && !(d.IsFloat() && isNaN(d, g) && isNaN(d, w)) {
			t.Fatalf("tensor %d (%s): element %d is %#x, want %#x\n%s", tensor, d, i-guard, g, w, f)
		}
	}
}

func isNaN(d dtype.DType, bits uint64) bool {
	v := dtype.ToFloat(d, bits)
	return v != v
}
