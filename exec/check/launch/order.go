package launch

// An order is programs of a grid, by number.
type order struct {
	count int
	at    func(i int) int // the i-th to run
}

// order is the programs that a check runs: those asked for, all, or those at the corners
// of the grid and then a random choice.
func (k *Kernel) order(g Grid, virtual bool) order {
	o := k.Options
	if len(o.At) > 0 {
		return order{len(o.At), func(i int) int { return g.Number(o.At[i]) }}
	}
	count := g.Total
	if o.Programs > 0 {
		count = min(count, o.Programs)
	}
	if count == g.Total && g.Total <= 1<<16 && !virtual {
		return order{count, func(i int) int { return i }}
	}
	corners := corners(g)
	if virtual && o.Programs == 0 {
		count = len(corners)
	}
	chosen := map[int]bool{}
	for _, i := range corners {
		chosen[i] = true
	}
	rest, next := k.Host.Order(g.Total, 1), 0
	return order{count, func(i int) int {
		if i < len(corners) {
			return corners[i]
		}
		for {
			if p := rest(next); !chosen[p] {
				next++
				return p
			}
			next++
		}
	}}
}
