package repl

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// transcripts is the sessions of testdata/session, one after the other, and what the
// command does with files.
func transcripts(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("testdata/session/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no sessions", err)
	}
	var all strings.Builder
	scripts, err := filepath.Glob("../cmd/tiler/testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range slices.Concat(files, scripts) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// TestTranscribedCommands: every command is typed in a session.
func TestTranscribedCommands(t *testing.T) {
	all := transcripts(t)
	for _, c := range commands() {
		if !regexp.MustCompile(`(?m)^tiler> ` + c.name + `\b`).MatchString(all) {
			t.Errorf("no session types %s", c.name)
		}
	}
}

// says is the functions that are given the words of a message, with the place of the
// words among their arguments.
var says = map[string]int{
	"fmt.Errorf": 0, "errors.New": 0, "errorf": 1, "report": 1, "At": 1, "Refuse": 0, "note": 0,
	"Fix": 0, "Note": 0, "fix": 1, "runtimeError": 0,
}

// unheard is the messages that no session can show, by why not.
var unheard = map[string][]string{
	"a terminal is needed, or a person: cmd/tiler's tests have both": {
		"no editor found\n\tfix: set the environment variable EDITOR",
		"interrupted",
		"%s:%d: interrupted",
		"↑ moves into the text; Enter on its last line submits it.\nPasted text replaces it. Ctrl-C drops it so that you can try lines first;\n:puzzle brings it back.",
		"what was running cannot be stopped: it continues in the background until it returns. Function literals made so far no longer work; define them again",
	},
	"the files of these sessions are short texts": {
		"%s is over %d MiB long: that is no source file",
		"%s is not a text",
	},
	"only the page's program says that": {
		"the page does not read Python\n\tfix: install tiler, and try it there",
	},
	"the machine would have to be nearly out of memory": {
		"the cell was stopped because it had used nearly all of the machine's memory",
	},
	"only other callers of package cell can do that": {
		"%s: commands cannot be used here",
		"%s no longer compiles: %w",
		"%s takes %d arguments, got %d",
		"%s cannot be the name of a variable",
		"%s cannot be nil",
		"%s cannot be a %T",
		"there is no function %s",
		"a kernel is a function without a result whose first parameter is p *tl.Program",
	},
	"it would be a mistake of ours: go/types accepts no such program, or package symbols lacks something": {
		"an internal error in tiler: %v\n%s",
		"the builtin %s cannot be used here",
		"a call of %s cannot be made here",
		"%s has no method %s",
		"the generic function %s.%s cannot be used here",
		"a composite literal of %s cannot be used here",
		"this expression cannot be used here",
		"a constant of interface type",
		"%s has no code: define it again",
		"%s is instantiated without end",
		"range over %s cannot be used here",
		"this statement cannot be used here",
		"defer outside a function: put it in one, func() { defer ...; ... }()",
		"the variable %s has no place: define it again",
		"%s outside a loop",
		"the type %s cannot be used here",
		"unsafe.Pointer cannot be used here",
	},
}

// TestTranscribedMessages: every message that the prompt, its cells and their lowering
// have words for is printed in a session.
func TestTranscribedMessages(t *testing.T) {
	all := transcripts(t)
	left := map[string]bool{}
	for _, list := range unheard {
		for _, words := range list {
			left[words] = true
		}
	}
	there := map[string]bool{}
	for _, dir := range []string{".", "cell", "cell/*", "lower", "lower/*",
		"explain", "kernels", "launch", "lesson", "screen"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, m := range messages(t, file) {
				if there[m.words] = true; left[m.words] {
					continue
				}
				for _, line := range strings.Split(m.words, "\n") {
					if re := pattern(line); re != nil && !re.MatchString(all) {
						t.Errorf("%s: no session shows %q", m.at, line)
					}
				}
			}
		}
	}
	for words := range left {
		if !there[words] {
			t.Errorf("nothing says %q any more", words)
		}
	}
}

// A message is the words of one, and where they are in the source.
type message struct{ words, at string }

// messages is what a file has words for.
func messages(t *testing.T, file string) (list []message) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			words, _ := strconv.Unquote(lit.Value)
			list = append(list, message{words, fset.Position(lit.Pos()).String()})
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := ""
			switch fun := n.Fun.(type) {
			case *ast.Ident:
				name = fun.Name
			case *ast.SelectorExpr:
				name = fun.Sel.Name
				if p, ok := fun.X.(*ast.Ident); ok {
					if _, ok := says[p.Name+"."+name]; ok {
						name = p.Name + "." + name
					}
				}
			}
			if i, ok := says[name]; ok && i < len(n.Args) {
				add(n.Args[i])
			}
		case *ast.ValueSpec:
			if len(n.Values) == 1 && slices.Contains([]string{"python", "refused"}, n.Names[0].Name) {
				for _, kv := range n.Values[0].(*ast.CompositeLit).Elts {
					add(kv.(*ast.KeyValueExpr).Value)
				}
			}
		}
		return true
	})
	return list
}

// pattern matches what a line of a format gives; nil if there is nothing of its own in it.
func pattern(line string) *regexp.Regexp {
	line = regexp.MustCompile(`%[-+#0-9.\[\]]*[a-zA-Z]|\$\d`).ReplaceAllString(strings.TrimSpace(line), "\x00")
	if strings.Trim(line, "\x00 .,:;") == "" {
		return nil
	}
	return regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(strings.ReplaceAll(line, "%%", "%")), "\x00", ".*"))
}
