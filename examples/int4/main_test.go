package main

import (
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func TestProduct(t *testing.T) {
	for _, s := range [][4]int{{1, 8, 1, 8}, {3, 40, 70, 8}, {40, 100, 33, 64}} {
		m, k, n, group := s[0], s[1], s[2], s[3]
		a, scales := tensor.Randn(1, tl.Float32, m, k), tensor.Randn(2, tl.Float32, tl.Cdiv(k, group), n)
		weights := make([]int, k*n)
		for i := range weights {
			weights[i] = i*11%16 - 8
		}
		want := make([]float64, m*n)
		for i := range want {
			for l := range k {
				want[i] += a.Float(i/n, l) * float64(weights[l*n+i%n]) * scales.Float(l/group, i%n)
			}
		}
		out, err := product(a, pack(weights, k, n), scales, group)
		if err != nil {
			t.Fatal(err)
		}
		tolerance := tensor.Tolerance{Rel: 1e-4, Abs: 1e-3}
		if r := tensor.AllClose(out, tensor.From(want, m, n).To(tl.Float32), tolerance); !r.OK {
			t.Errorf("%v: %s", s, r)
		}
	}
}
