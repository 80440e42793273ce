package learn

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
)

// A function is one of the course's functions as text.
type function struct {
	text   string   // all of it, without the comment above
	head   string   // up to its body
	params []string // names, without the program's
}

// functions is those of the files of puzzles, by name.
func functions(files fs.FS) map[string]function {
	found := map[string]function{}
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		panic(err) // it is part of the program
	}
	for _, e := range entries {
		text, err := fs.ReadFile(files, e.Name())
		if err != nil {
			panic(err)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, e.Name(), text, parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				found[fn.Name.Name] = cut(fset, string(text), fn)
			}
		}
	}
	return found
}

func cut(fset *token.FileSet, text string, fn *ast.FuncDecl) function {
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	f := function{text: text[at(fn.Type.Func):at(fn.End())], head: text[at(fn.Type.Func):at(fn.Type.End())]}
	for i, field := range fn.Type.Params.List {
		for _, name := range field.Names {
			if i > 0 {
				f.params = append(f.params, name.Name)
			}
		}
	}
	return f
}

// Solution is the kernel that solves the puzzle, in plain Go.
func (p *Puzzle) Solution() string { return p.course.functions()[p.Name].text }

// Params is the names of the kernel's parameters after the program.
func (p *Puzzle) Params() []string { return p.course.functions()[p.Name].params }

// Signature is the kernel's head, up to its body.
func (p *Puzzle) Signature() string { return p.course.functions()[p.Name].head }

// constant reports whether the value of parameter i is meant to be compiled in: those are
// written in capitals.
func (p *Puzzle) constant(i int) bool {
	name := p.Params()[i]
	return name == strings.ToUpper(name)
}

// File is a function, in plain Go, as a program of its own, with the puzzle's text above it
// and a main that launches it on the first case. name is what the file will be called.
func (p *Puzzle) File(function, name string) string {
	var b strings.Builder
	b.WriteString("// " + p.Heading() + "\n//\n")
	for l := range strings.SplitSeq(paragraphs(p.Text), "\n") {
		b.WriteString(strings.TrimRight("// "+strings.TrimPrefix(l, " "), " ") + "\n")
	}
	b.WriteString("//\n" + plain + p.commands(name) + "package main\n\nimport (\n\t\"fmt\"\n")
	if strings.Contains(function, "math.") {
		b.WriteString("\t\"math\"\n")
	}
	b.WriteString(`	"os"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

` + function + "\n\n" + p.main())
	out, err := format.Source([]byte(b.String()))
	if err != nil {
		return b.String() // which says itself what is wrong with it
	}
	return string(out)
}

// plain is what one must know to write in a file what works at the prompt, as a comment.
const plain = `// In a file tiles have methods where they have operators at the prompt: x.Add(y) is x + y, x.Lt(y)
// is x < y, x.And(y) is x & y; x.Col() is x[:, None], and x.Row() is x[None, :].
//
`

// commands is what can be done with a file, as a comment.
func (p *Puzzle) commands(name string) string {
	rows := [][2]string{
		{"tiler learn " + name, "judges it"},
		{fmt.Sprintf("tiler learn -hint %d", p.Number()), "gives a hint, and with each call a clearer one"},
		{"tiler run " + name, "runs main; so does go run, in a module that requires tiler's"},
	}
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "//\t%-*s  %s\n", max(len(rows[0][0]), len(rows[1][0])), r[0], r[1])
	}
	return b.String()
}

// main launches the kernel on the first case and prints what came of it.
func (p *Puzzle) main() string {
	var b strings.Builder
	b.WriteString("func main() {\n")
	c, names := p.Cases[0], p.Params()
	args := make([]string, len(c.Args))
	output := ""
	for i, a := range c.Args {
		args[i] = a.Text
		if strings.HasPrefix(a.Text, "tensor.") {
			b.WriteString("\t" + names[i] + " := " + a.Text + "\n")
			args[i], output = names[i], names[i]
		}
	}
	b.WriteString("\terr := exec.New(" + p.Name + ").Launch(exec.Grid{" + strings.ReplaceAll(numbers(c.Grid), ",", ", ") + "}, " + strings.Join(args, ", ") + ")\n")
	b.WriteString("\tif err != nil {\n\t\tfmt.Println(err)\n\t\tos.Exit(1)\n\t}\n\tfmt.Println(" + output + ")\n}\n")
	return b.String()
}
