package nest

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/cursor"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Prefetches that the schedule gives to passes (fuse/prefetch.go) as code.

// furtherOn is how many bytes ahead a store prefetches for itself.
const furtherOn = 1024

// prefetchAhead writes, into the block at hand, what prefetches for memory. A loop with a twin of
// non-temporal stores works in the caches, and does not prefetch what it loads itself.
func (n *Nest) prefetchAhead() {
	g := n.G
	for _, pf := range n.Ahead.List {
		v, o := pf.V, asm.PREFETCHW
		if pf.When == fuse.WhenCached && n.Streaming {
			continue
		}
		if pf.Turns == 0 {
			n.prefetchFurtherOn(pf.Busy)
			continue
		}
		if v.Op == op.Load {
			o = asm.PREFETCHT1
			if n.Stream != nil && !n.Streaming && n.loads[cursor.Key{V: v, M: affine.Identity(n.Shape)}] != nil {
				continue
			}
		}
		a, ok := n.Ahead.Where[v]
		if !ok {
			a = g.Ahead(pf)
			n.Ahead.Where[v] = a
		}
		if a == nil || n.Off*a.D.Size()%64 != 0 {
			continue
		}
		if at, step := n.Address(a, affine.Identity(n.Shape)); step.R == 0 && step.N == int64(a.D.Size()) {
			g.Use(o, at.Sized(1))
		}
	}
}

// prefetchFurtherOn prefetches for memory that the nest's own store comes to a little later: a store
// that misses holds up those behind it. A line that several blocks prefetch costs more than
// it gains, unless the loop is busy, and so do short rows, whose ends prefetch what is not stored.
func (n *Nest) prefetchFurtherOn(busy bool) {
	g, a := n.G, n.Stream
	if a == nil || n.Streaming || n.Tail != nil || g.Bytes < 64 && !busy || n.Shape.D[n.Inner()]*a.D.Size() < 2*furtherOn {
		return
	}
	at, _ := n.Address(a, affine.Identity(n.Shape))
	for line := 0; line < g.Lanes*a.D.Size(); line += 64 {
		g.Use(asm.PREFETCHW, at.Plus(furtherOn+line).Sized(1))
	}
}
