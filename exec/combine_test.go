package exec

import (
	"fmt"
	"strings"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func widenReduce(p *tl.Program, x, out tl.Ptr, N tl.Const) {
	v := tl.Reduce(tl.Load(x.Add(tl.Arange(0, N))), func(a, b tl.Tile) tl.Tile { return a.Add(b).To(tl.Float64) })
	tl.Store(out, v)
}

func widenScan(p *tl.Program, x, out tl.Ptr, N tl.Const) {
	v := tl.Scan(tl.Load(x.Add(tl.Arange(0, N))), func(a, b tl.Tile) tl.Tile { return a.Gt(b) })
	tl.Store(out.Add(tl.Arange(0, N)), v)
}

func widenReduce2(p *tl.Program, x, out tl.Ptr, N tl.Const) {
	a := tl.Load(x.Add(tl.Arange(0, N)))
	v, _ := tl.Reduce2(a, a, func(x1, y1, x2, y2 tl.Tile) (tl.Tile, tl.Tile) { return x1.Add(x2), y1.Lt(y2) })
	tl.Store(out, v)
}

func widenReduce3(p *tl.Program, x, out tl.Ptr, N tl.Const) {
	a := tl.Load(x.Add(tl.Arange(0, N)))
	v, _, _ := tl.Reduce3(a, a, a, func(x1, y1, z1, x2, y2, z2 tl.Tile) (tl.Tile, tl.Tile, tl.Tile) {
		return x1.Add(x2), y1, z1.To(tl.Float64)
	})
	tl.Store(out, v)
}

func widenScan2(p *tl.Program, x, out tl.Ptr, N tl.Const) {
	a := tl.Load(x.Add(tl.Arange(0, N))).To(tl.Int32)
	v, _ := tl.Scan2(a, a, func(x1, y1, x2, y2 tl.Tile) (tl.Tile, tl.Tile) { return x1, y1.Sub(y2).To(tl.Int8) })
	tl.Store(out.Add(tl.Arange(0, N)), v)
}

func reduceToOther(p *tl.Program, x, out tl.Ptr, N tl.Const) {
	other := tl.Zeros(tl.Float32, 1)
	tl.Store(out, tl.Reduce(tl.Load(x.Add(tl.Arange(0, N))), func(a, b tl.Tile) tl.Tile { return other }))
}

// What a combining function may return does not depend on how many elements there are to
// combine, nor on who runs it.
func TestCombiningFunctions(t *testing.T) {
	x, out := tensor.Arange(tl.Float32, 1, 33), tensor.Zeros(tl.Float64, 32)
	for _, c := range []struct {
		fn   any
		want string
	}{
		{widenReduce, "tl.Reduce: the function returned f64, want f32"},
		{widenScan, "tl.Scan: the function returned bool, want f32"},
		{widenReduce2, "tl.Reduce2: the function returned bool, want f32"},
		{widenReduce3, "tl.Reduce3: the function returned f64, want f32"},
		{widenScan2, "tl.Scan2: the function returned i8, want i32"},
		{reduceToOther, "tl.Reduce: the function returned f32[1], want an element of f32[N]"},
	} {
		for _, n := range []int{1, 2, 3, 17} {
			want := strings.ReplaceAll(c.want, "[N]", fmt.Sprintf("[%d]", n))
			k := New(c.fn, Options{Memory: "off"})
			if err := k.Launch(Grid{1}, x, out, n); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s of %d, interpreted: got %v, want %s", k.Name(), n, err, want)
			}
			if err := k.With(Options{Engine: "portable"}).Launch(Grid{1}, x, out, n); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s of %d, compiled: got %v, want %s", k.Name(), n, err, want)
			}
		}
	}
}
