package gogen_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton"
	"github.com/tiler-go/tiler/exec/triton/gogen"
	"github.com/tiler-go/tiler/exec/triton/lower"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// load reads a file, as both packages have it.
func load(t *testing.T, path string) (*lower.File, *triton.File) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, path, string(text))
}

func parse(t *testing.T, path, text string) (*lower.File, *triton.File) {
	t.Helper()
	f, err := lower.Load(path, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	k, err := triton.Parse(path, text)
	if err != nil {
		t.Fatal(err)
	}
	return f, k
}

// printed is a kernel in Go; values are given for a launch's compile-time values alone.
func printed(t *testing.T, f *lower.File, name string, args []any) string {
	t.Helper()
	def, err := f.Kernel(name, 0)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{}
	for i, p := range def.Params {
		if d, ok := args[i].(tl.DType); ok {
			values[p.Name] = d
		}
	}
	text, err := gogen.Print(f, def, "kernels", values)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// goKernel compiles a printed kernel for arguments, and returns those that a launch gets.
func goKernel(t *testing.T, text, name string, args []any) (*exec.Kernel, []any) {
	t.Helper()
	f, err := gofile.Load("kernels.go", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if errs := f.Errors(); len(errs) > 0 {
		t.Fatalf("%v\n%s", errs, text)
	}
	params, err := f.Params(name)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	as, rest := make([]frontend.Arg, len(args)), slices.Clone(args)
	for i, a := range args {
		if b, ok := a.(bool); ok && params[i].Kind == gofile.Const {
			a = map[bool]int{true: 1}[b]
			rest[i] = a
		}
		switch a := a.(type) {
		case nil:
			as[i].None = true
		case *tensor.Tensor:
			as[i].DType = a.DType()
		case int:
			as[i].Int = int64(a)
		case float64:
			as[i].Float = a
		case bool:
			as[i].Bool = a
		case string:
			as[i].Str, rest[i] = a, 0
		case tl.DType:
			as[i].DType, rest[i] = a, 0
		}
	}
	k := exec.From(exec.Lowered{
		Func: func() (*ir.Func, error) { fn, _, err := frontend.Compile(f, name, as); return fn, err },
		Text: func(string) string { return text },
	})
	if err := k.Err(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return k, rest
}

// A row is a launch of a kernel.
type row struct {
	kernel string
	grid   exec.Grid
	args   []any
}

func f32(n ...int) *tensor.Tensor { return tensor.Randn(1, tl.Float32, n...) }

func zeros(d tl.DType, n ...int) *tensor.Tensor { return tensor.Zeros(d, n...) }

// language is launches of the kernels that the reader of Python is tested with.
var language = []row{
	{"add_kernel", exec.Grid{2}, []any{f32(100), f32(100), zeros(tl.Float32, 100), 100, 64}},
	{"softmax_kernel", exec.Grid{3}, []any{zeros(tl.Float32, 3, 50), f32(3, 50), 50, 50, 64}},
	{"matmul_kernel", exec.Grid{12}, []any{
		f32(50, 40).To(tl.Float16), f32(40, 70).To(tl.Float16), zeros(tl.Float32, 50, 70),
		50, 70, 40, 40, 1, 70, 1, 70, 1, 16, 32, 16, "relu",
	}},
	{"block_pointers", exec.Grid{3}, []any{f32(10, 20), zeros(tl.Float16, 10), 10, 20, 4, 8}},
	{"descriptors", exec.Grid{3}, []any{f32(10, 20), zeros(tl.Float32, 20, 10), 10, 20, 4, 8}},
	{"control", exec.Grid{5}, []any{
		tensor.From([]float32{1, 5, 9, 20, 0}, 5), zeros(tl.Float32, 5), 2.0, 4, true, f32(5),
	}},
	{"functions", exec.Grid{1}, []any{f32(8), zeros(tl.Float32, 8), 8}},
	{"persistent", exec.Grid{2}, []any{zeros(tl.Float32, 100), 100, 16}},
}

// own is launches of this package's kernels, for dtypes that tell a number's own from a tile's.
var own = []row{
	{"scaled", exec.Grid{3}, []any{f32(3, 20).To(tl.Float16), zeros(tl.Float32, 3, 20), 0.3, 20, 32}},
	{"scaled", exec.Grid{3}, []any{f32(3, 20).To(tl.BFloat16), zeros(tl.Float32, 3, 20), 0.3, 20, 32}},
	{"pieces", exec.Grid{2}, []any{f32(50), zeros(tl.Float32, 50), 50, "gelu", 32}},
	{"pieces", exec.Grid{2}, []any{f32(50).To(tl.Float16), zeros(tl.Float32, 50), 50, "erf", 32}},
	{"integers", exec.Grid{1}, []any{tensor.RandInt(1, tl.Int32, -50, 50, 16), zeros(tl.Int64, 16), 11, 3, 16}},
	{"integers", exec.Grid{1}, []any{tensor.RandInt(1, tl.Int8, -50, 50, 16), zeros(tl.Int64, 16), 11, 3, 16}},
	{"order", exec.Grid{1}, []any{f32(32), zeros(tl.Float32, 34), 32, 8}},
	{"order", exec.Grid{1}, []any{f32(32).To(tl.BFloat16), zeros(tl.Float32, 34), 32, 8}},
	{"rows_of", exec.Grid{2}, []any{f32(8, 16), zeros(tl.Float32, 8, 16), 3, 16, tl.Float32, 4}},
}

// TestPrinted: a kernel that is printed in Go leaves the bits that it leaves in Python, in
// every engine.
func TestPrinted(t *testing.T) {
	for _, set := range []struct {
		path string
		rows []row
	}{{"../testdata/kernels.py", language}, {"testdata/kernels.py", own}} {
		f, py := load(t, set.path)
		for _, r := range set.rows {
			r.run(t, f, py)
		}
	}
}

// fresh is the arguments with tensors of their own.
func (r row) fresh() []any {
	args := slices.Clone(r.args)
	for i, a := range args {
		if x, ok := a.(*tensor.Tensor); ok {
			args[i] = x.Clone()
		}
	}
	return args
}

// run compares what a kernel leaves in Python with what its text in Go leaves, and returns that.
func (r row) run(t *testing.T, f *lower.File, py *triton.File) string {
	t.Helper()
	k, err := py.Kernel(r.kernel)
	if err != nil {
		t.Fatal(err)
	}
	want := r.fresh()
	if err := k.Launch(r.grid, want...); err != nil {
		t.Fatal(err)
	}
	text := printed(t, f, r.kernel, r.args)
	for _, engine := range []string{"interpreted", ""} {
		got := r.fresh()
		z, rest := goKernel(t, text, r.kernel, got)
		if err := z.With(exec.Options{Engine: engine, Memory: "off"}).Launch(r.grid, rest...); err != nil {
			t.Fatalf("%s: %v\n%s", r.kernel, err, text)
		}
		for i, a := range got {
			x, ok := a.(*tensor.Tensor)
			if ok && !tensor.Equal(x, want[i].(*tensor.Tensor)) {
				t.Errorf("%s %v (%s): argument %d is\n%v, in Python\n%v\n%s", r.kernel, x.DType(), engine, i, x, want[i], text)
			}
		}
	}
	return text
}

// taught is launches of the kernels of the tutorial, in its order.
var taught = []row{
	{"triton_dot_2_Bias", exec.Grid{1}, []any{
		zeros(tl.Float16, 16, 16), f32(16, 16).To(tl.Float16), f32(16, 16).To(tl.Float16), f32(16, 16), 16, 16, 16,
	}},
	{"matmul_kernel", exec.Grid{2, 2}, []any{
		f32(32, 64).To(tl.Float16), f32(64, 32).To(tl.Float16), zeros(tl.Float32, 32, 32), 32, 64, 64, 32, 16, 16, 32,
	}},
	{"matmul_kernel", exec.Grid{4}, []any{
		f32(64, 64), f32(64, 64), zeros(tl.Float32, 64, 64), 64, 64, 64, 64, 1, 64, 1, 64, 1, 32, 32, 16,
	}},
}

// TestTutorial: the kernels of Go in the tutorial are what is printed of those of Python beside
// them, and leave the same bits.
func TestTutorial(t *testing.T) {
	text, err := os.ReadFile("../../../notebooks/from_triton.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```python\n")
	for i, block := range strings.Split(rest, "```python\n") {
		python, rest, _ := strings.Cut(block, "```\n")
		_, rest, _ = strings.Cut(rest, "```go\n")
		want, _, _ := strings.Cut(rest, "```\n")
		f, py := parse(t, "tutorial.py", "import triton\nimport triton.language as tl\n\n"+python)
		printed := taught[i].run(t, f, py)
		if got := printed[strings.Index(printed, "func "):]; got != want {
			t.Errorf("kernel %d of the tutorial is not what is printed:\n%s", i+1, got)
		}
	}
}

// TestGolden: what is printed, to be read.
func TestGolden(t *testing.T) {
	f, _ := load(t, "testdata/kernels.py")
	var b strings.Builder
	seen := map[string]bool{}
	for _, r := range own {
		if !seen[r.kernel] {
			seen[r.kernel] = true
			b.WriteString("-- " + r.kernel + " --\n" + printed(t, f, r.kernel, r.args))
		}
	}
	path := filepath.Join("testdata", "kernels.go.txt")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, _ := os.ReadFile(path)
	if string(want) != b.String() {
		t.Errorf("printed\n%s", b.String())
	}
}

// TestRefused: what has no counterpart is refused at its line.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ file, name, want string }{
		{"kernels.py", "types", "kernels.py:183:33: primitive_bitwidth of a dtype has no counterpart in Go"},
		{"kernels.py", "both", "kernels.py:134:9: both returns a value"},
		{"constructs/constructs.py", "combining_with_if", "lesser branches: Go has no if for lanes"},
	} {
		f, _ := load(t, "../testdata/"+c.file)
		name, want := c.name, c.want
		def, err := f.Kernel(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = gogen.Print(f, def, "kernels", nil)
		var d *diag.Diagnostic
		if !errors.As(err, &d) || !strings.Contains(d.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// TestMutated: kernels with words and lines exchanged are printed, or refused, and never end in a
// panic.
func TestMutated(t *testing.T) {
	n := 60
	if os.Getenv("TILER_LONG") != "" {
		n = 2000
	}
	for _, path := range []string{"testdata/kernels.py", "../testdata/kernels.py", "../testdata/refused.py"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			printAll(t, mutant(string(text), i))
		}
	}
}

// mutant is a text with words or lines of it in other places: the i-th of many.
func mutant(text string, i int) string {
	lines, words := strings.SplitAfter(text, "\n"), strings.Fields(text)
	for k := range 3 {
		a, b := (i*7919+k*31)%len(lines), (i*104729+k*17)%len(lines)
		switch (i + k) % 3 {
		case 0:
			lines[a], lines[b] = lines[b], lines[a]
		case 1:
			lines[a] = lines[b]
		default:
			if fields := strings.Fields(lines[a]); len(fields) > 1 {
				lines[a] = strings.Replace(lines[a], fields[i%len(fields)], words[i*17%len(words)], 1)
			}
		}
	}
	return strings.Join(lines, "")
}

func printAll(t *testing.T, text string) {
	f, err := lower.Load("a.py", text, nil)
	if err != nil {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%v\n%s\n%s", r, debug.Stack(), text)
		}
	}()
	for _, name := range f.Kernels() {
		def, err := f.Kernel(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		printed, err := gogen.Print(f, def, "kernels", nil)
		var d *diag.Diagnostic
		switch {
		case err != nil && !errors.As(err, &d):
			t.Errorf("%v\n%s", err, text)
		case err == nil:
			if _, err := gofile.Load("k.go", printed); err != nil {
				t.Errorf("%v\n%s\n%s", err, printed, text)
			}
		}
	}
}
