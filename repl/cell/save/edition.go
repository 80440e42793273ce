package save

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/check"
)

// An Edition is a cell as one of gonb's, where each cell is a program: definitions last, and
// variables end with it.
type Edition struct {
	Imports []string // lines of an import declaration that the cell needs
	Decls   string   // the cell's own definitions, in plain Go
	Body    string   // what its statements do; "" for nothing
}

// Edition is one of the session's cells as one of gonb's. Its body begins with those statements of earlier cells that
// made the variables which it uses. again repeats what earlier cells launched with these.
func (l *Log) Edition(cell int, again bool) Edition {
	b := newSaver(l, "main")
	b.only, b.target = l.needed(cell, again), cell
	b.settle()
	b.show = "nb.Show"
	var e Edition
	if body := b.body(0); body != "" {
		e.Body = formattedBody(body)
	}
	if strings.Contains(e.Body, "nb.") {
		b.importNB()
	}
	for _, d := range b.imports {
		e.Imports = append(e.Imports, strings.TrimPrefix(check.ImportText(d), "import "))
	}
	var decls []string
	for _, d := range b.defs {
		if d.At.Cell == cell {
			decls = append(decls, strings.TrimSpace(b.definition(d)))
		}
	}
	e.Decls = strings.Join(decls, "\n\n")
	return e
}

// settle puts the program right until nothing is left to put right.
func (b *saver) settle() {
	for range 200 {
		if !b.putRight(b.program()) {
			return
		}
	}
}

// importNB adds the package that shows values.
func (b *saver) importNB() {
	nb := types.NewPkgName(token.NoPos, nil, "nb", types.NewPackage(pathNB, "nb"))
	b.imports = append(b.imports, &check.Def{Name: "nb", Path: pathNB, Kind: token.IMPORT, Obj: nb})
}

// needed is the statements of a cell, by index in the log, and of earlier ones those that its
// variables are made by, with launches if they are to be done again.
func (l *Log) needed(cell int, again bool) map[int]bool {
	kept, vars := map[int]bool{}, map[int]bool{}
	for i, stmt := range slices.Backward(l.stmts) {
		used := mentions(stmt)
		again := again && launches(stmt.text)
		made := (!stmt.shown && !launches(stmt.text) || again) && slices.ContainsFunc(used, func(n int) bool { return vars[n] })
		if stmt.cell != cell && !(made && stmt.makes(vars)) {
			continue
		}
		kept[i] = true
		maps.Copy(vars, set(used))
	}
	return kept
}

// launches reports whether a statement launches a kernel: what it says is shown.
func launches(text string) bool { return strings.HasPrefix(text, "exec.New(") }

// makes reports whether a statement may give one of the variables its value: a definition of it,
// or any statement that is not one.
func (l logged) makes(vars map[int]bool) bool {
	return len(l.lhs) == 0 || slices.ContainsFunc(l.lhs, func(m string) bool { return vars[number(m)] })
}

// mentions is the numbers of the variables of a statement.
func mentions(l logged) (list []int) {
	for _, m := range markPattern.FindAllStringSubmatch(l.text+l.rhs+strings.Join(l.lhs, ""), -1) {
		n, _ := strconv.Atoi(m[2])
		list = append(list, n)
	}
	return list
}

func set(list []int) map[int]bool {
	m := map[int]bool{}
	for _, n := range list {
		m[n] = true
	}
	return m
}
