package runs

import (
	"maps"
	"slices"

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
		given: map[*ir.Value]bool{}, left: map[*ir.Value]*ir.Value{},
		parts: map[*ir.Value]part{}, rows: map[*ir.Value]*ascent{},
		tiles: map[*ir.Value]*ir.Value{}, boxes: map[*ir.Value]*ir.Value{},
	}
}

func (p spot) clone() spot {
	return spot{
		given: maps.Clone(p.given), left: map[*ir.Value]*ir.Value{},
		parts: maps.Clone(p.parts), rows: maps.Clone(p.rows),
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
func (w spot) learn(on *ir.Value, is bool) {
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
func (w spot) known(on *ir.Value) (is, ok bool) {
	is, ok = w.given[on]
	switch {
	case ok:
	case on.Op == op.Not:
		is, ok = w.known(on.Args[0])
		is = !is
	case compares(on):
		is, ok = w.follows(on)
	}
	return is, ok
}

// asked is what is left to ask of a flag, nil if it is true; never, if it is false.
func asked(w *runWriter, on *ir.Value) (left *ir.Value, never bool) {
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
	x, never := asked(w, on.Args[0])
	if never {
		return nil, true
	}
	y, never := asked(w, on.Args[1])
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
// is none of which an alternative is loaded. What is not picked is not loaded then, nor for the store's mask: it has to
// be masked off there, as it may lie outside its tensor.
func pick(w *runWriter, store, val *ir.Value) *ir.Value {
	found, all := reach(w, val), reach(w, store.Args...)
	if found.more || all.more {
		return nil
	}
	for _, on := range found.picks {
		if mayLeave(w, store, all.loads, on, true) && mayLeave(w, store, all.loads, on, false) {
			return on
		}
	}
	return nil
}

// mayLeave reports whether all loads that are not reached where a flag is known are masked off there.
func mayLeave(w *runWriter, store *ir.Value, loads []*ir.Value, on *ir.Value, is bool) (ok bool) {
	w.within(on, is, func() {
		left := reach(w, store.Args...).loads
		ok = !slices.ContainsFunc(loads, func(v *ir.Value) bool {
			return !slices.Contains(left, v) && !maskedOff(w, v)
		})
	})
	return ok
}

// maskedOff reports whether a load is known to load nothing.
func maskedOff(w *runWriter, v *ir.Value) bool {
	mask := v.Memory().Mask
	if mask == nil {
		return false
	}
	parts := map[*ir.Value]bool{}
	conjuncts(mask, parts)
	for m := range parts {
		if on := w.part(m).one; on != nil {
			if w.isFalse(on) {
				return true
			}
		}
	}
	return false
}

// A reached is what a value is made of within a run: loads, and flags that pick what is made of loads.
type reached struct {
	loads, picks []*ir.Value
	more         bool // than is looked at
}

// reach goes through what values are made of, but for what is known not to be picked.
func reach(w *runWriter, vals ...*ir.Value) (z reached) {
	seen := map[*ir.Value]bool{}
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if p := w.part(v); seen[v] || !w.copies(v) || p.one != nil || p.start != nil {
			return
		}
		if seen[v] = true; len(seen) > mostPicked {
			z.more = true
			return
		}
		args, before := v.Args, len(z.loads)
		if x := pickedOf(w, v); x != nil {
			args = []*ir.Value{x}
		}
		for _, a := range args {
			visit(a)
		}
		switch on := flagOf(w, v); {
		case v.Op == op.Load:
			z.loads = append(z.loads, v)
		case on == nil || len(args) == 1 || always(w, on) || slices.Contains(z.picks, on):
		case slices.Contains(vals, v) || len(z.loads) > before:
			z.picks = append(z.picks, on)
		}
	}
	for _, v := range vals {
		visit(v)
	}
	return z
}

// flagOf is the flag by which a Where picks one value for all of the run, nil if there is none.
func flagOf(w *runWriter, v *ir.Value) *ir.Value {
	if v.Op != op.Where {
		return nil
	}
	return w.part(v.Args[0]).one
}

// always reports whether a flag is the same in all runs: nothing asks whether what it does not pick may be left out.
func always(w *runWriter, on *ir.Value) bool {
	return on == w.yes || on.Op == op.Not && on.Args[0] == w.yes
}

// pickedOf is which of a Where's values a flag that is known picks, nil if none does.
func pickedOf(w *runWriter, v *ir.Value) *ir.Value {
	on := flagOf(w, v)
	if on == nil {
		return nil
	}
	is, ok := w.known(on)
	x, other := v.Args[1], v.Args[2]
	if !is {
		x, other = other, x
	}
	if p := w.part(other); !ok || always(w, on) && w.copies(other) && p.one == nil && p.start == nil {
		return nil
	}
	return x
}

// store writes a store of the run's lanes: where a scalar picks what is stored, on either side of a branch, or, if that
// cannot be, each of two tiles by itself.
func (w *runWriter) store(v *ir.Value, picks int) {
	val := v.Memory().Val
	if v.Op != op.Store {
		w.access(v, val, nil)
		return
	}
	for w.copies(val) && pickedOf(w, val) != nil {
		val = pickedOf(w, val)
	}
	if picks > 0 {
		if on := pick(w, v, val); on != nil {
			yes := w.within(on, true, func() { w.store(v, picks-1) })
			no := w.within(on, false, func() { w.store(v, picks-1) })
			w.Add(ir.If, ir.Type{}, on).Blocks = []*ir.Block{yes, no}
			return
		}
	}
	if !w.copies(val) || w.part(val).one != nil || flagOf(w, val) == nil {
		w.access(v, val, nil)
		return
	}
	on := flagOf(w, val)
	w.access(v, val.Args[1], on)
	w.access(v, val.Args[2], w.Add(op.Not, flag, on))
}
