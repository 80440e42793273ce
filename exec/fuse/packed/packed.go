// Package packed finds stores that move lanes together: elements that are selected, indices of those that are not
// zero, those of a digit in a radix sort. Such a store is under a mask, to places that count the lanes of that mask,
// which are a line of their rank: the first is all that is to be known. The sum that counts lanes is computed by
// nobody, unless others need it, or an element lies outside its tensor.
package packed

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Store is where a store's lanes go. The first goes to what Steps make of 1, and each other one so much further.
type Store struct {
	Sum   *ir.Value // the scan that counts lanes
	Steps []Step
	Apart int64 // elements from a place to the next, one at least
	// Also is what the store's mask asks for beside Counted, the lanes that the sum counts: it packs them if that holds
	// in all of them.
	Counted *ir.Value
	Also    []*ir.Value
}

// A Step changes a place: it is added to or subtracted from, multiplied by N, or widened from 32 bits by a Cast,
// ahead of which no place wraps.
type Step struct {
	Op op.Op
	V  *ir.Value // the scalar that is added or subtracted, maybe a pointer; nil for N
	N  int64
}

// most is how many operations are followed from a place, or a mask, to what it is made of.
const most = 6

// mostApart is how far places may be apart: sums of so many for each lane of a tile do not wrap.
const mostApart = 1 << 20

// Of is what is known of a store, nil if it is none that packs lanes.
func Of(v *ir.Value) *Store {
	if v.Op != op.Store {
		return nil
	}
	mem := v.Memory()
	if mem.Mask == nil || mem.Ptr.Type.Shape.N != 1 || mem.Val.Type.D == dtype.Bool {
		return nil
	}
	p, mask := &Store{Apart: 1}, mem.Mask.Conjuncts()
	if !p.find(mem.Ptr, mask, most) {
		return nil
	}
	p.Counted = counted(p.Sum.Args[0])
	all := p.Counted.Conjuncts()
	for _, c := range mask {
		if !slices.Contains(all, c) {
			p.Also = append(p.Also, c)
		}
	}
	if slices.ContainsFunc(p.Also, func(c *ir.Value) bool { return !ofIndices(c, most) }) {
		return nil
	}
	return p
}

// ofIndices reports whether a tile is made of indices and scalars, in few steps: masks of that kind most often say of
// lanes what those of loaded elements have been told.
func ofIndices(v *ir.Value, steps int) bool {
	if !v.Type.IsTile() || ir.Family(v.Op) == op.Create {
		return true
	}
	_, shape := affine.DimMap(v)
	may := steps > 0 && !v.CanFail() && (affine.LaneByLane(v) || ir.Family(v.Op) == op.Shape && shape)
	return may && !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return !ofIndices(a, steps-1) })
}

// find reports whether v is a line of the ranks of the mask's lanes, and notes how it is made of them.
func (p *Store) find(v *ir.Value, mask []*ir.Value, steps int) bool {
	d := v.Type.D
	switch {
	case steps < 0 || d != dtype.Int32 && d != dtype.Int64 && !d.IsPointer():
		return false
	case v.Op == op.CumSum:
		p.Sum = v
		return v.Flags&ir.Reverse == 0 && len(v.Args) == 1 && implied(mask, counted(v.Args[0]))
	case v.Op == op.Cast && v.Args[0].Type.D == dtype.Int32:
		return p.find(v.Args[0], mask, steps-1) && p.then(Step{Op: op.Cast})
	case v.Op == op.Mul:
		c := affine.RepeatedConst(v.Args[1])
		if c == nil {
			return false
		}
		n := dtype.ToInt(c.Type.D, c.Bits)
		return n > 0 && n <= mostApart && p.find(v.Args[0], mask, steps-1) && p.scaled(n)
	case v.Op == op.Add || v.Op == op.Sub || v.Op == ir.PtrAdd:
		by := op.Add
		if v.Op == op.Sub {
			by = op.Sub
		}
		for i, a := range v.Args {
			if s, ok := alike(a, mask, by); ok && (i == 1 || by == op.Add) {
				return p.find(v.Args[1-i], mask, steps-1) && p.then(s)
			}
		}
	}
	return false
}

func (p *Store) then(s Step) bool {
	p.Steps = append(p.Steps, s)
	return true
}

func (p *Store) scaled(n int64) bool {
	p.Apart *= n
	return p.Apart <= mostApart && p.then(Step{Op: op.Mul, N: n})
}

// alike is a step of what is the same in all lanes that a mask lets through.
func alike(v *ir.Value, mask []*ir.Value, by op.Op) (s Step, ok bool) {
	if s := affine.Repeated(v); s != nil {
		return Step{Op: by, V: s}, true
	}
	if v.Op == op.Cast && v.Type.D == dtype.Int64 && v.Args[0].Type.D == dtype.Int32 {
		v = v.Args[0]
	}
	return Step{Op: by, N: 1}, implied(mask, counted(v))
}

// implied reports whether a mask holds where all of some conditions do.
func implied(conds []*ir.Value, mask *ir.Value) bool {
	if mask == nil {
		return false
	}
	other := func(c *ir.Value) bool { return !slices.Contains(conds, c) }
	return !slices.ContainsFunc(mask.Conjuncts(), other)
}

// counted is the mask that a tile is 1 under, and 0 elsewhere; nil if there is none.
func counted(v *ir.Value) *ir.Value {
	is := func(v *ir.Value, n int64) bool {
		c := affine.RepeatedConst(v)
		return c != nil && dtype.ToInt(c.Type.D, c.Bits) == n
	}
	switch d := v.Type.D; {
	case !d.IsInt() || d == dtype.Bool:
	case v.Op == op.Cast && v.Args[0].Type.D == dtype.Bool,
		v.Op == op.Where && is(v.Args[1], 1) && is(v.Args[2], 0):
		return v.Args[0]
	}
	return nil
}
