package frontend

import (
	"go/ast"
	"slices"
	"sort"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/op"
)

// join gives variables what they hold after an If or Loop, whose ways out differ: a
// value that was made inside, or that the ways do not agree on, becomes a result.
// Values numbered below ids were made before. loop is the statement, if it is one.
func (l *control) join(owner *ir.Value, exits []exit, ids int, loop ast.Stmt) {
	j := &joining{l: l, owner: owner, exits: exits, ids: ids, loop: loop}
	all := map[*variable]bool{}
	var vars []*variable
	for _, x := range exits {
		for v := range x.vars {
			if !all[v] {
				all[v] = true
				vars = append(vars, v)
			}
		}
	}
	sort.Slice(vars, func(i, k int) bool { return vars[i].seq < vars[k].seq })
	for _, v := range vars {
		ways := make([]held, len(exits))
		vals := make([]value, len(exits))
		for i, x := range exits {
			h, ok := x.vars[v]
			if !ok {
				h = held{v.val, v.at}
			}
			ways[i], vals[i] = h, h.val
		}
		j.ways = ways
		l.set(v, j.merge(vals), ways[0].at)
	}
}

type joining struct {
	l     *control
	owner *ir.Value
	exits []exit
	ids   int
	loop  ast.Stmt
	ways  []held // of the variable at hand
}

// merge is one value for those of all ways out.
func (j *joining) merge(vals []value) value {
	first := vals[0]
	alike := true
	for _, v := range vals {
		switch {
		case v.kind == poison:
			return bad
		case v.kind == absent:
			return j.undecided(v)
		case v.kind != first.kind || v.basic != first.basic || len(v.list) != len(first.list) || v.s != first.s ||
			(v.desc == nil) != (first.desc == nil) || v.desc != nil && *v.desc != *first.desc:
			return j.conflict(vals)
		}
		alike = alike && same(v, first)
	}
	switch first.kind {
	case scalarKind:
		if alike && (first.known || first.v.ID < j.ids) {
			return first
		}
		return runtime(first.basic, j.result(vals))
	case tileKind:
		return j.mergeTiles(vals, alike)
	case stringKind, dtypeKind, funcKind, programKind, nilKind:
		if !alike {
			return j.conflict(vals)
		}
		return first
	}
	z := first
	z.list = make([]value, len(first.list))
	parts := make([]value, len(vals))
	for i := range z.list {
		for k, v := range vals {
			parts[k] = v.list[i]
		}
		if z.list[i] = j.merge(parts); z.list[i].kind == absent {
			return z.list[i]
		}
	}
	return z
}

func (j *joining) mergeTiles(vals []value, alike bool) value {
	first := vals[0]
	if alike && first.v.ID < j.ids {
		return first
	}
	z := value{kind: tileKind, base: first.base}
	for _, v := range vals {
		if v.v.Type != first.v.Type || v.base != first.base {
			return j.conflict(vals)
		}
		if v.dot != noDot {
			z.dot, z.dotPos = maybeDot, v.dotPos
		}
	}
	if alike {
		z.dot, z.dotPos = first.dot, first.dotPos
	}
	if z.dot == product {
		z.dot = maybeDot // the product itself is inside
	}
	z.v = j.result(vals)
	return z
}

// result makes the ways' values a result of the owner.
func (j *joining) result(vals []value) *ir.Value {
	var t ir.Type
	for i, v := range vals {
		x := j.l.operandOf(j.exits[i], v)
		j.exits[i].term.Args = append(j.exits[i].term.Args, x)
		t = x.Type
	}
	j.owner.Results = append(j.owner.Results, t)
	r := emit.Result(j.l, j.owner, len(j.owner.Results)-1)
	if j.loop != nil {
		j.l.headers[r] = j.loop
	}
	return r
}

// operandOf is a value for the terminator of a way out; a constant is made in its
// block.
func (l *control) operandOf(x exit, v value) *ir.Value {
	if !v.known {
		return v.v
	}
	k := l.fn.NewValue(op.Const, ir.Scalar(v.dtype()), x.term.Pos)
	k.Bits = v.bits
	at := slices.Index(x.block.Values, x.term)
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
func (j *joining) undecided(v value) value {
	if v.why == nil || v.why.cond != nil || j.cond() == nil {
		return v
	}
	why := *v.why
	why.cond = j.cond()
	v.why = &why
	return v
}

// conflict is what a variable holds after ways that cannot be reconciled: using it
// is an error.
func (j *joining) conflict(vals []value) value {
	why := &reason{format: "%s differs between the paths that lead here", loop: j.loop, cond: j.cond()}
	why.fix = "give it the same dtype and shape on every path, or use another variable"
	seen := map[string]bool{}
	for i, v := range vals {
		text := v.describePointer()
		if v.base != nil {
			why.fix = "load in each branch, and choose between the values"
		}
		if !seen[text] {
			seen[text] = true
			why.notes = append(why.notes, diag.Note{Pos: j.l.f.Position(j.ways[i].at), Text: "it is " + text + " if assigned here"})
		}
	}
	return value{kind: absent, why: why}
}
