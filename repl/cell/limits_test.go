package cell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// usable fails if a session does not do what it did before.
func (c *console) usable(t *testing.T, after string) {
	t.Helper()
	for _, x := range []struct{ src, want string }{
		{"kept", "7"}, {"closure(2)", "9"}, {"named(3)", "10"}, {"tl.Arange(0, 2) + 1", "tile([1, 2])"},
		{"launch()", "tensor([1., 1.])"},
	} {
		if got := c.eval(x.src); got != x.want {
			t.Fatalf("after %s: %s: got %s, want %s", after, x.src, got, x.want)
		}
	}
}

func newUsable(t testing.TB) *console {
	c := newConsole(t)
	c.mustEval(t, `import ("strings"; "time"; "sync")
kept := 7
closure := func(n int) int { return n + kept }
func named(n int) int { return n + kept }
func ones(p *tl.Program, out tl.Ptr) { tl.Store(out + p.ID(0), 1.0) }
func launch() *tensor.Tensor {
	out := tensor.Zeros(tl.Float32, 2)
	if err := exec.New(ones).Launch(exec.Grid{2}, out); err != nil {
		panic(err)
	}
	return out
}
func forever(p *tl.Program, out tl.Ptr) { for { } }
func slow(p *tl.Program, out tl.Ptr, n int) {
	acc := tl.Zeros(tl.Float32, 64, 64)
	for range n {
		acc = tl.Dot(acc, acc)
	}
	tl.Store(out, tl.Sum(acc))
}
type node struct { next *node }
func (n *node) depth() int { return n.next.depth() + 1 }
type walker interface { walk(n int) int }
type step struct{}
func (s step) walk(n int) int { var w walker = s; return w.walk(n + 1) + 1 }
var again func(n int) int
func even(n int) bool { return odd(n + 1) }
func odd(n int) bool { return even(n + 1) }
func fib[T int | float64](n T) T { return fib(n + 1) + fib(n + 2) }
func deferred(n int) { defer deferred(n + 1); deferred(n + 2) }
`)
	return c
}

type cellCase struct{ src, want string }

// TestRunaway: cells that panic, recurse without end or ask for too much leave a session
// that can be used.
func TestRunaway(t *testing.T) {
	c := newUsable(t)
	cells := []cellCase{
		{`panic("no")`, "panic: no"},
		{`[]int{1}[kept]`, "panic: runtime error: index out of range [7] with length 1"},
		{`var none *node; none.next = nil`, "invalid memory address or nil pointer dereference"},
		{"func f(n int) int { return f(n+1) + 1 }\nf(0)", "nested over 100000 deep"},
		{"make([]int, 1<<45)", "is more than this machine has left"},
		{"n := 1 << 62\nmake([]float64, n)", "more than this machine has left"},
		{"make(map[int]int, n)", "more than this machine has left"},
		{"make([]int, -n)", "makeslice: len out of range"},
		{`strings.Repeat("long", n)`, "more than this machine has left"},
		{"tensor.Zeros(tl.Float32, 1<<20, 1<<20, 1<<10)", "more than this machine has left"},
		{"tl.Zeros(tl.Float32, 1<<20, 1<<20)", "is over 1 GiB"},
		{"tl.Arange(0, 1<<50)", ""},
		{`go func() { panic("aside") }(); time.Sleep(time.Minute)`, "panic: aside (in a goroutine)"},
		{"exec.New(func(p *tl.Program) { panic(p.ID(0)) }).Launch(exec.Grid{1})", "panic: 0"},
	}
	if os.Getenv("TILER_LONG") != "" { // each takes half a second
		cells = append(cells, []cellCase{
			{"even(0)", "nested over 100000 deep"},
			{"deferred(0)", "nested over 100000 deep"},
			{"fib(1.5)", "nested over 100000 deep"},
			{"again = func(n int) int { return again(n+1) + 1 }\nagain(0)", "nested over 100000 deep"},
			{"step{}.walk(0)", "nested over 100000 deep"},
			{"loop := &node{}; loop.next = loop; loop.depth()", "nested over 100000 deep"},
		}...)
	}
	for _, x := range cells {
		got := c.eval(x.src)
		if !strings.Contains(got, x.want) {
			t.Errorf("%s\ngot  %s\nwant %s", x.src, got, x.want)
		}
		c.usable(t, x.src)
	}
}

// TestMemory: a cell that allocates bit by bit is ended when it has used half of what
// was left.
func TestMemory(t *testing.T) {
	c := newUsable(t)
	c.host.Memory.Free = func() int64 { return 256 << 20 }
	for _, src := range []string{
		"var hoard [][]byte\nfor { hoard = append(hoard, make([]byte, 1<<20)) }",
		`s := "x"; for { s += s }`,
		"var all []tl.Tile\nfor { all = append(all, tl.Zeros(tl.Float64, 1024, 256)) }",
	} {
		if got := c.eval(src); !strings.Contains(got, "used nearly all of the machine's memory") && !strings.Contains(got, "more than this machine has left") {
			t.Errorf("%s: got %s", src, got)
		}
		c.eval("hoard = nil; s = \"\"; all = nil")
		c.usable(t, src)
	}
}

