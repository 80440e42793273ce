package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A scan along rows needs of all that comes before a block what the last element was combined to: a loop over the
// blocks of a row, in order, computes it on its way. If elements combine in any order that is how it is computed. If
// they do not, and there is one row only, it is if the only user is a store, whose loop does it: the result never lies
// in memory. Several rows are better scanned together.
//
// A scan along another axis needs what the row before was combined to: a loop down the rows of a few vectors carries it
// in registers. If the only user is a store, its loop does that, too.

// RowScan reports whether a loop over rows computes a scan on its way.
func RowScan(v *ir.Value) bool {
	if ir.Family(v.Op) != op.Scanning || v.Flags&ir.Reverse != 0 {
		return false
	}
	x := v.Args[0].Type
	if innermost(x.Shape) != v.Axis {
		return false
	}
	free, _, _ := AnyOrder(v)
	return free || x.Shape.Len() == x.Shape.D[v.Axis]
}

// ColumnScan reports whether a loop down the rows computes a scan on its way: rows are combined with those before.
func ColumnScan(v *ir.Value) bool {
	if ir.Family(v.Op) != op.Scanning {
		return false
	}
	inner := innermost(v.Args[0].Type.Shape)
	return inner >= 0 && inner != v.Axis
}

// AnyOrder reports whether a scan's elements combine in any order, which those of integers do, and whether they may
// take part more than once. Otherwise what is neutral has no effect.
func AnyOrder(v *ir.Value) (free, repeatable bool, neutral uint64) {
	d := v.Args[0].Type.D
	if !d.IsInt() {
		return false, false, 0
	}
	switch v.Combining() {
	case op.Add, op.Xor:
		return true, false, 0
	case op.Mul:
		return true, d == dtype.Bool, 1
	case op.Maximum, op.Minimum, op.And, op.Or:
		return true, true, 0
	}
	return false, false, 0
}

// ScanOf is the scan that v is, or is a result of, if a loop computes it on its way; nil if it is neither.
func ScanOf(v *ir.Value) *ir.Value {
	if v.Op == ir.Result {
		v = v.Args[0]
	}
	if RowScan(v) || ColumnScan(v) {
		return v
	}
	return nil
}

// Descent is a scan that the loop of a store computes on its way down the rows of v, nil if there is none.
func Descent(p *Schedule, v *ir.Value) (scan *ir.Value) {
	Walk(v, func(r Read, _ bool) bool {
		if s := ScanOf(r.V); s != nil && p.Of(s).Within && ColumnScan(s) && scan == nil {
			scan = s
		}
		return scan == nil && !p.Kept(r.V)
	})
	return scan
}

// decideScan chooses for a scan, or one of its results, whether the loop of a store computes it.
func (p *Schedule) decideScan(v *ir.Value, needs []sink) {
	at := p.Of(v)
	at.sinks = needs
	at.Within = len(at.Users) == 0 || onlyPacks(p, v, needs)
	if !at.Within && len(needs) == 1 && !needs[0].some {
		store := needs[0].v
		at.Within = store.Op == op.Store && p.Of(store).Block == at.Block && p.onlyStored(v)
	}
	if v.Op == ir.Result || len(v.Results) == 0 {
		return
	}
	for _, u := range at.Users {
		p.Of(u).Within = at.Within
	}
}

// onlyStored reports whether all that is made of v is elements of the same shape that are stored.
func (p *Schedule) onlyStored(v *ir.Value) bool {
	return !slices.ContainsFunc(p.Of(v).Users, func(u *ir.Value) bool {
		switch {
		case u.Op == op.Store:
			m := u.Memory()
			return v != m.Val || v == m.Ptr || v == m.Mask
		case u.Op == ir.Result:
			return !p.Of(u).Within
		}
		return ir.Family(u.Op) == op.Shape || p.Of(u).Keep || !Lazy(u) || !p.onlyStored(u)
	})
}

// SumsAlone reports whether a Func waits for additions: it adds floats up along rows, one after another, in loops that
// store them, and does little else.
func (p *Schedule) SumsAlone() bool {
	some, others := false, false
	p.f.Values(func(v *ir.Value) {
		switch ir.Family(v.Op) {
		case op.Scanning:
			d := v.Args[0].Type.D
			waits := p.Of(v).Within && RowScan(v) && v.Combining() == op.Add && d.IsFloat() && d.Size() >= 4
			some, others = some || waits, others || !waits
		case op.Elementwise:
			if len(v.Args) > 0 && !v.Args[0].Type.D.IsPointer() { // a function takes longer than additions
				others = others || v.Op.Row().Progs[v.Args[0].Type.D] != nil
			}
		case op.Reducing, op.Ordering, op.DotProduct, op.Atomic:
			others = true
		}
	})
	return some && !others
}

// Streams is which of a scan's streams are used, or have others that are used depend on what comes before in them; and
// what that takes of its lane function.
func (p *Schedule) Streams(v *ir.Value) (needed []bool, live map[*ir.Value]bool) {
	needed, live = make([]bool, len(v.Args)), map[*ir.Value]bool{}
	if len(v.Results) == 0 {
		needed[0] = true
	}
	for _, u := range p.Of(v).Users {
		if u.Op == ir.Result {
			needed[u.Index] = true
		}
	}
	if len(v.Blocks) == 0 {
		return needed, live
	}
	var use func(u *ir.Value)
	use = func(u *ir.Value) {
		if !live[u] {
			live[u] = true
			for _, a := range u.Args {
				use(a)
			}
		}
	}
	for more := true; more; {
		more = false
		for i, a := range v.Blocks[0].Args[:len(needed)] {
			needed[i] = needed[i] || live[a]
			if z := v.Blocks[0].Term().Args[i]; needed[i] && !live[z] {
				more = true
				use(z)
			}
		}
	}
	return needed, live
}
