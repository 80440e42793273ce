package amd64_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/amd64"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Kernels whose tiles are so large that a single operation on one takes long.

func heavy(p *tl.Program, x, out tl.Ptr, BLOCK tl.Const) {
	at := tl.Arange(0, BLOCK)
	v := tl.Load(x.Add(at))
	v = tl.Sin(tl.Exp(v)).Add(tl.Erf(tl.Cos(v))).Add(tl.Atan2(v, tl.Tanh(v)))
	tl.Store(out.Add(at), v)
}

func heavySmall(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	at := tl.Arange(0, BLOCK)
	v := tl.Load(x.Add(at))
	for range n {
		v = tl.Sin(tl.Exp(v)).Add(tl.Erf(tl.Cos(v))).Add(tl.Atan2(v, tl.Tanh(v)))
	}
	tl.Store(out.Add(at), v)
}

func copied(p *tl.Program, x, out tl.Ptr, BLOCK tl.Const) {
	at := tl.Arange(0, BLOCK)
	tl.Store(out.Add(at), tl.Load(x.Add(at)))
}

func gathered(p *tl.Program, x, out tl.Ptr, BLOCK tl.Const) {
	at := tl.Arange(0, BLOCK)
	from := at.Mul(7919).Add(at.Mul(at)).And(BLOCK - 1)
	tl.Store(out.Add(at), tl.Load(x.Add(from)))
}

func scanned(p *tl.Program, x, out tl.Ptr, BLOCK tl.Const) {
	at := tl.Arange(0, BLOCK)
	tl.Store(out.Add(at), tl.CumSum(tl.Load(x.Add(at))))
}

func summed(p *tl.Program, x, out tl.Ptr, R, C tl.Const) {
	rows, cols := tl.Arange(0, R), tl.Arange(0, C)
	v := tl.Load(x.Add(rows.Col().Mul(C)).Add(cols.Row()))
	tl.Store(out.Add(rows), tl.Sum(tl.Exp(v), tl.Axis(1)))
	tl.Store(out.Add(cols), tl.Max(tl.Exp(v), tl.Axis(0)))
}

func transposed(p *tl.Program, x, out tl.Ptr, R, C tl.Const) {
	rows, cols := tl.Arange(0, R), tl.Arange(0, C)
	v := tl.Load(x.Add(rows.Col().Mul(C)).Add(cols.Row()))
	tl.Store(out.Add(cols.Col().Mul(R)).Add(rows.Row()), v.T())
}

func multiplied(p *tl.Program, x, y, out tl.Ptr, N tl.Const) {
	rows, cols := tl.Arange(0, N), tl.Arange(0, N)
	at := rows.Col().Mul(N).Add(cols.Row())
	v := tl.Dot(tl.Load(x.Add(at)), tl.Load(y.Add(at)))
	tl.Store(out.Add(at), v.Mul(v).Add(v))
}

// straight is many operations one after the other, without a loop around them.
func straight(p *tl.Program, x, out tl.Ptr, BLOCK tl.Const) {
	at := tl.Arange(0, BLOCK)
	v := tl.CumSum(tl.Load(x.Add(at)))
	v = tl.CumSum(tl.Sin(v))
	v = tl.CumSum(tl.Cos(v))
	v = tl.CumSum(tl.Erf(v))
	v = tl.CumSum(tl.Exp(v.Neg()))
	v = tl.CumSum(tl.Tanh(v))
	v = tl.CumSum(tl.Sin(v))
	v = tl.CumSum(tl.Cos(v))
	tl.Store(out.Add(at), v)
}

func divided(p *tl.Program, x, out tl.Ptr, BLOCK tl.Const) {
	at := tl.Arange(0, BLOCK)
	v := tl.Load(x.Add(at))
	tl.Store(out.Add(at), v.Mod(at.To(tl.Int64).Add(1)).Add(v.FloorDiv(at.To(tl.Int64).Add(7))))
}

func best(p *tl.Program, x, out tl.Ptr, R, C tl.Const) {
	rows, cols := tl.Arange(0, R), tl.Arange(0, C)
	v := tl.Load(x.Add(rows.Col().Mul(C)).Add(cols.Row()))
	tl.Store(out.Add(rows), tl.ArgMax(v, tl.Axis(1)))
	tl.Store(out.Add(cols), tl.ArgMin(v, tl.Axis(0)))
}

func paired(p *tl.Program, x, y, out tl.Ptr, N tl.Const) {
	rows, cols := tl.Arange(0, N), tl.Arange(0, N)
	at := rows.Col().Mul(N).Add(cols.Row())
	tl.Store(out.Add(at), tl.Dot(tl.Load(x.Add(at)), tl.Load(y.Add(at)), tl.BF16Pairs))
}

func tiled(p *tl.Program, x, y, out tl.Ptr, N tl.Const) {
	rows, cols := tl.Arange(0, N), tl.Arange(0, N)
	at := rows.Col().Mul(N).Add(cols.Row())
	tl.Store(out.Add(at), tl.Dot(tl.Load(x.Add(at)), tl.Load(y.Add(at)), tl.BF16Tiles))
}

func product(p *tl.Program, x, y, out tl.Ptr, N, B tl.Const) {
	rows, cols := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
	acc := tl.Zeros(tl.Float32, B, B)
	for i := 0; i < N; i += B {
		k := tl.Arange(0, B).Add(i)
		a := tl.Load(x.Add(rows.Col().Mul(N)).Add(k.Row()))
		b := tl.Load(y.Add(k.Col().Mul(N)).Add(cols.Row()))
		acc = acc.Add(tl.Dot(a, b))
	}
	tl.Store(out.Add(rows.Col().Mul(N)).Add(cols.Row()), acc)
}

