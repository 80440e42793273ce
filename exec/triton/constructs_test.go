package triton_test

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/triton"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// TestConstructs: each construct leaves what NumPy says, in each engine, and all of them the same bits.
func TestConstructs(t *testing.T) {
	f, err := triton.Load("testdata/constructs/constructs.py")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/constructs/constructs.txt")
	if err != nil {
		t.Fatal(err)
	}
	wants := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(wants) < 42 {
		t.Errorf("%d constructs, want 42 at least", len(wants))
	}
	for _, line := range wants {
		words := strings.Fields(line)
		var first *tensor.Tensor
		for _, engine := range exec.Engines() {
			out, err := construct(f, words[0], engine)
			if err != nil {
				t.Errorf("%s: %s: %v", words[0], engine, err)
				continue
			}
			if first == nil {
				first = out
				compare(t, words[0], out, words[1:])
			} else if !tensor.Equal(first, out) {
				t.Errorf("%s: %s leaves %v, and %v elsewhere", words[0], engine, out, first)
			}
		}
	}
}

// construct launches a kernel of constructs.py.
func construct(f *triton.File, name, engine string) (out *tensor.Tensor, err error) {
	k, err := f.Kernel(name)
	if err != nil {
		return nil, err
	}
	x, n := tensor.Zeros(tl.Float32, 16), tensor.Zeros(tl.Int32, 16)
	for i := range 16 {
		x.Set(float64(i-5)*0.75, i)
		n.Set(i, i)
	}
	out = tensor.Zeros(tl.Float32, 64)
	z, rest, err := k.Specialize(x, n, out, 16)
	if err != nil {
		return nil, err
	}
	return out, z.With(exec.Options{Engine: engine, Memory: "off", Verify: exec.Never}).Launch(exec.Grid{1}, rest...)
}

func compare(t *testing.T, name string, out *tensor.Tensor, wants []string) {
	t.Helper()
	for i, w := range wants {
		want, err := strconv.ParseFloat(w, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Float(i); math.Abs(got-want) > 2e-6*(1+math.Abs(want)) {
			t.Errorf("%s: [%d] is %v, want %v", name, i, got, want)
		}
	}
}
