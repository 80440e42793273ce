package lower

import (
	"maps"

	"github.com/tiler-go/tiler/exec/triton/syntax"
)

// names is a set of variables.
type names map[string]bool

func (n names) with(m names) names {
	z := maps.Clone(n)
	maps.Copy(z, m)
	return z
}

// liveness notes for each statement with blocks which variables are read after it.
func (l *lowering) liveness(def *syntax.FuncDef) {
	if len(def.Body) > 0 {
		l.liveList(def.Body, names{})
	}
}

// liveList is what is read before or in statements, given what is read after them.
func (l *lowering) liveList(list []syntax.Stmt, after names) names {
	for i := len(list) - 1; i >= 0; i-- {
		after = l.liveBefore(list[i], after)
	}
	return after
}

func (l *lowering) liveBefore(s syntax.Stmt, after names) names {
	switch s := s.(type) {
	case *syntax.Assign:
		z := maps.Clone(after)
		for _, t := range s.Targets {
			for n := range targets(t) {
				delete(z, n)
			}
		}
		read(s.Value, z)
		return z
	case *syntax.AnnAssign:
		z := maps.Clone(after)
		if n, ok := s.Target.(*syntax.Name); ok && s.Value != nil {
			delete(z, n.Name)
			read(s.Value, z)
		}
		return z
	case *syntax.AugAssign:
		z := maps.Clone(after)
		read(s.Target, z)
		read(s.Value, z)
		return z
	case *syntax.If:
		l.live[s] = after
		z := l.liveList(s.Then, after).with(l.liveList(s.Else, after))
		read(s.Cond, z)
		return z
	case *syntax.For:
		return l.liveLoop(s, s.Iter, s.Body, targets(s.Target), after)
	case *syntax.While:
		return l.liveLoop(s, s.Cond, s.Body, nil, after)
	case *syntax.Return:
		z := names{}
		read(s.X, z)
		return z
	case *syntax.ExprStmt:
		z := maps.Clone(after)
		read(s.X, z)
		return z
	case *syntax.Simple:
		z := maps.Clone(after)
		for _, e := range s.Exprs {
			read(e, z)
		}
		return z
	case *syntax.With:
		return l.liveList(s.Body, after)
	}
	return after
}

// liveLoop goes around a loop until nothing new is read.
func (l *lowering) liveLoop(s syntax.Stmt, head syntax.Expr, body []syntax.Stmt, index, after names) names {
	l.live[s] = after
	around := after
	for {
		z := maps.Clone(l.liveList(body, around))
		for n := range index {
			delete(z, n)
		}
		read(head, z)
		z = z.with(after)
		if len(z) == len(around) {
			l.head[s] = z
			return z
		}
		around = z
	}
}

// targets are the variables that an assignment binds.
func targets(e syntax.Expr) names {
	b := &binder{seen: names{}}
	b.target(e)
	return b.seen
}

// read adds the variables that an expression reads.
func read(e syntax.Expr, z names) {
	switch e := e.(type) {
	case *syntax.Name:
		z[e.Name] = true
	case *syntax.Tuple:
		readAll(e.Elems, z)
	case *syntax.List:
		readAll(e.Elems, z)
	case *syntax.Unary:
		read(e.X, z)
	case *syntax.Binary:
		read(e.X, z)
		read(e.Y, z)
	case *syntax.Compare:
		read(e.X, z)
		readAll(e.Ys, z)
	case *syntax.IfExp:
		readAll([]syntax.Expr{e.Cond, e.Then, e.Else}, z)
	case *syntax.Call:
		read(e.Func, z)
		for _, a := range e.Args {
			read(a.Value, z)
		}
	case *syntax.Attribute:
		read(e.X, z)
	case *syntax.Subscript:
		read(e.X, z)
		read(e.Index, z)
	case *syntax.Slice:
		readAll([]syntax.Expr{e.Lo, e.Hi, e.Step}, z)
	case *syntax.Starred:
		read(e.X, z)
	case *syntax.Walrus:
		read(e.Value, z)
	case *syntax.Comprehension:
		read(e.Elem, z)
		for _, c := range e.Clauses {
			read(c.Iter, z)
			readAll(c.Conds, z)
		}
	}
}

func readAll(es []syntax.Expr, z names) {
	for _, e := range es {
		read(e, z)
	}
}

// binds are the variables that statements bind, in the order in which they do.
func binds(list []syntax.Stmt) []string {
	b := &binder{seen: names{}}
	b.list(list)
	return b.order
}

type binder struct {
	seen  names
	order []string
}

func (b *binder) target(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Name:
		if !b.seen[e.Name] {
			b.seen[e.Name] = true
			b.order = append(b.order, e.Name)
		}
	case *syntax.Tuple:
		for _, x := range e.Elems {
			b.target(x)
		}
	case *syntax.List:
		for _, x := range e.Elems {
			b.target(x)
		}
	case *syntax.Starred:
		b.target(e.X)
	case *syntax.Walrus:
		b.target(e.Target)
	}
}

func (b *binder) list(list []syntax.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.Assign:
			for _, t := range s.Targets {
				b.target(t)
			}
		case *syntax.AnnAssign:
			b.target(s.Target)
		case *syntax.AugAssign:
			b.target(s.Target)
		case *syntax.If:
			b.list(s.Then)
			b.list(s.Else)
		case *syntax.For:
			b.target(s.Target)
			b.list(s.Body)
		case *syntax.While:
			b.list(s.Body)
		case *syntax.With:
			b.list(s.Body)
		}
	}
}
