package golden

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// check compares an output with the golden one within the case's tolerance.
func (c *Case) check(name string, got, want *tensor.Tensor, in map[string]*tensor.Tensor) error {
	kind, arg, _ := strings.Cut(c.Tol, ":")
	var scale []float64
	if kind == "mat" {
		kind, arg, _ = strings.Cut(arg, ":")
		scale = magnitudes(in)
	}
	limit, err := strconv.ParseFloat(arg, 64)
	if err != nil && kind != "exact" {
		return fmt.Errorf("tolerance %q", c.Tol)
	}
	d := want.DType()
	g, v := got.Buf(), want.Buf()
	for i := range v.Len() {
		a, b := g.Bits(i), v.Bits(i)
		if dtype.SameBits(d, a, b) || c.flushed(d, i, a, b, in) {
			continue
		}
		ok := false
		switch x, y := number(d, a), number(d, b); kind {
		case "ulp":
			ok = ulps(d, a, b) <= limit
		case "abs":
			ok = math.Abs(x-y) <= limit
		case "rel":
			bound := math.Abs(y)
			if scale != nil {
				bound = scale[i]
			}
			ok = math.Abs(x-y) <= limit*bound
		}
		if !ok {
			return fmt.Errorf("%s[%d] = %v (%x), want %v (%x) within %s%s", name, i, number(d, a), a, number(d, b), b, c.Tol, operands(i, v.Len(), in))
		}
	}
	return nil
}

func number(d dtype.DType, bits uint64) float64 {
	if d.IsFloat() {
		return dtype.ToFloat(d, bits)
	}
	return float64(dtype.ToInt(d, bits))
}

// ulps is the distance on the ordered line of d's values; -0 is +0.
func ulps(d dtype.DType, a, b uint64) float64 {
	x, y := line(d, a), line(d, b)
	if x < y {
		x, y = y, x
	}
	return float64(uint64(x) - uint64(y)) // modulo 2^64, so right even where x-y overflows
}

func line(d dtype.DType, bits uint64) int64 {
	if !d.IsFloat() {
		return dtype.ToInt(d, bits)
	}
	sign := uint64(1) << (d.Bits() - 1)
	if bits&sign != 0 {
		return -int64(bits &^ sign)
	}
	return int64(bits)
}

// flushed reports whether lane i is not comparable because the GPU flushed a
// subnormal there: an input, its own result, or the exact one where it gave zero.
func (c *Case) flushed(d dtype.DType, i int, got, want uint64, in map[string]*tensor.Tensor) bool {
	if c.Subnormals != "flushed" {
		return false
	}
	if subnormal(d, want) || subnormal(d, got) && number(d, want) == 0 {
		return true
	}
	for _, x := range in {
		if i < x.Buf().Len() && subnormal(x.DType(), x.Buf().Bits(i)) {
			return true
		}
	}
	return false
}

func subnormal(d dtype.DType, bits uint64) bool {
	if d != dtype.Float32 {
		return false
	}
	mag := uint32(bits) &^ (1 << 31)
	return mag != 0 && mag < 0x00800000
}

// magnitudes is Σ|a||b| (+ |acc|) for each element of a product.
func magnitudes(in map[string]*tensor.Tensor) []float64 {
	a, b := in["x"], in["y"]
	n := a.Rank()
	rows, inner, cols := a.Shape()[n-2], a.Shape()[n-1], b.Shape()[n-1]
	av, bv := a.Floats(), b.Floats()
	out := make([]float64, len(av)/inner*cols)
	for i := range out {
		batch, r, col := i/(rows*cols), i/cols%rows, i%cols
		for k := range inner {
			out[i] += math.Abs(float64(av[(batch*rows+r)*inner+k] * bv[(batch*inner+k)*cols+col]))
		}
		if acc := in["w"]; acc != nil {
			out[i] += math.Abs(acc.Floats()[i])
		}
	}
	return out
}

// operands names the input lanes of an elementwise case, for the reader.
func operands(i, n int, in map[string]*tensor.Tensor) string {
	s := ""
	for _, name := range []string{"c", "x", "y", "w"} {
		if x := in[name]; x != nil && x.Buf().Len() == n {
			s += fmt.Sprintf(", %s = %v (%x)", name, number(x.DType(), x.Buf().Bits(i)), x.Buf().Bits(i))
		}
	}
	return s
}
