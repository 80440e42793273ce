package exec_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var errCustom = errors.New("custom")

type weird struct{}

func (w weird) String() string { panic("no name") }

type worse struct{}

func (*worse) Error() string { panic("no message") }

func noMap() map[string]int { return nil }

// helper is a function of the user's that a kernel calls.
func helper(n int) int {
	return []int{1, 2, 3}[n] // PANIC `panic: runtime error: index out of range \[9\] with length 3`
}

// The kernels of this list fail, each on the line that says so, with an error that
// matches: Go panics of every kind, ends of the goroutine, and faults.
var failing = []func(p *tl.Program, x tl.Ptr){
	func(p *tl.Program, x tl.Ptr) {
		n := []int{1}
		_ = n[p.Num(0)] // PANIC `panic: runtime error: index out of range \[2\] with length 1`
	},
	func(p *tl.Program, x tl.Ptr) {
		m := noMap()
		m["a"] = p.ID(0) // PANIC `assignment to entry in nil map`
	},
	func(p *tl.Program, x tl.Ptr) {
		var q *tl.Program
		q.Line = p.ID(0) // PANIC `invalid memory address or nil pointer dereference`
	},
	func(p *tl.Program, x tl.Ptr) {
		_ = 7 / (p.Num(0) - 2) // PANIC `integer divide by zero`
	},
	func(p *tl.Program, x tl.Ptr) {
		_ = make([]int, 1-p.Num(0)) // PANIC `makeslice: len out of range`
	},
	func(p *tl.Program, x tl.Ptr) {
		var v any = p
		_ = v.(int) // PANIC `interface conversion: interface \{\} is \*tilelang.Program, not int`
	},
	func(p *tl.Program, x tl.Ptr) {
		var f func()
		f() // PANIC `nil pointer dereference`
	},
	func(p *tl.Program, x tl.Ptr) {
		var c chan int
		close(c) // PANIC `close of nil channel`
	},
	func(p *tl.Program, x tl.Ptr) { helper(9) },
	func(p *tl.Program, x tl.Ptr) { panic("boom") },                                        // PANIC `panic: boom`
	func(p *tl.Program, x tl.Ptr) { panic(errCustom) },                                     // PANIC `panic: custom`
	func(p *tl.Program, x tl.Ptr) { panic(nil) },                                           // PANIC `panic called with nil argument`
	func(p *tl.Program, x tl.Ptr) { panic(3.5) },                                           // PANIC `panic: 3.5`
	func(p *tl.Program, x tl.Ptr) { panic([]int{1, 2}) },                                   // PANIC `panic: \[1 2\]`
	func(p *tl.Program, x tl.Ptr) { panic(weird{}) },                                       // PANIC `panic: %!v\(PANIC=String method: no name\)`
	func(p *tl.Program, x tl.Ptr) { panic(&worse{}) },                                      // PANIC `panic: %!v\(PANIC=Error method: no message\)`
	func(p *tl.Program, x tl.Ptr) { panic((*worse)(nil)) },                                 // PANIC `panic: `
	func(p *tl.Program, x tl.Ptr) { panic((*tl.Fault)(nil)) },                              // PANIC `panic: `
	func(p *tl.Program, x tl.Ptr) { panic(&tl.Fault{}) },                                   // PANIC `panic: `
	func(p *tl.Program, x tl.Ptr) { panic((*diag.Diagnostic)(nil)) },                       // PANIC `panic: `
	func(p *tl.Program, x tl.Ptr) { runtime.Goexit() },                                     // PANIC `the kernel ended its goroutine \(runtime.Goexit\)`
	func(p *tl.Program, x tl.Ptr) { _ = strings.Repeat("x", -p.Num(0)) },                   // PANIC `strings: negative Repeat count`
	func(p *tl.Program, x tl.Ptr) { slices.SortFunc([]int{2, 1}, nil) },                    // PANIC `nil pointer dereference`
	func(p *tl.Program, x tl.Ptr) { regexp.MustCompile(strings.Repeat("(", p.Num(0)-1)) },  // PANIC `panic: regexp: Compile`
	func(p *tl.Program, x tl.Ptr) { defer func() { panic("twice") }(); panic("once") },     // PANIC `panic: twice`
	func(p *tl.Program, x tl.Ptr) { tl.Reduce(tl.Arange(0, 4), nil) },                      // PANIC `nil pointer dereference`
	func(p *tl.Program, x tl.Ptr) { tl.Load(x.Add(tl.Arange(0, 9))) },                      // PANIC `tl.Load: out of bounds: lane \[8\] of \[9\] is x\[8\], 1 element past the end of x\n\tin program \([01]\) of grid \(2\).*x is f32\[8\].*fix: mask`
	func(p *tl.Program, x tl.Ptr) { tl.Zeros(tl.Float32, 4).Add(tl.Zeros(tl.Int8, 5)) },    // PANIC `Tile.Add: f32\[4\] and i8\[5\] do not broadcast`
	func(p *tl.Program, x tl.Ptr) { tensor.Zeros(tl.Float32, -1) },                         // PANIC `panic: tensor.Zeros: shape \[-1\] has a negative dimension`
	func(p *tl.Program, x tl.Ptr) { p.Assert(tl.Arange(0, 4).Lt(3), "in range", p.ID(1)) }, // PANIC `p.Assert: in range.*it does not hold at element \[3\]`
	func(p *tl.Program, x tl.Ptr) { exec.New(nested).Launch(exec.Grid{1}, nil); helper(9) },
	func(p *tl.Program, x tl.Ptr) {
		defer func() {
			if v := recover(); v != nil {
				panic(v) // as it was
			}
		}()
		tl.Load(x.Sub(1)) // PANIC `1 element before the start of x`
	},
	func(p *tl.Program, x tl.Ptr) {
		p.Line = 4711
		tl.Load(x.Sub(1)) // the line that an interpreter of Go source says it is at
	},
}

