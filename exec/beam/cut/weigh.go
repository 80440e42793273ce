package cut

// A weight is what pieces of the size of a box cost.
type weight struct {
	memory int     // of those that are in flight at a time
	reads  float64 // bytes that are read for each program
}

// weigh is what pieces like a box cost when several are in flight. Pieces along an axis that the grid is cut along come
// one after the other, and have in common what does not depend on that axis and no program stores to: a product's pieces
// go down the rows, and have their columns of b in memory once. It is the axis that takes the least memory.
func (c *cutting) weigh(b box, t touch) weight {
	q := c.piece(b, t)
	bytes, all := c.bytes(q), c.p.Bytes(q)
	if b.n == c.p.grid {
		return weight{all, float64(all) / float64(b.size())}
	}
	best := weight{c.inFlight * all, float64(all) / float64(b.size())}
	for axis, n := range b.n {
		if n == c.p.grid[axis] || !t.exact || c.inFlight == 1 {
			continue
		}
		first := b
		first.n[axis] = 1
		one := c.piece(first, c.touch(first))
		w, pieces := weight{}, c.p.grid[axis]/n
		for arg, n := range bytes {
			if q.Write[arg].Empty() && one.Need[arg] == q.Need[arg] {
				w.memory += n
				w.reads += float64(n) / float64(b.size()*pieces)
			} else {
				w.memory += c.inFlight * n
				w.reads += float64(n) / float64(b.size())
			}
		}
		if w.memory < best.memory {
			best = w
		}
	}
	return best
}

// bytes is the memory of a piece, by argument.
func (c *cutting) bytes(q Piece) []int {
	all := make([]int, len(q.Need))
	for i, r := range q.Need {
		if t := c.p.Launch.Args[i].Tensor; t != nil {
			all[i] = r.Bytes(t.Type().Size())
		}
	}
	return all
}

// better reports whether a box is to be halved so rather than as y says: so that less is read of two that fit, and so
// that less memory is needed as long as none does.
func (c *cutting) better(x, y *halves) bool {
	if y == nil {
		return true
	}
	a, b := x.most(), y.most()
	if fits := a.memory <= c.memory; fits != (b.memory <= c.memory) {
		return fits
	} else if fits {
		return a.reads < b.reads
	}
	return a.memory < b.memory
}
