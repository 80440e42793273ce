package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/exprs"
	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
)

// forStmt lowers a for statement. Its variables are new in each iteration; where
// something could tell, they are copied.
func (c *compiler) forStmt(s *ast.ForStmt, label string) {
	c.Emit("{\n")
	defer c.Emit("}\n")
	if s.Init != nil {
		c.stmt(s.Init)
	}
	c.Mark(s)
	vars := loopVars(c.Compiler, s)
	copies, back := "", ""
	if len(vars) > 0 {
		for _, v := range vars {
			outer, inner := c.Local[v], c.Fresh(v.Name())
			copies += fmt.Sprintf("%s := %s\n", inner, outer)
			back += fmt.Sprintf("%s = %s\n", outer, inner)
			c.Local[v] = inner
		}
	}
	post := c.post(s, vars, back)
	if strings.Contains(post, "\n") { // more than a simple statement: part of the body
		post, back = "", back+post+"\n"
	}
	condInside := s.Cond != nil && (len(vars) > 0 || c.Fallible(s.Cond))
	if label != "" {
		c.Emit("%s:\n", label)
	}
	cond := ""
	if s.Cond != nil && !condInside {
		cond = c.Expr(s.Cond)
	}
	c.Emit("for ; %s; %s {\n%s", cond, post, copies)
	if condInside {
		c.Mark(s.Cond)
		c.Emit("if !(%s) {\nbreak\n}\n", c.Expr(s.Cond))
	}
	defer c.push(jump{name: label, loop: true, onNext: back})()
	if init, ok := s.Init.(*ast.AssignStmt); ok && c.steps {
		c.told(s.Pos(), init.Lhs)
	}
	c.stmts(s.Body.List)
	c.Emit("%s}\n", back)
}

// post is a loop's post statement, on the variables outside the body.
func (c *compiler) post(s *ast.ForStmt, vars []*types.Var, back string) string {
	if s.Post == nil {
		return ""
	}
	inner := map[*types.Var]string{}
	for i, v := range vars {
		inner[v] = c.Local[v]
		outer, _, _ := strings.Cut(strings.Split(back, "\n")[i], " = ")
		c.Local[v] = outer
	}
	text := strings.TrimRight(c.Aside(func() { c.stmt(s.Post) }), "\n")
	for v, name := range inner {
		c.Local[v] = name
	}
	return text
}

// loopVars is the variables of a for statement that escape an iteration.
func loopVars(c *exprs.Compiler, s *ast.ForStmt) (vars []*types.Var) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE {
		return nil
	}
	for _, e := range init.Lhs {
		if v, ok := c.Info.Defs[e.(*ast.Ident)].(*types.Var); ok && c.Frame.Escapes(v) {
			vars = append(vars, v)
		}
	}
	return vars
}

// A ranging is a range statement with the places for its key and value.
type ranging struct {
	*ast.RangeStmt
	label      string
	key, value *types.Var // new in each iteration, nil if not
}

func (c *compiler) rangeStmt(s *ast.RangeStmt, label string) {
	r := ranging{RangeStmt: s, label: label}
	if s.Tok == token.DEFINE {
		r.key, r.value = c.Defined(s.Key), c.Defined(s.Value)
	}
	c.Emit("{\n")
	defer c.Emit("}\n")
	c.Mark(s.X)
	switch t := c.TypeOf(s.X).Underlying().(type) {
	case *types.Basic:
		if t.Info()&types.IsInteger != 0 {
			c.rangeInt(r)
			return
		}
		c.rangeString(r)
	case *types.Slice:
		if _, ok := t.Elem().Underlying().(*types.Chan); ok {
			x := c.Temp(c.Expr(s.X), c.TypeOf(s.X))
			c.rangeIndex(r, x, c.Temp("len("+x+")", types.Typ[types.Int]), t.Elem())
			return
		}
		c.rangeOver(r, types.Typ[types.Int], t.Elem())
	case *types.Array:
		c.rangeOver(r, types.Typ[types.Int], t.Elem())
	case *types.Pointer:
		a := t.Elem().Underlying().(*types.Array)
		c.rangeIndex(r, c.Temp(c.Expr(s.X), c.TypeOf(s.X)), fmt.Sprint(a.Len()), a.Elem())
	case *types.Map:
		c.rangeOver(r, t.Key(), t.Elem())
	case *types.Chan:
		c.rangeChan(r, t)
	case *types.Signature:
		c.rangeFunc(r, t)
	default:
		source.Refuse("range over %s cannot be used here", t)
	}
}

