package explain

import (
	"context"
	"fmt"
	"go/token"
	"regexp"
	"strings"

	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/screen"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/repl/symbols"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// Names is what names mean in a session.
type Names struct {
	*screen.View
	Command func(name string) (p picture.Picture, ok bool)   // explains a command
	Example func(e symbols.Example) (text string, err error) // carries an example out
}

// Of is what a name means.
func (n Names) Of(name string) (picture.Picture, error) {
	d, ok := n.Cells.Def(name)
	if ok && d.Kind == token.VAR || name == "ans" && n.Cells.TypeOf(name) != nil {
		return n.variable(name)
	}
	if ok && d.Kernel {
		return n.kernel(name), nil
	}
	if doc, ok := n.Cells.Doc(name); ok {
		return n.declared(name, doc), nil
	}
	if path, list, ok := n.Cells.PackageNames(name); ok {
		return n.pkg(name, path, list), nil
	}
	if p, ok := n.Command(":" + name); ok {
		return p, nil
	}
	return picture.Picture{}, n.unknown(name)
}

func (n Names) unknown(arg string) error {
	var names []string
	for _, pkg := range []string{"tl", "tensor", "exec"} {
		_, list, _ := n.Cells.PackageNames(pkg)
		for _, sub := range list {
			for _, name := range sub.Names {
				names = append(names, name, pkg+"."+name)
			}
		}
	}
	near := diag.Nearest(arg, names)
	if near != "" {
		near = " (did you mean " + near + "?)"
	}
	return fmt.Errorf("no documentation for %s%s\n\tfix: name a package's function (:doc tl.Load), a method (:doc Tile.Add) or a function of yours; :doc tl lists what there is, :help explains commands", arg, near)
}

// declared is a declaration, its comment and its example.
func (n Names) declared(name string, doc symbols.Doc) picture.Picture {
	p := show.Source(doc.Decl)
	if doc.Text != "" {
		p.Append(show.Text(indent(n.flowed(doc.Text, 4))))
	}
	if list := n.methodsOf(name, doc.Decl); list != "" {
		p.Append(show.Aside(list))
	}
	if doc.Example.Text != "" {
		p.Append(show.Aside("\nexample"))
		text, _ := n.Example(doc.Example) // an error shows itself
		p.Append(show.Text(text))
	}
	return p
}

// methodsOf lists the methods of a type by name.
func (n Names) methodsOf(name, decl string) string {
	if !strings.HasPrefix(decl, "type ") {
		return ""
	}
	name = name[strings.LastIndexByte(name, '.')+1:] + "."
	var methods []string
	for _, pkg := range []string{"tl", "tensor", "exec"} {
		_, list, _ := n.Cells.PackageNames(pkg)
		for _, sub := range list {
			for _, full := range sub.Names {
				if m, ok := strings.CutPrefix(full, name); ok {
					methods = append(methods, m)
				}
			}
		}
	}
	if len(methods) == 0 {
		return ""
	}
	return "\n" + indent(n.flowed("methods: "+strings.Join(methods, " "), 4))
}

// flowed is a text whose paragraphs fill the width, but for an indentation. Lines that are
// indented stay as they are.
func (n Names) flowed(text string, indent int) string {
	w, _ := n.Size()
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

// pkg is what a package has, by subject: names with their first sentence.
func (n Names) pkg(name, path string, list []symbols.Subject) picture.Picture {
	w, _ := n.Size()
	p := show.Aside(fmt.Sprintf("package %s, %q: ?%s.Name says more", name, path, name))
	if symbols.Subjects(path) == nil {
		var names []string
		for _, sub := range list {
			names = append(names, sub.Names...)
		}
		p.Append(show.Text(indent(n.flowed(strings.Join(names, " "), 4))))
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

// variable says what a variable of the user's is, and what can be done with it.
func (n Names) variable(name string) (picture.Picture, error) {
	v, err := n.Cells.Evaluate(context.Background(), name)
	if err != nil {
		return picture.Picture{}, err
	}
	d, _ := n.Cells.Def(name)
	p := show.Source("var " + name + " " + d.Type)
	q := n.Picture(v)
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

// kernel says how a kernel of the user's is declared, how far it has come, and how it
// is launched.
func (n Names) kernel(name string) picture.Picture {
	doc, _ := n.Cells.Doc(name)
	p := show.Source(doc.Decl)
	if doc.Text != "" {
		p.Append(show.Text(indent(n.flowed(doc.Text, 4))))
	}
	if k, err := n.Cells.Kernel(name); err == nil {
		p.Append(show.Text(indent(k.State().String())))
	}
	call := "exec.New(" + name + ").Launch(exec.Grid{4}"
	for _, name := range parameterNames(doc.Decl)[1:] {
		call += ", " + name
	}
	p.Append(show.Aside("\nexample"))
	p.Append(show.Text("    " + screen.Prompt + call + ")\n    " + screen.Prompt + ":check " + name))
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
