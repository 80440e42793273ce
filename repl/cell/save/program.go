package save

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/check"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/cell/sugar"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// Program is the session as a Go program, for go run and tiler run: the definitions in
// force, and a function main that does what the cells did which ran to their end.
func (l *Log) Program() string {
	b := newSaver(l, "main")
	for range 200 {
		text := b.program()
		if !b.putRight(text) {
			return sugar.Formatted(text) + "\n"
		}
	}
	return sugar.Formatted(b.program()) + "\n"
}

// A saver makes a program of a session.
type saver struct {
	log     *Log
	names   map[int]string // variables by number
	globals map[int]bool   // those that functions use
	show    string         // the function that shows values
	defs    []*check.Def
	imports []*check.Def

	only    map[int]bool // statements to keep, by index in the log; nil for all
	target  int          // the cell that they are of, others being there for it; -1 if all are
	known   map[int]bool // declared so far
	unused  []string     // variables that nothing but their definition uses
	dropped map[int]bool // statements that do not go with the definitions, by index in the log
	lines   []lineOf     // of the program that was made last
}

// lineOf is which statement a line of the program is of.
type lineOf struct{ line, stmt int }

func newSaver(log *Log, own string) *saver {
	b := &saver{log: log, names: map[int]string{}, globals: map[int]bool{}, dropped: map[int]bool{}, target: -1, show: "show"}
	taken := map[string]bool{own: true}
	for _, d := range log.scope.Sorted() {
		taken[d.Name] = true
		switch {
		case d.Broken != nil || d.Kind == token.VAR:
		case d.Kind == token.IMPORT:
			b.imports = append(b.imports, d)
		default:
			b.defs = append(b.defs, d)
			for o := range d.Uses {
				if n := log.vars[o]; n > 0 {
					b.globals[n] = true
				}
			}
		}
	}
	for taken[b.show] {
		b.show += "_"
	}
	taken[b.show] = true
	b.nameVars(taken)
	return b
}

// nameVars gives variables their names: those in force their own, earlier ones of the
// same name others.
func (b *saver) nameVars(taken map[string]bool) {
	for _, d := range b.log.scope.Sorted() {
		if n := b.log.vars[d.Obj]; n > 0 && d.Kind == token.VAR {
			b.names[n] = d.Name
		}
	}
	for _, l := range b.log.stmts {
		for _, m := range markPattern.FindAllStringSubmatch(l.text+l.rhs+strings.Join(l.lhs, ""), -1) {
			n, _ := strconv.Atoi(m[2])
			if b.names[n] != "" {
				continue
			}
			name := m[1]
			for i := 1; taken[name]; i++ {
				name = m[1] + strconv.Itoa(i)
			}
			taken[name] = true
			b.names[n] = name
		}
	}
}

var markPattern = regexp.MustCompile(regexp.QuoteMeta(markOpen) + `([^:]+):(\d+)` + regexp.QuoteMeta(markClose))

func number(mark string) int {
	m := markPattern.FindStringSubmatch(mark)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[2])
	return n
}

// named is a text with the names of variables.
func (b *saver) named(text string) string {
	return markPattern.ReplaceAllStringFunc(text, func(m string) string { return b.names[number(m)] })
}

// program is the whole file as it is now.
func (b *saver) program() string {
	var t strings.Builder
	t.WriteString("package main\n\n" + b.importBlock() + "\n")
	for _, d := range b.defs {
		t.WriteString("\n" + b.definition(d) + "\n")
	}
	t.WriteString(b.globalVars())
	body := b.body(strings.Count(t.String(), "\n") + 3)
	start := "main"
	if b.log.scope.Live["main"] != nil {
		start = "init"
	}
	t.WriteString("\nfunc " + start + "() {\n" + body + "}\n")
	if strings.Contains(body, b.show+"(") {
		t.WriteString("\n// " + b.show + " prints values, but no errors that are nil.\nfunc " + b.show + "(values ...any) {\n\tfor _, v := range values {\n\t\tif v != nil {\n\t\t\tfmt.Println(v)\n\t\t}\n\t}\n}\n")
	}
	return t.String()
}

// importBlock is the imports: those of the standard library first.
func (b *saver) importBlock() string {
	var std, own []string
	for _, d := range b.imports {
		line := "\t" + strings.TrimPrefix(check.ImportText(d), "import ") + "\n"
		if strings.Contains(d.Path, ".") {
			own = append(own, line)
		} else {
			std = append(std, line)
		}
	}
	if len(std) > 0 && len(own) > 0 {
		std = append(std, "\n")
	}
	return "import (\n" + strings.Join(std, "") + strings.Join(own, "") + ")"
}

// definition is a definition with the comment above it.
func (b *saver) definition(d *check.Def) string {
	comment := ""
	for line := range strings.SplitSeq(scan.CommentAbove(b.log.scope.Sources[d.At.Cell].Text[:d.At.Start]), "\n") {
		if line != "" || comment != "" {
			comment += strings.TrimRight("// "+line, " ") + "\n"
		}
	}
	return comment + strings.TrimPrefix(sugar.Formatted("package p\n\n"+d.Plain), "package p\n\n")
}

