package main

import (
	"encoding/json"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readmes is every README of the repository.
func readmes(t *testing.T) (paths []string) {
	for _, pattern := range []string{"README.md", "*/README.md", "*/*/README.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	return paths
}

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// imports is what a block of declarations, without imports of its own, may use.
var imports = []struct{ name, line string }{
	{"fmt.", `"fmt"`},
	{"math.", `"math"`},
	{"exec.", `"github.com/tiler-go/tiler/exec"`},
	{"tl.", `tl "github.com/tiler-go/tiler/tilelang"`},
	{"tensor.", `"github.com/tiler-go/tiler/tilelang/tensor"`},
}

// program is a block of Go as a file: itself, or declarations under the imports that
// they use.
func program(block string) string {
	if strings.HasPrefix(block, "package ") {
		return block
	}
	s := "package readme\n\nimport (\n"
	for _, i := range imports {
		if regexp.MustCompile(`\b` + regexp.QuoteMeta(i.name)).MatchString(block) {
			s += "\t" + i.line + "\n"
		}
	}
	return s + ")\n\n" + block
}

// TestReadmeCode builds every block of Go in every README, each as a package of its
// own that exists only for the build.
func TestReadmeCode(t *testing.T) {
	dir := t.TempDir()
	replace := map[string]string{}
	args := []string{"build", "-o", os.DevNull, "-overlay", filepath.Join(dir, "overlay.json")}
	abs, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range readmes(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range goBlock.FindAllStringSubmatch(string(text), -1) {
			name := fmt.Sprintf("zz_%s_%d", strings.NewReplacer("/", "_", ".", "_", "\\", "_").Replace(path), i)
			file := filepath.Join(dir, name+".go")
			if err := os.WriteFile(file, []byte(program(m[1])), 0o644); err != nil {
				t.Fatal(err)
			}
			replace[filepath.Join(abs, name, "block.go")] = file
			args = append(args, "./"+name)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	if len(replace) == 0 {
		t.Fatal("no code in any README")
	}
	cmd := osexec.Command("go", args...)
	cmd.Dir = abs
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// An example is what a README shows in a block of its own.
type example struct {
	line       int // of the README
	kind, text string
}

// examples is the blocks of a README.
func examples(t *testing.T, path string) (list []example) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, part := range strings.Split(string(text), "```") {
		if i%2 == 1 {
			kind, body, _ := strings.Cut(part, "\n")
			list = append(list, example{kind: kind, text: body})
		}
	}
	for i, line := 0, 1; i < len(list); i++ {
		at := strings.Index(string(text), "```"+list[i].kind+"\n"+list[i].text)
		list[i].line = line + strings.Count(string(text[:at]), "\n")
	}
	return list
}

// varying is what differs from run to run and from machine to machine.
var varying = []struct {
	re   *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\b[0-9.]+ ?(ns|µs|ms|s)\b`), "TIME"},
	{regexp.MustCompile(`\b[0-9.]+(e\+\d+)? times as fast`), "N times as fast"},
	{regexp.MustCompile(`interpreter in \d+ of \d+ programs`), "interpreter in N of N programs"},
	{regexp.MustCompile(`\b(avx512|avx2|portable)\b`), "ENGINE"},
	{regexp.MustCompile(`(?m)[ \t]+$`), ""},
}

func settled(text string) string {
	for _, v := range varying {
		text = v.re.ReplaceAllString(text, v.with)
	}
	return text
}

// prints reports whether a text is what a README shows, in which a line … stands for any lines.
func prints(got, shown string) bool {
	re := strings.ReplaceAll(regexp.QuoteMeta(settled(shown)), "…\n", "(?:.*\n)*")
	return regexp.MustCompile("^" + re + "$").MatchString(settled(got))
}

// firstOther is the first line of what a README shows that is not printed, and what is printed
// instead.
func firstOther(got, shown string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(shown, "\n")+"\n", "\n")
	n := 1
	for n < len(lines) && prints(got, strings.Join(lines[:n], "")+"…\n") {
		n++
	}
	i := max(0, n-3)
	rest := strings.SplitAfter(got, "\n")
	return "README:\n" + strings.Join(lines[i:n], "") + "printed:\n" + strings.Join(rest[min(i, len(rest)):min(i+8, len(rest))], "")
}

// TestReadmePrograms runs the programs of README.md, and what becomes of them with the changes that
// blocks of kind diff make: what they print is the block without a kind that comes next.
func TestReadmePrograms(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	file := filepath.Join(t.TempDir(), "add.go")
	program, printed, ran, first := "", "", 0, true
	for _, e := range examples(t, filepath.Join(root, "README.md")) {
		switch {
		case e.kind == "go" && strings.HasPrefix(e.text, "package main\n"):
			program, first = e.text, true
		case e.kind == "diff" && program != "":
			program, first = patched(t, program, e), true
		case e.kind != "" || program == "" || !first:
			continue
		default:
			if first = false; printed != e.text {
				t.Errorf("README.md:%d: the program above prints\n%s\nfix: run it, and copy what it prints into the block", e.line, printed)
			}
			continue
		}
		if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		run([]string{"run", file}, strings.NewReader(""), &out, &out)
		printed = strings.ReplaceAll(out.String(), filepath.Dir(file)+"/", "")
		if ran++; strings.Count(printed, "\n") > 20 {
			t.Errorf("README.md:%d: this program prints %d lines: too many to be read", e.line, strings.Count(printed, "\n"))
		}
	}
	if ran == 0 {
		t.Error("README.md shows no program: a block of Go that begins with package main")
	}
}

// patched is a program in which the lines of a diff that begin with - are those with +.
func patched(t *testing.T, program string, diff example) string {
	var old, fresh string
	for line := range strings.Lines(diff.text) {
		if text, ok := strings.CutPrefix(line, "-"); ok {
			old += text
		} else {
			fresh += strings.TrimPrefix(line, "+")
		}
	}
	if old == "" || !strings.Contains(program, old) {
		t.Fatalf("README.md:%d: the program above has no lines\n%s", diff.line, old)
	}
	return strings.Replace(program, old, fresh, 1)
}

// TestReadmeLinks: what a README points to exists.
func TestReadmeLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	code := regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	for _, path := range readmes(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// TestReadmeCommands: the README's table of commands is the command table.
func TestReadmeCommands(t *testing.T) {
	path := filepath.Join(root, "README.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const head = "| command | does |\n|---|---|\n"
	before, rest, ok := strings.Cut(string(text), head)
	if !ok {
		t.Fatalf("no table of commands in %s", path)
	}
	_, after, _ := strings.Cut(rest, "\n\n")
	var rows strings.Builder
	for _, c := range commands() {
		fmt.Fprintf(&rows, "| `%s` | %s |\n", strings.ReplaceAll(strings.TrimSpace("tiler "+c.Name+" "+c.Args), "|", `\|`), c.Short)
	}
	want := before + head + rows.String() + "\n" + after
	if string(text) == want {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatalf("the table of commands is stale: UPDATE=1 go test ./cmd/tiler")
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
