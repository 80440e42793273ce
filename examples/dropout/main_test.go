package main

import (
	"math"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func Example() {
	main()
	// Output:
	// 123 tensor([0., 2., 0., 0., 0., 2., 0., 0., 2., 2.])
	// 123 tensor([0., 2., 0., 0., 0., 2., 0., 0., 2., 2.])
	// 512 tensor([0., 0., 2., 2., 0., 2., 2., 0., 0., 0.])
}

func TestDropout(t *testing.T) {
	const n = 20_000
	x := tensor.Randn(1, tl.Float32, n)
	for _, rate := range []float64{0, 0.1, 0.5, 0.9} {
		out, err := dropout(x, rate, 7)
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		for i := range n {
			switch got, want := out.Float(i), float64(float32(x.Float(i))/float32(1-rate)); got {
			case want:
				kept++
			case 0:
			default:
				t.Fatalf("element %d is %v, want 0 or %v", i, got, want)
			}
		}
		if share := float64(kept) / n; math.Abs(share-(1-rate)) > 0.02 {
			t.Errorf("rate %v keeps %v", rate, share)
		}
	}
}

func TestPromotes(t *testing.T) {
	n := 5000
	x, out := tensor.Rand(1, tl.Float32, n), tensor.Empty(tl.Float32, n)
	k := exec.New(seededDropout, exec.Options{Memory: "off"})
	if rep, err := k.Promote(exec.Grid{tl.Cdiv(n, 1024)}, x, out, n, 0.5, 7, 1024); err != nil || !rep.Promoted {
		t.Fatal(err, rep)
	}
	if err := k.Launch(exec.Grid{tl.Cdiv(n, 1024)}, x, out, n, 0.5, 7, 1024); err != nil || k.State().Engine == "interpreted" {
		t.Error(err, k.State())
	}
}
