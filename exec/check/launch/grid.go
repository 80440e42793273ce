package launch

import (
	"slices"

	"github.com/tiler-go/tiler/exec/check/factor"
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
			n, ok := factor.Explain(was.Num[a], parts)
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
func (s *sizes) quantities(base, args []any, ch change) (qs []factor.Quantity) {
	loose := false
	add := func(was, is int) {
		same := func(q factor.Quantity) bool { return q.Was == was && q.Is == is }
		if i := slices.IndexFunc(qs, same); i >= 0 {
			qs[i].Loose = qs[i].Loose && loose
		} else if was > 0 {
			qs = append(qs, factor.Quantity{Was: was, Is: is, Loose: loose})
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
			loose = slices.Contains(s.blocks, q.Was)
			add(blocksOf(q.Was, b), blocksOf(q.Is, b))
		}
	}
	loose = false
	for i, p := range plain {
		for _, q := range plain[:i] {
			divides := q.Was > 1 && p.Was > q.Was && p.Was%q.Was == 0 && p.Is%q.Is == 0
			if divides && s.isArgument(p.Was) && s.isArgument(q.Was) {
				add(p.Was/q.Was, p.Is/q.Is)
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