func nested(p *tl.Program, x tl.Ptr) { panic("not reached") }

var panicLine = regexp.MustCompile("// PANIC `(.*)`")

func TestPanicsBecomeErrors(t *testing.T) {
	text, err := os.ReadFile("panic_test.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i, kernel := range failing {
		for _, workers := range []int{1, 4} {
			err := exec.New(kernel, exec.Options{Workers: workers}).Launch(exec.Grid{2}, tensor.Zeros(tl.Float32, 8))
			var e *exec.Error
			if !errors.As(err, &e) {
				t.Errorf("kernel %d: got %v, want an *exec.Error", i, err)
				continue
			}
			pos := e.Pos()
			if pos.Line == 4711 {
				continue
			}
			if !strings.HasSuffix(pos.File, "panic_test.go") || pos.Line < 1 || pos.Line > len(lines) {
				t.Errorf("kernel %d: position %s is not in this file\n%s", i, pos, err)
				continue
			}
			m := panicLine.FindStringSubmatch(lines[pos.Line-1])
			if m == nil {
				t.Errorf("line %d does not expect a failure\n%s", pos.Line, err)
				continue
			}
			if ok, bad := regexp.MatchString("(?s)"+m[1], err.Error()); !ok || bad != nil {
				t.Errorf("line %d: want %s (%v)\ngot %s", pos.Line, m[1], bad, err)
			}
			if len(e.Program) != 1 || len(e.Grid) != 1 || e.Grid[0] != 2 || e.Op == "" || !strings.HasPrefix(err.Error(), "panic_test.go:") {
				t.Errorf("line %d: incomplete: %+v\n%s", pos.Line, e, err)
			}
		}
	}
}

func TestErrorUnwraps(t *testing.T) {
	err := exec.New(func(p *tl.Program) { panic(errCustom) }).Launch(exec.Grid{1})
	if !errors.Is(err, errCustom) {
		t.Errorf("%v is not what the kernel panicked with", err)
	}
}

