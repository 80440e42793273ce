// Package kernels is the corpus that engines are compared on: Go compiles it for the
// interpreter, and the compiler finds its text. Most kernels work on vectors of n
// elements, BLOCK at a time, on the lanes that MASK names.
package kernels

import tl "github.com/tiler-go/tiler/tilelang"

// on is the lanes of offsets o below n that take part; m is a vector of bools.
func on(o tl.Tile, n int, m tl.Ptr, MASK string) tl.Tile {
	in := o.Lt(n)
	switch MASK {
	case "range":
		return in.And(o.Ge(n / 3))
	case "odd":
		return o.Mod(2).Eq(1).And(in)
	case "data":
		return tl.Load(m.Add(o), tl.Mask(in)).And(in)
	case "none":
		return o.Lt(0)
	}
	return in
}

// get loads the lanes that take part, all if there is no MASK.
func get(x tl.Ptr, o tl.Tile, n int, m tl.Ptr, MASK string) tl.Tile {
	if MASK == "" {
		return tl.Load(x.Add(o))
	}
	return tl.Load(x.Add(o), tl.Mask(on(o, n, m, MASK)))
}

// put stores the lanes that take part.
func put(z tl.Ptr, o, v tl.Tile, n int, m tl.Ptr, MASK string) {
	if MASK == "" {
		tl.Store(z.Add(o), v)
		return
	}
	tl.Store(z.Add(o), v, tl.Mask(on(o, n, m, MASK)))
}

// lanes is the offsets of a program's lanes.
func lanes(p *tl.Program, BLOCK int) tl.Tile { return tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK) }
