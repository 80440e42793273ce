package exec_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func remainders(p *tl.Program, x, y, q, r tl.Ptr, n int, BLOCK tl.Const, KIND string) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := tl.Mask(offs.Lt(n))
	a, b := tl.Load(x.Add(offs), mask, tl.Other(1)), tl.Load(y.Add(offs), mask, tl.Other(1))
	tl.Store(r.Add(offs), a.Mod(b), mask)
	if KIND == "integers" {
		tl.Store(q.Add(offs), a.FloorDiv(b), mask)
	}
}

// hardDividends are bit patterns around those where ways of dividing end.
func hardDividends(d tl.DType, r *rand.Rand) (x []uint64) {
	bits := d.Bits()
	for n := 1; n < bits; n += 3 { // 52 is one of them
		for _, off := range []uint64{^uint64(0), 0, 1} {
			x = append(x, 1<<n+off, -(1<<n + off))
		}
	}
	for range 40 {
		x = append(x, r.Uint64()>>r.IntN(64))
	}
	if d.IsFloat() {
		for _, v := range []float64{0, 1, 3, 1 << 24, 1<<28 - 1, 1 << 28, 1e-40, 1e38, math.Inf(1), math.NaN()} {
			x = append(x, dtype.FromFloat(d, v), dtype.FromFloat(d, -v), dtype.FromFloat(d, v)+1)
		}
	}
	return x
}

// TestRemainders divides everything hard by everything hard, blocks of one kind and mixed ones.
func TestRemainders(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, d := range []tl.DType{tl.Float32, tl.Float16, tl.Float64, tl.Int64, tl.Uint64, tl.Int32, tl.Uint32} {
		hard := hardDividends(d, r)
		n := len(hard) * len(hard)
		x, y := tensor.Ones(d, n), tensor.Ones(d, n)
		for i := range n {
			x.Buf().SetBits(i, hard[i/len(hard)])
			if y.Buf().SetBits(i, hard[i%len(hard)]); !d.IsFloat() && dtype.ToInt(d, y.Buf().Bits(i)) == 0 {
				y.Buf().SetBits(i, 1)
			}
		}
		kind := "integers"
		if d.IsFloat() {
			kind = "floats"
		}
		sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
			q, r := tensor.Zeros(d, n), tensor.Zeros(d, n)
			return []*tensor.Tensor{q, r}, exec.New(remainders, o).Launch(exec.Grid{tl.Cdiv(n, 512)}, x, y, q, r, n, 512, kind)
		}, x, y)
	}
}

// TestRemaindersBesideMultiples divides what is on and beside multiples, whose quotients division rounds to an integer
// that they do not reach.
func TestRemaindersBesideMultiples(t *testing.T) {
	const n = 1 << 14
	r := rand.New(rand.NewPCG(5, 6))
	for _, tt := range []struct {
		d                tl.DType
		fraction, digits int
	}{{tl.Float32, 23, 29}, {tl.Float64, 52, 54}} {
		d := tt.d
		x, y := tensor.Ones(d, n), tensor.Ones(d, n)
		for i := range n {
			by := dtype.FromFloat(d, math.Ldexp(1+r.Float64(), r.IntN(60)-30)*float64(1-2*r.IntN(2)))
			if i/64%8 == 0 { // subnormal ones
				by = r.Uint64()>>(64-tt.fraction+r.IntN(16)) | 1
			}
			times := math.Floor(math.Ldexp(1+r.Float64(), r.IntN(tt.digits)))
			product := dtype.FromFloat(d, dtype.ToFloat(d, by)*times)
			x.Buf().SetBits(i, product+uint64(r.IntN(5)-2))
			y.Buf().SetBits(i, by)
		}
		sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
			q, r := tensor.Zeros(d, n), tensor.Zeros(d, n)
			grid := exec.Grid{tl.Cdiv(n, 512)}
			return []*tensor.Tensor{q, r}, exec.New(remainders, o).Launch(grid, x, y, q, r, n, 512, "floats")
		}, x, y)
	}
}
