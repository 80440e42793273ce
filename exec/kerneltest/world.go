package kerneltest

import (
	"math"
	"math/rand/v2"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A World is the arguments of a launch, and all the memory that they lie in.
type World struct {
	R     *rand.Rand
	Args  []any                             // *tensor.Tensor, or a uint64 of bits
	Whole []*tensor.Tensor                  // the tensors with the guards around them
	Views map[*tensor.Tensor]*tensor.Tensor // views with gaps, by what they lie in with guards
}

// NewWorld is a world without arguments, alike for equal seeds.
func NewWorld(seed uint64) *World { return &World{R: rand.New(rand.NewPCG(1, seed))} }

// Guard is how many elements lie on both sides of a tensor, but for one against a fence.
const Guard = 33

// guards is how many lie before and behind it.
func guards() (before, behind int) {
	switch dtype.Fenced() {
	case dtype.FenceEnd:
		return Guard, 0
	case dtype.FenceBegin:
		return 0, Guard
	}
	return Guard, Guard
}

// Add appends a tensor of random elements with guards around it.
func (w *World) Add(d dtype.DType, n int) *tensor.Tensor {
	return w.AddBits(d, n, func(int) uint64 { return RandomBits(w.R, d) })
}

// AddBits appends a tensor of given elements with guards around it.
func (w *World) AddBits(d dtype.DType, n int, bits func(i int) uint64) *tensor.Tensor {
	before, behind := guards()
	all := tensor.Zeros(d, before+n+behind)
	for i := range all.Len() {
		all.Buf().SetBits(i, guardBits(d))
	}
	x := all.Slice(0, before, before+n)
	for i := range n {
		x.Buf().SetBits(i, bits(i))
	}
	w.Whole = append(w.Whole, all)
	w.Args = append(w.Args, x)
	return x
}

// view makes the last tensor, which is as long as its span, a view of a shape and strides.
func (w *World) view(x *tensor.Tensor, shape, strides []int) *tensor.Tensor {
	z := x.AsStrided(shape, strides, 0)
	if w.Views == nil {
		w.Views = map[*tensor.Tensor]*tensor.Tensor{}
	}
	w.Views[w.Whole[len(w.Whole)-1]], w.Args[len(w.Args)-1] = z, z
	return z
}

// Ints appends int arguments.
func (w *World) Ints(ns ...int) {
	for _, n := range ns {
		w.Args = append(w.Args, uint64(int64(n)))
	}
}

// guardBits is what guards are filled with.
func guardBits(d dtype.DType) uint64 {
	if d == dtype.Bool {
		return 1
	}
	return 0x5a5a5a5a5a5a5a5a & (1<<(8*d.Size()-1)<<1 - 1)
}

// RandomBits is an element that tests something: special values are common.
func RandomBits(r *rand.Rand, d dtype.DType) uint64 {
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
			special := []float64{0, math.Copysign(0, -1), inf, -inf, inf - inf, inf}
			i := r.IntN(len(special))
			bits := dtype.FromFloat(d, special[i])
			if i == len(special)-1 { // a NaN of any kind
				bits |= r.Uint64() & mask
			}
			return bits
		}
		return []uint64{0, mask, mask >> 1, mask>>1 + 1}[r.IntN(4)]
	}
	if d.IsFloat() {
		return dtype.FromFloat(d, r.NormFloat64())
	}
	return r.Uint64() & mask
}

// TinyBits is a number around the least normal float32, or around its root where d is
// narrow, so that products are.
func TinyBits(r *rand.Rand, d dtype.DType) uint64 {
	e := -128
	if d.IsNarrow() {
		e = -64
	}
	if r.IntN(8) == 0 {
		return dtype.FromFloat(d, []float64{0, math.Copysign(0, -1), 0x1p-130, 1}[r.IntN(4)])
	}
	return dtype.FromFloat(d, math.Ldexp(r.Float64()*2-1, e+r.IntN(6)))
}

var inf = math.Inf(1)

// IRArgs is the world's arguments as an engine takes them.
func (w *World) IRArgs() []ir.Arg {
	args := make([]ir.Arg, len(w.Args))
	for i, a := range w.Args {
		if x, ok := a.(*tensor.Tensor); ok {
			args[i].Mem, args[i].Only = x.Buf(), tensor.Offsets(x)
		} else {
			args[i].Bits = a.(uint64)
		}
	}
	return args
}
