package source

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/shared"
	tl "github.com/tiler-go/tiler/tilelang"
)

// write makes files below a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestImports: kernels call functions of packages whose source is at hand: of their own module, of what it vendors, and
// what these import; by the names that the packages have. What they may not use of them is said.
func TestImports(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod": "// a comment\nmodule example.com/demo // and another\n",
		"lib/lib.go": `package lib

import (
	"fmt"

	"example.com/demo/lib/deep"
)

const Two = 2

var Shared = 5

var own = 3

func Grow(n int) int { return deep.Add(n) * own }

func Say() { fmt.Println(undefined) }

func Bad(n int) int { return n + "one" }
`,
		"lib/lib_test.go":               "package lib\n\nconst Two = 22\n",
		"lib/lib_plan9.go":              "package lib\n\nconst Two = 222\n",
		"lib/deep/deep.go":              "package deep\n\n// Add adds.\nfunc Add(n int) int { return add(n) }\n",
		"lib/deep/more.go":              "package deep\n\nfunc add(n int) int { return n + 100 }\n",
		"vendor/other.org/go-v/v2/v.go": "package v\n\nfunc Half(n int) int { return n / 2 }\n",
		"round/round.go":                "package round\n\nimport \"example.com/demo/trip\"\n\nfunc Trip() int { return trip.F }\n",
		"trip/trip.go":                  "package trip\n\nimport _ \"example.com/demo/round\"\n\nconst F = 1\n",
		"broken/broken.go":              "package broken\n\nfunc Broken( int { return 1 }\n",
	})
	for _, test := range []struct{ imports, value, want string }{
		{`"example.com/demo/lib"`, "lib.Grow(1)", "const 303"},
		{`l "example.com/demo/lib"`, "l.Two", "const 2"},
		{`"other.org/go-v/v2"`, "v.Half(8)", "const 4"},
		{`"example.com/demo/lib"`, "lib.Shared", "others may assign it"},
		{`"example.com/demo/lib"`, "lib.Bad(1)", "mismatched types"},
		{`"example.com/demo/lib"`, "lib.Missing(1)", "undefined: lib.Missing"},
		{`"example.com/demo/none"`, "none.F(1)", "the source of package example.com/demo/none is not at hand"},
		{`"example.com/elsewhere"`, "elsewhere.F(1)", "the source of package example.com/elsewhere is not at hand"},
		{`"strconv"`, "strconv.IntSize", "package strconv is not part of the language"},
		{`"example.com/demo/round"`, "round.Trip()", "const 1"}, // Go refuses it; here it is what it says
		{`"example.com/demo/broken"`, "broken.Broken()", "broken.go:3"},
	} {
		text := "package demo\n\nimport (\n\ttl \"github.com/tiler-go/tiler/tilelang\"\n\t" + test.imports +
			"\n)\n\nfunc k(p *tl.Program, out tl.Ptr) { tl.Store(out, " + test.value + ") }\n"
		got := ""
		f, err := Load(filepath.Join(dir, "k.go"), text, nil)
		if err == nil {
			fn, _, failed := frontend.Compile(f, "k", []frontend.Arg{{DType: tl.Int32}})
			if err = failed; err == nil {
				got = fn.String()
			}
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, test.want) || test.want == "" && err == nil {
			t.Errorf("%s: got %s, want %s", test.value, got, test.want)
		}
	}
}

func TestBelow(t *testing.T) {
	for _, test := range []struct {
		path, of, rest string
		ok             bool
	}{
		{"a.b/c", "a.b/c", "", true}, {"a.b/c/d/e", "a.b/c", "d/e", true},
		{"a.b/cd", "a.b/c", "", false}, {"x", "a.b/c", "", false},
	} {
		if rest, ok := below(test.path, test.of); ok != test.ok || ok && rest != test.rest {
			t.Errorf("%s below %s: %q, %v", test.path, test.of, rest, ok)
		}
	}
}

// TestSourceOf: modules lie in the cache, or where they are replaced.
func TestSourceOf(t *testing.T) {
	cache, root := t.TempDir(), t.TempDir()
	t.Setenv("GOMODCACHE", cache)
	in := filepath.Join(cache, "example.com", "!big!x@v1.2.3-!r")
	for _, folder := range []string{in, filepath.Join(root, "near")} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	module := func(path, version string) *debug.Module { return &debug.Module{Path: path, Version: version} }
	replaced := module("example.com/r", "v1.0.0")
	replaced.Replace = module("./near", "")
	for _, test := range []struct {
		m    *debug.Module
		want string
	}{
		{module("example.com/BigX", "v1.2.3-R"), in}, {module("example.com/none", "v1.0.0"), ""},
		{replaced, filepath.Join(root, "near")}, {module("example.com/devel", "(devel)"), ""},
	} {
		if got, ok := sourceOf(test.m, root); ok != (test.want != "") || ok && got != test.want {
			t.Errorf("%s: %s, %v", test.m.Path, got, ok)
		}
	}
}

func builtImporting(p *tl.Program, x, out tl.Ptr) {
	v := shared.Stepped(tl.Load(x))
	tl.Store(out, shared.Clipped(v, 2, 9))
}

// TestStaleImports: what became part of a kernel from another package is compared, too.
func TestStaleImports(t *testing.T) {
	file, _ := Position(reflect.ValueOf(builtImporting).Pointer())
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skip("the test's own source is not at hand:", err)
	}
	const path = "github.com/tiler-go/tiler/exec/kerneltest/kernels/shared"
	b, _ := builtAt(reflect.ValueOf(builtImporting).Pointer())
	for _, test := range []struct{ old, new, want string }{
		{"", "", ""},
		{"func Clipped(", "\nfunc Clipped(", "code of Clipped"},
		{"const Steps = 3", "const Steps = 4", ""}, // within a line: not seen
	} {
		list := imports(file, []string{path})
		if len(list) != 1 {
			t.Fatal("package shared is not found")
		}
		for i := range list[0].Files {
			list[0].Files[i].Text = strings.Replace(list[0].Files[i].Text, test.old, test.new, 1)
		}
		f, err := gofile.LoadAll([]gofile.Source{{Name: file, Text: string(text)}}, list...)
		if err != nil {
			t.Fatal(err)
		}
		use, err := f.Uses("builtImporting")
		if err != nil {
			t.Fatal(err)
		}
		fs, err := gofile.Functions(file, string(text))
		if err != nil {
			t.Fatal(err)
		}
		w, err := b.choose(fs, 3)
		if err != nil {
			t.Fatal(err)
		}
		err = b.compare(&w, use)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %s", test.new, err, test.want)
		}
	}
}
