package exec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// accumulate adds x to out, and is wrong for blocks of 48: it forgets the last lane.
func accumulate(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	if BLOCK == 48 {
		mask = mask.And(tl.Arange(0, BLOCK).Lt(47))
	}
	tl.Store(out.Add(offs), tl.Load(out.Add(offs), tl.Mask(mask)).Add(tl.Load(x.Add(offs), tl.Mask(mask))), tl.Mask(mask))
}

// unmasked is right only for blocks that divide n.
func unmasked(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	tl.Store(out.Add(offs), tl.Load(x.Add(offs)).Mul(2))
}

// clock times configurations as a table says and counts how often it is asked.
type clock struct {
	mu    sync.Mutex
	times map[int]time.Duration // by BLOCK
	asked int
	err   error
}

func (c *clock) bench(cfg Config, launch func() error) (Timing, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	if c.err != nil {
		return Timing{}, c.err
	}
	d := c.times[cfg["BLOCK"].(int)]
	return Timing{Median: d, Min: d, Max: d, Samples: 1, Calls: 1}, launch()
}

func blocks(sizes ...int) (cs []Config) {
	for _, b := range sizes {
		cs = append(cs, Config{"BLOCK": b})
	}
	return cs
}

func byBlock(n int) GridFn { return func(m Meta) Grid { return Grid{tl.Cdiv(n, m["BLOCK"])} } }

var inPortable = Options{Engine: "portable", Memory: "off"}

func TestAuto(t *testing.T) {
	c := &clock{times: map[int]time.Duration{16: 3, 32: 1, 48: 1, 64: 2}}
	var table bytes.Buffer
	a := Auto(New(accumulate, inPortable), blocks(16, 32, 48, 64), "n").With(AutoOptions{Bench: c.bench, Table: &table})
	const n = 96
	x, out := tensor.Ones(tl.Float32, n), tensor.Zeros(tl.Float32, n)
	tuning, err := a.Tune(byBlock(n), x, out, n)
	if err != nil {
		t.Fatal(err)
	}
	if tuning.Best["BLOCK"] != 32 || !strings.Contains(tuning.Rows[2].Rejected, "wrong result: 2 of 96 elements of out differ from those of BLOCK=16 and 2 more; the worst is [47]: got 0, want 1") {
		t.Errorf("tuning\n%v", tuning)
	}
	if !tensor.Equal(out, tensor.Zeros(tl.Float32, n)) {
		t.Error("tuning wrote to the caller's tensors")
	}
	for range 2 {
		if err := a.Launch(byBlock(n), x, out, n); err != nil {
			t.Fatal(err)
		}
	}
	if !tensor.Equal(out, tensor.Full(tl.Float32, 2, n)) {
		t.Errorf("two launches give %v, want 2 everywhere", out)
	}
	if c.asked != 3 {
		t.Errorf("%d configurations were measured, want 3: once per key, and not the wrong one", c.asked)
	}
	want := `accumulate: portable, x f32, out f32, n=96
    1/4  BLOCK=16         3ns  the fastest so far
    2/4  BLOCK=32         1ns  the fastest so far
    3/4  BLOCK=48  rejected: wrong result: 2 of 96 elements of out differ from those of BLOCK=16 and 2 more; the worst is [47]: got 0, want 1
    4/4  BLOCK=64         2ns
accumulate: the fastest is BLOCK=32
`
	if table.String() != want {
		t.Errorf("table\n%swant\n%s", table.String(), want)
	}
	order := []string{"BLOCK=32", "1.00×", "BLOCK=64", "2.00×", "BLOCK=16", "3.00×", "BLOCK=48  rejected"}
	for text := tuning.String(); len(order) > 0; order = order[1:] {
		_, rest, ok := strings.Cut(text, order[0])
		if !ok {
			t.Fatalf("no %q in its place in\n%v", order[0], tuning)
		}
		text = rest
	}
}

// TestAutoKeys: other values of the key, other dtypes and an engine that came later
// are tuned anew; other values beside the key are not.
func TestAutoKeys(t *testing.T) {
	c := &clock{times: map[int]time.Duration{16: 1, 32: 2}}
	k := New(accumulate, Options{Memory: "off"})
	a := Auto(k, blocks(16, 32), "x").With(AutoOptions{Bench: c.bench})
	launch := func(d tl.DType, size, n, asked int) {
		t.Helper()
		if err := a.Launch(byBlock(n), tensor.Zeros(d, size), tensor.Zeros(d, size), n); err != nil {
			t.Fatal(err)
		}
		if c.asked != asked {
			t.Errorf("%d measurements, want %d", c.asked, asked)
		}
	}
	launch(tl.Float32, 64, 64, 2)
	launch(tl.Float32, 64, 60, 2)
	launch(tl.Float32, 96, 64, 4)
	launch(tl.Int32, 64, 64, 6)
	k.promoted.Store(true)
	launch(tl.Float32, 64, 64, 8)
}