// TestErrorText is the whole of one message: place, what, where in the grid, the rule,
// the facts, what to do.
func TestErrorText(t *testing.T) {
	x, y := tensor.Zeros(tl.Float32, 4), tensor.Zeros(tl.Float16, 2, 3)
	err := exec.New(shortRows).Launch(exec.Grid{2, 3}, x, y, 4)
	want := `panic_test.go:LINE: tl.Store: out of bounds: lane [1,2] of [4,4] is y[2,0], 1 element past the end of y
	in program (0,0) of grid (2,3) of kernel shortRows
	y is f16[2,3]
	10 of 16 active lanes lie outside
	fix: mask the lanes beyond the tensor's edge: tl.Mask(offs.Lt(n))`
	if err == nil {
		t.Fatal("no error")
	}
	got := regexp.MustCompile(`_test.go:\d+`).ReplaceAllString(err.Error(), "_test.go:LINE")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func shortRows(p *tl.Program, x, y tl.Ptr, BLOCK tl.Const) {
	if p.ID(0)+p.ID(1) > 0 {
		return
	}
	rows, cols := tl.Arange(0, BLOCK), tl.Arange(0, BLOCK)
	tl.Store(y.Add(rows.Mul(4).Col().Add(cols.Row())), tl.Load(x.Add(cols)))
}

func TestPrints(t *testing.T) {
	var out bytes.Buffer
	k := exec.New(func(p *tl.Program, x tl.Ptr) { p.Print("offs", tl.Arange(0, 3).Add(p.ID(0)*3)) }, exec.Options{Output: &out, Workers: 3})
	if err := k.Launch(exec.Grid{3}, tensor.Zeros(tl.Float32, 1)); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	slices.Sort(lines)
	if got, want := strings.Join(lines, "|"), "(0,0,0) offs tile([0, 1, 2])|(1,0,0) offs tile([3, 4, 5])|(2,0,0) offs tile([6, 7, 8])"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func printing(p *tl.Program, x tl.Ptr) {
	v := tl.Load(x)
	p.Print("v", v)
	tl.Store(x, v.Add(1))
}

// TestPromotePrintsOnce: what a promotion tries does not print, and nothing prints elsewhere
// than where it is told to.
func TestPromotePrintsOnce(t *testing.T) {
	stdout := os.Stdout
	defer func() { os.Stdout = stdout }()
	var err error
	if os.Stdout, err = os.Create(filepath.Join(t.TempDir(), "stdout")); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := exec.New(printing, exec.Options{Output: &out, Memory: "off"}).Promote(exec.Grid{1}, tensor.Zeros(tl.Float32, 1)); err != nil {
		t.Fatal(err)
	}
	if elsewhere, err := os.ReadFile(os.Stdout.Name()); err != nil || len(elsewhere) > 0 || out.String() != "(0,0,0) v tile(0.)\n" {
		t.Errorf("%v, got %q, and %q elsewhere", err, out.String(), elsewhere)
	}
}

type badWriter struct{}

func (badWriter) Write([]byte) (int, error) { panic("no ink") }

func TestHostCallbacksThatPanic(t *testing.T) {
	k := exec.New(func(p *tl.Program) { p.Print("x") })
	err := k.With(exec.Options{Output: badWriter{}}).Launch(exec.Grid{4})
	if err == nil || !strings.Contains(err.Error(), "panic: no ink") {
		t.Errorf("Output: %v", err)
	}
	k = exec.New(func(p *tl.Program) {})
	err = k.With(exec.Options{Progress: func(done, total int) { panic("no bar") }}).Launch(exec.Grid{400})
	if err == nil || !strings.Contains(err.Error(), "Options.Progress panicked: no bar") {
		t.Errorf("Progress: %v", err)
	}
}
