package main

import (
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func TestMatmul(t *testing.T) {
	for _, s := range [][3]int{{1, 1, 1}, {32, 32, 32}, {33, 17, 70}, {150, 40, 40}} {
		for _, d := range []tl.DType{tl.Float16, tl.Float32} {
			for _, activation := range []string{"", "leaky_relu"} {
				M, N, K := s[0], s[1], s[2]
				a, b := tensor.Randn(1, d, K, M).T(), tensor.Randn(2, d, K, N)
				want := tensor.Zeros(d, M, N)
				for i := range M {
					for j := range N {
						sum := 0.0
						for k := range K {
							sum += float64(a.Float(i, k) * b.Float(k, j))
						}
						if activation != "" && sum < 0 {
							sum *= 0.01
						}
						want.Set(sum, i, j)
					}
				}
				c, err := multiply(a, b, activation)
				if err != nil {
					t.Fatal(err)
				}
				if r := tensor.AllClose(c, want); !r.OK {
					t.Errorf("%v %s %q: %s", s, d, activation, r)
				}
			}
		}
	}
}

func TestPromotes(t *testing.T) {
	a, b, c := tensor.Randn(1, tl.Float16, 70, 40), tensor.Randn(2, tl.Float16, 40, 50), tensor.Empty(tl.Float16, 70, 50)
	k := exec.New(matmul, exec.Options{Memory: "off"})
	if rep, err := k.Promote(exec.Grid{tl.Cdiv(70, 32) * tl.Cdiv(50, 32)}, a, b, c, 70, 50, 40, 40, 1, 50, 1, 50, 1, 32, 32, 16, 2, "leaky_relu"); err != nil || !rep.Promoted {
		t.Fatal(err, rep)
	}
	if err := k.Launch(exec.Grid{tl.Cdiv(70, 32) * tl.Cdiv(50, 32)}, a, b, c, 70, 50, 40, 40, 1, 50, 1, 50, 1, 32, 32, 16, 2, "leaky_relu"); err != nil || k.State().Engine == "interpreted" {
		t.Error(err, k.State())
	}
}
