package lower

import (
	"maps"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/builtin"
	"github.com/tiler-go/tiler/exec/triton/lower/flow"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/syntax"
)

// list lowers statements.
func (l *lowering) list(list []syntax.Stmt) flow.Flow {
	for i, s := range list {
		if c, ok := s.(*syntax.If); ok {
			if f, done := l.ifStatement(c, list[i+1:]); done {
				return f
			}
			continue
		}
		if l.statement(s) == flow.Ended {
			return flow.Ended
		}
	}
	return flow.Falls
}

func (l *lowering) statement(s syntax.Stmt) flow.Flow {
	l.At = s.Pos()
	switch s := s.(type) {
	case *syntax.Assign:
		v := l.expr(s.Value)
		for _, t := range s.Targets {
			assign(&l.Place, t, l.Assigned(v))
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
		value.Fail(l.Refuse("a function within a kernel").Fix("write it beside the kernel, with @triton.jit"))
	default:
		value.Fail(l.Refuse("this statement: not possible in a kernel"))
	}
	return flow.Falls
}

func (l *lowering) simple(s *syntax.Simple) {
	switch s.Keyword {
	case "pass", "global", "nonlocal":
	case "assert":
		l.assertion(s)
	case "break", "continue":
		value.Fail(l.Refuse("%s: not possible in a kernel", s.Keyword).
			Fix("end a while loop by its condition, and skip work with if or a mask"))
	default:
		value.Fail(l.Refuse("%s: not possible in a kernel", s.Keyword))
	}
}

// assertion is Python's assert: of what is known now; of tensors it is device_assert.
func (l *lowering) assertion(s *syntax.Simple) {
	if len(s.Exprs) == 0 {
		return
	}
	cond := l.expr(s.Exprs[0])
	l.At = s.At
	text := "assert"
	if len(s.Exprs) > 1 {
		if t, ok := l.expr(s.Exprs[1]).(string); ok {
			text = t
		}
	}
	builtin.Assert(&l.Emitter, cond, text)
	l.note(s.At)
}

func (l *lowering) imports(s *syntax.Import) {
	f := newFile(l.Frame.Scope.Syntax(), l.Frame.Scope.(*File).open)
	f.imports(s)
	for name := range f.names {
		l.Frame.Vars[name], _ = f.Lookup(name)
	}
}

func assign(l *value.Place, target syntax.Expr, v value.Value) {
	switch t := target.(type) {
	case *syntax.Name:
		l.Frame.Vars[t.Name] = v
	case *syntax.Tuple:
		unpack(l, t.Elems, v)
	case *syntax.List:
		unpack(l, t.Elems, v)
	default:
		l.At = target.Pos()
		value.Fail(l.Refuse("only variables can be assigned to in a kernel").Fix("store to memory with tl.store"))
	}
}

func unpack(l *value.Place, targets []syntax.Expr, v value.Value) {
	t := l.Elements(v)
	if len(t) != len(targets) {
		value.Fail(l.Refuse("%d values for %d variables", len(t), len(targets)))
	}
	for i, x := range targets {
		assign(l, x, t[i])
	}
}

func (l *lowering) augmented(s *syntax.AugAssign) {
	x := l.expr(s.Target)
	y := l.expr(s.Value)
	l.At = s.At
	assign(&l.Place, s.Target, l.Assigned(l.Operate(s.Op, x, y)))
}

// annotated is x: tl.constexpr = y, which stays a constant if y is one, as in Triton, or another
// annotation, which means nothing.
func (l *lowering) annotated(s *syntax.AnnAssign) {
	if s.Value == nil {
		return
	}
	v := l.expr(s.Value)
	l.At = s.At
	if !isConstexpr(s.Annotation) {
		assign(&l.Place, s.Target, l.Assigned(v))
		return
	}
	if c, ok := value.Known(v); ok {
		v = c
	}
	assign(&l.Place, s.Target, v)
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
func (l *lowering) returns(s *syntax.Return) flow.Flow {
	var v value.Value
	if s.X != nil {
		v = l.expr(s.X)
		l.At = s.At
	}
	if l.Frame.Nested {
		l.Frame.Result = v
		return flow.Ended
	}
	if v != nil {
		value.Fail(l.Refuse("a kernel returns nothing").Fix("store the result with tl.store"))
	}
	if l.loops > 0 {
		value.Fail(l.Refuse("return within a loop: not possible in a kernel").
			Fix("guard the rest of the loop's body with if"))
	}
	l.Emit(ir.Return, ir.Type{})
	return flow.Ended
}

// ifStatement lowers an if; rest is what follows it. Where a branch of a function that is
// inlined returns, rest is part of the branches, and done is true.
func (l *lowering) ifStatement(s *syntax.If, rest []syntax.Stmt) (f flow.Flow, done bool) {
	l.At = s.At
	cond := l.expr(s.Cond)
	if c, ok := value.Known(cond); ok {
		list := s.Else
		if value.Truth(c) {
			list = s.Then
		}
		f = l.list(list)
		return f, f == flow.Ended
	}
	l.At = s.At
	c := l.Condition(cond)
	if l.Lanes != nil {
		return flow.Ended, l.chosen(c, s, rest)
	}
	if !l.Frame.Nested || !returnsIn(s.Then) && !returnsIn(s.Else) {
		f = l.ifElse(c, s)
		return f, f == flow.Ended
	}
	var x, y value.Value
	one := func(list []syntax.Stmt, to *value.Value) func() flow.Flow {
		return func() flow.Flow {
			l.Frame.Result = nil
			l.list(append(append([]syntax.Stmt{}, list...), rest...))
			*to = l.Frame.Result
			return flow.Falls
		}
	}
	l.Frame.Result = l.Branch(c, one(s.Then, &x), one(s.Else, &y), nil, func() (value.Value, value.Value) { return x, y })
	return flow.Ended, true
}

// chosen lowers an if of a combining function, and what follows it: lanes go both ways, so both
// sides are computed to what they return, and each lane takes one. It fails where one returns
// nothing.
func (l *lowering) chosen(c *ir.Value, s *syntax.If, rest []syntax.Stmt) bool {
	at, vars := l.At, l.Frame.Vars
	side := func(list []syntax.Stmt) value.Value {
		l.Frame.Vars, l.Frame.Result = maps.Clone(vars), nil
		l.list(append(append([]syntax.Stmt{}, list...), rest...))
		return l.Frame.Result
	}
	x, y := side(s.Then), side(s.Else)
	l.At, l.Frame.Vars = at, vars
	if x == nil || y == nil {
		l.Emit(ir.If, ir.Type{}, c)
	}
	l.Frame.Result = either(&l.Emitter, c, x, y)
	return true
}

// either is x in lanes of c and y in others; of tuples it is each element.
func either(l *value.Emitter, c *ir.Value, x, y value.Value) value.Value {
	xs, isTuple := x.(value.Tuple)
	ys, both := y.(value.Tuple)
	if !isTuple || !both || len(xs) != len(ys) {
		return l.Where(value.Tensor{IR: c}, x, y)
	}
	zs := make(value.Tuple, len(xs))
	for i := range xs {
		zs[i] = either(l, c, xs[i], ys[i])
	}
	return zs
}

// ifElse lowers an if whose condition is known only at run time; what its blocks leave is in
// the variables after it.
func (l *lowering) ifElse(c *ir.Value, s *syntax.If) flow.Flow {
	block := func(list []syntax.Stmt) func() flow.Flow { return func() flow.Flow { return l.list(list) } }
	l.Branch(c, block(s.Then), block(s.Else), l.Live.After(s), nil)
	if l.Block.Term() != nil {
		return flow.Ended
	}
	return flow.Falls
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
