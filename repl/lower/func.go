package lower

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/exprs"
	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
)

// A function is one that is being lowered.
type function struct {
	*exprs.Frame
	sig     *types.Signature
	saved   string     // holds the caller's line; "" if this function writes none
	results []string   // the variables that hold results; nil if return gives them
	defers  string     // the host's list of deferred calls; "" if there is no defer
	inRange *rangeFunc // this is the body of a range over a function
}

// within begins a function; the result ends it and is its text.
func (c *compiler) within(f *function) func() string {
	fn, leave := c.fn, c.Enter(f.Frame)
	c.fn = f
	return func() string {
		c.fn = fn
		return leave()
	}
}

// funcDecl lowers a declared function, or an instance of one.
func (c *compiler) funcDecl(d *ast.FuncDecl, o *types.Func, name string) {
	sig := o.Signature()
	c.at = d.Pos()
	defer c.Separate()()
	leave := c.within(&function{Frame: &exprs.Frame{Line: "ſl"}, sig: sig})
	params := []string{"ſl *int"}
	if c.Deep(o) {
		c.fn.Depth = "ſd"
		params = append(params, "ſd int")
	}
	if sig.Recv() != nil {
		params = append(params, c.param(sig.Recv())+" "+c.Spell(sig.Recv().Type()))
	}
	for v := range sig.Params().Variables() {
		params = append(params, c.param(v)+" "+c.Spell(v.Type()))
	}
	c.Emit("func %s(%s) %s {\n", name, strings.Join(params, ", "), c.SpellResults(sig))
	if c.fn.Depth != "" {
		c.Emit("if ſd > %d {\n%s.Deep()\n}\n", maxDepth, naming.Host)
	}
	c.steps = c.u.Told[o]
	c.funcBody(d.Body)
	c.steps = false
	c.Emit("}\n")
	c.Declare(leave())
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
	c.Local[v] = name
	return name
}

// funcBody lowers a body within c.fn, whose header has been written.
func (c *compiler) funcBody(body *ast.BlockStmt) {
	f := c.fn
	f.Prepare(&c.Checked, body.List)
	jumps := c.jumps
	c.jumps = nil
	defer func() { c.jumps = jumps }()
	if source.Contains(body, c.Fails) {
		f.saved = c.Fresh("ſs")
		c.Emit("%s := *%s\n", f.saved, f.Line)
	}
	hasDefer := source.Contains(body, func(n ast.Node) bool { _, ok := n.(*ast.DeferStmt); return ok })
	named := f.sig.Results().Len() > 0 && f.sig.Results().At(0).Name() != ""
	if named || hasDefer {
		for v := range f.sig.Results().Variables() {
			name := c.Fresh("r")
			c.Local[v] = name
			f.results = append(f.results, name)
			c.Emit("var %s %s\n", name, c.Spell(v.Type()))
		}
	}
	if hasDefer {
		f.defers = c.Fresh("ſdefers")
		c.Emit("%s := %s.NewDefers(%s)\n%s.Run(func() {\n", f.defers, naming.Host, f.Line, f.defers)
		c.stmts(body.List)
		c.Emit("})\n")
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
		c.Emit("*%s = %s\n", c.fn.Line, c.fn.saved)
	}
	if len(c.fn.results) > 0 {
		c.Emit("return %s\n", strings.Join(c.fn.results, ", "))
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
	c.Mark(s)
	var ts []types.Type
	for v := range f.sig.Results().Variables() {
		ts = append(ts, v.Type())
	}
	if f.inRange != nil {
		if len(s.Results) > 0 {
			c.assignAll(f.results, ts, s.Results)
		}
		c.Emit("%s = 1\nreturn false\n", f.inRange.state)
		return
	}
	switch {
	case len(s.Results) == 0:
		if f.defers != "" {
			c.Emit("return\n")
			return
		}
		c.returnResults()
		if len(f.results) == 0 {
			c.Emit("return\n")
		}
		return
	case f.results != nil:
		c.assignAll(f.results, ts, s.Results)
		if f.defers != "" {
			c.Emit("return\n")
			return
		}
		c.returnResults()
		return
	}
	values := c.Values(s.Results, ts)
	for i, v := range values {
		if f.saved == "" && exprs.Simple(v) {
			continue
		}
		values[i] = c.Fresh("r")
		c.Emit("var %s %s = %s\n", values[i], c.Spell(ts[i]), v)
	}
	if f.saved != "" {
		c.Emit("*%s = %s\n", f.Line, f.saved)
	}
	c.Emit("return %s\n", strings.Join(values, ", "))
}

// closure lowers a function literal and puts it into a variable: one that is an
// argument would see variables as they are when it is called, not as they were when
// it was made.
func (c *compiler) closure(e *ast.FuncLit) string {
	text := c.funcLit(e.Type, e.Body, c.Info.Types[e].Type.(*types.Signature))
	name := c.Fresh("f")
	c.Emit("%s := %s\n", name, text)
	return name
}

// funcLit lowers a function literal. The signature is the checker's, with type
// parameters.
func (c *compiler) funcLit(ft *ast.FuncType, body *ast.BlockStmt, sig *types.Signature) string {
	leave := c.within(&function{Frame: c.Frame.Inner(), sig: sig})
	var params []string
	for i := range sig.Params().Len() {
		text := c.SpellParam(sig, i)
		params = append(params, c.param(sig.Params().At(i))+" "+text)
	}
	c.Emit("func(%s) %s {\n", strings.Join(params, ", "), c.SpellResults(sig))
	if sig.Params().Len() > 0 && source.IsProgram(sig.Params().At(0).Type()) {
		c.fn.Line = c.Fresh("ſl")
		c.Emit("%s := &%s.Line\n", c.fn.Line, c.Local[sig.Params().At(0)])
	}
	if c.Dynamic(body) {
		c.Emit("%s.Enter()\n", naming.Host)
	}
	c.funcBody(body)
	c.Emit("}")
	return leave()
}
