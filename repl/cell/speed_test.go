package cell

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	tl "github.com/tiler-go/tiler/tilelang"
)

// TestRedefinitions: a kernel that is defined again and again, with tensors that are
// made again and again, leaves nothing behind.
func TestRedefinitions(t *testing.T) {
	n := 100
	if os.Getenv("TILER_LONG") != "" {
		n = 1000
	}
	c := newConsole(t)
	c.mustEval(t, "x := tensor.Zeros(tl.Float32, 1<<18)")
	before := heap()
	for i := range n {
		c.mustEval(t, fmt.Sprintf("func k(p *tl.Program, x tl.Ptr) { tl.Store(x, %d.0) }", i))
		c.mustEval(t, "x := tensor.Zeros(tl.Float32, 1<<18)\nexec.New(k).Launch(exec.Grid{1}, x)")
	}
	if got, want := c.eval("tl.Load(tl.PointerTo(x, \"x\", nil))"), fmt.Sprintf("tile(%d.)", n-1); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if grown := heap() - before; grown > 200<<20*int64(n)/1000+(8<<20) {
		t.Errorf("%d redefinitions keep %d KiB", n, grown>>10)
	} else {
		t.Logf("%d redefinitions keep %d KiB", n, grown>>10)
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestCellCost: a cell of one expression allocates little; that bounds its time on any
// machine. BenchmarkCell measures that.
func TestCellCost(t *testing.T) {
	c := newConsole(t)
	c.mustEval(t, "x := 20")
	cost := testing.AllocsPerRun(50, func() { c.eval("x * 2 + 2") })
	if cost > 4000 {
		t.Errorf("a cell of one expression allocates %v times", cost)
	}
}

// TestStartCost: a session is there before its user has looked.
func TestStartCost(t *testing.T) {
	cost := testing.AllocsPerRun(3, func() {
		s := New(Options{})
		s.ImportUsual()
		if err := s.Eval(context.Background(), "1 + 2"); err != nil {
			t.Fatal(err)
		}
	})
	if cost > 200_000 {
		t.Errorf("a session allocates %v times until its first value", cost)
	}
}

// ops is a kernel of 100 operations on tiles of one element, which cost next to nothing
// but being called.
const ops = `func ops(p *tl.Program, n int) {
	x := tl.Full(tl.Int32, 1)
	for range n {
		x = x.Add(1)
		x = x.Add(1)
		x = x.Add(1)
		x = x.Add(1)
	}
}`

func goOps(_ *tl.Program, n int) {
	x := tl.Full(tl.Int32, 1)
	for range n {
		x = x.Add(1)
		x = x.Add(1)
		x = x.Add(1)
		x = x.Add(1)
	}
	sink = x
}

var sink tl.Tile

// opOverhead is how much longer an operation takes when it is interpreted, the least of
// several measurements.
func opOverhead(t testing.TB) (interpreted, compiled time.Duration) {
	c := newConsole(t)
	c.mustEval(t, ops)
	const n = 2000
	p := tl.NewProgram([3]int{}, [3]int{1, 1, 1}, nil)
	if err := c.Set("p", p); err != nil {
		t.Fatal(err)
	}
	c.mustEval(t, "run := func() { ops(p, 2000) }")
	v, err := c.Evaluate(context.Background(), "run")
	if err != nil {
		t.Fatal(err)
	}
	interpreted, compiled = time.Hour, time.Hour
	run := v.V.(func())
	for range 7 {
		start := time.Now()
		run()
		interpreted = min(interpreted, time.Since(start)/(4*n))
		start = time.Now()
		goOps(p, n)
		compiled = min(compiled, time.Since(start)/(4*n))
	}
	return interpreted, compiled
}

// TestOpCost: a busy machine is slow for both; BenchmarkOp measures.
func TestOpCost(t *testing.T) {
	interpreted, compiled := opOverhead(t)
	if interpreted > 8*compiled {
		t.Errorf("an operation takes %v interpreted, %v compiled", interpreted, compiled)
	}
}

func BenchmarkOp(b *testing.B) {
	var best time.Duration = time.Hour
	for b.Loop() {
		i, c := opOverhead(b)
		best = min(best, i-c)
	}
	b.ReportMetric(float64(best.Nanoseconds()), "ns-more/op")
}

func BenchmarkCell(b *testing.B) {
	for _, src := range []string{"x * 2 + 2", "offs[:, None] * 8 + offs", "y := x", "func f(n int) int { return n + x }", ops} {
		b.Run(src[:1], func(b *testing.B) {
			c := newConsole(b)
			c.mustEval(b, "x := 20\noffs := tl.Arange(0, 4)")
			for b.Loop() {
				c.mustEval(b, src)
			}
		})
	}
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		s := New(Options{})
		s.ImportUsual()
		if err := s.Eval(context.Background(), "1 + 2"); err != nil {
			b.Fatal(err)
		}
	}
}
