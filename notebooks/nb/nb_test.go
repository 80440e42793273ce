package nb

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// printed is what fn prints outside a notebook.
func printed(t *testing.T, fn func()) (out, err string) {
	t.Helper()
	var o, e strings.Builder
	oldOut, oldErr := stdout, stderr
	stdout, stderr = &o, &e
	defer func() { stdout, stderr = oldOut, oldErr }()
	fn()
	return o.String(), e.String()
}

func copyKernel(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	tl.Store(out.Add(offs), tl.Load(x.Add(offs)), tl.Mask(offs.Lt(n)))
}

func TestText(t *testing.T) {
	x := tensor.Arange(tl.Int32, 0, 10)
	rep, err := exec.New(copyKernel).Check(exec.Grid{3}, x, tensor.Empty(tl.Int32, 10), 10, 4)
	for _, c := range []struct {
		name     string
		do       func()
		out, err string // parts of what is printed
	}{
		{"tile", func() { Show(tl.Arange(0, 3).Col()) }, "i32[3,1]\n", ""},
		{"several", func() { Show(x, tl.Arange(0, 3).Lt(1)) }, "1 of 3 lanes true", ""},
		{"no error", func() { Show(error(nil)) }, "", ""},
		{"error", func() { Show(err) }, "", "nb_test.go:28: out-of-bounds: "},
		{"error of its own", func() { Fail(errors.New("no")) }, "", "no\n"},
		{"report", func() { Show(rep) }, "check copyKernel on grid (3): FAILED", ""},
		{"report and the error that it tells", func() { Show(err, rep) }, "check copyKernel on grid (3): FAILED", ""},
		{"report and another error", func() { Show(errors.New("no"), rep) }, "FAILED", "no\n"},
		{"no report", func() { Check(nil) }, "", ""},
		{"overlay", func() { Overlay(Pointer(x, "x").Add(tl.Arange(8, 12)), Part{Ptr: Pointer(x, "x"), Name: "first"}) }, "first: 1 lane", ""},
		{"blocks", func() { Blocks(copyKernel, exec.Grid{3}, x, x, 12, 4) }, "copyKernel  program (0) of (3)\nx i32[10]", ""},
		{"blocks of another program, that fails", func() { BlocksAt([]int{2}, copyKernel, exec.Grid{3}, x, x, 12, 4) }, "× outside the tensor: 2 lanes", "out of bounds"},
		{"blocks of no kernel", func() { Blocks(3, exec.Grid{3}) }, "", "nb.Blocks: "},
		{"overlay of what is no pointer", func() { Overlay(3) }, "", "argument 1 is int"},
		{"programs", func() {
			Overlay(Each(exec.Grid{2, 2}, func(p *tl.Program) Part {
				return Part{Ptr: Pointer(x, "x").Add(p.ID(0)*5 + p.ID(1))}
			}))
		}, "program (1,1): 1 lane", ""},
		{"bench", func() {
			Bench([]Row{{Name: "mine", Case: "small", Engine: "avx2", Value: 12.34, Unit: "GF/s", Peers: map[string]float64{"theirs": 24.68}}})
		}, "small\n  mine (avx2) ████████████████████                     12.3 GF/s\n  theirs      ████████████████████████████████████████ 24.7 GF/s\n", ""},
	} {
		out, err := printed(t, c.do)
		if !strings.Contains(out, c.out) || !strings.Contains(err, c.err) || c.out == "" && out != "" || c.err == "" && err != "" {
			t.Errorf("%s: stdout %q, want %q; stderr %q, want %q", c.name, out, c.out, err, c.err)
		}
	}
}

func TestPlot(t *testing.T) {
	bars := barsOf([]Row{{Name: "a<b", Case: "c", Value: 10, Unit: "GB/s", Peak: 20}, {Name: "d", Case: "c", Unit: "GB/s"}})
	svg, _ := barsSVG(bars)
	for _, part := range []string{"<svg ", "a&lt;b", "10.0 GB/s", `class="peak"`, `width="0.0"`, "</svg>", "prefers-color-scheme:dark"} {
		if !strings.Contains(svg, part) {
			t.Errorf("no %s in %s", part, svg)
		}
	}
	if got, _ := barsSVG(nil); !strings.Contains(got, "</svg>") {
		t.Errorf("nothing: %s", got)
	}
}