// globalVars declares the variables that functions use.
func (b *saver) globalVars() string {
	var t strings.Builder
	for _, d := range b.log.scope.Sorted() {
		if n := b.log.vars[d.Obj]; d.Kind == token.VAR && b.globals[n] {
			fmt.Fprintf(&t, "\nvar %s %s\n", d.Name, b.log.scope.TypeText(d.Obj.Type()))
		}
	}
	return t.String()
}

// body is the statements; first is the line that it begins at.
func (b *saver) body(first int) string {
	var t strings.Builder
	b.known, b.lines = map[int]bool{}, nil
	cell := -1
	for i, l := range b.log.stmts {
		if !b.log.scope.Sources[l.cell].Done || b.only != nil && !b.only[i] {
			continue
		}
		if cell >= 0 && cell != l.cell && t.Len() > 0 && (b.only == nil || l.cell == b.target) {
			t.WriteString("\n")
		}
		cell = l.cell
		text := b.statement(l)
		if b.dropped[i] {
			text = "// left out, because it does not fit the definitions above:\n// " + strings.ReplaceAll(text, "\n", "\n// ")
		}
		line := first + strings.Count(t.String(), "\n")
		for k := range strings.Count(text, "\n") + 1 {
			b.lines = append(b.lines, lineOf{line + k, i})
		}
		t.WriteString(text + "\n")
	}
	for _, name := range b.unused {
		t.WriteString("_ = " + name + "\n")
	}
	return t.String()
}

// statement is a statement in the place that it has in main.
func (b *saver) statement(l logged) string {
	if len(l.lhs) == 0 {
		text := b.named(l.text)
		if b.only == nil && l.shown || l.cell == b.target && (l.shown || launches(l.text)) {
			return b.show + "(" + text + ")"
		}
		return text
	}
	fresh, old := 0, 0
	for _, m := range l.lhs {
		if n := number(m); n > 0 {
			if b.known[n] || b.globals[n] {
				old++
			} else {
				fresh++
			}
		}
	}
	text := ""
	names := make([]string, len(l.lhs))
	for i, m := range l.lhs {
		names[i] = m
		n := number(m)
		if n == 0 {
			continue
		}
		names[i] = b.names[n]
		isNew := !b.known[n] && !b.globals[n]
		b.known[n] = true
		switch {
		case l.rhs == "" && isNew:
			text += "var " + names[i] + " " + l.types[i] + "\n"
		case l.rhs == "":
			text += names[i] + " = *new(" + l.types[i] + ")\n"
		case isNew && old > 0:
			text += "var " + names[i] + " " + l.types[i] + "\n"
		}
	}
	if l.rhs == "" {
		return strings.TrimSuffix(text, "\n")
	}
	list, rhs := strings.Join(names, ", "), b.named(l.rhs)
	switch {
	case fresh == 0 || old > 0:
		return text + list + " = " + rhs
	case !l.define:
		return "var " + list + " " + l.types[0] + " = " + rhs
	}
	return list + " := " + rhs
}

// putRight looks for what keeps a program from compiling, and changes it; it reports
// whether there was anything.
func (b *saver) putRight(text string) bool {
	var list diag.List
	if !errors.As(checkProgram(text), &list) {
		return false
	}
	changed := false
	lines := strings.Split(text, "\n")
	for _, d := range list {
		if !d.Pos.IsValid() || d.Pos.Line > len(lines) {
			continue
		}
		switch {
		case strings.Contains(d.Msg, " imported ") && strings.HasSuffix(d.Msg, " and not used"):
			changed = b.dropImport(lines[d.Pos.Line-1]) || changed
		case strings.HasPrefix(d.Msg, "declared and not used: "):
			b.unused = append(b.unused, strings.TrimPrefix(d.Msg, "declared and not used: "))
			changed = true
		case strings.HasPrefix(d.Msg, "undefined: fmt"):
			b.imports = append(b.imports, &check.Def{Name: "fmt", Path: "fmt", Kind: token.IMPORT, Obj: types.NewPkgName(token.NoPos, nil, "fmt", types.NewPackage("fmt", "fmt"))})
			return true
		default:
			for _, at := range b.lines {
				if at.line == d.Pos.Line && !b.dropped[at.stmt] {
					b.dropped[at.stmt] = true
					changed = true
				}
			}
		}
	}
	return changed
}

func (b *saver) dropImport(line string) bool {
	before := len(b.imports)
	b.imports = slices.DeleteFunc(b.imports, func(d *check.Def) bool {
		return strings.TrimSpace(line) == strings.TrimPrefix(check.ImportText(d), "import ")
	})
	return len(b.imports) < before
}

// checkProgram is what is wrong with a program.
func checkProgram(text string) error {
	fresh := check.NewScope(func(string, ...any) {})
	_, err := fresh.Plan(fresh.Add(check.Source{Name: "saved", Text: text, Line: 1, Program: true}), scan.Stage{}).Check()
	return err
}
