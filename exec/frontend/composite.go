package frontend

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/frontend/value"
)

// Arrays, structs and slices are taken apart while compiling: each element or field is a value of its own, and only the
// parts that vary are carried around loops. So an index must be known, and a range over one is unrolled.

// composite is a literal of a slice, an array or a struct.
func (l *lowering) composite(e *ast.CompositeLit) value.Value {
	t := l.TypeOf(e)
	what := "a " + gofile.TypeName(t) + " literal"
	if gofile.IsForeign(t) {
		return l.Refuse(e.Pos(), what, "", "use tl.Full, tl.Arange or a tensor parameter")
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return elements(l, e, value.Value{Kind: value.ListKind}, u.Elem())
	case *types.Array:
		return elements(l, e, l.Zero(t, e.Pos()), u.Elem())
	case *types.Struct:
		return fields(l, e, l.Zero(t, e.Pos()), u)
	case *types.Map:
		return l.Refuse(e.Pos(), what, "maps are not part of the language", "use a switch, or a tensor and tl.Load")
	}
	return l.Refuse(e.Pos(), what, "", "use variables")
}

// elements is a value with the elements of a literal, which may have keys.
func elements(l *lowering, e *ast.CompositeLit, v value.Value, elem types.Type) value.Value {
	at := 0
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			at, _ = l.StaticInt(l.expr(kv.Key), kv.Pos(), "an index")
			x = kv.Value
		}
		if at < 0 || at >= value.MaxElements/value.Parts(elem) {
			what := fmt.Sprintf("a slice of more than %d elements", value.MaxElements)
			return l.Refuse(x.Pos(), what, "each of them would be a variable", "use a tile, or a tensor parameter")
		}
		for at >= len(v.List) && v.Kind != value.Poison {
			v.List = append(v.List, l.Zero(elem, x.Pos()))
		}
		if part := l.expr(x); at < len(v.List) {
			v.List[at] = part
		}
		at++
	}
	return v
}

// fields is a value with the fields of a literal.
func fields(l *lowering, e *ast.CompositeLit, v value.Value, t *types.Struct) value.Value {
	for i, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			x, i = kv.Value, -1
			for k := range t.NumFields() {
				if id, ok := kv.Key.(*ast.Ident); ok && t.Field(k).Name() == id.Name {
					i = k
				}
			}
		}
		if part := l.expr(x); i >= 0 && i < len(v.List) {
			v.List[i] = part
		}
	}
	return v
}

// index is an element, at a known place.
func index(l *lowering, e *ast.IndexExpr) value.Value {
	id, _ := e.X.(*ast.Ident)
	if _, ok := l.File.Info.Instances[id]; ok {
		return l.ident(id)
	}
	n := len(l.Frame.Reads)
	x := follow(&l.Run, e.X, l.expr(e.X))
	read := len(l.Frame.Reads)
	if x.Kind == value.Poison {
		return value.Bad
	}
	if x.Kind != value.ListKind && x.Kind != value.ArrayKind {
		return l.Refuse(e.Pos(), "an index into "+x.Describe(), "", "choose with a switch")
	}
	i, ok := elementAt(l, e, len(x.List))
	if !ok {
		return value.Bad
	}
	if read > n {
		r := &l.Frame.Reads[read-1]
		r.Path = append(slices.Clip(r.Path), i)
	}
	return present(&l.Run, e, x.List[i])
}

// elementAt is an index into n elements.
func elementAt(l *lowering, e *ast.IndexExpr, n int) (i int, ok bool) {
	i, ok = l.StaticInt(l.expr(e.Index), e.Index.Pos(), "an index")
	if ok && (i < 0 || i >= n) {
		l.Error(e.Index.Pos(), "index %d is out of range: there are %d elements", i, n)
		return 0, false
	}
	return i, ok
}

// field is a field of a struct.
func field(l *lowering, e *ast.SelectorExpr, s *types.Selection) value.Value {
	return present(&l.Run, e, fieldOf(l, e, s.Index()))
}

