package launch

import (
	"slices"

	"github.com/tiler-go/tiler/tilelang/tensor"
)

// What sizes have to do with each other is not known. So one is not changed past another
// that may bound it.

// named reports whether a size that is no block has a value.
func (s *sizes) named(n int) bool {
	return slices.ContainsFunc(s.classes, func(c *class) bool { return c.Value == n })
}

// passes reports whether a change takes a size past a dimension, or a dimension past a
// size, where rows may be longer than what is in them.
func (s *sizes) passes(base []any, ch change) bool {
	for arg, a := range base {
		x, ok := a.(*tensor.Tensor)
		if !ok {
			continue
		}
		shape := x.Shape()
		if !ch.touches(arg) {
			if !slices.Contains(shape, ch.from) && slices.ContainsFunc(shape, func(n int) bool { return ch.from < n && n < ch.to }) {
				return true
			}
			continue
		}
		for i, b := range base {
			v, ok := b.(int)
			if ok && v > 1 && ch.to < v && v < ch.from && !s.facts.Fixed[i] && !slices.Contains(shape, v) {
				return true
			}
		}
	}
	return false
}

// fills reports whether a stride that is several blocks long, and no more than a stride,
// changes while the grid stays: the blocks are meant to fill it.
func (s *sizes) fills(was, is Grid, ch change) bool {
	if was.Num != is.Num || slices.ContainsFunc(ch.params, func(i int) bool { return !s.factor(i) }) {
		return false
	}
	return slices.ContainsFunc(s.blocks, func(b int) bool { return b > 1 && ch.from > b && ch.from%b == 0 })
}
