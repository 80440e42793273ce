package source

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	tl "github.com/tiler-go/tiler/tilelang"
)

const builtBlock = 16

func builtHelper(x tl.Tile) tl.Tile {
	y := x.Mul(3)
	return tl.Where(y.Gt(builtBlock), y.Sub(1), y)
}

func builtKernel(p *tl.Program, x, out tl.Ptr, n int) {
	offs := tl.Arange(0, builtBlock).Add(p.ID(0) * builtBlock)
	mask := offs.Lt(n)
	v := tl.Load(x.Add(offs), tl.Mask(mask), tl.Other(0))
	s := tl.Reduce(v, func(a, b tl.Tile) tl.Tile {
		return a.Add(b)
	})
	if n > 1000 {
		s = s.Mul(2)
	}
	// The sum is added to all.
	tl.Store(
		out.Add(offs),
		builtHelper(v).Add(s),
		tl.Mask(mask),
	)
}

// A builtScale has a method, and is what a generic function is an instance for.
type builtScale struct{ by float64 }

//go:noinline
func (s *builtScale) grow() {
	s.by *= 2
	s.by++
}

//go:noinline
func builtGeneric[T interface{ of(tl.Tile) tl.Tile }](s T, x tl.Tile) tl.Tile {
	y := s.of(x)
	return y.Add(1)
}

//go:noinline
func (s builtScale) of(x tl.Tile) tl.Tile {
	y := x.Mul(s.by)
	return y.Sub(1)
}

func builtMethods(p *tl.Program, x, out tl.Ptr) {
	s := builtScale{3}
	s.grow()
	tl.Store(out, builtGeneric(s, tl.Load(x)))
}

