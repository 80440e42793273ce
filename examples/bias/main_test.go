package main

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func Example() {
	main()
	// Output: Test matmul with dtype=float16, shape=(16,16,16) PASSED!
}

// TestSizes runs what the list could also hold: any size, not powers of two alone, and
// other dtypes. (Sums of int16 do not fit int16.)
func TestSizes(t *testing.T) {
	for _, sigtype := range []string{"float16", "float32", "int32", "int64"} {
		for _, size := range [][3]int{{1, 1, 1}, {2, 3, 1}, {4, 3, 5}, {16, 4, 16}} {
			if err := test_dot_2_Bias(sigtype, size[0], size[1], size[2]); err != nil {
				t.Errorf("%s %v: %v", sigtype, size, err)
			}
		}
	}
	if err := test_dot_2_Bias("float8", 1, 1, 1); err == nil || !strings.Contains(err.Error(), `invalid parameter "dtype"`) {
		t.Errorf("an unknown dtype: %v", err)
	}
}

// TestMissingMask: the kernel trusts its sizes. What a GPU would read or write
// silently beyond a shorter tensor is an error here.
func TestMissingMask(t *testing.T) {
	x := tensor.Zeros(tl.Float16, 16, 15)
	y, z := tensor.Zeros(tl.Float16, 16, 16), tensor.Zeros(tl.Float32, 16, 16)
	err := exec.New(triton_dot_2_Bias).Launch(exec.Grid{1}, y.Clone(), x, y, z, 16, 16, 16)
	if err == nil || !strings.Contains(err.Error(), "tl.Load: out of bounds: lane [15,0] of [16,16] is x_ptr[16,0], 1 element past the end") {
		t.Errorf("got %v", err)
	}
}

func TestPromotes(t *testing.T) {
	x, y, z, out := tensor.Randn(1, tl.Float16, 16, 16), tensor.Randn(2, tl.Float16, 16, 16), tensor.Randn(3, tl.Float16, 16, 16), tensor.Empty(tl.Float16, 16, 16)
	k := exec.New(triton_dot_2_Bias, exec.Options{Memory: "off"})
	if rep, err := k.Promote(exec.Grid{1, 1, 1}, out, x, y, z, 16, 16, 16); err != nil || !rep.Promoted {
		t.Fatal(err, rep)
	}
	if err := k.Launch(exec.Grid{1, 1, 1}, out, x, y, z, 16, 16, 16); err != nil || k.State().Engine == "interpreted" {
		t.Error(err, k.State())
	}
}
