package sanitizer

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/tiler-go/tiler/exec/check/layout"
	"github.com/tiler-go/tiler/exec/check/shadow"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// TestShadowSize: at most 16 bytes for each element, whatever the arguments share.
func TestShadowSize(t *testing.T) {
	if n := unsafe.Sizeof(shadow.Cell{}); n > 16 {
		t.Errorf("a cell has %d bytes", n)
	}
	for _, d := range []tl.DType{tl.Int8, tl.Float16, tl.Float32, tl.Float64} {
		c := New(Setup{})
		x := tensor.Zeros(d, 100, 30)
		half, other := x.Slice(0, 20, 60), tensor.Zeros(d, 7)
		for _, y := range []*tensor.Tensor{half, x, x.T(), x.Slice(1, 0, 3), other} {
			c.Pointer(y, "x", nil)
		}
		if shadow, memory := c.Shadow(); shadow > 16*3007 || memory != 3007*d.Size() {
			t.Errorf("%s: %d bytes of shadow for %d bytes", d, shadow, memory)
		}
		c.Pointer(tensor.Virtual(d, 1<<20, 1<<20), "v", nil)
		if shadow, _ := c.Shadow(); shadow > 16*3007 {
			t.Errorf("%s: %d bytes of shadow with a virtual tensor", d, shadow)
		}
		c.Close()
	}
}

func TestIterations(t *testing.T) {
	for _, c := range []struct {
		ks   []int
		want string
	}{
		{[]int{3}, "iteration 3"}, {[]int{2, 3}, "iterations 2 and 3"}, {[]int{2, 3, 4}, "iterations 2 to 4"},
		{[]int{0, 2, 3, 4, 5, 9, 10}, "iterations 0, 2 to 5, 9 and 10"},
	} {
		if got := iterations(c.ks); got != c.want {
			t.Errorf("%v: %s, want %s", c.ks, got, c.want)
		}
	}
}

// A step of a tile is along a dimension of the tensor, or along none.
func TestWalks(t *testing.T) {
	v := &view{axes: []axis{{0, 5, 60}, {1, 4, 12}, {2, 12, 1}}}
	for _, c := range []struct{ stride, dim, by int }{
		{60, 0, 1}, {-120, 0, -2}, {12, 1, 1}, {24, 1, 2}, {1, 2, 1}, {-1, 2, -1}, {11, 2, 11}, {13, -1, 0}, {61, -1, 0}, {72, -1, 0},
	} {
		if dim, by := v.walks(c.stride); dim != c.dim || by != c.by {
			t.Errorf("%d: dimension %d by %d, want %d by %d", c.stride, dim, by, c.dim, c.by)
		}
	}
}

// A picture shows the part of a tile that the lane is in.
func TestPictureWindow(t *testing.T) {
	w := &visitor{a: &tl.Access{Shape: []int{100, 200}, Active: make([]uint8, 20000)}}
	p := w.picture(50*200+100, signBad, func(i int) bool { return i == 50*200+100 })
	lines := strings.Split(p, "\n")
	rows := layout.PictureRows
	if len(lines) != rows+1 || strings.Count(p, "X") != 1 || !strings.HasSuffix(lines[0], "· …") || lines[rows] != "…" {
		t.Errorf("picture:\n%s", p)
	}
	if p := (&visitor{a: &tl.Access{Shape: []int{3}, Active: []uint8{1, 0, 1}}}).picture(2, signBad, func(i int) bool { return i == 2 }); p != "o·X" {
		t.Errorf("a vector: %s", p)
	}
	if p := (&visitor{a: &tl.Access{}}).picture(0, signBad, nil); p != "" {
		t.Errorf("a scalar: %s", p)
	}
}
