package exec_test

import (
	"math"
	"os"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// byPowers is functions that end in a multiplication by a power of two.
func byPowers(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := tl.Mask(i.Lt(n))
	v := tl.Load(x.Add(i), m)
	tl.Store(out.Add(i), tl.Exp(v), m)
	tl.Store(out.Add(i.Add(n)), tl.Exp2(v), m)
	tl.Store(out.Add(i.Add(2*n)), tl.Expm1(v), m)
	tl.Store(out.Add(i.Add(3*n)), tl.Sigmoid(v), m)
}

// TestScaledByPowers: results are the same where all lanes of a block are of the normal range, where some are not, and
// where some vanish.
func TestScaledByPowers(t *testing.T) {
	edges := []float64{0, math.Copysign(0, -1), 1, -1, 87, 88.7, 88.8, 89, 126, 127, 128, 129, 700, 709.7, 710, 745.2,
		746, 1022, 1023, 1024, 1074, 1075, 1076, 103.9, 104, 103.2, 149, 150, 151, 1e30, math.Inf(1), math.NaN(), 1e-40, 0x1p-1074}
	var single []float32
	var double []float64
	for i := range 64 {
		for j, e := range edges {
			if i != j { // a block of few lanes beyond, and one of many
				e = edges[j%max(1, i)] * float64(1-2*(i&1)) * (1 + float64(j-i)*0x1p-20)
			}
			single, double = append(single, float32(e), float32(-e)), append(double, e, -e)
		}
	}
	step := uint32(1<<16 + 1)
	if os.Getenv("TILER_LONG") != "" {
		step = 1<<11 + 1
	}
	for b := uint64(0); b < 1<<32; b += uint64(step) {
		single = append(single, math.Float32frombits(uint32(b)))
		double = append(double, math.Float64frombits(b<<32|b*2654435761&math.MaxUint32))
	}
	compareScaled(t, tensor.From(single))
	compareScaled(t, tensor.From(double))
}

func compareScaled(t *testing.T, x *tensor.Tensor) {
	n := x.Len()
	sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
		z := tensor.Zeros(x.DType(), 4, n)
		err := exec.New(byPowers, o).Launch(exec.Grid{tl.Cdiv(n, 1024)}, x, z, n, 1024)
		var each []*tensor.Tensor
		for k := range 4 {
			each = append(each, z.Slice(0, k, k+1).Reshape(n))
		}
		return each, err
	}, x)
}
