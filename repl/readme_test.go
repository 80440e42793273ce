package repl

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestReadme: the README's table of commands is the command table.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- commands -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("README.md has no place for the commands")
	}
	want := before + begin + "```\n" + helpTable().String() + "\n```\n" + end + after
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Error("the commands in README.md are stale: UPDATE=1 go test ./repl")
	}
}

// TestCommands: every row is whole, and in a group that help lists.
func TestCommands(t *testing.T) {
	var names []string
	for _, c := range commands() {
		if !strings.HasPrefix(c.name, ":") || c.short == "" || c.run == nil || !slices.Contains(groups(), c.group) {
			t.Errorf("%+v is not whole", c)
		}
		names = append(names, c.name)
	}
	for _, name := range strings.Fields(":pid :kernel :begin :step :check :promote :bench :ir :asm :why :kernels :tensors :doc :help :go :plain :save :load :notebook :reset :edit :quit :trace") {
		if !slices.Contains(names, name) {
			t.Errorf("there is no %s", name)
		}
	}
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("a command is there twice: %s", names)
	}
}
