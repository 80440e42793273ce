package repl

import (
	"bytes"
	"context"
	"fmt"
	"go/token"
	"regexp"
	"strings"

	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/screen"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/repl/symbols"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// cmdDoc says what a name means.
func (s *Session) cmdDoc(_ context.Context, arg string) error {
	if arg == "" {
		return usage(":doc")
	}
	p, err := s.docOf(arg)
	if err == nil {
		s.view.Say(p)
	}
	return err
}

// docOf is what a name means.
func (s *Session) docOf(name string) (picture.Picture, error) {
	if s.isVariable(name) || name == "ans" && s.cells.TypeOf(name) != nil {
		return s.docOfVariable(name)
	}
	if d, ok := s.cells.Def(name); ok && d.Kernel {
		return s.docOfKernel(d), nil
	}
	if doc, ok := s.cells.Doc(name); ok {
		return s.docText(name, doc), nil
	}
	if path, list, ok := s.cells.PackageNames(name); ok {
		return s.packageDoc(name, path, list), nil
	}
	if c, err := commandNamed(":" + name); err == nil {
		return c.doc(), nil
	}
	return picture.Picture{}, s.unknownDoc(name)
}

func (s *Session) unknownDoc(arg string) error {
	var names []string
	for _, pkg := range []string{"tl", "tensor", "exec"} {
		_, list, _ := s.cells.PackageNames(pkg)
		for _, sub := range list {
			for _, name := range sub.Names {
				names = append(names, name, pkg+"."+name)
			}
		}
	}
	near := ""
	if n := diag.Nearest(arg, names); n != "" {
		near = " (did you mean " + n + "?)"
	}
	return fmt.Errorf("no documentation for %s%s\n\tfix: name a package's function (:doc tl.Load), a method (:doc Tile.Add) or a function of yours; :doc tl lists what there is, :help explains commands", arg, near)
}

// docText is a declaration, its comment and its example.
func (s *Session) docText(name string, doc symbols.Doc) picture.Picture {
	p := show.Source(doc.Decl)
	if doc.Text != "" {
		p.Append(show.Text(indent(s.flowed(doc.Text, 4))))
	}
	if list := s.methodsOf(name, doc.Decl); list != "" {
		p.Append(show.Aside(list))
	}
	if doc.Example.Text != "" {
		p.Append(show.Aside("\nexample"))
		text, _ := runExample(doc.Example) // an error shows itself
		p.Append(show.Text(text))
	}
	return p
}

// runExample is the cells of an example with what they print, as at a prompt, up to the
// first that fails.
func runExample(e symbols.Example) (text string, err error) {
	var b, out bytes.Buffer
	s := New(Options{Out: &out, Size: func() (int, int) { return 72, 24 }})
	for _, c := range cell.Split(e.Text) {
		b.WriteString("    " + screen.Prompt + strings.ReplaceAll(c.Text, "\n", "\n    "+screen.More) + "\n")
		if !e.Run {
			continue
		}
		out.Reset()
		err = s.Eval(context.Background(), c.Text)
		s.Report(err)
		if text := strings.TrimRight(out.String(), "\n"); text != "" && !strings.HasPrefix(text, "imported ") {
			b.WriteString("    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n")
		}
		if err != nil {
			break
		}
	}
	return strings.TrimRight(b.String(), "\n"), err
}

// methodsOf lists the methods of a type by name.
func (s *Session) methodsOf(name, decl string) string {
	if !strings.HasPrefix(decl, "type ") {
		return ""
	}
	name = name[strings.LastIndexByte(name, '.')+1:] + "."
	var methods []string
	for _, pkg := range []string{"tl", "tensor", "exec"} {
		_, list, _ := s.cells.PackageNames(pkg)
		for _, sub := range list {
			for _, n := range sub.Names {
				if m, ok := strings.CutPrefix(n, name); ok {
					methods = append(methods, m)
				}
			}
		}
	}
	if len(methods) == 0 {
		return ""
	}
	return "\n" + indent(s.flowed("methods: "+strings.Join(methods, " "), 4))
}

// flowed is a text whose paragraphs fill the width, but for an indentation. Lines that are
// indented stay as they are.
func (s *Session) flowed(text string, indent int) string {
	w, _ := s.view.Size()
	room := max(20, min(w, 100)-1-indent)
	var out []string
	col := -1 // of the line that may go on; -1: none
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "  ") {
			out, col = append(out, line), -1
			continue
		}
		for word := range strings.FieldsSeq(line) {
			n := len([]rune(word))
			if col < 0 || col+1+n > room {
				out, col = append(out, word), n
				continue
			}
			out[len(out)-1] += " " + word
			col += 1 + n
		}
	}
	return strings.Join(out, "\n")
}

