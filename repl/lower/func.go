package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
)

// A function is one that is being lowered.
type function struct {
	parent      *function
	sig         *types.Signature
	line        string              // the variable that points to the line
	saved       string              // holds the caller's line; "" if this function writes none
	depth       string              // the parameter that counts nested calls; "" if it is not needed
	results     []string            // the variables that hold results; nil if return gives them
	defers      string              // the host's list of deferred calls; "" if there is no defer
	escapes     map[*types.Var]bool // captured by function literals, or with their address taken
	writes      map[*types.Var]bool // assigned to
	inRange     *rangeFunc          // this is the body of a range over a function
	cell        bool                // this is the statements of a cell
	first, last token.Pos           // the statements that escapes and writes are about
}

// prepare finds out what a body does with its variables. What is within a body that a
// function around it knows is known.
func (f *function) prepare(c *compiler, body []ast.Stmt) {
	if len(body) == 0 {
		return
	}
	f.first, f.last = body[0].Pos(), body[len(body)-1].End()
	for o := f.parent; o != nil; o = o.parent {
		if o.escapes != nil && o.first <= f.first && f.last <= o.last {
			return
		}
	}
	f.escapes, f.writes = map[*types.Var]bool{}, map[*types.Var]bool{}
	for _, s := range body {
		c.FindEscapes(s, f.escapes)
		c.FindWrites(s, f.writes)
	}
}

// funcDecl lowers a declared function, or an instance of one.
func (c *compiler) funcDecl(d *ast.FuncDecl, o *types.Func, name string) {
	sig := o.Signature()
	c.at = d.Pos()
	out, local := c.out, c.local
	c.out, c.local, c.settled = &strings.Builder{}, map[types.Object]string{}, map[ast.Expr]bool{}
	c.fn = &function{sig: sig, line: "ſl"}
	params := []string{"ſl *int"}
	if c.Deep(o) {
		c.fn.depth = "ſd"
		params = append(params, "ſd int")
	}
	if sig.Recv() != nil {
		params = append(params, c.param(sig.Recv())+" "+c.Spell(sig.Recv().Type()))
	}
	for v := range sig.Params().Variables() {
		params = append(params, c.param(v)+" "+c.Spell(v.Type()))
	}
	c.emit("func %s(%s) %s {\n", name, strings.Join(params, ", "), c.SpellResults(sig))
	if c.fn.depth != "" {
		c.emit("if ſd > %d {\n%s.Deep()\n}\n", maxDepth, naming.Host)
	}
	c.steps = c.u.Told[o]
	c.funcBody(d.Body)
	c.steps = false
	c.emit("}\n")
	c.Declare(c.out.String())
	c.out, c.local, c.fn = out, local, nil
}

// maxDepth is how deep named functions may nest.
const maxDepth = 100_000

// param names a parameter.
func (c *compiler) param(v *types.Var) string {
	name := v.Name()
	if name == "" || name == "_" {
		name = "p"
	}
	name = c.Fresh(name)
	c.local[v] = name
	return name
}

// funcBody lowers a body within c.fn, whose header has been written.
func (c *compiler) funcBody(body *ast.BlockStmt) {
	f := c.fn
	f.prepare(c, body.List)
	jumps := c.jumps
	c.jumps = nil
	defer func() { c.jumps = jumps }()
	if source.Contains(body, c.Fails) {
		f.saved = c.Fresh("ſs")
		c.emit("%s := *%s\n", f.saved, f.line)
	}
	hasDefer := source.Contains(body, func(n ast.Node) bool { _, ok := n.(*ast.DeferStmt); return ok })
	named := f.sig.Results().Len() > 0 && f.sig.Results().At(0).Name() != ""
	if named || hasDefer {
		for v := range f.sig.Results().Variables() {
			name := c.Fresh("r")
			c.local[v] = name
			f.results = append(f.results, name)
			c.emit("var %s %s\n", name, c.Spell(v.Type()))
		}
	}
	if hasDefer {
		f.defers = c.Fresh("ſdefers")
		c.emit("%s := %s.NewDefers(%s)\n%s.Run(func() {\n", f.defers, naming.Host, f.line, f.defers)
		c.stmts(body.List)
		c.emit("})\n")
		f.defers = ""
		c.returnResults()
		return
	}
	c.stmts(body.List)
	if !terminates(body.List) {
		c.returnResults()
	}
}

// returnResults leaves the function with what its result variables hold.
func (c *compiler) returnResults() {
	if c.fn.saved != "" {
		c.emit("*%s = %s\n", c.fn.line, c.fn.saved)
	}
	if len(c.fn.results) > 0 {
		c.emit("return %s\n", strings.Join(c.fn.results, ", "))
	}
}

