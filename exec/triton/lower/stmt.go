package lower

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/exec/triton/syntax"
)

// A flow says where control is after statements.
type flow uint8

const (
	falls flow = iota // at the next statement
	ended             // nowhere: the block has its terminator, or the function its result
)

// list lowers statements.
func (l *lowering) list(list []syntax.Stmt) flow {
	for i, s := range list {
		if c, ok := s.(*syntax.If); ok {
			if f, done := l.ifStatement(c, list[i+1:]); done {
				return f
			}
			continue
		}
		if l.statement(s) == ended {
			return ended
		}
	}
	return falls
}

func (l *lowering) statement(s syntax.Stmt) flow {
	l.at = s.Pos()
	switch s := s.(type) {
	case *syntax.Assign:
		v := l.expr(s.Value)
		for _, t := range s.Targets {
			l.assign(t, l.assigned(v))
		}
		l.note(s.At, s.Targets...)
	case *syntax.AugAssign:
		l.augmented(s)
		l.note(s.At, s.Target)
	case *syntax.AnnAssign:
		l.annotated(s)
		if s.Value != nil {
			l.note(s.At, s.Target)
		}
	case *syntax.ExprStmt:
		if _, text := s.X.(*syntax.String); !text {
			l.expr(s.X)
			l.note(s.At)
		}
	case *syntax.For:
		l.forLoop(s)
	case *syntax.While:
		l.whileLoop(s)
	case *syntax.Return:
		return l.returns(s)
	case *syntax.With:
		return l.list(s.Body)
	case *syntax.Simple:
		l.simple(s)
	case *syntax.Import:
		l.imports(s)
	case *syntax.FuncDef:
		fail(l.refuse("a function within a kernel").Fix("write it beside the kernel, with @triton.jit"))
	default:
		fail(l.refuse("this statement: not possible in a kernel"))
	}
	return falls
}

func (l *lowering) simple(s *syntax.Simple) {
	switch s.Keyword {
	case "pass", "global", "nonlocal":
	case "assert":
		l.assertion(s)
	case "break", "continue":
		fail(l.refuse("%s: not possible in a kernel", s.Keyword).
			Fix("end a while loop by its condition, and skip work with if or a mask"))
	default:
		fail(l.refuse("%s: not possible in a kernel", s.Keyword))
	}
}

// assertion is Python's assert: of what is known now; of tensors it is device_assert.
func (l *lowering) assertion(s *syntax.Simple) {
	if len(s.Exprs) == 0 {
		return
	}
	cond := l.expr(s.Exprs[0])
	l.at = s.At
	text := "assert"
	if len(s.Exprs) > 1 {
		if t, ok := l.expr(s.Exprs[1]).(string); ok {
			text = t
		}
	}
	l.asserts(cond, text)
	l.note(s.At)
}

func (l *place) imports(s *syntax.Import) {
	f := &File{syntax: l.frame.file.syntax, names: map[string][]binding{}, values: map[string]value{}, inside: map[string]bool{}, open: l.frame.file.open}
	f.imports(s)
	for name := range f.names {
		l.frame.vars[name], _ = f.lookup(name)
	}
}

// assigned is a value as a variable holds it: a number becomes a scalar, as in Triton.
func (l *emitter) assigned(v value) value {
	if l.frame.plain {
		return v
	}
	switch v := v.(type) {
	case tuple:
		z := make(tuple, len(v))
		for i, e := range v {
			z[i] = l.assigned(e)
		}
		return z
	case bool, int64, float64:
		if l.fn != nil {
			return l.toTensor(v)
		}
	}
	if number.Is(v) && l.fn != nil {
		return l.toTensor(v)
	}
	return v
}

func (l *place) assign(target syntax.Expr, v value) {
	switch t := target.(type) {
	case *syntax.Name:
		l.frame.vars[t.Name] = v
	case *syntax.Tuple:
		l.unpack(t.Elems, v)
	case *syntax.List:
		l.unpack(t.Elems, v)
	default:
		l.at = target.Pos()
		fail(l.refuse("only variables can be assigned to in a kernel").Fix("store to memory with tl.store"))
	}
}

