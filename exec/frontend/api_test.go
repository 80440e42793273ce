package frontend

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

const apiText = `package main

import (
	"fmt"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/tilelang"
	other "example.com/other"
)

type table struct{ rows []int }

var launched = exec.New(add)

func add(p *tilelang.Program, x, y tilelang.Ptr, n int, s float64, b bool, N tilelang.Const, d tilelang.DType, act string) {
	o := tilelang.Arange(0, N)
	v := tilelang.Load(x.Add(o), tilelang.Mask(o.Lt(n))).To(d)
	if act == "relu" {
		v = tilelang.Maximum(v, 0)
	}
	if b {
		v = v.Mul(s)
	}
	tilelang.Store(y.Add(o), shared(v))
}

func result(p *tilelang.Program) int { return 3 }

func (t table) method(p *tilelang.Program) {}

func main() {
	k := exec.New(func(p *tilelang.Program, x tilelang.Ptr) { tilelang.Store(x, 3) })
	fmt.Println(k, launched, other.Thing, undefinedInMain)
}
`

const otherText = `package main

import tl "github.com/tiler-go/tiler/tilelang"

func shared(x tl.Tile) tl.Tile { return x.Add(1) }

func copyOne(p *tl.Program, x, y tl.Ptr) { tl.Store(y, tl.Load(x)) }
`

func loadAPI(t testing.TB) *gofile.File {
	t.Helper()
	f, err := gofile.Load("main.go", apiText, gofile.Source{Name: "other.go", Text: otherText})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestKernels(t *testing.T) {
	f := loadAPI(t)
	if got, want := f.Kernels(), []string{"add", "copyOne", "@32"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	functions, err := gofile.Functions("main.go", apiText)
	if err != nil || len(functions) != 4 {
		t.Fatalf("%d functions, %v", len(functions), err)
	}
	for line, want := range map[int]string{15: "add", 27: "", 32: "@32", 31: ""} {
		for _, fn := range functions {
			if got := f.Kernel(fn); fn.Line == line && got != want {
				t.Errorf("line %d: got %q, want %q", line, got, want)
			}
		}
	}
	params, err := f.Params("add")
	want := []gofile.Param{
		{Name: "x", Kind: gofile.Ptr},
		{Name: "y", Kind: gofile.Ptr},
		{Name: "n", Kind: gofile.Int},
		{Name: "s", Kind: gofile.Float},
		{Name: "b", Kind: gofile.Bool},
		{Name: "N", Kind: gofile.Const},
		{Name: "d", Kind: gofile.DType},
		{Name: "act", Kind: gofile.String},
	}
	if err != nil || !reflect.DeepEqual(params, want) {
		t.Errorf("got %v, %v", params, err)
	}
	if _, err := f.Params("copyon"); err == nil || !strings.Contains(err.Error(), "did you mean copyOne?") {
		t.Errorf("got %v", err)
	}
	if _, _, err := Compile(f, "nothing", nil); err == nil || !strings.Contains(err.Error(), "the kernels here are") {
		t.Errorf("got %v", err)
	}
	if _, _, err := Compile(f, "add", nil); err == nil || !strings.Contains(err.Error(), "got 0 arguments, want 8") {
		t.Errorf("got %v", err)
	}
	errs := f.Errors()
	if len(errs) != 1 || !strings.Contains(errs.Error(), "undefinedInMain") {
		t.Errorf("got %v", errs)
	}
}

func TestCompile(t *testing.T) {
	f := loadAPI(t)
	f32 := Arg{DType: dtype.Float32}
	args := []Arg{f32, f32, {Int: 9}, {Float: 2}, {}, {Int: 16}, {DType: dtype.Float16}, {Str: "relu"}}
	fn, spec, err := Compile(f, "add", args)
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(fn); err != nil {
		t.Fatal(err)
	}
	if want := []bool{false, false, false, false, false, true, true, true}; !reflect.DeepEqual(spec.Fixed, want) {
		t.Errorf("fixed: got %v, want %v", spec.Fixed, want)
	}
	for i, p := range fn.Params {
		if p.Index != i || p.Text != spec.Params[i].Name {
			t.Errorf("parameter %d is %s #%d", i, p.Text, p.Index)
		}
	}
	inlined := false
	fn.Values(func(v *ir.Value) {
		if v.Op != ir.Param && !v.Pos.IsValid() {
			t.Errorf("%s (%s) has no position", v.Name(), ir.OpName(v.Op))
		}
		inlined = inlined || v.Pos == diag.Pos{File: "other.go", Line: 5, Col: 43}
	})
	if !inlined {
		t.Errorf("no value has the position of the inlined line:\n%s", fn)
	}
	if lit, _, err := Compile(f, "@32", []Arg{f32}); err != nil || ir.Verify(lit) != nil {
		t.Error(err)
	}
}

// TestConcurrent loads and compiles from many goroutines; run with -race.
func TestConcurrent(t *testing.T) {
	f := loadAPI(t)
	f32 := Arg{DType: dtype.Float32}
	var wg sync.WaitGroup
	texts := make([]string, 8)
	for i := range texts {
		wg.Go(func() {
			g := f
			if i%2 == 1 {
				g = loadAPI(t)
			}
			fn, _, err := Compile(g, "copyOne", []Arg{f32, f32})
			texts[i] = fmt.Sprint(fn, err)
		})
	}
	wg.Wait()
	for _, text := range texts {
		if text != texts[0] {
			t.Errorf("got\n%s\nand\n%s", text, texts[0])
		}
	}
}

// TestOffline: what is loaded is embedded, and needs neither a toolchain nor files.
func TestOffline(t *testing.T) {
	t.Setenv("PATH", "")
	t.Setenv("GOROOT", "/nowhere")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Chdir(t.TempDir())
	f := loadAPI(t)
	if _, _, err := Compile(f, "copyOne", []Arg{{DType: dtype.Int8}, {DType: dtype.Int8}}); err != nil {
		t.Error(err)
	}
}

// seed is the kernel that the compiler's speed is measured with.
func seed(b *testing.B, name string) (text, kernel, args string) {
	comment, files := readArchive(b, "testdata/lower/"+name+".txtar")
	line, _, _ := strings.Cut(comment, "\n")
	kernel, args, _ = strings.Cut(line, " ")
	return files[0].text, kernel, args
}

func BenchmarkLoad(b *testing.B) {
	for _, name := range []string{"vecadd", "softmax", "matmul", "grouped"} {
		text, _, _ := seed(b, name)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				gofile.Load("k.go", text)
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, name := range []string{"vecadd", "softmax", "matmul", "grouped"} {
		text, kernel, args := seed(b, name)
		f, _ := gofile.Load("k.go", text)
		params, _ := f.Params(kernel)
		as := parseArgs(b, params, args)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Compile(f, kernel, as)
			}
		})
	}
}
