package repl_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tiler-go/tiler/repl"
)

// TestGoroutinesOfCells: goroutines of cells print, launch, look at types and fail while
// other cells are compiled and run. It is for go test -race.
func TestGoroutinesOfCells(t *testing.T) {
	s := newScreen(repl.Options{})
	for _, text := range []string{
		`import ("errors"; "os"; "time")`,
		"func fill(p *tl.Program, x tl.Ptr, v int) { tl.Store(x + tl.Arange(0, 4), v) }",
		`type shape interface { area() int }
type square struct { side int }
func (s square) area() int { return s.side * s.side }
type stop struct{}
func (stop) Error() string { return "stop" }`,
		"over := make(chan bool)",
		`func prints(over chan bool, most int) { for range most { select { case <-over: return; default: time.Sleep(200 * time.Microsecond); fmt.Print(""); print(""); fmt.Fprint(os.Stdout, "") } } }`,
		`func launches(over chan bool, most int) { for n := range most { select { case <-over: return; default: time.Sleep(200 * time.Microsecond); out := tensor.Zeros(tl.Int32, 4); exec.New(fill).Launch(exec.Grid{1}, out, n) } } }`,
		`func checks(over chan bool, most int) { for n := range most { select { case <-over: return; default: time.Sleep(200 * time.Microsecond); out := tensor.Zeros(tl.Int32, 4); exec.New(fill).Check(exec.Grid{1}, out, n) } } }`,
		`func looks(over chan bool, most int) {
	for n := range most {
		select {
		case <-over:
			return
		default:
			time.Sleep(200 * time.Microsecond)
		}
		var s shape = square{n}
		switch s := s.(type) {
		case square:
			_ = s.area()
		}
		var err error = stop{}
		var is stop
		_ = s.area() > 0 && errors.As(err, &is)
		_ = fmt.Sprint(s, err)
	}
}`,
		"func fails() { time.Sleep(time.Millisecond); panic(\"it went\") }",
		// What is run the first time the interpreter completes, without a lock of its own;
		// and so it does when a goroutine begins.
		"prints(over, 2); launches(over, 2); checks(over, 2); looks(over, 2)",
		"go prints(over, 1e9); go launches(over, 1e9); go checks(over, 1e9); go looks(over, 1e9); time.Sleep(100 * time.Millisecond)",
	} {
		if got := s.input(text); strings.Contains(got, "cell ") {
			t.Fatalf("%s\n%s", text, got)
		}
	}
	for range 5 {
		for _, text := range []string{
			"type other struct { a, b int }\nx := any(other{1, 2})\nx",
			"func (o other) area() int { return o.a }\nshape(other{3, 4}).area()",
			"out := tensor.Zeros(tl.Int32, 4)\nexec.New(fill).Launch(exec.Grid{1}, out, 3)",
			":check", ":kernels", ":tensors", ":plain on", ":plain off", ":why",
			"func fresh[T any](v T) []T { return []T{v} }\nfresh(1.5)",
			"time.Sleep(2 * time.Millisecond)",
		} {
			s.input(text)
		}
	}
	s.input("close(over); time.Sleep(20 * time.Millisecond)")
	s.input("go fails()")
	reported := func() bool { // on a line of its own, or if the cell is still running, as what ends it
		got := s.out.String()
		return strings.Contains(got, "panic: it went (in a goroutine)") ||
			strings.Contains(got, "panic: it went\n") && strings.Contains(got, "\tin a goroutine")
	}
	for start := time.Now(); !reported(); time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("the goroutine's failure is not reported: %s", s.out.String())
		}
	}
	if got := s.input("1 + 1"); got != "2\n" {
		t.Errorf("afterwards 1 + 1 is %s", got)
	}
}
