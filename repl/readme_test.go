package repl

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/repl/edit"
)

// TestReadme: the README's tables of commands and keys are those of the program.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	keys := "| key | does |\n|---|---|\n"
	for _, k := range edit.Keys() {
		keys += "| " + k.Label + " | " + k.Help + " |\n"
	}
	want := between(t, string(data), "commands", "```\n"+helpTable().String()+"\n```\n")
	want = between(t, want, "keys", keys)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(data) != want {
		t.Error("the tables in README.md are stale: UPDATE=1 go test ./repl")
	}
}

// between puts a table where a text has a place for it.
func between(t *testing.T, text, name, table string) string {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- end "+name+" -->"
	before, rest, ok := strings.Cut(text, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("README.md has no place for the %s", name)
	}
	return before + begin + table + end + after
}

// TestCommands: every row is whole, and in a group that help lists.
func TestCommands(t *testing.T) {
	var names []string
	for _, c := range commands() {
		if !strings.HasPrefix(c.name, ":") && c.name != "?" || c.example == "" || c.short == "" || c.run == nil || !slices.Contains(groups(), c.group) {
			t.Errorf("%+v is not whole", c)
		}
		names = append(names, c.name)
	}
	for _, name := range strings.Fields(":pid :kernel :begin :step :check :promote :bench :ir :asm :why :kernels :tensors :doc :help :go :plain :save :load :notebook :reset :edit :quit :trace :vars :history :time :heat :plot :set ?") {
		if !slices.Contains(names, name) {
			t.Errorf("there is no %s", name)
		}
	}
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("a command is there twice: %s", names)
	}
}
