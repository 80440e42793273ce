package pass

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// cse replaces a value by an equal one that is computed before it in the same block or
// around it. Where numbers can fail, the second one does not: the first one would have.
func cse(f *ir.Func) {
	c := &commoner{seen: map[uint64]*ir.Value{}, subst: map[*ir.Value]*ir.Value{}}
	c.block(f.Body)
	f.Replace(c.subst)
}

type commoner struct {
	seen  map[uint64]*ir.Value // values of the open blocks by hash
	subst map[*ir.Value]*ir.Value
}

func (c *commoner) block(b *ir.Block) {
	var own []uint64
	kept := b.Values[:0]
	for _, v := range b.Values {
		for i, a := range v.Args {
			for w, ok := c.subst[a]; ok; w, ok = c.subst[w] {
				v.Args[i] = w
			}
		}
		for _, inner := range v.Blocks {
			c.block(inner)
		}
		if onlyComputes(v) && len(v.Blocks) == 0 && len(v.Results) == 0 {
			h := hash(v)
			if w := c.seen[h]; w != nil && equal(v, w) {
				c.subst[v] = w
				continue
			}
			c.seen[h] = v
			own = append(own, h)
		}
		kept = append(kept, v)
	}
	b.Values = kept
	for _, h := range own {
		delete(c.seen, h)
	}
}

// onlyComputes reports whether all that v does is its result, or a failure for want of one.
func onlyComputes(v *ir.Value) bool {
	return v.Pure() || v.Op == ir.Fits || ir.Family(v.Op) == op.Elementwise
}

// equal reports whether two values compute the same.
func equal(v, w *ir.Value) bool {
	return v.Op == w.Op && (v.Op != ir.GoMath || v.Text == w.Text) && v.Type == w.Type && v.Bits == w.Bits && v.Index == w.Index &&
		v.Axis == w.Axis && v.Flags == w.Flags &&
		v.Chain == w.Chain && slices.Equal(v.Args, w.Args) && slices.Equal(v.Axes, w.Axes)
}

// hash is the same for equal values.
func hash(v *ir.Value) uint64 {
	h := uint64(14695981039346656037) // FNV-1a, by words
	mix := func(x uint64) {
		h = (h ^ x) * 1099511628211
		h ^= h >> 32
	}
	mix(uint64(v.Op) | uint64(v.Type.D)<<16 | uint64(v.Flags)<<32 | uint64(v.Axis)<<48)
	mix(v.Bits)
	mix(uint64(v.Index) | uint64(v.Chain)<<56)
	for _, d := range v.Type.Shape.D[:v.Type.Shape.N] {
		mix(uint64(d))
	}
	if v.Op == ir.GoMath {
		for _, c := range []byte(v.Text) {
			mix(uint64(c))
		}
	}
	for _, a := range v.Args {
		mix(uint64(a.ID))
	}
	return h
}