// packageDoc is what a package has, by subject: names with their first sentence.
func (s *Session) packageDoc(name, path string, list []symbols.Subject) picture.Picture {
	w, _ := s.view.Size()
	p := show.Aside(fmt.Sprintf("package %s, %q: ?%s.Name says more", name, path, name))
	if symbols.Subjects(path) == nil {
		var names []string
		for _, sub := range list {
			names = append(names, sub.Names...)
		}
		p.Append(show.Text(indent(s.flowed(strings.Join(names, " "), 4))))
		return p
	}
	var rows [][]string
	for _, sub := range list {
		rows = append(rows, []string{"", ""}, []string{sub.Title, ""})
		for _, n := range sub.Names {
			doc, _ := symbols.DocOf(path, n)
			rows = append(rows, []string{"  " + n, summary(n, doc)})
		}
	}
	widest := 0
	for _, r := range rows {
		widest = max(widest, len([]rune(r[0])))
	}
	for _, r := range rows {
		if room := w - widest - 3; len([]rune(r[1])) > room {
			r[1] = string([]rune(r[1])[:max(1, room-1)]) + "…"
		}
	}
	p.Append(show.Table([]string{"", ""}, rows))
	return p
}

// summary is a comment's first sentence, without what it begins with: Name is. Of one of
// several constants or variables it is what follows the line about all of them.
func summary(name string, doc symbols.Doc) string {
	text := doc.Text
	one := strings.HasPrefix(doc.Decl, "func ") || strings.HasPrefix(doc.Decl, "type ") || strings.HasPrefix(text, name+" ")
	if _, own, ok := strings.Cut(text, "\n"); ok && !one {
		text = own
	}
	text = strings.Join(strings.Fields(text), " ")
	name = name[strings.LastIndexByte(name, '.')+1:]
	for _, begin := range []string{"A " + name, "An " + name, name} {
		if rest, ok := strings.CutPrefix(text, begin+" "); ok {
			text = strings.TrimPrefix(rest, "is ")
			break
		}
	}
	if at := sentenceEnd.FindStringIndex(text); at != nil {
		text = text[:at[0]+1]
	}
	return strings.TrimSuffix(text, ".")
}

// sentenceEnd is where another sentence begins.
var sentenceEnd = regexp.MustCompile(`[^.]\. \p{Lu}`)

// docOfVariable says what a variable of the user's is, and what can be done with it.
func (s *Session) docOfVariable(name string) (picture.Picture, error) {
	v, err := s.cells.Evaluate(context.Background(), name)
	if err != nil {
		return picture.Picture{}, err
	}
	d, _ := s.cells.Def(name)
	p := show.Source("var " + name + " " + d.Type)
	q := s.view.Picture(v)
	if strings.Count(q.String(), "\n") > 40 {
		q = show.Text(screen.Brief(v))
	}
	p.Append(q)
	advice := map[string]string{
		"tl.Tile":        "a tile: NAME[:, None], + - * / % < & work on it; ?Tile lists its methods, ?NAME.Reshape explains one",
		"*tensor.Tensor": "a tensor: NAME + offsets makes pointers into it, for tl.Load; ?Tensor lists its methods, :heat NAME draws it",
		"*exec.Kernel":   "a kernel: NAME.Launch(exec.Grid{4}, arguments...), :check NAME, :promote NAME",
	}
	if a := advice[d.Type]; a != "" {
		p.Append(show.Aside(strings.ReplaceAll(a, "NAME", name)))
	}
	return p, nil
}

// docOfKernel says how a kernel of the user's is declared, how far it has come, and how it
// is launched.
func (s *Session) docOfKernel(d cell.Def) picture.Picture {
	doc, _ := s.cells.Doc(d.Name)
	p := show.Source(doc.Decl)
	if doc.Text != "" {
		p.Append(show.Text(indent(s.flowed(doc.Text, 4))))
	}
	if k, err := s.cells.Kernel(d.Name); err == nil {
		p.Append(show.Text(indent(k.State().String())))
	}
	call := "exec.New(" + d.Name + ").Launch(exec.Grid{4}"
	for _, name := range parameterNames(doc.Decl)[1:] {
		call += ", " + name
	}
	p.Append(show.Aside("\nexample"))
	p.Append(show.Text("    " + screen.Prompt + call + ")\n    " + screen.Prompt + ":check " + d.Name))
	return p
}

// parameterNames is the names of a function's parameters.
func parameterNames(decl string) (names []string) {
	_, list, _ := strings.Cut(decl, "(")
	for part := range strings.SplitSeq(list, ",") {
		if f := strings.Fields(strings.Trim(part, " \t\n)")); len(f) > 0 && token.IsIdentifier(f[0]) {
			names = append(names, f[0])
		}
	}
	return names
}
func indent(text string) string {
	return strings.ReplaceAll("    "+strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    "), "\n    \n", "\n\n")
}
