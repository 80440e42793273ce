package frontend

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// anyArgs is arguments for a kernel that a test does not give any for: float32
// tensors, 16 for a constant.
func anyArgs(params []gofile.Param) []Arg {
	args := make([]Arg, len(params))
	for i := range args {
		args[i] = Arg{DType: dtype.Float32, Int: 16, Float: 1.5, Str: "s"}
	}
	return args
}

// compileAll is the messages about all kernels of a file.
func compileAll(t *testing.T, name, text string) (l diag.List) {
	t.Helper()
	f, err := gofile.Load(name, text)
	if err != nil {
		return err.(diag.List)
	}
	f.Fuses = true
	for _, k := range f.Kernels() {
		params, err := f.Params(k)
		if err == nil {
			_, _, err = Compile(f, k, anyArgs(params))
		}
		if err != nil {
			found := err.(diag.List)
			for i := 1; i < len(found); i++ {
				if a, b := found[i-1], found[i]; a.Pos == b.Pos && a.Msg == b.Msg || a.Pos.Line > b.Pos.Line {
					t.Errorf("%s: out of order or twice: %v, %v", k, a, b)
				}
			}
			l = append(l, found...)
		}
	}
	return gofile.Sorted(l)
}

var wantError = regexp.MustCompile(`// ERROR ((?:"(?:[^"\\]|\\.)*" ?)+)`)
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// TestReject compiles the kernels of testdata/*.go.txt: what is wrong with a line
// stands on it as // ERROR "regexp", and nothing else may be wrong.
func TestReject(t *testing.T) {
	names, _ := filepath.Glob("testdata/*.go.txt")
	total := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range wantError.FindAllSubmatch(text, -1) {
			total += len(quoted.FindAll(m[1], -1))
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".go.txt"), func(t *testing.T) {
			byLine := map[int][]*diag.Diagnostic{}
			for _, d := range compileAll(t, name, string(text)) {
				byLine[d.Pos.Line] = append(byLine[d.Pos.Line], d)
			}
			for i, line := range strings.Split(string(text), "\n") {
				found := byLine[i+1]
				if m := wantError.FindStringSubmatch(line); m != nil {
					for _, q := range quoted.FindAllString(m[1], -1) {
						found = matchError(t, name, i+1, q, found)
					}
				}
				for _, d := range found {
					t.Errorf("unexpected: %v", d)
				}
				delete(byLine, i+1)
			}
			for _, ds := range byLine {
				t.Errorf("outside the file: %v", ds)
			}
		})
	}
	if total < 100 {
		t.Errorf("%d rejections", total)
	}
}

// matchError removes the first message that a pattern matches.
func matchError(t *testing.T, name string, line int, pattern string, found []*diag.Diagnostic) []*diag.Diagnostic {
	t.Helper()
	p, err := strconv.Unquote(pattern)
	if err != nil {
		t.Fatalf("%s:%d: %v", name, line, err)
	}
	re, err := regexp.Compile(p)
	if err != nil {
		t.Fatalf("%s:%d: %v", name, line, err)
	}
	for i, d := range found {
		if re.MatchString(d.Error()) {
			return append(append([]*diag.Diagnostic(nil), found[:i]...), found[i+1:]...)
		}
	}
	t.Errorf("%s:%d: nothing matches %s", name, line, pattern)
	return found
}
