package tensor

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/tiler-go/tiler/tilelang/cast"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor/stride"
)

// Tolerance says which elements count as equal: those with |got − want| at most
// Abs + Rel·|want|. The zero value is equality.
type Tolerance struct {
	Rel, Abs   float64
	NaNDiffers bool // NaN is not equal to NaN
	AnyDType   bool // compare the values of tensors whose dtypes differ
}

// tolerances is DefaultTolerance. Those of float16, float32 and float64 are usual in
// tests of kernels. The others cannot be smaller than the distance of neighbours, or
// a single rounding would fail: relative 2^-7 for bfloat16 (where a tolerance of
// 1e-3, often seen, asks for equality), 2^-2 and 2^-3 for the 8-bit floats, whose
// absolute tolerance is the distance of the smallest numbers.
var tolerances = [dtype.Count]Tolerance{
	dtype.Float8E5:   {Rel: 0x1p-2, Abs: 0x1p-16},
	dtype.Float8E4NV: {Rel: 0x1p-3, Abs: 0x1p-9},
	dtype.Float16:    {Rel: 1e-3, Abs: 1e-3},
	dtype.BFloat16:   {Rel: 0x1p-7, Abs: 1e-3},
	dtype.Float32:    {Rel: 1e-4, Abs: 1e-4},
	dtype.Float64:    {Rel: 1e-7, Abs: 1e-7},
}

// DefaultTolerance is what AllClose allows for results of type d: relative and absolute
// 1e-3 for float16, 1e-4 for float32, 1e-7 for float64; 2^-7 and 1e-3 for bfloat16;
// 2^-2 and 2^-16 for float8e5; 2^-3 and 2^-9 for float8e4nv; equality for integers
// and bool. Below a relative 2^-7 the neighbours of a bfloat16 would count as wrong.
func DefaultTolerance(d dtype.DType) Tolerance {
	if !d.Valid() || d.IsPointer() {
		return Tolerance{}
	}
	return tolerances[d]
}

// Report is the outcome of AllClose.
type Report struct {
	OK         bool
	Why        string    // why the tensors were not compared, else empty
	Mismatches int       // elements outside the tolerance
	Total      int       // elements compared
	Tolerance  Tolerance // what was allowed

	// The worst element: the one with the largest absolute error among those outside
	// the tolerance, or among all if there is none. Index is nil if none differs.
	Index     []int
	Got, Want any     // as At gives them
	AbsErr    float64 // |got − want|; +Inf if one is NaN, or an infinity and not the same
	RelErr    float64 // AbsErr / |want|
}

// AllClose compares every element of got with that of want, within the tolerance o,
// or DefaultTolerance of their dtype (the larger of the two if AnyDType makes a
// comparison of different ones). NaN equals NaN, infinities equal themselves. Tensors
// whose shapes differ are not compared, nor those whose dtypes differ unless AnyDType
// is set.
func AllClose(got, want *Tensor, o ...Tolerance) Report {
	if why := incomparable(got, want); why != "" {
		return Report{Why: why}
	}
	r := Report{Total: want.n, Tolerance: pickTolerance(got.d, want.d, o)}
	if got.d != want.d && !r.Tolerance.AnyDType {
		r.Why = fmt.Sprintf("got is %s, want is %s: the dtypes differ", got.desc(), want.desc())
		return r
	}
	g, w := got.Contiguous(), want.Contiguous()
	var s scan
	if g.d.IsInt() && w.d.IsInt() {
		s = scanInts(g, w, r.Tolerance)
	} else {
		s = scanFloats(g, w, r.Tolerance)
	}
	r.OK, r.Mismatches = s.bad == 0, s.bad
	if s.worst >= 0 {
		r.Index = stride.Index(want.shape, s.worst)
		r.Got, r.Want, r.AbsErr = got.At(r.Index...), want.At(r.Index...), s.err
		r.RelErr = s.err / math.Abs(want.Float(r.Index...))
		if r.RelErr != r.RelErr {
			r.RelErr = math.Inf(1)
		}
	}
	return r
}

func incomparable(got, want *Tensor) string {
	switch {
	case got == nil || got.st == nil:
		return "got is a nil tensor"
	case want == nil || want.st == nil:
		return "want is a nil tensor"
	case !slices.Equal(got.shape, want.shape):
		return fmt.Sprintf("got is %s, want is %s: the shapes differ", got.desc(), want.desc())
	}
	return ""
}

func pickTolerance(got, want dtype.DType, o []Tolerance) Tolerance {
	if len(o) > 0 {
		return o[len(o)-1]
	}
	a, b := DefaultTolerance(got), DefaultTolerance(want)
	return Tolerance{Rel: max(a.Rel, b.Rel), Abs: max(a.Abs, b.Abs)}
}

