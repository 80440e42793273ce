package lower

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/builtin"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// guess is arguments that a function may be meant for: pointers first, then numbers, and 16
// for what is constexpr.
func guess(def *syntax.FuncDef) (args []Arg) {
	for i, p := range def.Params {
		a, isAttribute := p.Annotation.(*syntax.Attribute)
		switch {
		case isAttribute && a.Name == "constexpr":
			args = append(args, Arg{Const: int64(16)})
		case i < 3:
			args = append(args, Arg{Type: dtype.PointerTo(dtype.Float32)})
		default:
			args = append(args, Arg{Type: dtype.Int32})
		}
	}
	return args
}

// lowered lowers all kernels of a text, each of which must give IR or a message with a place.
func lowered(t *testing.T, text string) (fns []*ir.Func) {
	f, err := Load("a.py", text, nil)
	if err != nil {
		return nil
	}
	for _, name := range f.Kernels() {
		def, err := f.Kernel(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		fn, err := f.Lower(def, guess(def))
		if err == nil {
			err = ir.Verify(fn)
			if err != nil {
				t.Errorf("%s: %v\n%s\nof\n%s", name, err, fn, text)
			}
			fns = append(fns, fn)
			continue
		}
		if d, ok := err.(*diag.Diagnostic); !ok || !d.Pos.IsValid() || d.Msg == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	return fns
}

func seeds(t testing.TB) (texts []string) {
	files, err := filepath.Glob("../testdata/*.py")
	if err != nil || len(files) == 0 {
		t.Fatal("no files ", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// mutant is a text with a piece of it replaced by another one: the i-th of many.
func mutant(text string, i int) string {
	lines := strings.SplitAfter(text, "\n")
	words := strings.Fields(text)
	a, b := i*7919%len(lines), i*104729%len(lines)
	switch i % 4 {
	case 0:
		lines[a] = lines[b]
	case 1:
		lines[a] = strings.Replace(lines[a], words[i%len(words)], words[i*31%len(words)], 1)
	case 2:
		lines[a], lines[b] = lines[b], lines[a]
	default:
		if fields := strings.Fields(lines[a]); len(fields) > 1 {
			lines[a] = strings.Replace(lines[a], fields[i%len(fields)], words[i*17%len(words)], 1)
		}
	}
	return strings.Join(lines, "")
}

// TestMutated: kernels with words and lines exchanged give IR that is right, or a message.
func TestMutated(t *testing.T) {
	n := 100
	if os.Getenv("TILER_LONG") != "" {
		n = 600
	}
	for _, text := range seeds(t) {
		for i := range n {
			text := mutant(text, i)
			lowered(t, text)
			lowered(t, mutant(text, i+1))
		}
	}
}

func FuzzLower(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { lowered(t, text) })
}

// TestPrelude: what is written in the language itself is no row of the table, and can be
// lowered for floats or for integers.
func TestPrelude(t *testing.T) {
	f := prelude()
	for name, bs := range f.names {
		def := bs[0].def
		if def == nil || name[0] == '_' { // a part of another one
			continue
		}
		if _, ok := builtin.Find(name); ok {
			t.Errorf("%s is in the table of functions, too", name)
		}
		var errs []error
		for _, d := range []dtype.DType{dtype.Float32, dtype.Int32, dtype.Float64, dtype.Uint32, dtype.Int64} {
			if err := preludeCall(t, def, d); err != nil {
				errs = append(errs, err)
			}
		}
		if len(errs) == 5 {
			t.Errorf("%s: %v", name, errs)
		}
	}
}

// preludeArgs are the arguments of functions that do not take tiles alone.
var preludeArgs = map[string]string{"dot_scaled": `v[None, :], None, "fp16", v[:, None], None, "bf16"`}

// preludeCall lowers a call of a function of the prelude with tiles of type d.
func preludeCall(t *testing.T, def *syntax.FuncDef, d dtype.DType) error {
	call := "tl." + def.Name + "("
	args, special := preludeArgs[def.Name]
	call += args
	for i, p := range def.Params {
		if p.Default == nil && !special {
			call += strings.Repeat(", ", min(i, 1)) + "v"
		}
	}
	f, err := Load("a.py", "import triton.language as tl\ndef k(x):\n    v = tl.load(x + tl.arange(0, 4))\n    w = "+call+")\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	k, err := f.Kernel("k", 0)
	if err != nil {
		t.Fatal(err)
	}
	fn, err := f.Lower(k, []Arg{{Type: dtype.PointerTo(d)}})
	if err == nil {
		err = ir.Verify(fn)
	}
	return err
}

// TestLoopCarries: a loop carries what its rounds change, and nothing else.
func TestLoopCarries(t *testing.T) {
	fns := lowered(t, `
import triton
import triton.language as tl

@triton.jit
def k(x, y, out, n, stride):
    p = tl.make_block_ptr(x, (n, n), (stride, 1), (0, 0), (16, 16), (1, 0))
    acc = tl.zeros((16, 16), tl.float32)
    scale = 2.0
    temp = 1
    for i in range(n):
        temp = tl.load(p)
        acc += temp * scale
        p = tl.advance(p, (0, 16))
    tl.store(out + tl.arange(0, 16), tl.sum(acc, 1))
`)
	var loops []*ir.Value
	fns[0].Values(func(v *ir.Value) {
		if v.Op == ir.For {
			loops = append(loops, v)
		}
	})
	if len(loops) != 1 || len(loops[0].Results) != 1 {
		t.Errorf("want one loop that carries the sum alone:\n%s", fns[0])
	}
}

// TestSpeed: a file is read and its kernel lowered in the time that a launch may take.
func TestSpeed(t *testing.T) {
	text := seeds(t)[0]
	best := time.Hour
	for range 5 {
		start := time.Now()
		f, err := Load("a.py", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		def, err := f.Kernel("matmul_kernel", 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Lower(def, guess(def)); err != nil {
			t.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	if limit := 10 * time.Millisecond; best > limit {
		t.Errorf("%d lines took %v, at most %v is allowed", strings.Count(text, "\n"), best, limit)
	}
}

func BenchmarkLower(b *testing.B) {
	text := seeds(b)[0]
	for b.Loop() {
		f, _ := Load("a.py", text, nil)
		def, _ := f.Kernel("matmul_kernel", 0)
		if _, err := f.Lower(def, guess(def)); err != nil {
			b.Fatal(err)
		}
	}
}
