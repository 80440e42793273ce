package exec_test

import (
	"math"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// everything has a parameter of each kind.
func everything(p *tl.Program, x tl.Ptr, n int, scale float64, on bool, d tl.DType, mode string, BLOCK tl.Const) {
	if p.ID(0) > 0 || !on {
		return
	}
	v := tl.Full(d, scale, BLOCK)
	if mode == "double" {
		v = v.Mul(2)
	}
	offs := tl.Arange(0, BLOCK)
	tl.Store(x.Add(offs), v, tl.Mask(offs.Lt(n)))
}

func TestArguments(t *testing.T) {
	x := tensor.Zeros(tl.Float32, 4)
	if err := exec.New(everything).Launch(exec.Grid{1}, x, 3, 1.5, true, tl.Float16, "double", 8); err != nil {
		t.Fatal(err)
	}
	if got := x.Floats(); got[0] != 3 || got[2] != 3 || got[3] != 0 {
		t.Errorf("x is %v", got)
	}
	if err := exec.New(everything).Launch(exec.Grid{1}, x, 3, 2, true, tl.Float32, "", 8); err != nil {
		t.Errorf("an int constant for a float64 parameter: %v", err)
	}
}

// TestBadArguments is every way in which arguments do not fit. Nothing runs.
func TestBadArguments(t *testing.T) {
	x, d := tensor.Zeros(tl.Float32, 4), tl.Float32
	type size int
	good := []any{x, 3, 1.5, true, d, "", 8}
	with := func(i int, v any) []any {
		args := append([]any(nil), good...)
		args[i] = v
		return args
	}
	cases := []struct {
		args []any
		want string
	}{
		{nil, "everything: got 0 arguments, want 7\n\tthe kernel is everything(x tl.Ptr, n int, scale float64, on bool, d tl.DType, mode string, BLOCK int)"},
		{good[:6], "got 6 arguments, want 7"},
		{append(good[:7:7], 1), "got 8 arguments, want 7"},
		{with(0, &tensor.Tensor{}), "x: got an uninitialized tensor.Tensor: make one with tensor.Zeros"},
		{with(0, []float32{1}), "x: got a []float32, want a tensor: tensor.From(x, shape...) makes one from a slice without copying it"},
		{with(0, 3), "x: got the int 3, want a tensor"},
		{with(0, tl.Arange(0, 4)), "x: got tilelang.Tile, want a tensor"},
		{with(1, 1.5), "n: got the float64 1.5, want int: the parameter is an integer"},
		{with(1, math.NaN()), "n: got the float64 NaN, want int: the parameter is an integer"},
		{with(1, math.Inf(1)), "n: got the float64 +Inf, want int"},
		{with(1, int64(3)), "n: got int64, want int: write int(x)"},
		{with(1, uint8(3)), "want int: write int(x)"},
		{with(1, size(3)), "n: got exec_test.size, want int: write int(x)"},
		{with(1, x), "n: got *tensor.Tensor, want int"},
		{with(1, nil), "n: got nil, want int"},
		{with(2, float32(3)), "scale: got float32, want float64: write float64(x)"},
		{with(2, "3"), "scale: got the string 3, want float64"},
		{with(3, 1), "on: got the int 1, want bool"},
		{with(4, 3), "d: got the int 3, want tl.DType"},
		{with(4, tl.DType(200)), "d: got an invalid dtype"},
		{with(4, "float32"), "d: got the string float32, want tl.DType"},
		{with(5, 'a'), "mode: got int32, want string"},
		{with(6, 1e9), "BLOCK: got the float64 1e+09, want int"},
		{with(6, func() {}), "BLOCK: got a func(), want int"},
	}
	for _, c := range cases {
		err := exec.New(everything).Launch(exec.Grid{1}, c.args...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), "the kernel is everything(") {
			t.Errorf("no reminder of the parameters in %v", err)
		}
	}
	for _, v := range x.Floats() {
		if v != 0 {
			t.Error("a kernel with bad arguments ran")
		}
	}
}

