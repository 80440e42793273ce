package exec_test

import (
	"math"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func divideRows(p *tl.Program, x, y, out tl.Ptr, N int, BLOCK tl.Const) {
	row := p.ID(0)
	by := tl.Load(y.Add(row))
	i := tl.Arange(0, BLOCK)
	tl.Store(out.Add(i.Add(row*N)), tl.Load(x.Add(i.Add(row*N))).Div(by))
}

// TestRowsOfZerosDivided: a zero is divided as any number is, where its row is multiplied by a reciprocal, and where
// that is 0, infinite or not a number.
func TestRowsOfZerosDivided(t *testing.T) {
	const n = 64
	by := []float32{3, float32(math.Inf(1)), float32(math.Inf(-1)), 1e-40, -1e-45, 0, float32(math.NaN()), 0x1p-126, -0x1p127}
	zeros := make([]float32, len(by)*n)
	for i := range zeros {
		if i%n >= n/2 {
			zeros[i] = float32(math.Copysign(0, -1))
		}
	}
	x, y := tensor.From(zeros), tensor.From(by)
	sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
		out := tensor.Zeros(tl.Float32, len(zeros))
		return []*tensor.Tensor{out}, exec.New(divideRows, o).Launch(exec.Grid{len(by)}, x, y, out, n, n)
	}, x)
}
