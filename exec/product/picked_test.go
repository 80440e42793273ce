package product

import (
	"os"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// pickedFile is a product whose rows of A are picked.
const pickedFile = "../amd64/testdata/product_picked.ir"

// textOf is what a file holds.
func textOf(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// pickedLaunch is such a product's, of 70 rows from x, which has so many, with these numbers at the ends of ids.
func pickedLaunch(t *testing.T, text string, rows, numbers int, first, last int32) (w *Launch, inside bool) {
	t.Helper()
	const m, n, k = 70, 90, 41
	size := func(x int) ir.Arg { return ir.Arg{Bits: uint64(x)} }
	buf := func(d dtype.DType, n int) ir.Arg { return ir.Arg{Mem: dtype.NewBuf(d, n)} }
	args := []ir.Arg{
		buf(dtype.Float32, rows*k), buf(dtype.Int32, numbers), buf(dtype.Float32, n*k), buf(dtype.Float32, m*n),
		size(m), size(n), size(k), size(32), size(48), size(32), size(1),
	}
	args[1].Mem.SetBits(0, uint64(uint32(first)))
	args[1].Mem.SetBits(m-1, uint64(uint32(last)))
	f := ir.MustParse(text)
	match := Find(f, fuse.Plan(f, false), false)
	if match == nil {
		t.Fatal("the product is not found")
	}
	shape := match.Launch(args, [3]int{3, 2, 1})
	if shape == nil {
		return nil, false
	}
	w = &Launch{}
	w.Move(shape, match, args)
	from, inside := w.From(nil, args)
	for i, at := range from {
		number := dtype.ToInt(dtype.Int32, args[1].Mem.Bits(i))
		if want := int64(uintptr(args[0].Mem.Pointer())) + number*k*4; at != want {
			t.Errorf("row %d begins at %#x, want %#x", i, at, want)
		}
	}
	return w, inside
}

// TestPicked: a product's rows are picked by numbers that lie in the tensor, and by no others.
func TestPicked(t *testing.T) {
	text := textOf(t, pickedFile)
	for _, tt := range []struct {
		rows, numbers int
		first, last   int32
		inside        bool // numbers lie in x
	}{
		{9, 70, 8, 0, true}, {9, 70, 0, 8, true}, {9, 70, 9, 0, false}, {9, 70, 0, 9, false},
		{9, 70, -1, 0, false}, {1, 70, 0, 0, true}, {200, 70, 199, 200, false}, {200, 96, 199, 3, true},
		{1 << 12, 70, -1 << 31, 1<<31 - 1, false},
	} {
		w, inside := pickedLaunch(t, text, tt.rows, tt.numbers, tt.first, tt.last)
		if w == nil || w.M != 70 || w.N != 90 || w.K != 41 || !w.Picked.On() || inside != tt.inside {
			t.Errorf("%+v: %+v, inside %v", tt, w, inside)
		}
	}
	unmasked := strings.Replace(text, "v35 i32[32] = load v29 v32 v34 masked other", "v35 i32[32] = load v29", 1)
	if w, _ := pickedLaunch(t, unmasked, 9, 96, 8, 8); w == nil {
		t.Error("without a mask, with all numbers there: no product")
	}
	for what, text := range map[string]string{
		"without a mask, with numbers missing": unmasked,
		"rows that lie backwards":              strings.Replace(text, "mul v51 v53", "neg v51", 1),
	} {
		if w, _ := pickedLaunch(t, text, 9, 70, 8, 8); w != nil {
			t.Errorf("%s: %+v, want none", what, w)
		}
	}
}

// TestNotPicked: rows that begin where no multiple of a number says are not those of one product.
func TestNotPicked(t *testing.T) {
	for _, odd := range []string{"mul v51 v51", "mul v51 v62", "floordiv v51 v53"} {
		f := ir.MustParse(strings.Replace(textOf(t, pickedFile), "mul v51 v53", odd, 1))
		if Find(f, fuse.Plan(f, false), false) != nil {
			t.Errorf("with %s it is found", odd)
		}
	}
}