func (l *place) unpack(targets []syntax.Expr, v value) {
	t := l.elements(v)
	if len(t) != len(targets) {
		fail(l.refuse("%d values for %d variables", len(t), len(targets)))
	}
	for i, x := range targets {
		l.assign(x, t[i])
	}
}

func (l *lowering) augmented(s *syntax.AugAssign) {
	x := l.expr(s.Target)
	y := l.expr(s.Value)
	l.at = s.At
	l.assign(s.Target, l.assigned(l.operate(s.Op, x, y)))
}

// annotated is x: tl.constexpr = y, which stays a constant, or another annotation, which
// means nothing.
func (l *lowering) annotated(s *syntax.AnnAssign) {
	if s.Value == nil {
		return
	}
	v := l.expr(s.Value)
	l.at = s.At
	if !isConstexpr(s.Annotation) {
		l.assign(s.Target, l.assigned(v))
		return
	}
	c, ok := known(v)
	if !ok {
		fail(l.refuse("a tl.constexpr must be known before the kernel runs, not %s", describe(v)))
	}
	l.assign(s.Target, c)
}

func isConstexpr(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Attribute:
		return e.Name == "constexpr"
	case *syntax.Name:
		return e.Name == "constexpr"
	case *syntax.String:
		return e.Value == "tl.constexpr" || e.Value == "constexpr"
	}
	return false
}

// returns ends the function: a kernel's program, or an inlined function with its result.
func (l *lowering) returns(s *syntax.Return) flow {
	var v value
	if s.X != nil {
		v = l.expr(s.X)
		l.at = s.At
	}
	if l.frame.nested {
		l.frame.result = v
		return ended
	}
	if v != nil {
		fail(l.refuse("a kernel returns nothing").Fix("store the result with tl.store"))
	}
	if l.loops > 0 {
		fail(l.refuse("return within a loop: not possible in a kernel").Fix("guard the rest of the loop's body with if"))
	}
	l.Emit(ir.Return, ir.Type{})
	return ended
}

// ifStatement lowers an if; rest is what follows it. Where a branch of a function that is
// inlined returns, rest is part of the branches, and done is true.
func (l *lowering) ifStatement(s *syntax.If, rest []syntax.Stmt) (f flow, done bool) {
	l.at = s.At
	cond := l.expr(s.Cond)
	if c, ok := known(cond); ok {
		list := s.Else
		if truth(c) {
			list = s.Then
		}
		f = l.list(list)
		return f, f == ended
	}
	l.at = s.At
	c := l.condition(cond)
	if !l.frame.nested || !returnsIn(s.Then) && !returnsIn(s.Else) {
		f = l.ifElse(c, s)
		return f, f == ended
	}
	var x, y value
	one := func(list []syntax.Stmt, to *value) func() flow {
		return func() flow {
			l.frame.result = nil
			l.list(append(append([]syntax.Stmt{}, list...), rest...))
			*to = l.frame.result
			return falls
		}
	}
	l.frame.result = l.branch(c, one(s.Then, &x), one(s.Else, &y), nil, func() (value, value) { return x, y })
	return ended, true
}

// ifElse lowers an if whose condition is known only at run time; what its blocks leave is in
// the variables after it.
func (l *lowering) ifElse(c *ir.Value, s *syntax.If) flow {
	block := func(list []syntax.Stmt) func() flow { return func() flow { return l.list(list) } }
	l.branch(c, block(s.Then), block(s.Else), l.live.After(s), nil)
	if l.block.Term() != nil {
		return ended
	}
	return falls
}

// returnsIn reports whether statements return.
func returnsIn(list []syntax.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.Return:
			return true
		case *syntax.If:
			if returnsIn(s.Then) || returnsIn(s.Else) {
				return true
			}
		case *syntax.With:
			if returnsIn(s.Body) {
				return true
			}
		}
	}
	return false
}