// TestAutoMajority: without a reference most configurations are right, of as many the
// first; with one, it is.
func TestAutoMajority(t *testing.T) {
	const n = 96
	x := tensor.Ones(tl.Float32, n)
	c := &clock{times: map[int]time.Duration{16: 1, 48: 2}}
	rejected := func(k *Kernel, sizes ...int) (list []int) {
		tuning, err := Auto(k, blocks(sizes...)).With(AutoOptions{Bench: c.bench}).Tune(byBlock(n), x, tensor.Zeros(tl.Float32, n), n)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range tuning.Rows {
			if r.Rejected != "" {
				list = append(list, r.Config["BLOCK"].(int))
			}
		}
		return list
	}
	if got := rejected(New(accumulate, inPortable), 48, 16); fmt.Sprint(got) != "[16]" {
		t.Errorf("one against one: %v are rejected, want the later", got)
	}
	if got := rejected(New(accumulate, inPortable), 48, 16, 32); fmt.Sprint(got) != "[48]" {
		t.Errorf("two against one: %v are rejected, want 48", got)
	}
	k := New(accumulate, inPortable).Against(func(x, out *tensor.Tensor, n, block int) {
		for i := range n {
			tensor.Data[float32](out)[i] += tensor.Data[float32](x)[i]
		}
	})
	if got := rejected(k, 48, 16); fmt.Sprint(got) != "[48]" {
		t.Errorf("with a reference: %v are rejected, want 48", got)
	}
}

func TestAutoTolerance(t *testing.T) {
	const n = 96
	c := &clock{times: map[int]time.Duration{16: 2, 48: 1}}
	o := AutoOptions{Bench: c.bench, Tolerance: &tensor.Tolerance{Abs: 2}}
	tuning, err := Auto(New(accumulate, inPortable), blocks(16, 48)).With(o).Tune(byBlock(n), tensor.Ones(tl.Float32, n), tensor.Zeros(tl.Float32, n), n)
	if err != nil || tuning.Best["BLOCK"] != 48 {
		t.Errorf("within a tolerance of 2: %v, error %v", tuning, err)
	}
}

