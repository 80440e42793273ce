package launch

import (
	"slices"

	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A dimension may follow from a size without having its value: a sum of two, a product,
// a number of blocks. Whether it does is not known, so a change is tried with what may
// follow from it only where it is not clean without.

// withDerived is a change with all that may follow from its size, and whether that is
// anything.
func (s *sizes) withDerived(ch change) (change, bool) {
	ch.also = map[place]int{}
	for arg, a := range s.args {
		switch a := a.(type) {
		case int:
			if n, ok := s.derivedFrom(a, ch); ok && !s.facts.Fixed[arg] && !slices.Contains(ch.params, arg) && !s.factor(arg) {
				ch.also[place{arg, -1}] = n
			}
		case *tensor.Tensor:
			if !a.IsContiguous() {
				continue
			}
			for d, size := range a.Shape() {
				if n, ok := s.derivedFrom(size, ch); ok && !slices.Contains(ch.dims[arg], d) {
					ch.also[place{arg, d}] = n
				}
			}
		}
	}
	return ch, len(ch.also) > 0
}

// derivedFrom is what a number becomes that a change's size goes into: as one of two
// terms, as a factor, in blocks.
func (s *sizes) derivedFrom(n int, ch change) (is int, ok bool) {
	from, to := ch.from, ch.to
	if n < 2 || n == from {
		return 0, false
	}
	for _, b := range slices.Concat(s.blocks, s.facts.Tiles) {
		if b > 1 && from > b && n == blocksOf(from, b) {
			return blocksOf(to, b), true
		}
	}
	if n > from && n%from == 0 && (n/from <= 4 || s.named(n/from)) {
		return n / from * to, true
	}
	if n > from && s.named(n-from) {
		return n - from + to, true
	}
	if from%n == 0 && (from/n <= 4 || s.named(from/n)) && to%(from/n) == 0 {
		return to / (from / n), true
	}
	return 0, false
}
