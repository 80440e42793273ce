package replay

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// How far a float may be from the GPU's is measured, not guessed: the launch runs again with
// each float that it is given, and each that it computes, moved by a unit of its rounding, up
// or down at random (noise.go). What an element moves by then is what rounding in another
// order, with other units or with fused multiply-adds may move it by, the length of sums and
// cancellation included. Products of float32 are TF32 on a GPU unless the kernel says
// otherwise: there the unit of what is given is 2⁻¹¹.
const (
	samples = 4 // runs with moved inputs
	slack   = 8 // how many times the largest move is allowed, and units of the result itself
)

// compare says where what a launch left differs from what the GPU left by more than the
// tolerance, "" if it does not.
func (r *Runner) compare(l Launch, k *exec.Kernel, given, got, want []any) string {
	moves := r.moves(l, k, given, got)
	for i, a := range got {
		x, ok := a.(*tensor.Tensor)
		if !ok {
			continue
		}
		if s := differs(x, want[i].(*tensor.Tensor), moves[i]); s != "" {
			return k.Params()[i] + s
		}
	}
	return ""
}

// differs is the first element that is too far off. Integers and bools must be equal, but for
// those that the noise changes, too: a rounded number, an index of two equal ones.
func differs(got, want *tensor.Tensor, moves []float64) string {
	g, w := got.Buf(), want.Buf()
	d := w.DType()
	typical := rootMeanSquare(moves)
	for i := range w.Len() {
		a, b := g.Bits(i), w.Bits(i)
		if dtype.SameBits(d, a, b) {
			continue
		}
		x, y := elementOf(d, a), elementOf(d, b)
		if !d.IsFloat() {
			if math.Abs(x-y) <= moves[i] {
				continue
			}
			return fmt.Sprintf("[%d] is %v, the GPU left %v", i, x, y)
		}
		limit := slack * (math.Max(moves[i], typical) + unit(d)*math.Abs(y))
		if !(math.Abs(x-y) <= limit) {
			return fmt.Sprintf("[%d] is %v, the GPU left %v: %.3g apart, allowed are %.3g", i, x, y, math.Abs(x-y), limit)
		}
	}
	return ""
}

// elementOf is an element as a float.
func elementOf(d dtype.DType, bits uint64) float64 {
	if d.IsFloat() {
		return dtype.ToFloat(d, bits)
	}
	return float64(dtype.ToInt(d, bits))
}

func rootMeanSquare(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x * x
	}
	return math.Sqrt(sum / math.Max(1, float64(len(xs))))
}

// unit is half of the distance between 1 and the next number of a type.
func unit(d dtype.DType) float64 {
	switch d {
	case dtype.Float64:
		return 0x1p-53
	case dtype.Float32:
		return 0x1p-24
	case dtype.Float16:
		return 0x1p-11
	case dtype.BFloat16:
		return 0x1p-8
	}
	return 0x1p-3
}

// moves is by argument how far each element of a tensor moves at most when what is given
// and computed does.
func (r *Runner) moves(l Launch, k *exec.Kernel, given, got []any) [][]float64 {
	out := make([][]float64, len(got))
	for i, a := range got {
		if x, ok := a.(*tensor.Tensor); ok {
			out[i] = make([]float64, x.Buf().Len())
		}
	}
	for seed := range uint64(samples) {
		args := clones(given)
		if r.moved(l, k, args, rand.New(rand.NewPCG(seed, 0))) != nil {
			return out
		}
		for i, a := range args {
			if x, ok := a.(*tensor.Tensor); ok {
				widen(out[i], x.Buf(), got[i].(*tensor.Tensor).Buf())
			}
		}
	}
	return out
}

// moved runs a launch with noise.
func (r *Runner) moved(l Launch, k *exec.Kernel, args []any, rng *rand.Rand) error {
	fn, err := k.Lowered()
	if err != nil {
		return err
	}
	move(args, rng, multiplies(fn))
	fn = noisy(fn, rng)
	names := exec.Engines()
	z := exec.From(exec.Lowered{
		Func: func() (*ir.Func, error) { return ir.Parse(fn.String()) },
		Text: func(string) string { return "" },
	}, exec.Options{Engine: names[len(names)-1], Verify: exec.Never, Memory: "off"})
	return z.Launch(exec.Grid(l.Grid), args...)
}

// widen notes how far elements are from those of y.
func widen(moves []float64, x, y dtype.Buf) {
	for i := range moves {
		by := math.Abs(elementOf(x.DType(), x.Bits(i)) - elementOf(y.DType(), y.Bits(i)))
		if by > moves[i] && !math.IsInf(by, 0) {
			moves[i] = by
		}
	}
}
