package gogen

import (
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/exec/triton/gogen/value"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

func (f *fn) whileLoop(s *syntax.While) {
	f.joined(s.Body)
	f.Repeated = true
	c := f.Condition(f.expr(s.Cond))
	f.Repeated = false
	f.emit("for %s {", c.Code)
	f.list(s.Body)
	f.emit("}")
	f.joined(s.Body)
}

func (f *fn) forLoop(s *syntax.For) {
	n, ok := s.Target.(*syntax.Name)
	if !ok || len(s.Else) > 0 {
		f.Refuse("this loop has no counterpart in Go")
	}
	lo, hi, step, weak := f.rangeOf(s)
	f.joined(s.Body)
	d := dtype.Int32
	for _, v := range []value.Value{lo, hi, step} {
		if v.DType == dtype.Int64 && !v.Weak {
			d = dtype.Int64
		}
	}
	saved, had := f.cur[n.Name]
	outer, bound := f.vars[n.Name]
	f.vars[n.Name] = value.Type{Kind: value.Int, DType: d, Weak: weak}
	f.cur[n.Name] = f.vars[n.Name]
	read := f.read[n.Name]
	f.read[n.Name] = false
	mark := f.out.Len()
	f.list(s.Body)
	body := f.tail(mark)
	used := f.read[n.Name] && mentions(body, value.GoName(n.Name))
	f.read[n.Name] = f.read[n.Name] || read
	name := value.GoName(n.Name)
	if name == "_" && (lo.Code != "0" || step.Code != "1") {
		name = f.temp()
	}
	f.emit("%s%s", f.forHead(s, name, lo, hi, step, used), f.beside(s.At.Line))
	f.out.WriteString(body)
	f.emit("}")
	delete(f.cur, n.Name)
	delete(f.vars, n.Name)
	if had {
		f.cur[n.Name] = saved
	}
	if bound {
		f.vars[n.Name] = outer
	}
	f.joined(s.Body)
}

// forHead is the first line of a loop.
func (f *fn) forHead(s *syntax.For, name string, lo, hi, step value.Value, used bool) string {
	if lo.Code == "0" && step.Code == "1" {
		if !used {
			return fmt.Sprintf("for range %s {", hi.Code)
		}
		return fmt.Sprintf("for %s := range %s {", name, hi.Code)
	}
	for _, v := range []*value.Value{&hi, &step} {
		if strings.Contains(v.Code, "(") || assigns(s.Body, v.Code, f.varName) {
			t := f.temp()
			f.emit("%s := %s", t, v.Code)
			v.Code, v.Prec = t, value.Primary
		}
	}
	compare, move := "<", fmt.Sprintf("%s += %s", name, step.At(value.AddPrec))
	if down, ok := strings.CutPrefix(step.Code, "-"); ok {
		compare, move = ">", fmt.Sprintf("%s -= %s", name, down)
	}
	if step.Code == "1" {
		move = name + "++"
	}
	return fmt.Sprintf("for %s := %s; %s %s %s; %s {", name, lo.Code, name, compare, hi.At(value.AddPrec), move)
}

// assigns reports whether statements bind a name.
func assigns(list []syntax.Stmt, code string, name func(string) string) bool {
	p := &plan{locals: map[string]bool{}}
	p.findLocals(list)
	for n := range p.locals {
		if mentions(code, name(n)) {
			return true
		}
	}
	return false
}

// rangeOf is the bounds of range, tl.range or tl.static_range.
func (f *fn) rangeOf(s *syntax.For) (lo, hi, step value.Value, weak bool) {
	e, ok := s.Iter.(*syntax.Call)
	if !ok {
		f.Refuse("a loop over a tuple has no counterpart in Go")
	}
	m, ok := f.meaning(e.Func)
	if !ok || m.Row != "range" && m.Row != "static_range" {
		f.Refuse("only range, tl.range and tl.static_range have a counterpart in Go")
	}
	c := f.bindCall(m, e, nil)
	f.At = e.At
	one := value.Of("1", value.Type{Kind: value.Int, Weak: true})
	lo, hi, step = value.Of("0", one.Type), f.Count(c.Arg("arg1")), one
	if c.Given("arg2") {
		lo, hi = hi, f.Count(c.Arg("arg2"))
	}
	if c.Given("step") {
		step = f.Count(c.Arg("step"))
	}
	return lo, hi, step, m.Row == "static_range"
}

// joined makes the variables that statements bind what they are anywhere.
func (f *fn) joined(list []syntax.Stmt) {
	for _, s := range list {
		var targets []syntax.Expr
		switch s := s.(type) {
		case *syntax.Assign:
			targets = s.Targets
		case *syntax.AugAssign:
			targets = []syntax.Expr{s.Target}
		case *syntax.AnnAssign:
			targets = []syntax.Expr{s.Target}
		}
		for _, t := range targets {
			binds(t, func(n *syntax.Name) {
				if z, ok := f.vars[n.Name]; ok {
					if old, ok := f.cur[n.Name]; ok && old.Ptr && z.Ptr {
						z = old
					}
					f.cur[n.Name] = z
				}
			})
		}
		for _, b := range blocks(s) {
			f.joined(b)
		}
	}
}
