package fuse

import (
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// String is a line for each tile that is kept or early, each load that may fail where it stands, and each
// pass that prefetches, in program order.
func (p *Schedule) String() string {
	var b strings.Builder
	p.f.Values(func(v *ir.Value) {
		var words []string
		at := p.Of(v)
		if at.Keep {
			words = append(words, "kept")
		}
		if at.Within {
			words = append(words, "within the store's loop")
		}
		if at.Early {
			words = append(words, "where it stands")
		}
		if v.IsMemory() && Lazy(v) && !at.Sure {
			words = append(words, "checked where it stands")
		}
		for _, a := range at.Prefetches {
			words = append(words, fmt.Sprintf("prefetches for %s, %d ahead%s", a.V.Name(), a.Turns, a.When))
		}
		if p.Kept(v) && v.Op != op.None {
			words = append(words, seen(p, v)...)
		}
		if v == p.Overlap.Last {
			words = append(words, "ends the head, which is done for the next instance")
		}
		if v == p.Overlap.Gap {
			words = append(words, "comes behind the next instance's head")
		}
		if len(words) > 0 {
			fmt.Fprintf(&b, "%s %s: %s\n", v.Name(), ir.OpName(v.Op), strings.Join(words, "; "))
		}
	})
	return b.String()
}

// seen says what is looked at of a tile.
func seen(p *Schedule, v *ir.Value) (words []string) {
	for dim, bounds := range Demanded(p, v) {
		if len(bounds) == 0 {
			continue
		}
		var by []string
		for _, b := range bounds {
			by = append(by, fmt.Sprintf("%s's %d", b.Mask.Name(), b.Dim))
		}
		words = append(words, fmt.Sprintf("seen along %d where %s", dim, strings.Join(by, " or ")))
	}
	return words
}

// String is the limit as Schedule.String writes it.
func (w When) String() string {
	return [...]string{Always: "", WhenCached: " unless the last store is non-temporal", WhenStreamed: " if the last store is non-temporal"}[w]
}
