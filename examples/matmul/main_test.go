package main

import (
	"testing"

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
