package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/exprs"
	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
)

// An assigner lowers what gives values to places and to variables, new ones among them.
type assigner struct {
	*exprs.Compiler
	steps bool // the host is told of statements
}

// assign lowers an assignment or a short variable declaration.
func (a *assigner) assign(s *ast.AssignStmt) {
	switch s.Tok {
	case token.ASSIGN, token.DEFINE:
	default:
		a.opAssign(s)
		return
	}
	var names []string
	var ts []types.Type
	var fresh []*types.Var
	for _, e := range s.Lhs {
		id, _ := ast.Unparen(e).(*ast.Ident)
		switch {
		case id != nil && id.Name == "_":
			names, ts, fresh = append(names, "_"), append(ts, nil), append(fresh, nil)
		case id != nil && a.Info.Defs[id] != nil:
			v := a.Info.Defs[id].(*types.Var)
			names, ts, fresh = append(names, ""), append(ts, v.Type()), append(fresh, v)
		default:
			names, ts, fresh = append(names, ""), append(ts, a.TypeOf(e)), append(fresh, nil)
		}
	}
	var done []string
	if _, name := ast.Unparen(s.Lhs[0]).(*ast.Ident); len(s.Lhs) == len(s.Rhs) && (len(s.Lhs) > 1 || !name) && !slices.ContainsFunc(s.Lhs, a.Calls) {
		done = a.CallsFirst(s.Rhs, ts)
	}
	for i, e := range s.Lhs {
		if names[i] == "" && fresh[i] == nil {
			names[i] = a.Target(e, len(s.Lhs) > 1)
		}
	}
	if len(s.Rhs) == 1 && len(s.Lhs) > 1 {
		a.multiAssign(names, ts, fresh, s.Rhs[0])
		return
	}
	a.define(names, ts, fresh, s.Rhs, done)
}

// define assigns values to places and new variables, one each; temps is those that have
// been evaluated, nil for none.
func (a *assigner) define(names []string, ts []types.Type, fresh []*types.Var, values []ast.Expr, temps []string) {
	switch {
	case len(values) > 1 && temps == nil:
		temps = a.CallsFirst(values, ts)
	case len(values) > 1:
	case temps != nil && temps[0] != "":
		a.put(names[0], temps[0], ts[0])
		return
	default:
		a.defineOne(names[0], ts[0], fresh[0], values[0])
		return
	}
	for i, e := range values {
		if temps[i] != "" {
			continue
		}
		t := ts[i]
		if t == nil {
			t = types.Default(a.TypeOf(e))
		}
		temps[i] = a.Fresh("t")
		a.Emit("var %s %s = %s\n", temps[i], a.Spell(t), a.Convert(e, t))
	}
	for i, temp := range temps {
		if fresh[i] != nil {
			names[i] = a.newVar(fresh[i], temp)
			continue
		}
		a.Emit("%s = %s\n", names[i], temp)
	}
}

// newVar declares a variable with a first value.
func (a *assigner) newVar(v *types.Var, value string) string {
	if name := a.Name(v); name != "" {
		a.put(name, value, v.Type())
		return name
	}
	name := a.Fresh(v.Name())
	a.Local[v] = name
	if n := source.NamedOf(v.Type()); n != nil && !source.Session(n.Obj()) && n.Obj().Pkg() != nil && !n.Obj().Exported() {
		a.Emit("%s := %s\n", name, value) // a type without a name here
		return name
	}
	a.Emit("var %s %s = %s\n", name, a.Spell(v.Type()), value)
	return name
}

func (a *assigner) defineOne(name string, t types.Type, v *types.Var, e ast.Expr) {
	a.First = true
	switch {
	case v != nil:
		a.newVar(v, a.Convert(e, t))
	case t == nil && source.IsNil(a.Info, e):
	case t == nil:
		a.Emit("%s.Ignore(%s)\n", naming.Host, a.Convert(e, types.Default(a.TypeOf(e))))
	default:
		a.put(name, a.Convert(e, t), t)
	}
}

