package product

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A product may stand in control flow: persistent programs go through several blocks of C each. What is done
// once is an instance then, whoever does it: a launch's control flow is followed, in scalars alone.

// around is what a Match knows of control flow: around the product, and of its loop.
type around struct {
	walked bool        // there is some around the product
	vars   []*ir.Value // what that defines
	narrow []*ir.Value // what must not wrap in any round of the loop
	checks []*ir.Value // what must hold: each a Fits beside the loop, or an Assert of scalars
}

// An instance is where in a launch the product's loop and store are carried out once: in a program, with what
// scalars of control flow are there, in the order of Match.vars.
type instance struct {
	id   [3]int
	vars []int64
}

// body is the block in b in which the product may stand, nil if there is none: all around it is control flow
// that depends on nothing but scalars, and does nothing else.
func (m *finder) body(b *ir.Block) *ir.Block {
	var inner *ir.Block
	for _, v := range b.Values {
		for _, w := range v.Blocks {
			if !v.IsControl() || isDotLoop(v) || !slices.ContainsFunc(w.Values, holdsDotLoop) {
				continue
			}
			if inner != nil {
				return nil
			}
			inner = w
			m.walked = true
			m.addVars(v)
		}
	}
	if inner == nil {
		return b
	}
	for _, v := range b.Values {
		if !slices.Contains(v.Blocks, inner) && !m.scalarOnly(v) {
			return nil
		}
		if v.Op == ir.Fits {
			m.checks = append(m.checks, v)
		}
	}
	for _, a := range inner.Args {
		if !isWhole(a.Type) {
			return nil
		}
	}
	return m.body(inner)
}

// isDotLoop reports whether v is a loop with a Dot in it.
func isDotLoop(v *ir.Value) bool {
	return v.Op == ir.For && slices.ContainsFunc(v.Blocks[0].Values, func(w *ir.Value) bool { return w.Op == op.Dot })
}

// holdsDotLoop reports whether v is such a loop, or control flow around one.
func holdsDotLoop(v *ir.Value) bool {
	return isDotLoop(v) || v.IsControl() && slices.ContainsFunc(v.Blocks, func(b *ir.Block) bool {
		return slices.ContainsFunc(b.Values, holdsDotLoop)
	})
}

// scalarOnly reports whether v has no effect that following scalars would miss. An If is walked through.
func (m *finder) scalarOnly(v *ir.Value) bool {
	switch {
	case v.IsTerm():
		return true
	case v.Op == ir.If:
		for _, b := range v.Blocks {
			if !slices.ContainsFunc(b.Values, func(w *ir.Value) bool { return w.Type.IsTile() || !m.scalarOnly(w) }) {
				continue
			}
			return false
		}
		m.walked = true
		m.addVars(v)
		return true
	case v.IsControl() || v.IsMemory() || v.Op == op.Print || v.Op == op.Assert:
		return false
	}
	return true
}

// addVars adds what control flow defines: what it carries, and its results.
func (m *finder) addVars(v *ir.Value) {
	for _, b := range v.Blocks {
		m.vars = append(m.vars, b.Args...)
	}
	for _, u := range m.plan.Of(v).Users {
		if u.Op == ir.Result && isWhole(u.Type) {
			m.vars = append(m.vars, u)
		}
	}
}

func isWhole(t ir.Type) bool { return !t.IsTile() && t.D.IsInt() }

// instances are all of a launch; false if there are too many to look at one by one.
func (p *planning) instances() ([]instance, bool) {
	g := p.grid
	total := g[0] * g[1] * g[2]
	if total > maxInstances {
		return nil, false
	}
	w := &walk{planning: p, left: 4 * maxInstances}
	for i := range total {
		id := [3]int{i % g[0], i / g[0] % g[1], i / g[0] / g[1]}
		if !p.m.walked {
			w.found = append(w.found, instance{id: id})
			continue
		}
		p.e.At(id)
		w.block(p.m.f.Body)
		if p.e.Failed || len(w.found) > maxInstances {
			return nil, false
		}
	}
	return w.found, true
}

// A walk follows the control flow of programs around the product.
type walk struct {
	*planning
	found []instance
	left  int // blocks that may still be entered
}

// An exit is how a block ends: at a terminator, which leaves so many more Loops.
type exit struct {
	at    *ir.Value
	loops int
}

// block follows a block to its end. What may fail on the way must not, whether or not it comes to the store.
func (w *walk) block(b *ir.Block) exit {
	loads := false // that no instance has
	if w.left--; w.left < 0 {
		w.e.Failed = true
	}
	for _, v := range b.Values {
		switch {
		case w.e.Failed:
			return exit{at: b.Term()}
		case v == w.m.store:
			i := instance{id: w.e.ID(), vars: make([]int64, len(w.m.vars))}
			for k, x := range w.m.vars {
				i.vars[k] = w.e.Fixed(x)
			}
			w.found = append(w.found, i)
			loads = false
		case v.IsTerm():
			return exit{v, v.Index}
		case v.IsControl() && v != w.m.loop:
			if x := w.control(v); x.at != nil {
				w.e.Failed = w.e.Failed || loads
				return x
			}
		case v.Op == ir.Fits:
			w.e.Value(v)
		case v.Op == op.Assert:
			w.e.Failed = w.e.Value(v.Args[0]) == 0 || w.e.Failed
		case v.Op == op.Load:
			loads = true
		}
	}
	return exit{at: b.Term()}
}

// control follows an If, For or Loop; its exit is where control goes on, if that is not behind it.
func (w *walk) control(v *ir.Value) exit {
	switch v.Op {
	case ir.If:
		b := v.Blocks[1]
		if w.e.Value(v.Args[0]) != 0 {
			b = v.Blocks[0]
		}
		x := w.block(b)
		if x.at.Op != ir.Yield {
			return x
		}
		w.results(v, x.at.Args)
	case ir.For:
		lo, hi, step := w.e.Value(v.Args[0]), w.e.Value(v.Args[1]), int64(v.Index)
		args := v.Blocks[0].Args
		carried := v.Args[2:]
		w.set(args[1:], carried)
		for i := lo; (step > 0 && i < hi || step < 0 && i > hi) && !w.e.Failed; i += step {
			w.e.Fix(args[0], i)
			carried = w.block(v.Blocks[0]).at.Args
			w.set(args[1:], carried)
		}
		w.results(v, args[1:])
	case ir.Loop:
		args := v.Blocks[0].Args
		w.set(args, v.Args)
		for !w.e.Failed {
			x := w.block(v.Blocks[0])
			switch {
			case x.at.Op == ir.Return:
				return x
			case x.loops > 0:
				return exit{x.at, x.loops - 1}
			case x.at.Op == ir.Break:
				w.results(v, x.at.Args)
				return exit{}
			}
			w.set(args, x.at.Args)
		}
	}
	return exit{}
}

// set gives scalars the values of others, all at once.
func (w *walk) set(to, from []*ir.Value) {
	x := make([]int64, len(to))
	for i := range to {
		x[i] = w.e.Value(from[i])
	}
	for i, v := range to {
		w.e.Fix(v, x[i])
	}
}

// results gives v's results their values.
func (w *walk) results(v *ir.Value, from []*ir.Value) {
	var to, of []*ir.Value
	for _, u := range w.m.vars {
		if u.Op == ir.Result && u.Args[0] == v {
			to, of = append(to, u), append(of, from[u.Index])
		}
	}
	w.set(to, of)
}
