package sanitizer

import tl "github.com/tiler-go/tiler/tilelang"

// An access enters the shadow in runs: lanes that are carried out and lie one after the
// other. Of a run, what nobody else has come to is entered in one go.

// meet enters the access into the shadow, and finds races.
func (w *visitor) meet() {
	var race racing
	for i := 0; i < len(w.a.Offsets); {
		n := run(w.a, i)
		if n == 0 {
			i++
			continue
		}
		enter(w, i, n, &race)
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
func run(a *tl.Access, i int) int {
	offs, active, skip := a.Offsets, a.Active, a.Skip
	k := i
	for ; k < len(offs) && offs[k]-offs[i] == int64(k-i); k++ {
		if active != nil && active[k] == 0 || skip != nil && skip[k] != 0 {
			break
		}
	}
	return k - i
}

// enter enters n lanes from lane i on, a run.
func enter(w *visitor, i, n int, race *racing) {
	v, off := w.v, w.a.Offsets[i]
	if v.shadow.sparse != nil {
		for k := range n {
			w.touch(v.cell(off+int64(k)), i+k, race)
		}
		return
	}
	cells := v.shadow.cells[v.first+int(off)*v.unit:][:n*v.unit]
	for k := 0; k < len(cells); k++ {
		k += w.c.past.Alone(w.a.Kind, cells[k:], min(w.s.number, 0xffff))
		if k < len(cells) {
			w.touch(&cells[k], i+k/v.unit, race)
		}
	}
}