// bind gives the key or value of an iteration to the program's variable or place.
func bind(c *exprs.Compiler, e ast.Expr, v *types.Var, name string, from types.Type) {
	switch {
	case v != nil && !c.Frame.Escapes(v) && !c.Frame.Assigned(v):
		c.Local[v] = name
	case v != nil:
		inner := c.Fresh(v.Name())
		c.Local[v] = inner
		c.Emit("%s := %s\n", inner, name)
	case e != nil && !source.IsBlank(e):
		c.Mark(e)
		c.Emit("%s = %s\n", c.Place(e), c.ConvertText(name, from, c.TypeOf(e), true))
	}
}

// wanted reports whether a key or value is used.
func wanted(e ast.Expr) bool { return e != nil && !source.IsBlank(e) }

func (c *compiler) rangeInt(r ranging) {
	t := types.Default(c.TypeOf(r.X))
	if r.key != nil {
		t = r.key.Type()
	} else if wanted(r.Key) {
		t = c.TypeOf(r.Key)
	}
	rep := c.Spell(t)
	n, i := c.Fresh("n"), c.Fresh("i")
	c.Emit("var %s %s = %s\n", n, rep, c.OperandAs(r.X, t))
	if r.label != "" {
		c.Emit("%s:\n", r.label)
	}
	c.Emit("for %s := %s(0); %s < %s; %s++ {\n", i, rep, i, n, i)
	c.rangeBody(r, i, t, "", nil)
}

func (c *compiler) rangeOver(r ranging, key, elem types.Type) {
	x := c.Expr(r.X)
	if _, array := c.TypeOf(r.X).Underlying().(*types.Array); array && !wanted(r.Value) {
		if source.Contains(r.X, c.Evaluates) {
			c.Emit("%s.Ignore(%s)\n", naming.Host, x)
		}
		x = fmt.Sprintf("[%d]struct{}{}", c.TypeOf(r.X).Underlying().(*types.Array).Len())
	} else if !exprs.Simple(x) || array {
		x = c.Temp(x, c.TypeOf(r.X))
	}
	if r.label != "" {
		c.Emit("%s:\n", r.label)
	}
	k, v := "_", "_"
	switch {
	case wanted(r.Value):
		v = c.Fresh("v")
		if wanted(r.Key) {
			k = c.Fresh("k")
		}
		c.Emit("for %s, %s := range %s {\n", k, v, x)
	case wanted(r.Key):
		k = c.Fresh("k")
		c.Emit("for %s := range %s {\n", k, x)
	default:
		c.Emit("for range %s {\n", x)
	}
	c.rangeBody(r, k, key, v, elem)
}

// rangeIndex is a range over n elements of x as a loop over indices.
func (c *compiler) rangeIndex(r ranging, x, n string, elem types.Type) {
	if r.label != "" {
		c.Emit("%s:\n", r.label)
	}
	k, v := c.Fresh("k"), "_"
	c.Emit("for %s := 0; %s < %s; %s++ {\n", k, k, n, k)
	if wanted(r.Value) {
		v = c.Fresh("v")
		c.Emit("%s := %s[%s]\n", v, x, k)
	}
	c.rangeBody(r, k, types.Typ[types.Int], v, elem)
}

// rangeString decodes runes as Go does.
func (c *compiler) rangeString(r ranging) {
	x := c.Temp(c.Expr(r.X), types.Typ[types.String])
	if r.label != "" {
		c.Emit("%s:\n", r.label)
	}
	k, n, v := c.Fresh("k"), c.Fresh("n"), c.Fresh("v")
	c.Emit("for %s, %s := 0, 0; %s < len(%s); %s += %s {\nvar %s int32\n%s, %s = %s.Rune(%s, %s)\n_ = %s\n", k, n, k, x, k, n, v, v, n, naming.Host, x, k, v)
	c.rangeBody(r, k, types.Typ[types.Int], v, types.Typ[types.Rune])
}

// rangeBody writes the rest of a loop whose header names the key and value.
func (c *compiler) rangeBody(r ranging, k string, key types.Type, v string, elem types.Type) {
	bind(c.Compiler, r.Key, r.key, k, key)
	bind(c.Compiler, r.Value, r.value, v, elem)
	defer c.push(jump{name: r.label, loop: true})()
	if c.steps {
		c.told(r.Pos(), []ast.Expr{r.Key, r.Value})
	}
	c.stmts(r.Body.List)
	c.Emit("}\n")
}