// put assigns a value to a place. A struct that is written out goes through a variable:
// the interpreter would give the place another memory for it, of which function literals
// that have captured the variable do not learn.
func (a *assigner) put(place, value string, t types.Type) {
	if _, ok := a.Subst(t).Underlying().(*types.Struct); ok && strings.HasSuffix(value, "}") {
		temp := a.Fresh("t")
		a.Emit("var %s %s = %s\n", temp, a.Spell(t), value)
		value = temp
	}
	a.Emit("%s = %s\n", place, value)
}

// multiAssign assigns the results of one expression.
func (a *assigner) multiAssign(names []string, ts []types.Type, fresh []*types.Var, e ast.Expr) {
	tuple := a.TupleOf(e)
	temps := a.Tuple(e, tuple)
	for i, temp := range temps {
		from := tuple.At(i).Type()
		switch {
		case fresh[i] != nil:
			a.newVar(fresh[i], a.ConvertText(temp, from, fresh[i].Type(), true))
		case ts[i] != nil:
			a.Emit("%s = %s\n", names[i], a.ConvertText(temp, from, ts[i], true))
		default:
			a.Emit("_ = %s\n", temp)
		}
	}
}

// assignAll assigns expressions to declared variables.
func (a *assigner) assignAll(names []string, ts []types.Type, es []ast.Expr) {
	values := a.Values(es, ts)
	if len(values) > 1 {
		for i, v := range values {
			if !exprs.Simple(v) || slices.Contains(names, v) && names[i] != v {
				values[i] = a.Fresh("t")
				a.Emit("var %s %s = %s\n", values[i], a.Spell(ts[i]), v)
			}
		}
	}
	for i, v := range values {
		if names[i] != v {
			a.put(names[i], v, ts[i])
		}
	}
}

// opAssign lowers x op= y.
func (a *assigner) opAssign(s *ast.AssignStmt) {
	op := strings.TrimSuffix(s.Tok.String(), "=")
	place := a.Target(s.Lhs[0], source.Contains(s.Lhs[0], func(n ast.Node) bool { _, ok := n.(*ast.CallExpr); return ok }))
	t := a.TypeOf(s.Lhs[0])
	if op == "<<" || op == ">>" {
		a.Emit("%s = %s(%s %s %s)\n", place, a.Spell(t), place, op, a.ShiftCount(s.Rhs[0]))
		return
	}
	a.First = !a.Calls(s.Lhs[0])
	y := a.OperandAs(s.Rhs[0], t)
	if a.Calls(s.Rhs[0]) && !a.Calls(s.Lhs[0]) { // as in CallsFirst
		y = a.Temp(y, t)
	}
	a.Emit("%s %s= %s\n", place, op, y)
}

func (a *assigner) declStmt(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return // constants are folded, types erased
	}
	for _, spec := range d.Specs {
		s := spec.(*ast.ValueSpec)
		if len(s.Values) > 0 {
			a.Mark(s)
		}
		a.varSpec(s)
	}
}

func (a *assigner) varSpec(s *ast.ValueSpec) {
	var names []string
	var ts []types.Type
	var fresh []*types.Var
	for _, id := range s.Names {
		v, ok := a.Info.Defs[id].(*types.Var)
		if !ok || id.Name == "_" {
			names, ts = append(names, "_"), append(ts, nil)
			fresh = append(fresh, nil)
			continue
		}
		names, ts = append(names, ""), append(ts, v.Type())
		fresh = append(fresh, v)
	}
	if len(s.Values) == 0 {
		for i, v := range fresh {
			if v != nil {
				names[i] = a.declareVar(v)
				if a.Name(v) != "" {
					a.put(names[i], a.Zero(v.Type()), v.Type())
				}
			}
		}
		return
	}
	// The values are computed before the variables exist.
	if len(s.Values) == 1 && len(names) > 1 {
		a.multiAssign(names, ts, fresh, s.Values[0])
		return
	}
	a.define(names, ts, fresh, s.Values, nil)
}

// declareVar declares a variable, unless it is one that outlives the unit, and
// returns its name.
func (a *assigner) declareVar(v *types.Var) string {
	if name := a.Name(v); name != "" {
		return name
	}
	name := a.Fresh(v.Name())
	a.Local[v] = name
	a.Emit("var %s %s\n", name, a.Spell(v.Type()))
	return name
}
