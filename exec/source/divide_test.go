package source

import (
	"os"
	"reflect"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
)

// The return has the line of min, and what divides, shifts or indexes has code behind the return.

func builtDivide(p *tl.Program, x, out tl.Ptr, n, heads int) {
	head := p.ID(0) % heads
	row := p.ID(0) / heads
	v := tl.Load(x.Add(head + row)).Div(min(16, n-row*16))
	tl.Store(out.Add(row), v)
}

func builtShift(p *tl.Program, x, out tl.Ptr, n, by int) {
	row := p.ID(0) << by
	v := tl.Load(x.Add(row)).Div(min(16, n-row*16))
	tl.Store(out.Add(row), v)
}

func builtShiftAssign(p *tl.Program, x, out tl.Ptr, n, by int) {
	row := p.ID(0)
	row <<= by
	v := tl.Load(x.Add(row)).Div(min(16, n-row*16))
	tl.Store(out.Add(row), v)
}

func builtIndex(p *tl.Program, x, out tl.Ptr, n, axis int) {
	sizes := [3]int{1, 2, n}
	size := sizes[axis]
	v := tl.Load(x.Add(size)).Div(min(16, n-size*16))
	tl.Store(out.Add(size), v)
}

// TestFarReturn: a kernel is taken whose last code is not where it ends.
func TestFarReturn(t *testing.T) {
	for _, fn := range []any{builtDivide, builtShift, builtShiftAssign, builtIndex} {
		file, _ := Position(reflect.ValueOf(fn).Pointer())
		b, err := os.ReadFile(file)
		if err != nil {
			t.Skip("the test's own source is not at hand:", err)
		}
		if err := asText(fn, file, string(b)); err != nil {
			t.Error(err)
		}
	}
}
