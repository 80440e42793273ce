package random

import (
	"fmt"
	"slices"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func pointerTo(x any, name string) tl.Tile { return tl.PointerTo(x.(*tensor.Tensor), name, nil) }

// inner makes the statements of a block in braces; what it declares is forgotten,
// what it assigns lasts.
func (g *goGen) inner() []stmt {
	g.depth++
	list := g.block()
	if g.loops > 0 && g.r.IntN(3) == 0 {
		list = append(list, g.jump())
	}
	g.depth--
	return list
}

// jump leaves a loop, or goes on with it, under a condition.
func (g *goGen) jump() stmt {
	c := g.bool()
	word, l := "break", breaks
	if g.r.IntN(2) == 0 {
		word, l = "continue", continues
	}
	n := g.line("if %s {", c.text)
	g.line("\t%s", word)
	g.line("}")
	return at(n, func(e *env) leave {
		if c.eval(e).(bool) {
			return l
		}
		return onward
	})
}

func (g *goGen) branch() []stmt {
	c := g.bool()
	if _, ok := g.attempt(c); !ok {
		return nil
	}
	n := g.line("if %s {", c.text)
	yes, no := g.inner(), []stmt(nil)
	ends := g.loops == 0 && g.r.IntN(12) == 0
	if ends {
		g.line("\treturn")
		yes = append(yes, func(*env) leave { return returns })
	} else if g.r.IntN(2) == 0 {
		g.line("} else {")
		no = g.inner()
	}
	g.line("}")
	return []stmt{at(n, func(e *env) leave {
		if c.eval(e).(bool) {
			return runAll(yes, e)
		}
		return runAll(no, e)
	})}
}

// loop is a loop of a few rounds.
func (g *goGen) loop() []stmt {
	g.names++
	i := fmt.Sprintf("i%d", g.names) // an index is not assigned to
	var hi expr
	var n int
	lo, step := literal(0), literal(1)
	switch g.r.IntN(3) {
	case 0:
		hi = literal(1 + g.r.IntN(4))
		n = g.line("for %s := range %s {", i, hi.text)
	case 1:
		k := 2 + g.r.IntN(4)
		hi = expr{fmt.Sprintf("n %% %d", k), func(e *env) any { return e.vars["n"].(int) % k }}
		n = g.line("for %s := range %s {", i, hi.text)
	default:
		lo, hi, step = literal(g.r.IntN(3)), literal(3+g.r.IntN(5)), literal(1+g.r.IntN(3))
		n = g.line("for %s := %s; %s < %s; %s += %s {", i, lo.text, i, hi.text, i, step.text)
	}
	g.line("\t_ = %s", i)
	g.env.vars[i] = lo.eval(g.env).(int)
	g.loops++
	body := g.inner()
	g.loops--
	delete(g.env.vars, i)
	g.line("}")
	return []stmt{at(n, func(e *env) leave {
		for k, end, by := lo.eval(e).(int), hi.eval(e).(int), step.eval(e).(int); k < end; k += by {
			e.vars[i] = k
			if l := runAll(body, e); l == breaks {
				break
			} else if l == returns {
				return l
			}
			e.p.Line = n
		}
		return onward
	})}
}

// choose is a switch on a number.
func (g *goGen) choose() []stmt {
	x := g.int(1)
	if _, ok := g.attempt(x); !ok {
		return nil
	}
	n := g.line("switch %s & 3 {", x.text)
	var cases [][]stmt
	loops := g.loops
	g.loops = 0 // a break would leave the switch
	for i := range 2 {
		g.line("case %d:", i)
		cases = append(cases, g.inner())
	}
	g.line("default:")
	cases = append(cases, g.inner())
	g.loops = loops
	g.line("}")
	return []stmt{at(n, func(e *env) leave { return runAll(cases[min(x.eval(e).(int)&3, 2)], e) })}
}

// store writes a tile, most of the time under a mask that keeps it inside.
func (g *goGen) store() stmt {
	for range 10 {
		v := g.tile(1)
		t, ok := g.attempt(v)
		if !ok {
			continue
		}
		tile := t.(tl.Tile)
		if tile.DType().IsPointer() || len(tile.Shape()) == 0 {
			continue
		}
		to := []string{"z", "q"}[g.r.IntN(2)]
		offs := g.offsetsOf(tile.Shape())
		mask := g.maskOf(offs)
		line := fmt.Sprintf("tl.Store(%s.Add(%s), %s, tl.Mask(%s))", to, offs.text, v.text, mask.text)
		run := func(e *env) any {
			tl.Store(e.vars[to].(tl.Tile).Add(offs.eval(e)), v.eval(e), tl.Mask(mask.eval(e)))
			return 0
		}
		if g.r.IntN(8) == 0 && to == "q" {
			line = fmt.Sprintf("tl.AtomicAdd(%s.Add(%s), %s.To(tl.Int32), tl.Mask(%s))", to, offs.text, v.text, mask.text)
			run = func(e *env) any {
				return tl.AtomicAdd(e.vars[to].(tl.Tile).Add(offs.eval(e)), v.eval(e).(tl.Tile).To(tl.Int32), tl.Mask(mask.eval(e)))
			}
		}
		if _, ok := g.attempt(expr{line, run}); !ok {
			continue
		}
		n := g.line("%s", line)
		return at(n, func(e *env) leave { run(e); return onward })
	}
	n := g.line("tl.Store(z, 1)")
	return at(n, func(e *env) leave { tl.Store(e.vars["z"].(tl.Tile), 1); return onward })
}
