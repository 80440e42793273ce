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
	// tensor([5.0000e-01, 1.5000e+00, 2.5000e+00,  ..., 9.8430e+04, 9.8430e+04,
	//         9.8432e+04])
}

func TestVecadd(t *testing.T) {
	for _, n := range []int{1, 1000, 1023, 1024, 1025, 5000} {
		x, y := tensor.Randn(1, tl.Float32, n), tensor.Randn(2, tl.Float32, n)
		out, err := vecadd(x, y)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if got, want := float32(out.Float(i)), float32(x.Float(i))+float32(y.Float(i)); got != want {
				t.Fatalf("n=%d element %d: %v, want %v", n, i, got, want)
			}
		}
	}
}

func TestPromotes(t *testing.T) {
	n := 5000
	x, y, out := tensor.Rand(1, tl.Float32, n), tensor.Rand(2, tl.Float32, n), tensor.Empty(tl.Float32, n)
	k := exec.New(add, exec.Options{Memory: "off"})
	if rep, err := k.Promote(exec.Grid{tl.Cdiv(n, 1024)}, x, y, out, n, 1024); err != nil || !rep.Promoted {
		t.Fatal(err, rep)
	}
	if err := k.Launch(exec.Grid{tl.Cdiv(n, 1024)}, x, y, out, n, 1024); err != nil || k.State().Engine == "interpreted" {
		t.Error(err, k.State())
	}
}