// fieldOf is the field of a struct that indices lead to, through embedded ones and pointers.
func fieldOf(l *lowering, e *ast.SelectorExpr, index []int) value.Value {
	n := len(l.Frame.Reads)
	x := l.expr(e.X)
	for _, i := range index {
		if x = follow(&l.Run, e.X, x); x.Kind == value.Poison {
			return value.Bad
		}
		if x.Kind != value.StructKind {
			what := "the field " + e.Sel.Name + " of " + x.Describe()
			return l.Refuse(e.Sel.Pos(), what, "", "use a separate variable or parameter for each field")
		}
		l.Frame.ReadPart(n, i)
		x = x.List[i]
	}
	return x
}

// isField reports whether an expression is a field of a struct of the kernel's package.
func isField(f *gofile.File, e *ast.SelectorExpr) (*types.Selection, bool) {
	s := f.Info.Selections[e]
	return s, s != nil && s.Kind() == types.FieldVal && !gofile.IsForeign(gofile.Deref(s.Recv()))
}

// present is a part of a value, which must have one.
func present(l *value.Run, e ast.Expr, v value.Value) value.Value {
	if v.Kind == value.Absent {
		return l.VariableError(&ast.Ident{Name: types.ExprString(e), NamePos: e.Pos()}, &value.Variable{Val: v})
	}
	return v
}

// A place is where an assignment goes: a variable, or a part of it at indices that were evaluated. Without a variable it
// was refused, or its name says why it is.
type place struct {
	e    ast.Expr
	root *ast.Ident // of the variable; nil behind a pointer
	value.Ref
}

// placeOf is what an expression on the left names.
func placeOf(l *lowering, e ast.Expr) place {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return place{e, e, value.Ref{Var: l.Frame.Lookup(l.File.Info.Uses[e])}}
	case *ast.IndexExpr:
		return elementPlace(l, e)
	case *ast.SelectorExpr:
		s, isField := isField(l.File, e)
		if !isField {
			l.Refuse(e.Pos(), "an assignment to "+types.ExprString(e), "", "use variables")
			return place{e: e}
		}
		return placeOf(l, e.X).field(l, e, s.Index())
	case *ast.StarExpr:
		return placeOf(l, e.X).behind(l)
	}
	return newPlace(l, e, l.expr(e))
}

// newPlace is a place for what an expression makes.
func newPlace(l *lowering, e ast.Expr, v value.Value) place {
	return place{e: e, Ref: value.Ref{Var: l.Declare(nil, types.ExprString(e), v, e.Pos())}}
}

// field is the place of a field of a struct.
func (p place) field(l *lowering, e *ast.SelectorExpr, index []int) place {
	for _, i := range index {
		if p = p.behind(l); p.value(l).Kind != value.StructKind {
			return place{e: e}
		}
		p = p.part(e, i)
	}
	return p
}

func elementPlace(l *lowering, e *ast.IndexExpr) place {
	p := placeOf(l, e.X).behind(l)
	x := p.value(l)
	switch {
	case x.Kind == value.ListKind && (p.root == nil || len(p.Path) > 0 || !l.OwnsElements(p.root, false)):
		why := "other variables may share the slice's elements"
		l.Refuse(e.Pos(), "an assignment or a pointer to an element", why, "use an array")
	case x.Kind == value.ListKind || x.Kind == value.ArrayKind:
		if i, ok := elementAt(l, e, len(x.List)); ok {
			return p.part(e, i)
		}
	}
	return place{e: e}
}

// part is a place within a place.
func (p place) part(e ast.Expr, i int) place {
	return place{e, p.root, value.Ref{Var: p.Var, Path: append(slices.Clip(p.Path), i)}}
}

// value is what a place holds.
func (p place) value(l *lowering) value.Value {
	v := value.Bad
	switch {
	case p.root != nil:
		n := len(l.Frame.Reads)
		v = l.expr(p.root)
		l.Frame.Reads = l.Frame.Reads[:n]
	case p.Var != nil:
		v = p.Var.Val
	}
	return present(&l.Run, p.e, v.Part(p.Path))
}

