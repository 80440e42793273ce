// Package live says which variables of a function of Python are read after a statement, from its syntax alone.
package live

import (
	"maps"

	"github.com/tiler-go/tiler/exec/triton/syntax"
)

// Names is a set of variables.
type Names map[string]bool

func (n Names) with(m Names) Names {
	z := maps.Clone(n)
	maps.Copy(z, m)
	return z
}

// Reads is what is read in the functions that were added. Its zero value has none.
type Reads struct {
	after, around map[syntax.Stmt]Names
	known         map[*syntax.FuncDef]bool
}

// After is the variables that are read after a statement with blocks.
func (l *Reads) After(s syntax.Stmt) Names { return l.after[s] }

// Around is the variables that are read in a loop or after it.
func (l *Reads) Around(s syntax.Stmt) Names { return l.around[s] }

// Add finds what is read in a function.
func (l *Reads) Add(def *syntax.FuncDef) {
	if l.known[def] {
		return
	}
	if l.known == nil {
		l.after, l.around, l.known = map[syntax.Stmt]Names{}, map[syntax.Stmt]Names{}, map[*syntax.FuncDef]bool{}
	}
	l.known[def] = true
	l.list(def.Body, Names{})
}

// list is what is read before or in statements, given what is read after them.
func (l *Reads) list(list []syntax.Stmt, after Names) Names {
	for i := len(list) - 1; i >= 0; i-- {
		after = l.before(list[i], after)
	}
	return after
}

func (l *Reads) before(s syntax.Stmt, after Names) Names {
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
		l.after[s] = after
		z := l.list(s.Then, after).with(l.list(s.Else, after))
		read(s.Cond, z)
		return z
	case *syntax.For:
		return l.loop(s, s.Iter, s.Body, targets(s.Target), after)
	case *syntax.While:
		return l.loop(s, s.Cond, s.Body, nil, after)
	case *syntax.Return:
		z := Names{}
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
		return l.list(s.Body, after)
	}
	return after
}

// loop goes around a loop until nothing new is read.
func (l *Reads) loop(s syntax.Stmt, head syntax.Expr, body []syntax.Stmt, index, after Names) Names {
	l.after[s] = after
	around := after
	for {
		z := maps.Clone(l.list(body, around))
		for n := range index {
			delete(z, n)
		}
		read(head, z)
		z = z.with(after)
		if len(z) == len(around) {
			l.around[s] = z
			return z
		}
		around = z
	}
}

// targets are the variables that an assignment binds.
func targets(e syntax.Expr) Names {
	b := &binder{seen: Names{}}
	b.target(e)
	return b.seen
}

// read adds the variables that an expression reads.
func read(e syntax.Expr, z Names) {
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

func readAll(es []syntax.Expr, z Names) {
	for _, e := range es {
		read(e, z)
	}
}

// Bound is the variables that statements bind, in the order in which they do.
func Bound(list []syntax.Stmt) []string {
	b := &binder{seen: Names{}}
	b.list(list)
	return b.order
}

type binder struct {
	seen  Names
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