func (c *compiler) rangeChan(r ranging, t *types.Chan) {
	ch := c.Temp(c.Expr(r.X), c.TypeOf(r.X))
	if r.label != "" {
		c.Emit("%s:\n", r.label)
	}
	v, ok := c.Fresh("v"), c.Fresh("ok")
	c.Emit("for {\n%s, %s := %s(%s)\nif !%s {\nbreak\n}\n", v, ok, c.Receiver(t.Elem(), c.TypeOf(r.X), true), ch, ok)
	c.Emit("_ = %s\n", v)
	c.rangeBody(r, v, t.Elem(), "", nil)
}

// A rangeFunc is a range over a function whose body is being lowered: a function
// literal that returns whether to go on. What leaves the loop is noted in state and
// done after it.
type rangeFunc struct {
	state   string // 0: nothing; 1: return; others: a jump to an outer statement
	targets []string
	outer   *function
}

func (c *compiler) rangeFunc(r ranging, t *types.Signature) {
	rf := &rangeFunc{state: c.Fresh("ſstate"), outer: c.fn}
	outer := c.fn
	c.Emit("%s := 0\n", rf.state)
	if outer.results == nil && outer.sig.Results().Len() > 0 {
		for v := range outer.sig.Results().Variables() {
			name := c.Fresh("r")
			outer.results = append(outer.results, name)
			c.Emit("var %s %s\n", name, c.Spell(v.Type()))
		}
		defer func() { outer.results = nil }()
	}
	yield := t.Params().At(0).Type().Underlying().(*types.Signature)
	var params, names []string
	for v := range yield.Params().Variables() {
		names = append(names, c.Fresh("y"))
		params = append(params, names[len(names)-1]+" "+c.Spell(v.Type()))
	}
	leave := c.within(&function{Frame: outer.Inner(), sig: outer.sig, results: outer.results, defers: outer.defers, inRange: rf})
	c.Emit("func(%s) bool {\n", strings.Join(params, ", "))
	for i, e := range []ast.Expr{r.Key, r.Value} {
		if i < len(names) {
			bind(c.Compiler, e, []*types.Var{r.key, r.value}[i], names[i], yield.Params().At(i).Type())
		}
	}
	pop := c.push(jump{name: r.label, loop: true, inFunc: rf})
	c.stmts(r.Body.List)
	pop()
	c.Emit("return true\n}")
	lit := leave()
	body := c.Fresh("f")
	c.Emit("%s := %s\n%s(%s)\n", body, lit, c.Operand(r.X), body)
	c.afterRangeFunc(rf)
}

// afterRangeFunc does what left the loop.
func (c *compiler) afterRangeFunc(rf *rangeFunc) {
	c.Emit("if %s == 1 {\n", rf.state)
	switch {
	case c.fn.inRange != nil:
		c.Emit("%s = 1\nreturn false\n", c.fn.inRange.state)
	case c.fn.defers != "":
		c.Emit("return\n")
	default:
		c.returnResults()
		if len(c.fn.results) == 0 {
			c.Emit("return\n")
		}
	}
	c.Emit("}\n")
	for i, target := range rf.targets {
		c.Emit("if %s == %d {\n%s}\n", rf.state, i+2, target)
	}
}

// leaveRangeFunc lowers break and continue inside the body of a range over a
// function, whose target is j, the i-th jump.
func (c *compiler) leaveRangeFunc(tok token.Token, j jump, crossed []*rangeFunc, i int) {
	if len(crossed) == 0 {
		c.Emit("return %v\n", tok == token.CONTINUE)
		return
	}
	// Leave the innermost loop, and from there go on to the target.
	rf := crossed[0]
	if len(crossed) > 1 || j.inFunc != nil {
		source.Refuse("leaving several range-over-func loops at once is not possible here")
	}
	text := fmt.Sprint(tok)
	if tok == token.CONTINUE {
		text = j.onNext + text
	}
	if j.name != "" {
		text += " " + j.name
	}
	rf.targets = append(rf.targets, text+"\n")
	c.Emit("%s = %d\nreturn false\n", rf.state, len(rf.targets)+1)
}