func TestMeasure(t *testing.T) {
	n := 0
	rows, err := Measure(Timing{Name: "count", Work: 1e9, Unit: "G/s", Run: func() error { n++; return nil }}, Timing{Name: "time", Run: func() error { return nil }})
	if err != nil || n == 0 || rows[0].Value <= 0 || rows[0].Unit != "G/s" || rows[1].Unit != "ms" {
		t.Errorf("%v %v after %d runs", rows, err, n)
	}
	if _, err := Measure(Timing{Name: "bad", Run: func() error { return os.ErrInvalid }}); !errors.Is(err, os.ErrInvalid) {
		t.Errorf("got %v", err)
	}
}

func TestKeepOutside(t *testing.T) {
	if got := Keep("x", func() int { return 7 }); got != 7 {
		t.Errorf("got %d", got)
	}
}

// A stamp changes with what a cell depends on, and with nothing else.
func TestStamps(t *testing.T) {
	const kernel = "import \"fmt\"\n\n// add adds.\nfunc add(p *tl.Program, x tl.Ptr) { tl.Store(x, helper(1)) }\nfunc helper(v int) int { return v }\nfunc other(p *tl.Program) {}\n"
	const run = "%%\nx := make()\nexec.New(add).Launch(x)\n"
	const input = "func make() int { return 1 }\n"
	stamp := func(cells ...string) Stamp { return Stamps(cells)[len(cells)-1] }
	base := stamp(kernel, input, run)
	if base.Kernel == "" || base.Inputs == "" {
		t.Fatalf("%+v", base)
	}
	for _, c := range []struct {
		name           string
		cells          []string
		kernel, inputs bool // what changes
	}{
		{"comments and layout", []string{strings.ReplaceAll(kernel, "add adds.", "more\n// words"), input, strings.ReplaceAll(run, "add)", "add, // here\n)")}, false, false},
		{"one cell", []string{kernel + input + run}, false, false},
		{"a cell between that it does not use", []string{kernel, input, "var unused = 1\n%%\nfmt.Println(unused)", run}, false, false},
		{"another kernel", []string{strings.ReplaceAll(kernel, "other(p *tl.Program) {}", "other(p *tl.Program) { f() }"), input, run}, false, false},
		{"the kernel", []string{strings.ReplaceAll(kernel, "tl.Store(x,", "tl.Store(x.Add(1),"), input, run}, true, false},
		{"what the kernel calls", []string{strings.ReplaceAll(kernel, "return v", "return v+1"), input, run}, true, false},
		{"the inputs", []string{kernel, strings.ReplaceAll(input, "1", "2"), run}, false, true},
		{"a later declaration", []string{kernel, input, "func make() int { return 3 }\n", run}, false, true},
		{"the statements", []string{kernel, input, strings.ReplaceAll(run, "make()", "make() + 1")}, false, true},
	} {
		got := stamp(c.cells...)
		if (got.Kernel != base.Kernel) != c.kernel || (got.Inputs != base.Inputs) != c.inputs {
			t.Errorf("%s: %+v after %+v", c.name, got, base)
		}
	}
	if got := stamp("func broken( {"); got != (Stamp{}) {
		t.Errorf("a cell that does not parse: %+v", got)
	}
}

// What the running program computes from gonb's file is what a notebook's cells give.
func TestStampOfFile(t *testing.T) {
	cells := "func add(p *tl.Program) { tl.Store(p, 1,\n\t\t2) }\nvar (\n\ta = 1\n\tb = f(a)\n)\n%%\nadd(b)\n"
	file := "package main\n\nimport \"flag\"\n\nvar (\n\ta = 1\n\tb = f(a)\n)\n\nfunc add(p *tl.Program) {\n\ttl.Store(p, 1,\n\t\t2)\n}\n\nfunc main() {\n\tflag.Parse()\n\tadd(b)\n\n}\n"
	want := Stamps([]string{cells})[0]
	s := parseSource(file)
	if got := s.stamp("main"); got != want {
		t.Errorf("file %+v, cells %+v", got, want)
	}
	if name, first := s.functionAt(12); name != "add" || first != 10 {
		t.Errorf("line 12 is in %s, from %d on", name, first)
	}
}

func TestPositions(t *testing.T) {
	text := inFunctions("see " + filepath.ToSlash("/tmp/gonb_1a2b3c4d/main.go:7: here, and /home/u/main.go:7"))
	if text != "see cell:7: here, and /home/u/main.go:7" {
		t.Errorf("got %q", text)
	}
}