func variadic(p *tl.Program, x ...tl.Ptr)          {}
func returning(p *tl.Program) int                  { return 0 }
func unfinished(x tl.Ptr)                          {}
func sliced(p *tl.Program, x []int)                {}
func narrow(p *tl.Program, n int32)                {}
func dimensions(p *tl.Program, x tl.Ptr, ROWS int) {}

func TestBadFunctions(t *testing.T) {
	var none func(*tl.Program)
	for _, c := range []struct {
		fn   any
		want string
	}{
		{nil, "got nil, want a kernel function func(p *tl.Program, ...)"},
		{3, "got int, want a kernel function"},
		{none, "a nil function"},
		{variadic, "variadic is variadic"},
		{returning, "returning returns a value; a kernel stores its results"},
		{unfinished, "the first parameter of unfinished must be *tl.Program"},
		{func() {}, "must be *tl.Program"},
		{sliced, "parameter 1 of sliced is []int; a kernel takes tl.Ptr, int"},
		{narrow, "parameter 1 of narrow is int32"},
	} {
		k := exec.New(c.fn)
		if k.Err() == nil || !strings.Contains(k.Err().Error(), c.want) {
			t.Errorf("Err is %v, want %s", k.Err(), c.want)
		}
		if err := k.Launch(exec.Grid{1}); err == nil || err.Error() != k.Err().Error() {
			t.Errorf("Launch gives %v, Err %v", err, k.Err())
		}
	}
	for _, k := range []*exec.Kernel{nil, {}} {
		if err := k.Launch(exec.Grid{1}); err == nil || !strings.Contains(err.Error(), "not made with exec.New") {
			t.Errorf("got %v", err)
		}
	}
	if err := exec.New(everything, nil, exec.Options{Engine: "warp"}).Launch(exec.Grid{1}); err == nil || !strings.Contains(err.Error(), `no engine "warp"`) {
		t.Errorf("unknown engine: %v", err)
	}
}

func TestGrids(t *testing.T) {
	x := tensor.Zeros(tl.Float32, 4)
	launch := func(g exec.Space) error { return exec.New(dimensions).Launch(g, x, 3) }
	var noFunction exec.GridFn
	for _, c := range []struct {
		grid exec.Space
		want string // "" for none
	}{
		{exec.Grid{0}, ""},
		{exec.Grid{5, 0, 7}, ""},
		{exec.Grid{1 << 30, 0, 1 << 30}, ""},
		{exec.Grid{0, math.MaxInt32, math.MaxInt32}, ""},
		{exec.Grid{2, 2, 2}, ""},
		{exec.GridFn(func(m exec.Meta) exec.Grid { return exec.Grid{m["ROWS"]} }), ""},
		{nil, "dimensions: a nil grid"},
		{exec.Grid{}, "a grid of 0 axes, want 1 to 3"},
		{exec.Grid{1, 1, 1, 1}, "a grid of 4 axes, want 1 to 3"},
		{exec.Grid{-1}, "grid [-1]: axis 0 is negative"},
		{exec.Grid{4, 0, -3}, "axis 2 is negative"},
		{exec.Grid{1, 1 << 31}, "axis 1 is over 2147483647, the largest int32"},
		{exec.Grid{math.MaxInt}, "axis 0 is over 2147483647"},
		{exec.Grid{math.MaxInt32, math.MaxInt32, 4}, "has more programs than can be counted"},
		{noFunction, "a nil grid function"},
		{exec.GridFn(func(exec.Meta) exec.Grid { return nil }), "a grid of 0 axes"},
		{exec.GridFn(func(m exec.Meta) exec.Grid { return exec.Grid{m["ROWS"] - 4} }), "axis 0 is negative"},
		{exec.GridFn(func(m exec.Meta) exec.Grid { return exec.Grid{7 / m["rows"]} }), "the grid function panicked: runtime error: integer divide by zero\n\tit is given the kernel's int parameters by name: map[ROWS:3]"},
		{exec.GridFn(func(m exec.Meta) exec.Grid { return exec.Grid{tl.Cdiv(7, m["rows"])} }), "the grid function panicked: tl.Cdiv: division of 7 by 0"},
	} {
		err := launch(c.grid)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("grid %v: got %v, want %q", c.grid, err, c.want)
		}
	}
}