// terminates reports whether the last statement certainly leaves the function.
func terminates(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	_, ok := list[len(list)-1].(*ast.ReturnStmt)
	return ok
}

// returnStmt lowers return.
func (c *compiler) returnStmt(s *ast.ReturnStmt) {
	f := c.fn
	c.mark(s)
	var ts []types.Type
	for v := range f.sig.Results().Variables() {
		ts = append(ts, v.Type())
	}
	if f.inRange != nil {
		if len(s.Results) > 0 {
			c.assignAll(f.results, ts, s.Results)
		}
		c.emit("%s = 1\nreturn false\n", f.inRange.state)
		return
	}
	switch {
	case len(s.Results) == 0:
		if f.defers != "" {
			c.emit("return\n")
			return
		}
		c.returnResults()
		if len(f.results) == 0 {
			c.emit("return\n")
		}
		return
	case f.results != nil:
		c.assignAll(f.results, ts, s.Results)
		if f.defers != "" {
			c.emit("return\n")
			return
		}
		c.returnResults()
		return
	}
	values := c.values(s.Results, ts)
	for i, v := range values {
		if f.saved == "" && simple(v) {
			continue
		}
		values[i] = c.Fresh("r")
		c.emit("var %s %s = %s\n", values[i], c.Spell(ts[i]), v)
	}
	if f.saved != "" {
		c.emit("*%s = %s\n", f.line, f.saved)
	}
	c.emit("return %s\n", strings.Join(values, ", "))
}

// simple reports whether a lowered expression is a name or a literal.
func simple(text string) bool {
	return text != "" && !strings.ContainsAny(text, "()[]{}.*&<-+/% !\"'") && text != "nil"
}

// values is expressions as values of types ts; a single call may give several.
func (c *compiler) values(es []ast.Expr, ts []types.Type) []string {
	if len(es) == 1 && len(ts) > 1 {
		tuple := c.TupleOf(es[0])
		names := c.tuple(es[0], tuple)
		for i := range names {
			names[i] = c.ConvertText(names[i], tuple.At(i).Type(), ts[i], true)
		}
		return names
	}
	vs := make([]string, len(es))
	if len(es) > 1 {
		vs = c.callsFirst(es, ts)
	}
	c.first = len(es) == 1
	for i, e := range es {
		if vs[i] == "" {
			vs[i] = c.convert(e, ts[i])
		}
	}
	return vs
}

// tuple assigns the results of a call to variables.
func (c *compiler) tuple(e ast.Expr, t *types.Tuple) []string {
	var names []string
	for v := range t.Variables() {
		name := c.Fresh("t")
		names = append(names, name)
		c.emit("var %s %s\n", name, c.Spell(v.Type()))
	}
	c.first = true
	c.emit("%s = %s\n", strings.Join(names, ", "), c.tupleExpr(e))
	return names
}

// closure lowers a function literal and puts it into a variable: one that is an
// argument would see variables as they are when it is called, not as they were when
// it was made.
func (c *compiler) closure(e *ast.FuncLit) string {
	text := c.funcLit(e.Type, e.Body, c.Info.Types[e].Type.(*types.Signature))
	name := c.Fresh("f")
	c.emit("%s := %s\n", name, text)
	return name
}

// funcLit lowers a function literal. The signature is the checker's, with type
// parameters.
func (c *compiler) funcLit(ft *ast.FuncType, body *ast.BlockStmt, sig *types.Signature) string {
	out, parent := c.out, c.fn
	c.out = &strings.Builder{}
	c.fn = &function{parent: parent, sig: sig, line: parent.line, depth: parent.depth}
	var params []string
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		text := c.Spell(v.Type())
		if sig.Variadic() && i == sig.Params().Len()-1 {
			text = "..." + strings.TrimPrefix(text, "[]")
		}
		params = append(params, c.param(v)+" "+text)
	}
	c.emit("func(%s) %s {\n", strings.Join(params, ", "), c.SpellResults(sig))
	if sig.Params().Len() > 0 && source.IsProgram(sig.Params().At(0).Type()) {
		c.fn.line = c.Fresh("ſl")
		c.emit("%s := &%s.Line\n", c.fn.line, c.local[sig.Params().At(0)])
	}
	if c.Dynamic(body) {
		c.emit("%s.Enter()\n", naming.Host)
	}
	c.funcBody(body)
	c.emit("}")
	text := c.out.String()
	c.out, c.fn = out, parent
	return text
}