// TestStaleMethods: methods and generic functions that a kernel calls are compared, too.
func TestStaleMethods(t *testing.T) {
	file, _ := Position(reflect.ValueOf(builtMethods).Pointer())
	b, err := os.ReadFile(file)
	if err != nil {
		t.Skip("the test's own source is not at hand:", err)
	}
	for _, test := range []struct{ old, new, want string }{
		{"", "", ""},
		{"\ts.by *= 2\n\ts.by++", "\n\ts.by *= 2; s.by++", "(*builtScale).grow"},
		{"\ty := x.Mul(s.by)\n\treturn", "\n\ty := x.Mul(s.by); return", "builtScale.of"},
		{"\ty := s.of(x)\n\treturn", "\n\ty := s.of(x); return", "builtGeneric[...]"},
	} {
		err := asText(builtMethods, file, strings.Replace(string(b), test.old, test.new, 1))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}

// asText compares a function of the program with a text of its file.
func asText(fn any, file, text string) error {
	b, _ := builtAt(reflect.ValueOf(fn).Pointer())
	fs, err := gofile.Functions(file, text)
	if err != nil {
		return err
	}
	w, err := b.choose(fs, reflect.TypeOf(fn).NumIn())
	if err != nil {
		return err
	}
	f, err := gofile.Load(file, text)
	if err != nil {
		return err
	}
	use, err := f.Uses(f.Kernel(w))
	if err != nil {
		return err
	}
	return b.compare(&w, use)
}

// What is compiled is what was built: a source whose lines lie elsewhere is refused,
// whatever its age.
func TestStaleSource(t *testing.T) {
	file, _ := Position(reflect.ValueOf(builtKernel).Pointer())
	b, err := os.ReadFile(file)
	if err != nil {
		t.Skip("the test's own source is not at hand:", err)
	}
	text := string(b)
	for _, test := range []struct{ name, old, new, want string }{
		{"as built", "", "", ""},
		{"another constant on its line", "const builtBlock = 16", "const builtBlock = 32", ""},
		{"a line before", "const builtBlock = 16", "const (\nbuiltBlock = 16)", "no such function begins at line"},
		{"a line in the kernel", "\tmask := offs.Lt(n)\n", "\tmask := offs.Lt(n)\n\tmask = mask.And(offs.Ge(0))\n", "builtKernel"},
		{"an empty line in the kernel", "\tmask := offs.Lt(n)\n", "\n\tmask := offs.Lt(n)\n", "builtKernel"},
		{"a line less", "\tmask := offs.Lt(n)\n", "", "builtKernel"},
		{"a line moved", "\t// The sum is added to all.\n\ttl.Store(", "\ttl.Store(\n\t// The sum is added to all.\n", "builtKernel"},
		{"a line for a comment", "\t// The sum is added to all.\n\ttl.Store(\n\t\tout", "\tv = v.Add(1)\n\ttl.Store(\n\t\tout", ""},
		{"in a literal", "\t\treturn a.Add(b)\n", "\t\tc := a.Add(b)\n\t\treturn c\n", "builtKernel"},
		{"in what it calls", "\ty := x.Mul(3)\n\treturn", "\n\ty := x.Mul(3); return", "builtHelper"},
		{"another name", "func builtKernel(", "func otherKernel(", "no such function begins"},
		{"other parameters", "func builtKernel(p *tl.Program, x, out tl.Ptr, n int)", "func builtKernel(p *tl.Program, x, out tl.Ptr, n, m int)", "no such function begins"},
		{"another function", "\t\tbuiltHelper(v).Add(s),", "\t\tbuiltOther(v).Add(s),", ""}, // and no such function: the front end's to refuse
	} {
		changed := strings.Replace(text, test.old, test.new, 1)
		if test.old != "" && changed == text {
			t.Errorf("%s: nothing replaced", test.name)
		}
		err := asText(builtKernel, file, changed)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: refused: %v", test.name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "not what the running program was built of")):
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
}

// Of the files in a folder, those are read that a build would take.
func TestSiblings(t *testing.T) {
	const kernel = `package p

import tl "github.com/tiler-go/tiler/tilelang"

func k(p *tl.Program, out tl.Ptr) { tl.Store(out, min(scale, 100)) }
`
	excluded := map[string]string{
		"a_ignored.go": "//go:build ignore\n\npackage p\n\nconst scale = 3\n",
		"a_windows.go": "package p\n\nconst scale = 4\n",
		"a_js_wasm.go": "package p\n\nconst scale = 5\n",
		"a_test.go":    "package p\n\nconst scale = 6\n",
		"_a.go":        "package p\n\nconst scale = 7\n",
		"a_main.go":    "/*\npackage p\n*/\npackage main\n\nconst scale = 8\n",
		"a_old.go":     "// +build none\n\npackage p\n\nconst scale = 9\n",
		"a_never.go":   "//go:build !go1.1\n\npackage p\n\nconst scale = 10\n",
	}
	for _, test := range []struct{ name, text, want string }{
		{"a constant", "package p\n\nconst scale = 2\n", "const 2"},
		{"another one", "package p\n\nconst scale = 22\n", "const 22"}, // and not that of the same text elsewhere
		{"in place of Go's own", "package p\n\nconst scale = 22\n\nfunc min(a, b int) int { return a*1000 + b }\n", "const 22100"},
	} {
		f := loadFrom(t, kernel, excluded, map[string]string{"z.go": test.text})
		if _, err := f.Uses("k"); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		fn, _, err := frontend.Compile(f, "k", []frontend.Arg{{DType: tl.Int32}})
		if err != nil || !strings.Contains(fn.String(), test.want) {
			t.Errorf("%s: %v\n%v", test.name, err, fn)
		}
	}
	f := loadFrom(t, kernel, map[string]string{"y.go": "package p\n\nconst scale = 11\n", "z.go": "package p\n\nvar scale = 12\n"})
	if _, err := f.Uses("k"); err == nil || !strings.Contains(err.Error(), "scale is declared here, and at") {
		t.Errorf("two of a name: %v", err)
	}
}

// loadFrom loads a text from a folder with other files.
func loadFrom(t *testing.T, text string, others ...map[string]string) *gofile.File {
	t.Helper()
	dir := t.TempDir()
	for _, files := range others {
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	f, err := Load(filepath.Join(dir, "k.go"), text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestBuiltHere(t *testing.T) {
	for name, want := range map[string]bool{"a.go": true, "linux.go": true, "a_plan9.go": false, "a_plan9_test.go": false, "a_zos_s390x.go": false, "a_unix.go": true, "wasm.go": true, "x_wasm.go": false, ".a.go": false} {
		if got := builtHere(name, "package p\n"); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for line, want := range map[string]bool{"//go:build go1.21": true, "//go:build go1.999": false, "//go:build ignore": false, "//go:build gc || never": true, "//go:build !plan9": true, "// +build plan9": false, "// go:build ignore": true} {
		if got := builtHere("a.go", line+"\n\npackage p\n"); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

// The source of a program that was built before it was changed is not its source.
func TestNewerSource(t *testing.T) {
	file := t.TempDir() + "/kernel.go"
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		age  time.Duration // of the source against the program
		want bool
	}{{-time.Hour, false}, {time.Hour, true}} {
		at := programTime().Add(test.age)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
		if got := newer(file); got != test.want {
			t.Errorf("%v: newer = %v", test.age, got)
		}
	}
}
