package launch

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tiler-go/tiler/exec/check"
)

// Sizes that are equal hide what is exchanged: a square has its rows masked as well as
// its columns whichever way the masks are. So parameters of one value are changed one
// by one, too. Which dimensions belong to which is not known: a fault is one that shows
// whichever they are, as far as an input that was loaded in full is so again.

// maxMeanings is how many ways to share out dimensions are tried.
const maxMeanings = 80

// varyApart changes parameters of one value one by one.
func (k *Kernel) varyApart(ctx context.Context, r *check.Report, s *sizes, g Grid, budget time.Duration) {
	start := time.Now()
	for _, c := range s.classes {
		if c.given || !s.mixed(c) {
			continue
		}
		if !k.apart(ctx, r, s, c, g, budget-time.Since(start)) {
			return
		}
	}
}

// apart changes the parameters of a class one by one, and reports whether it found
// nothing and there is time left. Dimensions that have turned out to be those of one
// parameter are not tried for the next.
func (k *Kernel) apart(ctx context.Context, r *check.Report, s *sizes, c *class, g Grid, budget time.Duration) bool {
	start := time.Now()
	args, g, from := s.small(g, c)
	free := *c
	for n, p := range c.params {
		if s.factor(p) {
			continue
		}
		left := budget - time.Since(start)
		if left <= 0 || ctx.Err() != nil {
			return false
		}
		v := s.alone(args, g, append(free.meanings(n, s.several(c)), c.meanings(n, s.several(c))...), p, from)
		if len(v.trials) == 0 {
			continue
		}
		if t := k.try(ctx, r, s, v, left); t != nil {
			free.dims = free.dims.without(t.ch.dims)
		}
		if r.Count(check.Warning) > 0 {
			return false
		}
	}
	return true
}

// without is d without the dimensions of another.
func (d dims) without(o dims) dims {
	z := dims{}
	for arg, ds := range d {
		if left := slices.DeleteFunc(slices.Clone(ds), func(n int) bool { return slices.Contains(o[arg], n) }); len(left) > 0 {
			z[arg] = left
		}
	}
	return z
}

// nearby is smaller values of a size: the next one, and the next one that is fewer blocks.
func (s *sizes) nearby(from int) []int {
	to := []int{from - 1}
	for _, b := range s.blocks {
		if b > 1 && b < from-1 && (from-1)/b*b > 1 {
			to = append(to, (from-1)/b*b)
			break
		}
	}
	return to
}

// mixed reports whether a class is several sizes: it has several parameters that are no
// mere strides, and a tensor has two of its dimensions.
func (s *sizes) mixed(c *class) bool {
	two := slices.ContainsFunc(c.dims.keys(), func(arg int) bool { return len(c.dims[arg]) > 1 })
	return s.several(c) > 1 && two && len(c.rivals) == 0
}

// several is how many parameters of a class are no mere strides.
func (s *sizes) several(c *class) (n int) {
	for _, i := range c.params {
		if !s.factor(i) {
			n++
		}
	}
	return n
}

// small is the launch with a class made small, so that trials take little time: a bit
// more than its largest block.
func (s *sizes) small(g Grid, c *class) (args []any, small Grid, size int) {
	size = 5
	for _, b := range s.blocks {
		size = max(size, b+5)
	}
	if size < c.Value {
		if t, ok := s.trial(s.args, g, change{params: c.params, dims: c.dims, from: c.Value, to: size}); ok {
			return t.args, t.grid, size
		}
	}
	return s.args, g, c.Value
}

// alone is a change of one parameter of a class, with a trial for each way in which the
// dimensions may be its own.
func (s *sizes) alone(args []any, g Grid, meanings []dims, p, from int) variation {
	sizes := s.nearby(from)
	v := variation{label: fmt.Sprintf("%s = %d, and %d for what else was equal to it", s.k.Labels[p], sizes[0], from)}
	for _, ds := range meanings {
		for _, keep := range []bool{false, true} {
			if keep && !slices.Contains(s.indices, true) {
				continue
			}
			if t := s.chain(args, g, change{params: []int{p}, dims: ds, from: from, alone: true, keep: keep}, sizes); t != nil {
				v.trials = append(v.trials, *t)
			}
		}
	}
	return v
}

// chain is a change to each of some sizes, the last first; nil if there is none to the first.
func (s *sizes) chain(args []any, g Grid, ch change, sizes []int) (first *trial) {
	for _, to := range slices.Backward(sizes) {
		ch.to = to
		if t, ok := s.trial(args, g, ch); ok {
			t.then, first = first, &t
		} else if to == sizes[0] {
			first = nil
		}
	}
	return first
}

// meanings is the ways in which dimensions may belong to the n-th parameter: of each
// tensor one, all, or none. The parameters' order is tried first. There are none if there
// are too many to try all.
func (c *class) meanings(n, params int) (all []dims) {
	all = []dims{{}}
	count := 0
	for _, arg := range c.dims.keys() {
		ds := c.dims[arg]
		count += len(ds)
		options := [][]int{}
		for i := range ds {
			d := ds[(i+n)%len(ds)]
			options = append(options, []int{d})
		}
		options = append(options, nil)
		if len(ds) > 1 {
			options = append(options, ds)
		}
		var next []dims
		for _, o := range options {
			for _, m := range all {
				z := dims{}
				for k, v := range m {
					z[k] = v
				}
				if o != nil {
					z[arg] = o
				}
				next = append(next, z)
			}
		}
		all = next
	}
	all = slices.DeleteFunc(all, func(m dims) bool { return len(m) == 0 })
	if len(all) > maxMeanings {
		return nil
	}
	// Dimensions are mostly shared out evenly.
	share := (count + params/2) / params
	slices.SortStableFunc(all, func(a, b dims) int { return a.far(share) - b.far(share) })
	return all
}

// far is how far d is from having n dimensions.
func (d dims) far(n int) int { return max(n-d.count(), d.count()-n) }

// count is how many dimensions d has.
func (d dims) count() (n int) {
	for _, ds := range d {
		n += len(ds)
	}
	return n
}
