package kerneltest_test

import (
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// cell is what a notebook's cells become: one main.go, with the kernels of earlier
// cells and the calls of this one.
const cell = `package main

import (
	"fmt"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func double(x tl.Tile) tl.Tile { return x.Add(x) }

func add(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	tl.Store(out.Add(o), double(tl.Load(x.Add(o), tl.Mask(o.Lt(n)))), tl.Mask(o.Lt(n)))
}

func main() {
	x, out := tensor.Ones(tl.Float32, 100), tensor.Zeros(tl.Float32, 100)
	k := exec.New(add)
	rep, err := k.Promote(exec.Grid{7}, x, out, 100, 16)
	fmt.Println(err, rep != nil, k.State().Promoted)
	fmt.Println(k.Launch(exec.Grid{7}, x, out, 100, 16), out.Float(99), k.State().Engine != "interpreted")
	inner := exec.New(func(p *tl.Program, out tl.Ptr) { tl.Store(out.Add(p.ID(0)), p.ID(0)) }).With(exec.Options{Engine: "portable"})
	fmt.Println(inner.Launch(exec.Grid{100}, out), out.Float(42))
}
`

// TestNotebookCell builds a program where gonb would, and promotes its kernels: their
// source is found by the functions' file and line.
func TestNotebookCell(t *testing.T) {
	if !long() {
		t.Skip("it builds a program: set TILER_LONG=1")
	}
	goCommand, err := osexec.LookPath("go")
	if err != nil {
		t.Skip("no go command here")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(mod), "module github.com/tiler-go/tiler", "module gonb_cell", 1) +
		"\nrequire github.com/tiler-go/tiler v0.0.0\nreplace github.com/tiler-go/tiler => " + root + "\n"
	for name, text := range map[string]string{"go.mod": text, "go.sum": string(sum), "main.go": cell} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := osexec.Command(goCommand, "build", "-mod=mod", "-o", "cell", ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := osexec.Command(filepath.Join(dir, "cell"))
	run.Dir = t.TempDir() // a cell runs elsewhere
	run.Env = append(os.Environ(), "GONB_TMP_DIR="+dir, "XDG_CACHE_HOME="+t.TempDir())
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := "<nil> true true\n<nil> 2 true\n<nil> 42\n"; string(out) != want {
		t.Errorf("the cell prints\n%swant\n%s", out, want)
	}
}