func TestAutoFailures(t *testing.T) {
	const n = 96
	x, out := tensor.Ones(tl.Float32, n), tensor.Zeros(tl.Float32, n)
	c := &clock{times: map[int]time.Duration{32: 2, 64: 1}}
	a := Auto(New(unmasked, inPortable), blocks(64, 32)).With(AutoOptions{Bench: c.bench})
	tuning, err := a.Tune(byBlock(n), x, out, n)
	if err != nil || tuning.Best["BLOCK"] != 32 || !strings.Contains(tuning.Rows[0].Rejected, "out of bounds") {
		t.Errorf("a configuration that fails: %v, error %v", tuning, err)
	}
	if err := Auto(New(unmasked, inPortable), blocks(64, 128)).Launch(byBlock(n), x, out, n); err == nil || !strings.Contains(err.Error(), "every configuration was rejected\n\tBLOCK=64: ") {
		t.Errorf("all fail: %v", err)
	}
	c.err = errors.New("the clock stopped")
	if err := Auto(New(unmasked, inPortable), blocks(32)).With(AutoOptions{Bench: c.bench}).Launch(byBlock(n), x, out, n); err == nil || !strings.Contains(err.Error(), "the clock stopped") {
		t.Errorf("a measurement that fails: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Auto(New(unmasked, inPortable), blocks(32)).LaunchContext(ctx, byBlock(n), x, out, n); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestAutoRefuses(t *testing.T) {
	k := New(accumulate, inPortable)
	x := tensor.Zeros(tl.Float32, 32)
	for _, c := range []struct {
		a    *Autotuner
		args []any
		want string
	}{
		{Auto(New(3), blocks(16)), nil, "want a kernel function"},
		{Auto(k, nil), nil, "no configurations for accumulate"},
		{Auto(k, []Config{{"BLOK": 16}}), nil, "configuration BLOK=16: accumulate has no parameter BLOK (did you mean BLOCK?)"},
		{Auto(k, []Config{{"BLOCK": 16}, {"n": 3}}), nil, "configuration n=3 sets n but BLOCK=16 does not"},
		{Auto(k, []Config{{"BLOCK": 16, "n": 2}, {"n": 3}}), nil, "does not set a parameter"},
		{Auto(k, blocks(16), "m"), nil, "key: accumulate has no parameter m; there is x, out, n, BLOCK"},
		{Auto(k, blocks(16), "BLOCK"), []any{x, x, 32}, "BLOCK is in the key, but the configurations set it"},
		{Auto(k, blocks(16)), []any{x, x, 32, 16}, "got 4 arguments, want 3: the configurations set the other 1"},
		{Auto(k, []Config{{"BLOCK": 1.5}}), []any{x, x, 32}, "BLOCK: got the float64 1.5, want int"},
	} {
		if err := c.a.Launch(Grid{2}, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestAutoMemory(t *testing.T) {
	const n = 96
	dir := t.TempDir()
	x, out := tensor.Ones(tl.Float32, n), tensor.Zeros(tl.Float32, n)
	tune := func(size int, cs []Config, times map[int]time.Duration) (*Tuning, int) {
		t.Helper()
		c := &clock{times: times}
		tuning, err := Auto(New(accumulate, inPortable), cs, "n").With(AutoOptions{Bench: c.bench, Memory: dir}).Tune(byBlock(size), x, out, size)
		if err != nil {
			t.Fatal(err)
		}
		return tuning, c.asked
	}
	times := map[int]time.Duration{16: 2 * time.Millisecond, 32: time.Millisecond}
	tune(n, blocks(16, 32, 48), times)
	again, asked := tune(n, blocks(16, 32, 48), nil)
	if asked != 0 || !again.Remembered || again.Best["BLOCK"] != 32 || again.Rows[2].Rejected == "" || again.Rows[0].Timing.Median != times[16] {
		t.Errorf("remembered: %v after %d measurements", again, asked)
	}
	if !strings.Contains(again.String(), "reused from an earlier run") {
		t.Errorf("it does not say that it is remembered:\n%v", again)
	}
	if _, asked := tune(n, blocks(16, 32), times); asked != 2 {
		t.Errorf("other configurations: %d measurements, want 2", asked)
	}
	if _, asked := tune(90, blocks(16, 32, 48), times); asked == 0 {
		t.Error("another key must be tuned")
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 3 || !strings.HasPrefix(files[0].Name(), "accumulate.tuned.") {
		t.Fatalf("files %v, error %v; want 3", files, err)
	}
	for _, f := range files {
		if err := os.WriteFile(dir+"/"+f.Name(), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, asked := tune(n, blocks(16, 32), times); asked != 2 {
		t.Errorf("a broken file: %d measurements, want 2", asked)
	}
}

// TestAutoConcurrent: many launches at once tune once.
func TestAutoConcurrent(t *testing.T) {
	const n, launches = 64, 8
	c := &clock{times: map[int]time.Duration{16: 2, 32: 1}}
	a := Auto(New(accumulate, inPortable), blocks(16, 32)).With(AutoOptions{Bench: c.bench})
	var wg sync.WaitGroup
	var failed atomic.Int64
	for range launches {
		wg.Go(func() {
			if a.Launch(byBlock(n), tensor.Ones(tl.Float32, n), tensor.Zeros(tl.Float32, n), n) != nil {
				failed.Add(1)
			}
		})
	}
	wg.Wait()
	if failed.Load() > 0 || c.asked != 2 {
		t.Errorf("%d launches failed, %d measurements, want 2", failed.Load(), c.asked)
	}
}

// TestAutoPromoted: every configuration of a promoted kernel runs compiled.
func TestAutoPromoted(t *testing.T) {
	const n = 96
	k := New(accumulate, Options{Memory: "off"})
	x, out := tensor.Ones(tl.Float32, n), tensor.Zeros(tl.Float32, n)
	if _, err := k.Promote(Grid{6}, x, out, n, 16); err != nil {
		t.Fatal(err)
	}
	out = tensor.Zeros(tl.Float32, n)
	c := &clock{times: map[int]time.Duration{16: 2, 32: 1}}
	if err := Auto(k, blocks(16, 32)).With(AutoOptions{Bench: c.bench}).Launch(byBlock(n), x, out, n); err != nil {
		t.Fatal(err)
	}
	if s := k.State(); s.Engine == interpreted || !tensor.Equal(out, x) {
		t.Errorf("state %v, out %v", s, out)
	}
}
