package flow

import (
	"go/ast"
	"slices"
	"sort"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/op"
)

// join gives variables what they hold after an If or Loop, whose ways out differ: a
// value that was made inside, or that the ways do not agree on, becomes a result.
// Values numbered below ids, and variables up to seq, were made before. loop is the statement, if it is one.
func (l *Control) join(owner *ir.Value, exits []Exit, ids, seq int, loop ast.Stmt) {
	j := &joining{l: l, owner: owner, exits: exits, ids: ids, seq: seq, loop: loop}
	all := map[*value.Variable]bool{}
	var vars []*value.Variable
	for _, x := range exits {
		for v := range x.Vars {
			if !all[v] {
				all[v] = true
				vars = append(vars, v)
			}
		}
	}
	sort.Slice(vars, func(i, k int) bool { return vars[i].Seq < vars[k].Seq })
	for _, v := range vars {
		ways := make([]value.Held, len(exits))
		vals := make([]value.Value, len(exits))
		for i, x := range exits {
			h, ok := x.Vars[v]
			if !ok {
				h = value.Held{Val: v.Val, At: v.At}
			}
			ways[i], vals[i] = h, h.Val
		}
		j.ways = ways
		l.Set(v, j.merge(vals), ways[0].At)
	}
}

type joining struct {
	l     *Control
	owner *ir.Value
	exits []Exit
	ids   int
	seq   int
	loop  ast.Stmt
	ways  []value.Held // of the variable at hand
}

// merge is one value for those of all ways out.
func (j *joining) merge(vals []value.Value) value.Value {
	first := vals[0]
	alike := true
	for _, v := range vals {
		switch {
		case v.Kind == value.Poison:
			return value.Bad
		case v.Kind == value.Absent:
			return j.undecided(v)
		case v.Kind != first.Kind || v.Basic != first.Basic || len(v.List) != len(first.List) || v.Str != first.Str ||
			(v.Desc == nil) != (first.Desc == nil) || v.Desc != nil && *v.Desc != *first.Desc:
			return j.conflict(vals)
		}
		alike = alike && value.Same(v, first)
	}
	switch first.Kind {
	case value.ScalarKind:
		if alike && (first.Known || first.IR.ID < j.ids) {
			return first
		}
		return value.Runtime(first.Basic, j.result(vals))
	case value.TileKind:
		return j.mergeTiles(vals, alike)
	case value.StringKind, value.DTypeKind, value.ProgramKind, value.NilKind:
		if !alike {
			return j.conflict(vals)
		}
		return first
	case value.FuncKind, value.PointerKind: // what variables from inside hold is forgotten
		if !alike || value.Newest(first) > j.seq {
			return j.conflict(vals)
		}
		return first
	}
	z := first
	z.List = make([]value.Value, len(first.List))
	parts := make([]value.Value, len(vals))
	for i := range z.List {
		for k, v := range vals {
			parts[k] = v.List[i]
		}
		z.List[i] = j.merge(parts)
		if z.List[i].Kind == value.Absent && z.Kind != value.ArrayKind && z.Kind != value.StructKind {
			return z.List[i]
		}
	}
	return z
}

func (j *joining) mergeTiles(vals []value.Value, alike bool) value.Value {
	first := vals[0]
	if alike && first.IR.ID < j.ids {
		return first
	}
	z := value.Value{Kind: value.TileKind, Base: first.Base}
	mixed := false
	for _, v := range vals {
		if v.IR.Type != first.IR.Type {
			return j.conflict(vals)
		}
		mixed = mixed || v.Base != first.Base
		if v.Dot != value.NoDot {
			z.Dot, z.DotPos = value.MaybeDot, v.DotPos
		}
	}
	if alike {
		z.Dot, z.DotPos = first.Dot, first.DotPos
	}
	if z.Dot == value.Product {
		z.Dot = value.MaybeDot // the product itself is inside
	}
	if mixed && j.cond() != nil {
		j.l.Decide(&value.Reason{Cond: j.cond()}, j.l.Kernel.Node.Pos(), "a pointer")
	}
	if z.IR = j.result(vals); mixed {
		z.Base = z.IR
	}
	return z
}

// result makes the ways' values a result of the owner.
func (j *joining) result(vals []value.Value) *ir.Value {
	var t ir.Type
	for i, v := range vals {
		x := j.l.OperandOf(j.exits[i], v)
		j.exits[i].Term.Args = append(j.exits[i].Term.Args, x)
		t = x.Type
	}
	j.owner.Results = append(j.owner.Results, t)
	r := emit.Result(&j.l.Emitter, j.owner, len(j.owner.Results)-1)
	if j.loop != nil {
		j.l.Headers[r] = j.loop
	}
	return r
}

// OperandOf is a value for the terminator of a way out; a constant is made in its
// block.
func (l *Control) OperandOf(x Exit, v value.Value) *ir.Value {
	if !v.Known {
		return v.IR
	}
	k := l.Func.NewValue(op.Const, ir.Scalar(v.DType()), x.Term.Pos)
	k.Bits = v.Bits
	at := slices.Index(x.block.Values, x.Term)
	x.block.Values = slices.Insert(x.block.Values, at, k)
	return k
}

// cond is what decides between the ways of an If.
func (j *joining) cond() *ir.Value {
	if j.owner.Op == ir.If {
		return j.owner.Args[0]
	}
	return nil
}

// undecided is a variable that has no value on one way.
func (j *joining) undecided(v value.Value) value.Value {
	if v.Why == nil || v.Why.Cond != nil || j.cond() == nil {
		return v
	}
	why := *v.Why
	why.Cond = j.cond()
	v.Why = &why
	return v
}

// conflict is what a variable holds after ways that cannot be reconciled: using it
// is an error.
func (j *joining) conflict(vals []value.Value) value.Value {
	why := &value.Reason{Format: "%s differs between the paths that lead here", Loop: j.loop, Cond: j.cond()}
	why.Fix = "give it the same dtype and shape on every path, or use another variable"
	seen := map[string]bool{}
	for i, v := range vals {
		text := v.DescribePointer()
		if v.Base != nil {
			why.Fix = "load in each branch, and choose between the values"
		}
		if v.Kind == value.PointerKind {
			why.Fix = "point it to one variable, which is declared before the paths part"
		}
		if !seen[text] {
			seen[text] = true
			why.Notes = append(why.Notes, diag.Note{Pos: j.l.File.Position(j.ways[i].At), Text: "it is " + text + " if assigned here"})
		}
	}
	return value.Value{Kind: value.Absent, Why: why}
}