// A counter counts what is written.
type counter int64

func (n *counter) Write(b []byte) (int, error) { *n += counter(len(b)); return len(b), nil }

func TestMuchOutput(t *testing.T) {
	var n counter
	s := New(Options{Out: &n})
	s.ImportUsual()
	err := s.Eval(context.Background(), "import \"strings\"\nfor range 100 { fmt.Println(strings.Repeat(\"x\", 1<<20)) }")
	if err != nil || n != 100*(1<<20+1) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if err := s.Eval(context.Background(), "fmt.Println(1)"); err != nil || n != 100*(1<<20+1)+2 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// stopped evaluates a cell that does not end by itself, stops it, and is how long that
// took.
func (c *console) stopped(t testing.TB, src string, after time.Duration) time.Duration {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var told time.Time
	timer := time.AfterFunc(after, func() { told = time.Now(); cancel() })
	defer timer.Stop()
	err := c.Eval(ctx, src)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%s: got %v", src, err)
	}
	return time.Since(told)
}

// TestStop: what spins, waits or computes ends when it is told to, and the session goes
// on. The bound is generous, because machines are busy; BenchmarkStop measures.
func TestStop(t *testing.T) {
	c := newUsable(t)
	for _, src := range endless {
		if took := c.stopped(t, src, 30*time.Millisecond); took > 5*time.Second {
			t.Errorf("%s: ended %v after it was told to", src, took)
		}
		c.usable(t, src)
	}
}

// endless are cells that do not end by themselves.
var endless = []string{
	"for { }",
	"for { kept += 0 }",
	"func() { for { named(1) } }()",
	"time.Sleep(time.Hour)",
	"select {}",
	"ch := make(chan int); <-ch",
	"ch2 := make(chan int); ch2 <- 1",
	"for { select { case <-time.After(time.Hour): } }",
	"go func() { for { } }(); select {}",
	"exec.New(forever).Launch(exec.Grid{4}, tensor.Zeros(tl.Float32, 1))",
	"exec.New(slow).Launch(exec.Grid{1000000}, tensor.Zeros(tl.Float32, 1), 1000000)",
	"exec.New(slow, exec.Options{Engine: \"portable\"}).Launch(exec.Grid{1000000}, tensor.Zeros(tl.Float32, 1), 100)",
	"exec.New(slow).Check(exec.Grid{1000000}, tensor.Zeros(tl.Float32, 1), 1000000)",
	"for { tl.Sum(tl.Zeros(tl.Float32, 256, 256)) }",
	"for { fmt.Print() }",
	"var mu sync.Mutex; for { mu.Lock(); mu.Unlock() }",
}

// TestCheckEndless: a check of a kernel that spins, on memory or not, ends and says where,
// and what called it goes on. Only where goroutines would be stopped along is the cell.
func TestCheckEndless(t *testing.T) {
	c := newUsable(t)
	c.mustEval(t, `func spin(p *tl.Program, n int) {
	for i := range 3 { n += i }
	for n > 0 {
		n |= 1
	}
}
func check(k *exec.Kernel, args ...any) {
	_, err := k.With(exec.Options{Check: exec.CheckOptions{Budget: 1}}).Check(exec.Grid{2}, args...)
	fmt.Println(err)
}`)
	for i, x := range []struct{ src, want string }{
		{"check(exec.New(forever), tensor.Ones(tl.Float32, 1))", "forever: check failed: cell 2:13: endless: the program does not end"},
		{"check(exec.New(spin), 1); named(1)", "spin: check failed: cell 3:3: endless: the program does not end"},
		{"go func() { select {} }(); check(exec.New(spin), 1)", "a kernel that is being checked does not end"},
	} {
		if i == 2 && os.Getenv("TILER_LONG") == "" {
			continue // it takes half a second, and is in repl's session of endless kernels
		}
		if got := c.eval(x.src); !strings.Contains(got, x.want) || strings.Contains(x.src, "named(1)") && !strings.HasSuffix(got, "8") {
			t.Errorf("%s\ngot  %s\nwant %s", x.src, got, x.want)
		}
		c.usable(t, x.src)
	}
}

func TestProgressOfLaunches(t *testing.T) {
	var got []string
	s := New(Options{Progress: func(kernel string, done, total int) { got = append(got, fmt.Sprint(kernel, done, total)) }})
	s.ImportUsual()
	err := s.Eval(context.Background(), "func k(p *tl.Program, out tl.Ptr) { tl.Store(out, 1.0) }\nexec.New(k).Launch(exec.Grid{64}, tensor.Zeros(tl.Float32, 1))")
	if err != nil || len(got) == 0 || got[len(got)-1] != "k64 64" {
		t.Errorf("got %v, %v", got, err)
	}
}

func BenchmarkStop(b *testing.B) {
	for _, src := range []string{endless[0], endless[9], endless[10], endless[11]} {
		b.Run(strings.ReplaceAll(src, " ", ""), func(b *testing.B) {
			c := newUsable(b)
			var worst time.Duration
			for b.Loop() {
				worst = max(worst, c.stopped(b, src, 20*time.Millisecond))
			}
			b.ReportMetric(float64(worst.Milliseconds()), "worst-ms")
		})
	}
}
