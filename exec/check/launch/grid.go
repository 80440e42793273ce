package launch

import (
	"slices"

	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A grid of numbers follows its launch's sizes: each number is a product of arguments, or
// of how many blocks one has. Where that has one explanation the grid varies with them.

// following is which numbers of the grid change with an int argument: a function of the
// caller's computes them.
func (s *sizes) following(was Grid) (follows [3]bool) {
	for i, a := range s.args {
		v, ok := a.(int)
		if !ok {
			continue
		}
		args := slices.Clone(s.args)
		args[i] = 3*v + 1
		g, err := s.k.Grid(args)
		for a := range was.Axes {
			follows[a] = follows[a] || err == nil && g.Num[a] != was.Num[a]
		}
	}
	return follows
}

// A quantity is a number of a launch, before and after a change. One that is loose counts
// by itself, and in a product only if there is no other: blocks of a block, say.
type quantity struct {
	was, is int
	loose   bool
}

// grid is the grid of changed arguments, as far as it can be told.
func (s *sizes) grid(base []any, was Grid, args []any, ch change) (g Grid, ok bool) {
	g, err := s.k.Grid(args)
	if err != nil || g.Axes != was.Axes || g.Total == 0 {
		return g, false
	}
	parts := s.quantities(base, args, ch)
	g.Total = 1
	for a := range g.Axes {
		if !s.follows[a] {
			n, ok := explain(was.Num[a], parts)
			if !ok && !s.facts.Counts[a] {
				return g, false
			}
			if ok {
				g.Num[a] = n
			}
		}
		g.Total *= g.Num[a]
	}
	return g, g.Total > 0
}

// quantities is the numbers that a grid may be made of.
func (s *sizes) quantities(base, args []any, ch change) (qs []quantity) {
	loose := false
	add := func(was, is int) {
		same := func(q quantity) bool { return q.was == was && q.is == is }
		if i := slices.IndexFunc(qs, same); i >= 0 {
			qs[i].loose = qs[i].loose && loose
		} else if was > 0 {
			qs = append(qs, quantity{was, is, loose})
		}
	}
	for i, a := range base {
		switch a := a.(type) {
		case int:
			add(a, args[i].(int))
		case *tensor.Tensor:
			is := ch.shape(a, i)
			total := 1
			for d, n := range a.Shape() {
				add(n, is[d])
				total *= is[d]
			}
			add(a.Len(), total)
		}
	}
	plain := slices.Clone(qs)
	for _, q := range plain {
		for _, b := range s.blocks {
			loose = slices.Contains(s.blocks, q.was)
			add(blocksOf(q.was, b), blocksOf(q.is, b))
		}
	}
	loose = false
	for i, p := range plain {
		for _, q := range plain[:i] {
			if q.was > 1 && p.was > q.was && p.was%q.was == 0 && p.is%q.is == 0 && s.isArgument(p.was) && s.isArgument(q.was) {
				add(p.was/q.was, p.is/q.is)
			}
		}
	}
	return qs
}

func blocksOf(n, block int) int { return (n + block - 1) / block }

// outgrows reports whether a size that fits one block of some kind does so no more, and
// the grid has not twice as many programs for it: a kernel may rely on that.
func (s *sizes) outgrows(was, is Grid, ch change) bool {
	twice := false
	for a := range was.Axes {
		twice = twice || is.Num[a] == 2*was.Num[a]
	}
	fitted := func(b int) bool { return ch.from <= b && ch.to > b }
	return !twice && (slices.ContainsFunc(s.blocks, fitted) || slices.ContainsFunc(s.facts.Tiles, fitted))
}

// isArgument reports whether an int argument that is no block has a value.
func (s *sizes) isArgument(v int) bool {
	for i, a := range s.args {
		if n, ok := a.(int); ok && n == v && !s.facts.Fixed[i] {
			return true
		}
	}
	return false
}

// explain is what a number becomes that is a product of at most three quantities. There
// is no answer if there is no such product, or if two of them become different numbers.
func explain(n int, qs []quantity) (is int, ok bool) {
	tight := slices.DeleteFunc(slices.Clone(qs), func(q quantity) bool { return q.loose && q.was != n })
	if is, found := product(n, tight); found != none {
		return is, found == one
	}
	is, found := product(n, qs)
	return is, found == one
}

// How many numbers a product may become.
const (
	none = iota
	one
	several
)

// product is what the products of at most three quantities that are n become.
func product(n int, qs []quantity) (is, found int) {
	agree := func(v int) {
		switch {
		case found == none:
			is, found = v, one
		case is != v:
			found = several
		}
	}
	if n == 1 {
		agree(1)
	}
	for i, a := range qs {
		if a.was == n {
			agree(a.is)
		}
		if a.was < 2 || n%a.was != 0 {
			continue
		}
		for j, b := range qs[i:] {
			if b.was < 2 {
				continue
			}
			if a.was*b.was == n {
				agree(a.is * b.is)
			}
			if n%(a.was*b.was) != 0 {
				continue
			}
			for _, c := range qs[i+j:] {
				if c.was > 1 && a.was*b.was*c.was == n {
					agree(a.is * b.is * c.is)
				}
			}
		}
	}
	return is, found
}
