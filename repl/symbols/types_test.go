package symbols

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// check type-checks the body of a function that imports all packages.
func check(t testing.TB, ts *Types, imports, body string) error {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "x.go", "package main\n"+imports+"\nfunc main() {\n"+body+"\n}", 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: ts}
	_, err = conf.Check("main", fset, []*ast.File{f}, nil)
	return err
}

const tiler = `import (tl "github.com/tiler-go/tiler/tilelang"; "github.com/tiler-go/tiler/tilelang/tensor"; "github.com/tiler-go/tiler/exec"; "fmt"; "time"; "math"; "slices"; "sort"; "io"; "strings")
var _ = []any{tl.Cdiv, tensor.Zeros, exec.New, fmt.Print, time.Second, math.Pi, slices.Reverse[[]int], sort.Ints, io.EOF, strings.Repeat}`

func TestTypes(t *testing.T) {
	var ts Types
	for _, c := range []struct{ body, want string }{
		{`x := tl.Arange(0, 4); y := x.Add(1).Col(); tl.Store(tl.Ptr{}, y, tl.Mask(x.Lt(3))); _ = tl.Load(x, tl.Mask(true), tl.Other(0))`, ""},
		{`_ = tl.Sum(tl.Zeros(tl.Float32, 4), tl.Axis(0), tl.KeepDims)`, ""},
		{`_ = tl.Sum(tl.Zeros(tl.Float32, 4), tl.Mask(true))`, "does not implement"},
		{`tl.Load(tl.Ptr{}, tl.KeepDims)`, "does not implement"},
		{`x := tl.Tile{}; _ = x == x`, "cannot be compared"},
		{`k := exec.New(func(p *tl.Program) {}, exec.Options{Workers: 1}); _ = k.Launch(exec.Grid{1}); var _ error = k.Err()`, ""},
		{`var _ exec.Space = exec.Grid{1}`, ""},
		{`var _ exec.Space = 3`, "does not implement"},
		{`var n tl.Const = 3; var m int = n; _ = m`, ""},
		{`x := tensor.From([]float32{1}, 1); var s []float32 = tensor.Data[float32](x); _ = s`, ""},
		{`x := tensor.From([]string{"a"})`, "string does not satisfy"},
		{`s := []int{1}; slices.Sort(s); var m int = slices.Max(s); _ = m`, ""},
		{`var d time.Duration = 3 * time.Second; _ = d.Seconds(); _ = time.Now().Sub(time.Time{}) > d`, ""},
		{`var b strings.Builder; fmt.Fprintf(&b, "x"); var w io.Writer = &b; _ = w`, ""},
		{`var w io.Writer = strings.Builder{}; _ = w`, "does not implement"},
		{`const c = math.MaxUint64; var u uint64 = c; var f float32 = math.Pi; _, _ = u, f; var i int8 = math.MaxInt16; _ = i`, "overflows"},
		{`var o exec.Options; o.Workers = "x"`, "cannot use"},
		{`_ = fmt.Sprintf(1)`, "cannot use 1"},
		{`_ = tl.Arange(0)`, "not enough arguments"},
		{`_ = math.Foo`, "undefined: math.Foo"},
	} {
		err := check(t, &ts, tiler, c.body)
		if err == nil && c.want == "" {
			continue
		}
		if err == nil || c.want == "" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.body, err, c.want)
		}
	}
}

// TestAgainstSource compares the packages that Types makes with those of the Go
// source, name by name.
func TestAgainstSource(t *testing.T) {
	if Go != runtime.Version() {
		t.Skipf("the tables are of %s", Go)
	}
	std := importer.ForCompiler(token.NewFileSet(), "source", nil)
	var ts Types
	plain := func(p *types.Package) string { return p.Path() }
	source := newSourceImporter()
	for _, path := range []string{"fmt", "io", "time", "strings", "math", "math/rand/v2", "sort", "os", "sync"} {
		want, err := std.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ts.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		deprecated := source.deprecated(t, path)
		for _, name := range want.Scope().Names() {
			w, g := want.Scope().Lookup(name), got.Scope().Lookup(name)
			if !w.Exported() || generic(w.Type()) || deprecated[name] {
				continue
			}
			if f, ok := w.(*types.Func); ok && f.Signature().TypeParams() != nil {
				continue
			}
			if g == nil {
				t.Errorf("%s.%s is missing", path, name)
				continue
			}
			if reflect.TypeOf(w) != reflect.TypeOf(g) {
				t.Errorf("%s.%s: got %T, want %T", path, name, g, w)
			}
			if wc, ok := w.(*types.Const); ok && wc.Val().ExactString() != g.(*types.Const).Val().ExactString() {
				t.Errorf("%s.%s: got %s, want %s", path, name, g.(*types.Const).Val(), wc.Val())
			}
			for i, m := range methodTexts(w, plain) {
				if got := methodTexts(g, plain); i >= len(got) || got[i] != m {
					t.Errorf("%s.%s: method %s is missing or differs: have %v", path, name, m, got)
				}
			}
		}
	}
}

// methodTexts is the exported methods of a type and its pointer.
func methodTexts(o types.Object, q types.Qualifier) (texts []string) {
	tn, ok := o.(*types.TypeName)
	if !ok || types.IsInterface(tn.Type()) {
		return nil
	}
	set := types.NewMethodSet(types.NewPointer(tn.Type()))
	for m := range set.Methods() {
		if m.Obj().Exported() {
			texts = append(texts, m.Obj().Name())
		}
	}
	return texts
}

func TestGeneric(t *testing.T) {
	var ts Types
	for path, text := range genericFiles() {
		q := ts.checkGeneric(path+"/generic", text)
		for _, name := range q.Scope().Names() {
			if _, isFunc := q.Scope().Lookup(name).(*types.Func); !isFunc {
				continue
			}
			if _, ok := StandIn(path, name); !ok {
				t.Errorf("%s.%s has no stand-in", path, name)
			}
		}
	}
}

func TestDocs(t *testing.T) {
	for _, path := range own {
		p, _ := Find(path)
		for name := range p.Table() {
			if name[0] == '_' {
				continue
			}
			if _, ok := DocOf(path, name); !ok {
				t.Errorf("%s.%s has no documentation", path, name)
			}
		}
	}
	d, _ := DocOf(module+"tilelang", "Cdiv")
	if d.Decl != "func Cdiv(x, d int) int" || !strings.HasPrefix(d.Text, "Cdiv is ") {
		t.Errorf("got %+v", d)
	}
}

func BenchmarkTypes(b *testing.B) {
	for b.Loop() {
		var ts Types
		if err := check(b, &ts, tiler, ""); err != nil {
			b.Fatal(err)
		}
	}
}

// TestHomes: a type that a package of tiler takes from one that cannot be imported is spelled as its own.
func TestHomes(t *testing.T) {
	var ts Types
	for _, path := range own {
		p, _ := Find(path)
		for _, name := range sortedNames(p.Table()) {
			v := p.Table()[name]
			if v.Kind() != reflect.Pointer || v.CanAddr() || !v.IsNil() || name[0] == '_' {
				continue
			}
			spelled := types.TypeString(ts.Of(v.Type().Elem()), (*types.Package).Path)
			if at := strings.LastIndexByte(spelled, '.'); at > 0 && !strings.Contains(spelled, "{") {
				if _, ok := Find(spelled[:at]); !ok {
					t.Errorf("%s.%s is spelled %s, which cannot be imported", path, name, spelled)
				}
			}
		}
	}
}
