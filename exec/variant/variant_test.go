package variant

import (
	"slices"
	"testing"

	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/function"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// TestServes: code serves arguments with the same dtypes and the same values where these are
// compiled in; of an int that is a factor it matters only whether it is 1.
func TestServes(t *testing.T) {
	f32 := tensor.Zeros(tl.Float32, 4)
	args := []any{f32, 9, 3, 2.0, false, 16, tl.Float16, "relu"}
	v := &Variant{
		spec: &frontend.Spec{Fixed: []bool{false, false, false, false, false, true, true, true}},
		Args: function.Args(args),
		Ones: []bool{false, false, true, false, false, false, false, false},
	}
	refused := &Variant{Args: function.Args(args)} // no code for it: any other value may have some
	for _, c := range []struct {
		param int
		arg   any
		same  bool
	}{
		{0, tensor.Zeros(tl.Float32, 9), true}, {0, tensor.Zeros(tl.Float16, 4), false}, {1, 1, true}, {2, 7, true}, {2, 1, false},
		{3, 3.0, true}, {4, true, true}, {5, 17, false}, {6, tl.Float32, false}, {7, "", false},
	} {
		other := slices.Clone(args)
		other[c.param] = c.arg
		if got := v.serves(other); got != c.same {
			t.Errorf("argument %d as %v: serves is %v", c.param, c.arg, got)
		}
		if got := refused.serves(other); got != (c.param == 0 && c.same) {
			t.Errorf("not compiled, argument %d as %v: serves is %v", c.param, c.arg, got)
		}
	}
	one := &Variant{spec: v.spec, Args: slices.Clone(v.Args), Ones: v.Ones}
	one.Args[2].Int = 1
	if one.serves(args) {
		t.Error("code for a factor of 1 serves 3")
	}
	if !v.serves(args) || !refused.serves(args) {
		t.Error("code does not serve the arguments it was compiled for")
	}
}