// assign assigns to a place.
func (p place) assign(l *lowering, v value.Value) {
	if v.Kind == value.Poison {
		l.Suspect(p.e.Pos())
	}
	x := p.Var
	switch {
	case x == nil:
		if p.root != nil && p.root.Name != "_" {
			l.AssignOutside(p.root, l.File.Info.Uses[p.root])
		}
	case l.Lane != nil && x.Seq <= l.Lane.Seq:
		why := "it is called for many elements at once, in no particular order"
		l.Refuse(p.e.Pos(), "an assignment to "+x.Name+" in a combining function", why, "return the result")
	default:
		v = x.Val.With(p.Path, v)
		value.Unordered(&l.Run, x, v, p.e.Pos())
		l.Set(x, v, p.e.Pos())
	}
}

// rangeList unrolls a range over the elements of a slice or an array.
func (l *lowering) rangeList(s *ast.RangeStmt, label string) {
	ranged := l.expr(s.X)
	x := ranged
	if x.Kind == value.PointerKind {
		x = follow(&l.Run, s.X, x)
	}
	if x.Kind != value.ListKind && x.Kind != value.ArrayKind {
		if x.Kind != value.Poison {
			what := "a range over " + gofile.TypeName(l.TypeOf(s.X))
			l.Refuse(s.X.Pos(), what, "", "range over an int: for i := range n")
		}
		l.unknownRange(s)
		return
	}
	id, _ := ast.Unparen(s.X).(*ast.Ident)
	own := l.Frame.Lookup(l.File.Info.Uses[id])
	if x.Kind != value.ListKind || s.Value == nil {
		own = nil
	}
	refuse := func() {
		l.Refuse(s.X.Pos(), "a range over the elements of a slice that its body assigns", "",
			"range over the indices: for i := range "+id.Name)
		l.unknownRange(s)
	}
	if own != nil && slices.Contains(l.Assigned(s.Body), l.File.Info.Uses[id]) {
		refuse()
		return
	}
	p := l.newLoop(s, label, s.Body)
	l.Unroll[s] = value.ReasonToUnroll{Pos: s.Pos(), What: "the element"}
	l.Breakable(p.region, s.Pos(), func() {
		for i := range x.List {
			if ranged.Kind == value.PointerKind {
				x = follow(&l.Run, s.X, ranged) // as it is by now
			}
			if own != nil && !value.Same(own.Val.Part([]int{i}), x.List[i]) { // by a closure
				refuse()
				return
			}
			rangeVariables(l, s, value.Int(i), x.List[i])
			if !p.unrolledRound(i) {
				return
			}
		}
	})
}

// rangeVariables gives the variables of a range their values for a round; of two that it does not declare, indices are
// evaluated ahead of both assignments.
func rangeVariables(l *lowering, s *ast.RangeStmt, key, v value.Value) {
	if s.Tok != token.ASSIGN || s.Value == nil {
		rangeVariable(l, s, s.Key, key)
		rangeVariable(l, s, s.Value, v)
		return
	}
	k, e := placeOf(l, s.Key), placeOf(l, s.Value)
	k.assign(l, key)
	e.assign(l, v)
}

// rangeVariable gives a variable of a range its value for a round.
func rangeVariable(l *lowering, s *ast.RangeStmt, e ast.Expr, v value.Value) {
	id, ok := e.(*ast.Ident)
	switch {
	case e == nil || ok && id.Name == "_":
	case s.Tok == token.DEFINE && ok:
		l.Declare(l.File.Info.Defs[id], id.Name, v, id.Pos())
	default:
		l.assignTo(e, v)
	}
}

// assignTo assigns to what an expression names.
func (l *lowering) assignTo(e ast.Expr, v value.Value) { placeOf(l, e).assign(l, v) }
