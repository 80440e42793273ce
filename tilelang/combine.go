package tilelang

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// A combination is a kernel's function that combines elements of tiles. It is shown many
// at once, as vectors, and must return what is there for each: elements of the same
// dtypes. That holds whatever the tiles' sizes are, as when it is compiled.
type combination struct {
	name string
	of   []*node // the tiles
	fn   func(a, b []Tile) []Tile
	seen bool // it was shown several elements at once
}

// lanes combines lanes of x with those of y, in x.
func (c *combination) lanes(x, y []dtype.Buf) {
	c.seen = c.seen || x[0].Len() > 1
	for k, t := range c.combine(vectors(x), vectors(y)) {
		copy(x[k].Bytes(), t.elems().Bytes())
	}
}

func (c *combination) combine(a, b []Tile) []*node {
	out := make([]*node, len(c.of))
	for k, r := range c.fn(a, b) {
		t, want := r.node(c.name), c.of[k]
		must(c.name, rule.Combined(t.typ(), want.typ(), t.shape == a[k].t.shape))
		out[k] = t
	}
	return out
}

// tried looks at what the function returns where the tiles were too small to show it: of one
// element nothing is combined, and of two a single one cannot be told from what
// does not depend on it.
func (c *combination) tried() {
	if c.seen {
		return
	}
	defer func() {
		v := recover()
		if f, ok := v.(*Fault); v != nil && (!ok || f.Kind != DivisionFault) { // the numbers are made up
			panic(v)
		}
	}()
	x, y := make([]dtype.Buf, len(c.of)), make([]dtype.Buf, len(c.of))
	for k, t := range c.of {
		x[k], y[k] = dtype.NewBuf(t.dt, 2), dtype.NewBuf(t.dt, 2)
		for i := range 2 {
			x[k].SetBits(i, dtype.FromInt(t.dt, 7, false))
			y[k].SetBits(i, dtype.FromInt(t.dt, 3, false))
		}
	}
	c.combine(vectors(x), vectors(y))
}
