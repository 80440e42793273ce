package tensor

import (
	"bytes"
	"encoding/gob"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

func TestGob(t *testing.T) {
	type kept struct {
		Name string
		X    *Tensor
	}
	for _, d := range dtype.All() {
		in := kept{d.String(), RandInt(1, dtype.Int8, 0, 2, 3, 4).To(d).Transpose(0, 1)}
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(in); err != nil {
			t.Fatalf("%v: %v", d, err)
		}
		var out kept
		if err := gob.NewDecoder(&b).Decode(&out); err != nil {
			t.Fatalf("%v: %v", d, err)
		}
		if out.X.DType() != d || !AllClose(out.X, in.X, Tolerance{}).OK {
			t.Errorf("%v: got %v, want %v", d, out.X, in.X)
		}
	}
	if err := new(Tensor).GobDecode([]byte("float9\n")); err == nil {
		t.Error("an unknown dtype is accepted")
	}
	if err := new(Tensor).GobDecode([]byte("float32\nno file")); err == nil {
		t.Error("what is no .npy file is accepted")
	}
}
