package runs

import (
	"maps"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// What a scalar picks in a run is a branch, on either side of which only one of two values is computed and stored: as
// that scalar is known there, masks that it is part of say less, or nothing.

// mostPicks is how many picks of a stored value are branches, one inside another; mostPicked is how many of its values
// are looked at.
const (
	mostPicks  = 2
	mostPicked = 64
)

// A spot is what has been written that is there for all that follows in a block, and what is known there.
type spot struct {
	given map[*ir.Value]bool      // flags that are known
	left  map[*ir.Value]*ir.Value // what is left to ask of others
	parts map[*ir.Value]part
	rows  map[*ir.Value]*ascent
	tiles map[*ir.Value]*ir.Value
	boxes map[*ir.Value]*ir.Value // masks of a run, by the scalar that lets it through
	none  *ir.Value               // the mask of no lane
}

func newSpot() spot {
	return spot{
		given: map[*ir.Value]bool{}, left: map[*ir.Value]*ir.Value{}, parts: map[*ir.Value]part{}, rows: map[*ir.Value]*ascent{},
		tiles: map[*ir.Value]*ir.Value{}, boxes: map[*ir.Value]*ir.Value{},
	}
}

func (p spot) clone() spot {
	return spot{
		given: maps.Clone(p.given), left: map[*ir.Value]*ir.Value{}, parts: maps.Clone(p.parts), rows: maps.Clone(p.rows),
		tiles: maps.Clone(p.tiles), boxes: maps.Clone(p.boxes), none: p.none,
	}
}

// within is a block where a flag is known.
func (w *runWriter) within(on *ir.Value, is bool, write func()) *ir.Block {
	out, outside := w.Out, w.spot
	w.Out, w.spot = nil, outside.clone()
	w.learn(on, is)
	clear(w.boxes) // what they ask about may be known now
	write()
	w.Add(ir.Yield, ir.Type{})
	b := &ir.Block{Values: w.Out}
	w.Out, w.spot = out, outside
	return b
}

// learn notes that a flag is known, and others with it.
func (w *runWriter) learn(on *ir.Value, is bool) {
	w.given[on] = is
	switch {
	case on.Op == op.Not:
		w.learn(on.Args[0], !is)
	case on.Op == op.And && is:
		w.learn(on.Args[0], true)
		w.learn(on.Args[1], true)
	}
}

// known says what a flag is if that is known.
func (w *runWriter) known(on *ir.Value) (is, ok bool) {
	if is, ok = w.given[on]; !ok && on.Op == op.Not {
		is, ok = w.known(on.Args[0])
		is = !is
	}
	return is, ok
}

// asked is what is left to ask of a flag, nil if it is true; never, if it is false.
func (w *runWriter) asked(on *ir.Value) (left *ir.Value, never bool) {
	if on == nil {
		return nil, false
	}
	if is, ok := w.known(on); ok {
		return nil, !is
	}
	if on.Op != op.And {
		return on, false
	}
	if left = w.left[on]; left != nil {
		return left, false
	}
	x, never := w.asked(on.Args[0])
	if never {
		return nil, true
	}
	y, never := w.asked(on.Args[1])
	switch {
	case never:
		return nil, true
	case x == nil:
		left = y
	case y == nil:
		left = x
	case x == on.Args[0] && y == on.Args[1]:
		left = on
	default:
		left = w.Add(op.And, flag, x, y)
	}
	if left == nil {
		w.given[on] = true
	}
	w.left[on] = left
	return left, false
}

// pick is a flag that picks one of two values of which what is stored is made, and that is not known yet: nil if there
// is none of which an alternative is loaded, or is stored as it is.
func (w *runWriter) pick(val *ir.Value) *ir.Value {
	seen := map[*ir.Value]bool{}
	var find func(v *ir.Value) *ir.Value
	find = func(v *ir.Value) *ir.Value {
		if seen[v] || len(seen) == mostPicked || !w.copies(v) || w.part(v).one != nil || w.part(v).start != nil {
			return nil
		}
		seen[v] = true
		args := v.Args
		switch {
		case v.Op == op.Load:
			return nil
		case v.Op == op.Where:
			on := w.part(v.Args[0]).one
			if on == nil {
				break
			}
			switch is, ok := w.known(on); {
			case ok && is:
				args = v.Args[1:2]
			case ok:
				args = v.Args[2:]
			case v == val || w.loads(v.Args[1]) || w.loads(v.Args[2]):
				return on
			}
		}
		for _, a := range args {
			if on := find(a); on != nil {
				return on
			}
		}
		return nil
	}
	if on := find(val); on != nil && len(seen) < mostPicked {
		return on
	}
	return nil
}

// loads reports whether a value is made of what the run loads.
func (w *runWriter) loads(v *ir.Value) bool {
	seen := map[*ir.Value]bool{}
	var find func(v *ir.Value) bool
	find = func(v *ir.Value) bool {
		if seen[v] || len(seen) == mostPicked || !w.copies(v) || w.part(v).one != nil {
			return false
		}
		seen[v] = true
		if v.Op == op.Load {
			return true
		}
		for _, a := range v.Args {
			if find(a) {
				return true
			}
		}
		return false
	}
	return find(v)
}

// store writes a store of the run's lanes: where a scalar picks what is stored, on either side of a branch.
func (w *runWriter) store(v *ir.Value, picks int) {
	val := v.Memory().Val
	var on *ir.Value
	if v.Op == op.Store && picks > 0 {
		on = w.pick(val)
	}
	if on == nil {
		w.access(v, val)
		return
	}
	yes := w.within(on, true, func() { w.store(v, picks-1) })
	no := w.within(on, false, func() { w.store(v, picks-1) })
	w.Add(ir.If, ir.Type{}, on).Blocks = []*ir.Block{yes, no}
}

// picked is which of a Where's values a flag that is known picks, nil if none does.
func (w *runWriter) picked(v *ir.Value) *ir.Value {
	on := w.part(v.Args[0]).one
	if on == nil {
		return nil
	}
	switch is, ok := w.known(on); {
	case !ok:
		return nil
	case is:
		return v.Args[1]
	}
	return v.Args[2]
}
