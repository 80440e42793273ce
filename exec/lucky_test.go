package exec_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// rowSums walks x by strides that are arguments.
func rowSums(p *tl.Program, x, out tl.Ptr, rows, cols, xRow, xCol int, BR, BC tl.Const) {
	i := tl.Arange(0, BR).Add(p.ID(0) * BR)
	j := tl.Arange(0, BC)
	mask := i.Col().Lt(rows).And(j.Row().Lt(cols))
	v := tl.Load(x.Add(i.Mul(xRow).Col().Add(j.Mul(xCol).Row())), tl.Mask(mask), tl.Other(0))
	tl.Store(out.Add(i), tl.Sum(v, tl.Axis(1)), tl.Mask(i.Lt(rows)))
}

func rowSumsRef(x, out *tensor.Tensor, rows, cols, xRow, xCol, BR, BC int) {
	for i := range rows {
		sum := 0.0
		for j := range cols {
			sum += x.Float(i, j)
		}
		out.Set(sum, i)
	}
}

// TestOtherDataOfViews: the data that a check tries by itself lie as those that it was given.
func TestOtherDataOfViews(t *testing.T) {
	x, out := tensor.Rand(1, tl.Float32, 5, 6).T(), tensor.Empty(tl.Float32, 6)
	rep, err := exec.New(rowSums).Against(rowSumsRef).Check(exec.Grid{2}, x, out, 6, 5, 1, 6, 4, 8)
	if err != nil || len(rep.Findings) > 0 {
		t.Errorf("%v\n%v", err, rep)
	}
}

// fits takes rows that fit a block, and says so.
func fits(p *tl.Program, x, out tl.Ptr, rows, cols int, BLOCK tl.Const) {
	p.Assert(cols <= BLOCK, "a row does not fit a block", cols)
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * cols)
	mask := tl.Arange(0, BLOCK).Lt(cols)
	tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(mask)).Mul(2), tl.Mask(mask))
}

func fitsRef(x, out *tensor.Tensor, rows, cols, BLOCK int) {
	for i := range rows {
		for j := range cols {
			out.Set(2*x.Float(i, j), i, j)
		}
	}
}

// TestDeclinedSizes: of sizes that a kernel declines, its results are not compared.
func TestDeclinedSizes(t *testing.T) {
	x, out := tensor.Rand(1, tl.Float32, 3, 5), tensor.Empty(tl.Float32, 3, 5)
	rep, err := exec.New(fits).Against(fitsRef).Check(exec.Grid{3}, x, out, 3, 5, 8)
	if err != nil || len(rep.Findings) > 0 {
		t.Errorf("%v\n%v", err, rep)
	}
}
