package tilerbeam

import (
	"os"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func init() { register.Function1x0(keep); register.Function1x1(generated) }

var kept = make(chan *tensor.Tensor, 10)

func keep(x *tensor.Tensor) { kept <- x }

func generated(rows int) *tensor.Tensor { return tensor.Randn(rows, tl.Float32, rows, 100) }

// TestMap: a kernel is applied to each tensor of a collection, whatever its shape; tensors travel between workers.
func TestMap(t *testing.T) {
	text, err := os.ReadFile(kernels)
	if err != nil {
		t.Fatal(err)
	}
	k := Kernel{File: kernels, Text: string(text), Name: "softmax", Grid: []string{"dim0"}, Check: true,
		Args: []string{"x=in", "out=out", "cols=dim1", "BLOCK=128"}}
	p, s := beam.NewPipelineWithRoot()
	out, err := Map(s, k, beam.Reshuffle(s, beam.ParDo(s, generated, beam.CreateList(s, []int{3, 7, 40}))))
	if err != nil {
		t.Fatal(err)
	}
	twice, err := Map(s, Kernel{File: kernels, Text: string(text), Name: "scale", Grid: []string{"len/64"},
		Args: []string{"x=out", "n=len", "BLOCK=64"}}, out)
	if err != nil {
		t.Fatal(err)
	}
	beam.ParDo0(s, keep, twice)
	if err := beamx.Run(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		x := <-kept
		for i := range x.Dim(0) {
			sum := 0.0
			for j := range x.Dim(1) {
				sum += x.Float(i, j)
			}
			if sum < 2-1e-5 || sum > 2+1e-5 {
				t.Fatalf("row %d of %v adds up to %v", i, x.Shape(), sum)
			}
		}
	}
}

// TestTensorCoder: a tensor of any dtype and any strides comes back with its elements.
func TestTensorCoder(t *testing.T) {
	turned := tensor.Arange(tl.Int64, 0, 6).Reshape(2, 3).T()
	for _, x := range []*tensor.Tensor{tensor.Generate(1, tl.BFloat16, 3, 4), turned, tensor.Zeros(tl.Bool, 0)} {
		b, err := encodeTensor(x)
		if err != nil {
			t.Fatal(err)
		}
		y, err := decodeTensor(b)
		if err != nil || !tensor.Equal(x, y) {
			t.Errorf("got %v, %v, want %v", y, err, x)
		}
	}
}

// TestSizes: sizes follow the tensor.
func TestSizes(t *testing.T) {
	x := tensor.Zeros(tl.Float32, 10, 7)
	for text, want := range map[string]int{"5": 5, "dim0": 10, "dim1/2": 4, "len": 70, "len/64": 2} {
		if n, err := size(text, x); err != nil || n != want {
			t.Errorf("%s is %d, %v, want %d", text, n, err, want)
		}
	}
	for _, text := range []string{"dim2", "dim", "len/0", "x", "len/x"} {
		if n, err := size(text, x); err == nil {
			t.Errorf("%s is %d", text, n)
		}
	}
}
