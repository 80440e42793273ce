package main

import (
	"fmt"
	"math"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// reference is attention in float64, with the whole row of weights at hand.
func reference(q, k, v *tensor.Tensor, causal bool) *tensor.Tensor {
	heads, n, head := q.Dim(0), q.Dim(1), q.Dim(2)
	out := tensor.Zeros(q.DType(), heads, n, head)
	for h := range heads {
		for i := range n {
			last := n
			if causal {
				last = i + 1
			}
			weights, total, highest := make([]float64, last), 0.0, math.Inf(-1)
			for j := range weights {
				for d := range head {
					weights[j] += q.Float(h, i, d) * k.Float(h, j, d) / math.Sqrt(float64(head))
				}
				highest = max(highest, weights[j])
			}
			for j := range weights {
				weights[j] = math.Exp(weights[j] - highest)
				total += weights[j]
			}
			for d := range head {
				sum := 0.0
				for j := range weights {
					sum += weights[j] / total * v.Float(h, j, d)
				}
				out.Set(sum, h, i, d)
			}
		}
	}
	return out
}

func TestAttention(t *testing.T) {
	for _, s := range []struct {
		heads, n, head int
		d              tl.DType
	}{{1, 1, 64, tl.Float32}, {2, 64, 64, tl.Float32}, {3, 77, 64, tl.Float32}, {2, 50, 64, tl.Float16}, {1, 40, 16, tl.Float32}} {
		for _, causal := range []bool{false, true} {
			q, k, v := tensor.Randn(1, s.d, s.heads, s.n, s.head), tensor.Randn(2, s.d, s.heads, s.n, s.head), tensor.Randn(3, s.d, s.heads, s.n, s.head)
			got, err := attend(q, k, v, causal)
			if err != nil {
				t.Fatal(err)
			}
			within := tensor.Tolerance{Rel: 1e-4, Abs: 1e-5}
			if s.d == tl.Float16 { // the weights are rounded to float16 for their product
				within = tensor.Tolerance{Rel: 2e-3, Abs: 2e-3}
			}
			if r := tensor.AllClose(got, reference(q, k, v, causal), within); !r.OK {
				t.Errorf("%s causal=%v: %s", fmt.Sprint(s), causal, r)
			}
		}
	}
}

func TestPromotes(t *testing.T) {
	q, k, v := tensor.Randn(1, tl.Float32, 2, 80, 16), tensor.Randn(2, tl.Float32, 2, 80, 16), tensor.Randn(3, tl.Float32, 2, 80, 16)
	out := tensor.Empty(tl.Float32, 2, 80, 16)
	kernel := exec.New(attention, exec.Options{Memory: "off"})
	if rep, err := kernel.Promote(exec.Grid{tl.Cdiv(80, 32), 2}, q, k, v, out, 80, 0.25, true, 16, 32, 32); err != nil || !rep.Promoted {
		t.Fatal(err, rep)
	}
	if err := kernel.Launch(exec.Grid{tl.Cdiv(80, 32), 2}, q, k, v, out, 80, 0.25, true, 16, 32, 32); err != nil || kernel.State().Engine == "interpreted" {
		t.Error(err, kernel.State())
	}
}
