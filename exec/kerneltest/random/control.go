package random

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// inside runs fn with a scope of its own, a block being open.
func (g *generator) inside(fn func()) {
	scope := g.scope
	g.scope = append([]*ir.Value(nil), scope...)
	g.depth++
	fn()
	g.depth--
	g.scope = scope
}

// someOf is a value that can become one of type t, pointers only as they are.
func (g *generator) next(t ir.Type) *ir.Value {
	if t.D.IsPointer() {
		v := g.pick(func(v *ir.Value) bool { return v.Type == t })
		if v == nil || g.r.IntN(3) > 0 && v.Op == ir.Param {
			p := g.pick(func(v *ir.Value) bool { return v.Op == ir.Param && v.Type.D == t.D })
			if p == nil {
				for _, q := range g.F.Params {
					if q.Type.D == t.D {
						p = q
					}
				}
			}
			v = g.Broadcast(p, t.Shape)
		}
		if g.r.IntN(2) == 0 {
			v = g.Emit(ir.PtrAdd, t, v, g.to(g.Int(g.r.IntN(4)), t.As(dtype.Int64)))
		}
		return v
	}
	return g.as(t)
}

func typesOf(vs []*ir.Value) []ir.Type {
	ts := make([]ir.Type, len(vs))
	for i, v := range vs {
		ts[i] = v.Type
	}
	return ts
}

func (g *generator) nexts(types []ir.Type) []*ir.Value {
	vs := make([]*ir.Value, len(types))
	for i, t := range types {
		vs[i] = g.next(t)
	}
	return vs
}

func (g *generator) control() {
	var carried []*ir.Value
	for range g.r.IntN(4) {
		if v := g.pick(func(v *ir.Value) bool { return v.Type.D.Valid() }); v != nil {
			carried = append(carried, v)
		}
	}
	for g.atHome() && len(carried) < 4 {
		carried = append(carried, g.as(g.home))
	}
	types := typesOf(carried)
	var results []*ir.Value
	switch k := g.r.IntN(3); {
	case k == 0:
		cond := g.as(ir.Scalar(dtype.Bool))
		branch := func() *ir.Block {
			return g.Block(nil, func([]*ir.Value) {
				g.inside(func() {
					g.statements()
					if g.loops == 0 && g.fors == 0 && g.r.IntN(10) == 0 {
						g.Emit(ir.Return, ir.Type{})
						return
					}
					g.Emit(ir.Yield, ir.Type{}, g.nexts(types)...)
				})
			})
		}
		blocks := []*ir.Block{branch(), branch()}
		results = g.Many(ir.If, types, func(v *ir.Value) { v.Blocks = blocks }, cond)
	case k == 1:
		n := g.r.IntN(4)
		lo, hi := g.Int(0), g.Int(n)
		fors := g.fors
		g.fors++
		body := g.Block(append([]ir.Type{ir.Scalar(dtype.Int64)}, types...), func(args []*ir.Value) {
			g.inside(func() {
				g.scope = append(g.scope, args...)
				g.scope = append(g.scope, args...)
				g.statements()
				g.Emit(ir.Yield, ir.Type{}, g.nexts(types)...)
			})
		})
		g.fors = fors
		step := 1 + g.r.IntN(2)
		results = g.Many(ir.For, types, func(v *ir.Value) { v.Blocks, v.Index = []*ir.Block{body}, step }, append([]*ir.Value{lo, hi}, carried...)...)
	default:
		results = g.loop(carried, types)
	}
	g.scope = append(g.scope, results...)
}

// loop is a Loop of a few rounds, counted by what it carries first.
func (g *generator) loop(carried []*ir.Value, types []ir.Type) []*ir.Value {
	i64 := ir.Scalar(dtype.Int64)
	start, rounds := g.Int(0), g.Int(1+g.r.IntN(3))
	loops, fors := g.loops, g.fors
	g.loops, g.fors = g.loops+1, 0
	body := g.Block(append([]ir.Type{i64}, types...), func(args []*ir.Value) {
		g.inside(func() {
			g.scope = append(g.scope, args[1:]...)
			g.scope = append(g.scope, args[1:]...)
			i := g.Emit(op.Add, i64, args[0], g.Int(1))
			over := g.Emit(op.Ge, ir.Scalar(dtype.Bool), args[0], rounds)
			g.leaveIf(over, func() { g.Emit(ir.Break, ir.Type{}, g.nexts(types)...) })
			g.statements()
			if g.r.IntN(2) == 0 {
				g.leaveIf(g.as(ir.Scalar(dtype.Bool)), func() {
					g.statements()
					if g.r.IntN(2) == 0 {
						g.Emit(ir.Break, ir.Type{}, g.nexts(types)...)
						return
					}
					g.Emit(ir.Continue, ir.Type{}, append([]*ir.Value{i}, g.nexts(types)...)...)
				})
			}
			g.statements()
			g.Emit(ir.Continue, ir.Type{}, append([]*ir.Value{i}, g.nexts(types)...)...)
		})
	})
	g.loops, g.fors = loops, fors
	return g.Many(ir.Loop, types, func(v *ir.Value) { v.Blocks = []*ir.Block{body} }, append([]*ir.Value{start}, carried...)...)
}

// leaveIf is an If whose first block leaves.
func (g *generator) leaveIf(cond *ir.Value, leave func()) {
	first := g.Block(nil, func([]*ir.Value) { g.inside(leave) })
	second := g.Block(nil, func([]*ir.Value) { g.Emit(ir.Yield, ir.Type{}) })
	g.Emit(ir.If, ir.Type{}, cond).Blocks = []*ir.Block{first, second}
}
