package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/fuse/packed"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// onlyPacks reports whether v, a scan or a tile that is computed lane by lane, is of use to places of lanes that are
// packed alone, in its own block.
func onlyPacks(p *Schedule, v *ir.Value, needs []sink) bool {
	other := slices.ContainsFunc(needs, func(s sink) bool {
		k := packed.Of(s.v)
		return k == nil || !Lazy(v) && k.Sum != v || s.some || p.Of(s.v).Block != p.Of(v).Block
	})
	return !other && len(needs) > 0 && onlyPlaces(p, v, map[*ir.Value]bool{})
}

// onlyPlaces reports whether all that is made of v is where stores go.
func onlyPlaces(p *Schedule, v *ir.Value, seen map[*ir.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	return !slices.ContainsFunc(p.Of(v).Users, func(u *ir.Value) bool {
		if u.Op == op.Store {
			m := u.Memory()
			return v != m.Ptr || v == m.Val || v == m.Mask
		}
		return p.Kept(u) || !onlyPlaces(p, u, seen)
	})
}
