package main

import (
	"testing"

	"github.com/tiler-go/tiler/exec"
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
		wrong, err := included(exec.New(matmul_kernel), K)
		if want := float64(K/128*64 + min(K%128, 64)); err != nil || wrong != want {
			t.Errorf("K=%d as written: %v of them, want %v (%v)", K, wrong, want, err)
		}
		if right, err := included(exec.New(matmul_kernel_fixed), K); err != nil || right != float64(K) {
			t.Errorf("K=%d fixed: %v of them (%v)", K, right, err)
		}
	}
}

// TestShapes: the fixed kernel is right for every size and for transposed operands.
func TestShapes(t *testing.T) {
	for _, s := range [][3]int{{1, 1, 1}, {5, 3, 7}, {16, 64, 16}, {17, 130, 33}, {40, 65, 8}} {
		a, b := tensor.Randn(1, tl.Float32, s[0], s[1]), tensor.Randn(2, tl.Float32, s[2], s[1]).T()
		c, err := matmul(exec.New(matmul_kernel_fixed), a, b, 16, 16, 32)
		if err != nil {
			t.Fatalf("%v: %v", s, err)
		}
		if r := tensor.AllClose(c, reference(a, b)); !r.OK {
			t.Errorf("%v: %s", s, r)
		}
	}
}

// The kernel as written is right as far as Check knows without a reference, which it
// fails; the fixed one is right.
func TestPromotes(t *testing.T) {
	a, b, c := tensor.Rand(1, tl.Float32, 60, 100), tensor.Rand(2, tl.Float32, 100, 70), tensor.Empty(tl.Float32, 60, 70)
	args := []any{a, b, c, 60, 70, 100, 100, 1, 70, 1, 70, 1, 32, 32, 32}
	product := func(a, b, c *tensor.Tensor, M, N, K, am, ak, bk, bn, cm, cn, BM, BN, BK int) {
		c.CopyFrom(reference(a, b))
	}
	for _, test := range []struct {
		kernel any
		ok     bool
	}{{matmul_kernel, false}, {matmul_kernel_fixed, true}} {
		k := exec.New(test.kernel, exec.Options{Memory: "off"})
		k.Against(product)
		rep, err := k.Promote(exec.Grid{2 * 3}, args...)
		if (err == nil) != test.ok || rep.Promoted != test.ok {
			t.Fatal(err, rep)
		}
		if err := k.Launch(exec.Grid{2 * 3}, args...); err != nil || (k.State().Engine == "interpreted") == test.ok {
			t.Error(err, k.State())
		}
	}
}
