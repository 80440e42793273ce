package main

import (
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func Example() {
	main()
	// Output:
	//    K  as written  fixed
	//    1           1      1
	//   64          64     64
	//   65          64     65
	//  128          64    128
	//  192         128    192
	//  256         128    256
	//  512         256    512
	// 1000         512   1000
	// matmul_kernel on (512,256)·(256,512): 262144 of 262144 elements are wrong
	// matmul_kernel_fixed on (512,256)·(256,512): 0 of 262144 elements are wrong
}

// TestIncluded: with K = 2m·64 + r, r < 128, the kernel as written adds up m·64 +
// min(r, 64) of the K products.
func TestIncluded(t *testing.T) {
	for K := 1; K <= 400; K += 7 {
		wrong, err := included(matmul_kernel, K)
		if want := float64(K/128*64 + min(K%128, 64)); err != nil || wrong != want {
			t.Errorf("K=%d as written: %v of them, want %v (%v)", K, wrong, want, err)
		}
		if right, err := included(matmul_kernel_fixed, K); err != nil || right != float64(K) {
			t.Errorf("K=%d fixed: %v of them (%v)", K, right, err)
		}
	}
}

// TestShapes: the fixed kernel is right for every size and for transposed operands.
func TestShapes(t *testing.T) {
	for _, s := range [][3]int{{1, 1, 1}, {5, 3, 7}, {16, 64, 16}, {17, 130, 33}, {40, 65, 8}} {
		a, b := tensor.Randn(1, tl.Float32, s[0], s[1]), tensor.Randn(2, tl.Float32, s[2], s[1]).T()
		c, err := matmul(matmul_kernel_fixed, a, b, 16, 16, 32)
		if err != nil {
			t.Fatalf("%v: %v", s, err)
		}
		if r := tensor.AllClose(c, reference(a, b)); !r.OK {
			t.Errorf("%v: %s", s, r)
		}
	}
}
