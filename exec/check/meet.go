package check

import tl "github.com/tiler-go/tiler/tilelang"

// An access enters the shadow in runs: lanes that are carried out and lie one after the
// other. Of a run, what nobody else has come to is entered in one go.

// meet enters the access into the shadow, and finds races.
func (w *visitor) meet() {
	var race racing
	for i := 0; i < len(w.a.Offsets); {
		n := w.run(i)
		if n == 0 {
			i++
			continue
		}
		w.enter(i, n, &race)
		i += n
	}
	if len(race.own) > 0 {
		w.handed(race.own)
	}
	if race.lanes > 0 {
		w.race(race)
	}
	if race.same > 0 {
		w.sameStore(race)
	}
}

// run is how many lanes from lane i on are live and lie one after the other.
func (w *visitor) run(i int) int {
	offs, active, skip := w.a.Offsets, w.a.Active, w.a.Skip
	k := i
	for ; k < len(offs) && offs[k]-offs[i] == int64(k-i); k++ {
		if active != nil && active[k] == 0 || skip != nil && skip[k] != 0 {
			break
		}
	}
	return k - i
}

// enter enters n lanes from lane i on, a run.
func (w *visitor) enter(i, n int, race *racing) {
	v, off := w.v, w.a.Offsets[i]
	if v.shadow.sparse != nil {
		for k := range n {
			w.touch(v.cell(off+int64(k)), i+k, race)
		}
		return
	}
	cells := v.shadow.cells[v.first+int(off)*v.unit:][:n*v.unit]
	for k := 0; k < len(cells); k++ {
		switch w.a.Kind {
		case tl.Loads:
			k += w.c.readAlone(cells[k:], min(w.s.number, 0xffff))
		case tl.Stores:
			k += w.c.writeAlone(cells[k:], min(w.s.number, 0xffff))
		}
		if k < len(cells) {
			w.touch(&cells[k], i+k/v.unit, race)
		}
	}
}

// readAlone enters loads of cells up to the first that anybody has written or updated,
// and returns how many.
func (c *Checker) readAlone(cells []cell, site uint32) int {
	for k := range cells {
		p := &cells[k]
		if p.write|p.atomic != 0 {
			return k
		}
		c.read(p, site)
	}
	return len(cells)
}

// read enters a load.
func (c *Checker) read(p *cell, site uint32) {
	if p.read == 0 || c.owner[p.read&^others] == c.instance {
		p.read = p.read&others | c.segment
	} else {
		p.read |= others
	}
	p.sites = p.sites&0xffff | site<<16
}

// writeAlone enters stores to cells up to the first that another instance has come to,
// and returns how many.
func (c *Checker) writeAlone(cells []cell, site uint32) int {
	for k := range cells {
		p := &cells[k]
		if p.atomic != 0 || p.read&others != 0 || p.read != 0 && c.owner[p.read] != c.instance || p.write != 0 && c.owner[p.write] != c.instance {
			return k
		}
		c.write(p, site)
	}
	return len(cells)
}

// write enters a store: what came before is before it, or was reported.
func (c *Checker) write(p *cell, site uint32) {
	p.write, p.read, p.atomic = c.segment, 0, 0
	p.sites = p.sites&^0xffff | site
}