// largest exchanges one element after the other; doing it again changes nothing.
func largest(p *tl.Program, x, out tl.Ptr, BLOCK tl.Const) {
	o := tl.Arange(0, BLOCK)
	tl.AtomicMax(out.Add(o.Mod(64)), tl.Load(x.Add(o)))
}

// longestCall bounds a call of code: the budget is 100 µs, of a machine that does nothing
// else.
const longestCall = 700 * time.Microsecond

// TestCallsAreShort: no call of machine code takes long, whatever it works on: nobody
// else can stop the world meanwhile. That it lets others in changes no bit.
func TestCallsAreShort(t *testing.T) {
	if dtype.Fenced() != dtype.NoFence {
		t.Skip("memory against fences is faulted in during calls")
	}
	const n = 1 << 19
	i64 := tensor.RandInt(1, tl.Int64, -9, 9, n)
	f := func(d tl.DType, size ...int) *tensor.Tensor { return tensor.Rand(1, d, size...) }
	for i, x := range []struct {
		name string
		fn   any
		grid exec.Grid
		args []any
	}{
		{"heavy", heavy, exec.Grid{1}, []any{f(tl.Float32, n), f(tl.Float32, n), n}},
		{"heavy f64", heavy, exec.Grid{1}, []any{f(tl.Float64, n), f(tl.Float64, n), n}},
		{"heavy small", heavySmall, exec.Grid{1}, []any{f(tl.Float32, n), f(tl.Float32, n), 500, 1024}},
		{"copied", copied, exec.Grid{1}, []any{f(tl.Float32, 4*n), f(tl.Float32, 4*n), 4 * n}},
		{"gathered", gathered, exec.Grid{1}, []any{f(tl.Float32, 4*n), f(tl.Float32, 4*n), 4 * n}},
		{"scanned", scanned, exec.Grid{1}, []any{f(tl.Float32, n), f(tl.Float32, n), n}},
		{"summed", summed, exec.Grid{1}, []any{f(tl.Float32, n), f(tl.Float32, n), 1024, 512}},
		{"summed long", summed, exec.Grid{1}, []any{f(tl.Float32, n), f(tl.Float32, n), 1, n}},
		{"summed high", summed, exec.Grid{1}, []any{f(tl.Float32, n), f(tl.Float32, n), n, 1}},
		{"transposed", transposed, exec.Grid{1}, []any{f(tl.Float32, n), f(tl.Float32, n), 1024, 512}},
		{"transposed f16", transposed, exec.Grid{1}, []any{f(tl.Float16, n), f(tl.Float16, n), 1024, 512}},
		{"multiplied", multiplied, exec.Grid{1}, []any{f(tl.Float32, n), f(tl.Float32, n), f(tl.Float32, n), 512}},
		{"multiplied f64", multiplied, exec.Grid{1}, []any{f(tl.Float64, n), f(tl.Float64, n), f(tl.Float64, n), 256}},
		{"multiplied i64", multiplied, exec.Grid{1}, []any{i64, i64, tensor.Zeros(tl.Int64, n), 256}},
		{"paired", paired, exec.Grid{1}, []any{f(tl.BFloat16, n), f(tl.BFloat16, n), f(tl.Float32, n), 512}},
		{"tiled", tiled, exec.Grid{1}, []any{f(tl.BFloat16, n), f(tl.BFloat16, n), f(tl.Float32, n), 512}},
		{"straight", straight, exec.Grid{1}, []any{f(tl.Float32, n), f(tl.Float32, n), 4096}},
		{"divided", divided, exec.Grid{1}, []any{i64, tensor.Zeros(tl.Int64, n), 1 << 14}},
		{"largest", largest, exec.Grid{1}, []any{i64, tensor.Zeros(tl.Int64, n), n}},
		{"best", best, exec.Grid{1}, []any{f(tl.Float32, n), tensor.Zeros(tl.Int32, n), 1024, 512}},
		{"product", product, exec.Grid{8, 8}, []any{f(tl.Float32, n), f(tl.Float32, n), f(tl.Float32, n), 512, 64}},
		{"product f16", product, exec.Grid{8, 8}, []any{f(tl.Float16, n), f(tl.Float16, n), f(tl.Float32, n), 512, 64}},
	} {
		out := x.args[slices.IndexFunc(x.args, func(a any) bool { _, ok := a.(*tensor.Tensor); return !ok })-1].(*tensor.Tensor)
		if err := exec.New(x.fn).With(exec.Options{Engine: "portable"}).Launch(x.grid, x.args...); err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(out.Buf().Bytes())
		for j, engine := range []string{"avx2", "avx512"} {
			if !slices.Contains(exec.Engines(), engine) || os.Getenv("TILER_LONG") == "" && (i+j)%24 != 0 {
				continue
			}
			t.Run(fmt.Sprint(x.name, " ", engine), func(t *testing.T) {
				k := exec.New(x.fn).With(exec.Options{Engine: engine})
				if took := longest(t, func() error { return k.Launch(x.grid, x.args...) }); took > longestCall {
					t.Errorf("a call takes %v", took)
				} else {
					t.Log(took)
				}
				if !bytes.Equal(out.Buf().Bytes(), want) {
					t.Error("the bits differ")
				}
			})
		}
	}
}

// longest is the longest call of code, in the first run where none is too long or in the best of
// many: the host may take the processor away in others.
func longest(t *testing.T, launch func() error) time.Duration {
	t.Helper()
	best := time.Duration(math.MaxInt64)
	for run := 0; run < 12 && best > longestCall; run++ {
		var mu sync.Mutex
		var most time.Duration
		stop := amd64.TimeCalls(func(d time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			most = max(most, d)
		})
		err := launch()
		stop()
		if err != nil {
			t.Fatal(err)
		}
		best = min(best, most)
	}
	return best
}