// A scan finds the worst element. One outside the tolerance is worse than any within.
type scan struct {
	bad   int // elements outside the tolerance
	worst int // number of the worst element, -1 if none differs
	err   float64
}

// differ counts element i, which has a positive error.
func (s *scan) differ(i int, err float64, ok bool) {
	if !ok {
		if s.bad++; s.bad == 1 {
			s.worst = -1
		}
	}
	if (s.worst < 0 || err > s.err) && ok == (s.bad == 0) {
		s.worst, s.err = i, err
	}
}

// inChunks calls fn with the values of two tensors converted to type d, some at a time.
func inChunks[T dtype.Elem](d dtype.DType, x, y dtype.Buf, fn func(base int, xs, ys []T)) {
	var xs, ys [512]T
	for lo := 0; lo < x.Len(); lo += len(xs) {
		n := min(len(xs), x.Len()-lo)
		cast.Convert(dtype.BufOf(d, xs[:n]), x.Slice(lo, lo+n))
		cast.Convert(dtype.BufOf(d, ys[:n]), y.Slice(lo, lo+n))
		fn(lo, xs[:n], ys[:n])
	}
}

func scanFloats(got, want *Tensor, tol Tolerance) scan {
	s := scan{worst: -1}
	inChunks(dtype.Float64, got.span(), want.span(), func(base int, gs, ws []float64) {
		for i, w := range ws {
			g := gs[i]
			if g == w || g != g && w != w && !tol.NaNDiffers {
				continue
			}
			err := math.Abs(g - w)
			if !(err <= math.MaxFloat64) { // a NaN, or different infinities
				s.differ(base+i, math.Inf(1), false)
				continue
			}
			ok := err <= tol.Abs+float64(tol.Rel*math.Abs(w))
			if !ok || s.bad == 0 && err > s.err {
				s.differ(base+i, err, ok)
			}
		}
	})
	return s
}

// scanInts compares integers exactly, whatever their types.
func scanInts(got, want *Tensor, tol Tolerance) scan {
	s := scan{worst: -1}
	gu, wu := !got.d.IsSigned(), !want.d.IsSigned()
	inChunks(dtype.Int64, got.span(), want.span(), func(base int, gs, ws []int64) {
		for i, w := range ws {
			g := gs[i]
			if g == w && (g >= 0 || gu == wu) {
				continue
			}
			err := distance(g, gu, w, wu)
			size := math.Abs(float64(w))
			if wu {
				size = float64(uint64(w))
			}
			s.differ(base+i, err, err <= tol.Abs+float64(tol.Rel*size))
		}
	})
	return s
}

// distance is |g − w| of two 64-bit integers, each signed or not.
func distance(g int64, gUnsigned bool, w int64, wUnsigned bool) float64 {
	gNeg, wNeg := g < 0 && !gUnsigned, w < 0 && !wUnsigned
	less := gNeg && !wNeg
	if gNeg == wNeg {
		less = uint64(g) < uint64(w)
	}
	if less {
		g, w, gNeg, wNeg = w, g, wNeg, gNeg
	}
	if !gNeg && wNeg { // the difference can have 65 bits
		return float64(uint64(g)) + float64(-uint64(w))
	}
	return float64(uint64(g) - uint64(w))
}

// String is the report in words: one line, and a second one for the worst element if
// there is a mismatch.
func (r Report) String() string {
	if r.Why != "" {
		return "not compared: " + r.Why
	}
	within, beyond := "", ""
	if r.Tolerance.Rel != 0 || r.Tolerance.Abs != 0 {
		allowed := fmt.Sprintf("rel %.3g, abs %.3g", r.Tolerance.Rel, r.Tolerance.Abs)
		within, beyond = " within "+allowed, " by more than "+allowed
	}
	if r.Index == nil {
		return fmt.Sprintf("all %d elements equal", r.Total)
	}
	worst := fmt.Sprintf("%s: got %v, want %v (absolute error %.3g, relative %.3g)",
		dims(r.Index), r.Got, r.Want, r.AbsErr, r.RelErr)
	if r.OK {
		return fmt.Sprintf("all %d elements equal%s; largest error at %s", r.Total, within, worst)
	}
	return fmt.Sprintf("%d of %d elements differ%s\nworst at %s", r.Mismatches, r.Total, beyond, worst)
}

// Equal reports whether two tensors have the same dtype, shape and bits. All NaNs
// are the same; 0 and −0 are not.
func Equal(x, y *Tensor) bool {
	if incomparable(x, y) != "" || x.d != y.d {
		return false
	}
	xb, yb := x.Contiguous().span(), y.Contiguous().span()
	if bytes.Equal(xb.Bytes(), yb.Bytes()) {
		return true
	}
	if !x.d.IsFloat() {
		return false
	}
	for i := range x.n {
		if !dtype.SameBits(x.d, xb.Bits(i), yb.Bits(i)) {
			return false
		}
	}
	return true
}
