package frontend

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// section is a file of an archive in the txtar format.
type section struct{ name, text string }

// readArchive splits testdata into what comes before the first file and the files.
func readArchive(t testing.TB, name string) (comment string, files []section) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.SplitAfter(string(text), "\n")
	for _, line := range parts {
		if n, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "-- "); ok && strings.HasSuffix(n, " --") {
			files = append(files, section{name: strings.TrimSuffix(n, " --")})
			continue
		}
		if len(files) == 0 {
			comment += line
		} else {
			files[len(files)-1].text += line
		}
	}
	return comment, files
}

func writeArchive(t testing.TB, name, comment string, files []section) {
	t.Helper()
	text := comment
	for _, s := range files {
		text += "-- " + s.name + " --\n" + s.text
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// parseArgs reads arguments as tests write them: f32 for a pointer or dtype, else
// the value; _ for a value that does not matter.
func parseArgs(t testing.TB, params []gofile.Param, text string) []Arg {
	t.Helper()
	words := strings.Fields(text)
	if len(words) != len(params) {
		t.Fatalf("%d arguments for %d parameters", len(words), len(params))
	}
	args := make([]Arg, len(params))
	for i, w := range words {
		var err error
		switch p := params[i]; {
		case p.Kind == gofile.Ptr || p.Kind == gofile.DType:
			args[i].DType, err = dtype.Parse(w)
		case w == "_":
		case p.Kind == gofile.Float:
			args[i].Float, err = strconv.ParseFloat(w, 64)
		case p.Kind == gofile.Bool:
			args[i].Bool, err = strconv.ParseBool(w)
		case p.Kind == gofile.String:
			args[i].Str = w
		default:
			args[i].Int, err = strconv.ParseInt(w, 10, 64)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return args
}

// TestLower compares the IR of kernels with what testdata holds. The comment of an
// archive gives the kernel's name and arguments, one line for each compilation.
func TestLower(t *testing.T) {
	names, _ := filepath.Glob("testdata/lower/*.txtar")
	if len(names) < 10 {
		t.Errorf("%d archives", len(names))
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			comment, files := readArchive(t, name)
			f, err := gofile.Load("k.go", files[0].text)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, line := range strings.Split(strings.TrimSpace(comment), "\n") {
				got.WriteString(lowerText(t, f, line))
			}
			if os.Getenv("UPDATE") != "" {
				writeArchive(t, name, comment, []section{files[0], {"ir", got.String()}})
			} else if len(files) < 2 || files[1].text != got.String() {
				t.Errorf("got:\n%s", got.String())
			}
		})
	}
}

// lowerText compiles a kernel twice, checks the result, and gives it as text.
func lowerText(t *testing.T, f *gofile.File, line string) string {
	t.Helper()
	kernel, rest, _ := strings.Cut(line, " ")
	params, err := f.Params(kernel)
	if err != nil {
		t.Fatal(err)
	}
	args := parseArgs(t, params, rest)
	fn, spec, err := Compile(f, kernel, args)
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(fn); err != nil {
		t.Fatalf("%v\n%s", err, fn)
	}
	if again, _, _ := Compile(f, kernel, args); again.String() != fn.String() {
		t.Errorf("compiled again, the text is\n%s", again)
	}
	parsed, err := ir.Parse(fn.String())
	if err != nil || parsed.String() != fn.String() {
		t.Errorf("parsed back: %v\n%v", err, parsed)
	}
	var fixed []string
	for i, p := range params {
		if spec.Fixed[i] && p.Kind != gofile.Const && p.Kind != gofile.DType && p.Kind != gofile.String {
			fixed = append(fixed, p.Name)
		}
	}
	text := fn.String()
	if fixed != nil {
		text = fmt.Sprintf("# fixed: %s\n%s", strings.Join(fixed, " "), text)
	}
	return text
}

// TestMessages compares the messages about kernels, as users see them, with what
// testdata holds.
func TestMessages(t *testing.T) {
	names, _ := filepath.Glob("testdata/msg/*.txtar")
	if len(names) < 12 {
		t.Errorf("%d archives", len(names))
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			comment, files := readArchive(t, name)
			source := func(string) string { return files[0].text }
			var got strings.Builder
			for _, d := range compileAll(t, "k.go", files[0].text) {
				got.WriteString(diag.Render(d, source) + "\n")
			}
			if os.Getenv("UPDATE") != "" {
				writeArchive(t, name, comment, []section{files[0], {"messages", got.String()}})
			} else if len(files) < 2 || files[1].text != got.String() {
				t.Errorf("got:\n%s", got.String())
			}
		})
	}
}
