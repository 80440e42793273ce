package gogen

import (
	"github.com/tiler-go/tiler/exec/triton/syntax"
)

// A plan says where a function's variables are declared: before the statement in which they
// occur first, in the innermost block that has all their occurrences.
type plan struct {
	locals  map[string]bool
	paths   map[string][]place       // of the block that has all occurrences so far, and the first statement there
	declare map[syntax.Stmt][]string // what is declared at a statement
	order   []string
}

// A place is a statement, which stands in a block of the one before it.
type place struct {
	s    syntax.Stmt
	arm  int // which block of it
	bind string
}

// planned plans a function's body.
func planned(body []syntax.Stmt) *plan {
	p := &plan{locals: map[string]bool{}, paths: map[string][]place{}, declare: map[syntax.Stmt][]string{}}
	p.findLocals(body)
	p.list(body, nil)
	for _, n := range p.order {
		path := p.paths[n]
		s := path[len(path)-1].s
		p.declare[s] = append(p.declare[s], n)
	}
	return p
}

func (p *plan) findLocals(list []syntax.Stmt) {
	note := func(n *syntax.Name) { p.locals[n.Name] = true }
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.Assign:
			for _, t := range s.Targets {
				binds(t, note)
			}
		case *syntax.AugAssign:
			binds(s.Target, note)
		case *syntax.AnnAssign:
			binds(s.Target, note)
		}
		for _, b := range blocks(s) {
			p.findLocals(b)
		}
	}
}

// blocks are the lists of statements in one.
func blocks(s syntax.Stmt) [][]syntax.Stmt {
	switch s := s.(type) {
	case *syntax.For:
		return [][]syntax.Stmt{s.Body, s.Else}
	case *syntax.While:
		return [][]syntax.Stmt{s.Body, s.Else}
	case *syntax.If:
		return [][]syntax.Stmt{s.Then, s.Else}
	case *syntax.With:
		return [][]syntax.Stmt{s.Body}
	}
	return nil
}

func (p *plan) list(list []syntax.Stmt, outer []place) {
	for _, s := range list {
		at := append(append([]place{}, outer...), place{s: s})
		for _, e := range exprs(s) {
			walk(e, func(n *syntax.Name) { p.occurs(n.Name, at) })
		}
		for arm, b := range blocks(s) {
			in := append([]place{}, at...)
			in[len(in)-1].arm = arm
			if f, ok := s.(*syntax.For); ok {
				if n, ok := f.Target.(*syntax.Name); ok {
					in[len(in)-1].bind = n.Name // the loop's own variable in here
				}
			}
			p.list(b, in)
		}
	}
}

// occurs notes an occurrence of a variable.
func (p *plan) occurs(name string, at []place) {
	if !p.locals[name] {
		return
	}
	for _, a := range at {
		if a.bind == name {
			return
		}
	}
	old, ok := p.paths[name]
	if !ok {
		p.order = append(p.order, name)
		p.paths[name] = at
		return
	}
	n := 0
	for n < len(old)-1 && n < len(at)-1 && old[n].s == at[n].s && old[n].arm == at[n].arm {
		n++
	}
	p.paths[name] = old[:n+1]
}

// exprs are a statement's own expressions.
func exprs(s syntax.Stmt) []syntax.Expr {
	switch s := s.(type) {
	case *syntax.Assign:
		return append([]syntax.Expr{s.Value}, s.Targets...)
	case *syntax.AugAssign:
		return []syntax.Expr{s.Value, s.Target}
	case *syntax.AnnAssign:
		return []syntax.Expr{s.Value, s.Target}
	case *syntax.ExprStmt:
		return []syntax.Expr{s.X}
	case *syntax.Return:
		return []syntax.Expr{s.X}
	case *syntax.For:
		return []syntax.Expr{s.Iter}
	case *syntax.While:
		return []syntax.Expr{s.Cond}
	case *syntax.If:
		return []syntax.Expr{s.Cond}
	case *syntax.Simple:
		return s.Exprs
	}
	return nil
}

// walk visits the names in an expression.
func walk(e syntax.Expr, f func(n *syntax.Name)) {
	all := func(es ...syntax.Expr) {
		for _, x := range es {
			walk(x, f)
		}
	}
	switch e := e.(type) {
	case nil:
	case *syntax.Name:
		f(e)
	case *syntax.Tuple:
		all(e.Elems...)
	case *syntax.List:
		all(e.Elems...)
	case *syntax.Unary:
		all(e.X)
	case *syntax.Binary:
		all(e.X, e.Y)
	case *syntax.Compare:
		all(append([]syntax.Expr{e.X}, e.Ys...)...)
	case *syntax.IfExp:
		all(e.Cond, e.Then, e.Else)
	case *syntax.Call:
		all(e.Func)
		for _, a := range e.Args {
			all(a.Value)
		}
	case *syntax.Attribute:
		all(e.X)
	case *syntax.Subscript:
		all(e.X, e.Index)
	case *syntax.Slice:
		all(e.Lo, e.Hi, e.Step)
	case *syntax.Starred:
		all(e.X)
	}
}

// binds notes the names that a target binds.
func binds(e syntax.Expr, f func(n *syntax.Name)) {
	switch e := e.(type) {
	case *syntax.Name:
		f(e)
	case *syntax.Tuple:
		for _, x := range e.Elems {
			binds(x, f)
		}
	case *syntax.List:
		for _, x := range e.Elems {
			binds(x, f)
		}
	}
}
