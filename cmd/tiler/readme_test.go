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
		fmt.Fprintf(&rows, "| `%s` | %s |\n", strings.TrimSpace("tiler "+c.name+" "+c.args), c.short)
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
