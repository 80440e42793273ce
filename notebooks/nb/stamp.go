package nb

import (
	"encoding/hex"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A Stamp says what an output was computed from: the text of the kernels that it uses,
// with the functions that these call; and everything else, so with seeded data its
// inputs. Comments and layout do not count.
type Stamp struct{ Kernel, Inputs string }

// Stamps is the stamp of each of a notebook's code cells, given in the order in which
// they run. Cells that do not parse have the zero Stamp.
func Stamps(cellTexts []string) []Stamp {
	stamps := make([]Stamp, len(cellTexts))
	all := source{decls: map[string]string{}, uses: map[string][]string{}, kernels: map[string]bool{}}
	for i, text := range cellTexts {
		decls, body, hasBody := strings.Cut("\n"+text, "\n%%")
		one := parseSource("package main\n" + blankCommands(decls))
		if one == nil {
			continue
		}
		all.merge(one)
		if hasBody {
			_, body, _ = strings.Cut(body, "\n") // the rest of the line are arguments
			main := parseSource("package main\nfunc main() {\n" + body + "\n}")
			if main == nil {
				continue
			}
			all.merge(main)
		} else if one.decls["main"] == "" {
			continue
		}
		stamps[i] = all.stamp("main")
	}
	return stamps
}

// blankCommands empties the lines that are commands to gonb.
func blankCommands(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "%") || strings.HasPrefix(l, "!") {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}

// A source is declarations by name.
type source struct {
	decls   map[string]string   // name → its tokens
	uses    map[string][]string // name → the identifiers in its declaration
	kernels map[string]bool     // names of functions whose first parameter is a program
	spans   []span              // of functions
}

type span struct {
	name        string
	first, last int
}

// parseSource reads a Go file, nil if it is none.
func parseSource(text string) *source {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "main.go", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	s := &source{decls: map[string]string{}, uses: map[string][]string{}, kernels: map[string]bool{}}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := functionName(d)
			s.add(name, text[at(d.Pos()):at(d.End())], d)
			s.kernels[name] = isKernel(d)
			s.spans = append(s.spans, span{name, fset.Position(d.Pos()).Line, fset.Position(d.End()).Line})
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				text := d.Tok.String() + " " + text[at(spec.Pos()):at(spec.End())]
				for _, name := range declared(spec) {
					s.add(name, text, spec)
				}
			}
		}
	}
	return s
}

// functionName is a function's name, or a method's with its receiver's type.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	name := d.Name.Name
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			name = id.Name + "." + d.Name.Name
			return false
		}
		return true
	})
	return name
}

func declared(spec ast.Spec) (names []string) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		names = append(names, spec.Name.Name)
	case *ast.ValueSpec:
		for _, id := range spec.Names {
			names = append(names, id.Name)
		}
	}
	return names
}

// isKernel reports whether the first parameter is a *tl.Program.
func isKernel(d *ast.FuncDecl) bool {
	if d.Recv != nil || len(d.Type.Params.List) == 0 {
		return false
	}
	star, ok := d.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Program"
}

// add notes a declaration. gonb begins the main function of statements with a call of
// flag.Parse, which nobody wrote.
func (s *source) add(name, text string, n ast.Node) {
	s.decls[name] = strings.Replace(tokens(text), "main ( ) { flag . Parse ( ) ;", "main ( ) {", 1)
	var uses []string
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			uses = append(uses, id.Name)
		}
		return true
	})
	slices.Sort(uses)
	s.uses[name] = slices.Compact(uses)
}

// tokens is a text's tokens, one space between any two, without comments. Semicolons
// that only layout makes are left out.
func tokens(text string) string {
	fset := token.NewFileSet()
	var sc scanner.Scanner
	sc.Init(fset.AddFile("", fset.Base(), len(text)), []byte(text), nil, 0)
	var list []string
	for {
		_, tok, lit := sc.Scan()
		switch {
		case tok == token.EOF:
			return strings.Join(trimSemicolons(list), " ")
		case tok == token.SEMICOLON:
			list = append(list, ";")
		case lit != "":
			list = append(list, lit)
		default:
			list = append(list, tok.String())
		}
	}
}

// trimSemicolons removes semicolons and commas before a closing bracket, and at the end.
func trimSemicolons(list []string) (kept []string) {
	for i, t := range list {
		if t == ";" || t == "," {
			if i+1 == len(list) || strings.Contains(")}]", list[i+1]) {
				continue
			}
		}
		kept = append(kept, t)
	}
	return kept
}

// merge adds the declarations of a later cell, which replace earlier ones.
func (s *source) merge(later *source) {
	for name, text := range later.decls {
		s.decls[name], s.uses[name], s.kernels[name] = text, later.uses[name], later.kernels[name]
	}
}

// reachable is the declarations that one needs, itself included. follow says beyond which
// of them to look.
func (s *source) reachable(from string, follow func(name string) bool) map[string]bool {
	seen := map[string]bool{}
	todo := []string{from}
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[name] || s.decls[name] == "" {
			continue
		}
		seen[name] = true
		if !follow(name) {
			continue
		}
		todo = append(todo, s.uses[name]...)
		for method := range s.decls {
			if strings.HasPrefix(method, name+".") {
				todo = append(todo, method)
			}
		}
	}
	return seen
}

// stamp is the stamp of what a function computes.
func (s *source) stamp(from string) Stamp {
	kernels, inputs := map[string]bool{}, map[string]bool{}
	for name := range s.reachable(from, func(name string) bool { return !s.kernels[name] }) {
		if !s.kernels[name] {
			inputs[name] = true
			continue
		}
		for part := range s.reachable(name, func(string) bool { return true }) {
			kernels[part] = true
		}
	}
	return Stamp{s.hash(kernels), s.hash(inputs)}
}

// hash is short, and empty for no declarations.
func (s *source) hash(names map[string]bool) string {
	if len(names) == 0 {
		return ""
	}
	var list []string
	for name := range names {
		list = append(list, name+"\n"+s.decls[name]+"\n")
	}
	slices.Sort(list)
	h := fnv.New64a()
	io.WriteString(h, strings.Join(list, ""))
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// functionAt is the function that a line is in, and its first line.
func (s *source) functionAt(line int) (name string, first int) {
	for _, f := range s.spans {
		if f.first <= line && line <= f.last {
			return f.name, f.first
		}
	}
	return "", 0
}

// cells is the file that gonb made of the notebook's cells, nil if there is none.
var cells = sync.OnceValue(func() *source {
	dir := os.Getenv("GONB_TMP_DIR")
	if dir == "" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil {
		return nil
	}
	return parseSource(string(text))
})

// currentStamp is the stamp of the running cell.
func currentStamp() Stamp {
	if s := cells(); s != nil {
		return s.stamp("main")
	}
	return Stamp{}
}
