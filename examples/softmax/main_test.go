package main

import (
	"math"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func TestSoftmax(t *testing.T) {
	for _, s := range [][2]int{{1, 1}, {3, 5}, {40, 128}, {17, 781}} {
		for _, scale := range []float64{1, 1e4} {
			rows, cols := s[0], s[1]
			x := tensor.Randn(1, tl.Float32, rows, cols)
			want := make([]float64, 0, rows*cols)
			for i := range rows {
				highest, total := math.Inf(-1), 0.0
				for j := range cols {
					x.Set(x.Float(i, j)*scale, i, j)
					highest = max(highest, x.Float(i, j))
				}
				for j := range cols {
					total += math.Exp(x.Float(i, j) - highest)
				}
				for j := range cols {
					want = append(want, math.Exp(x.Float(i, j)-highest)/total)
				}
			}
			out, err := softmax(x)
			if err != nil {
				t.Fatal(err)
			}
			if r := tensor.AllClose(out, tensor.From(want, rows, cols).To(tl.Float32), tensor.Tolerance{Rel: 1e-5, Abs: 1e-7}); !r.OK {
				t.Errorf("%v times %v: %s", s, scale, r)
			}
		}
	}
}

func TestPromotes(t *testing.T) {
	x, out := tensor.Randn(1, tl.Float32, 40, 100), tensor.Empty(tl.Float32, 40, 100)
	k := exec.New(softmaxRows, exec.Options{Memory: "off"})
	if rep, err := k.Promote(exec.Grid{16}, x, out, 40, 100, 100, 128); err != nil || !rep.Promoted {
		t.Fatal(err, rep)
	}
	if err := k.Launch(exec.Grid{16}, x, out, 40, 100, 100, 128); err != nil || k.State().Engine == "interpreted" {
		t.Error(err, k.State())
	}
}
