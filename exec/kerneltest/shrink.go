package kerneltest

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Shrink makes a Func that fails smaller, as long as it still does: it drops what
// nobody uses, and makes constants of what somebody does.
func Shrink(f *ir.Func, fails func(f *ir.Func) bool) *ir.Func {
	text := f.String()
	try := func(change func(g *ir.Func) bool) bool {
		g := ir.MustParse(text)
		if !change(g) || ir.Verify(g) != nil {
			return false
		}
		smaller := g.String()
		if smaller == text || !fails(ir.MustParse(smaller)) {
			return false
		}
		text = smaller
		return true
	}
	for again := true; again; {
		again = false
		for i := ir.MustParse(text).NumIDs(); i > 0; i-- {
			again = try(func(g *ir.Func) bool { return dropValue(g, i) }) || again
			again = try(func(g *ir.Func) bool { return dropBlock(g, i) }) || again
			again = try(func(g *ir.Func) bool { return simplifyValue(g, i) }) || again
		}
	}
	return ir.MustParse(text)
}

// find is value number i of f with its block.
func find(f *ir.Func, i int) (b *ir.Block, at int) {
	f.Walk(func(c *ir.Block) {
		for k, v := range c.Values {
			if v.ID == i {
				b, at = c, k
			}
		}
	})
	return b, at
}

func used(f *ir.Func, v *ir.Value) (used bool) {
	f.Values(func(w *ir.Value) {
		for _, a := range w.Args {
			used = used || a == v
		}
	})
	return used
}

func dropValue(f *ir.Func, i int) bool {
	b, at := find(f, i)
	if b == nil || b.Values[at].IsTerm() || used(f, b.Values[at]) {
		return false
	}
	b.Values = append(b.Values[:at:at], b.Values[at+1:]...)
	return true
}

// dropBlock replaces an If by one of its blocks, if that yields, and a loop by what it
// carries at first.
func dropBlock(f *ir.Func, i int) bool {
	b, at := find(f, i)
	if b == nil || !b.Values[at].IsControl() {
		return false
	}
	v := b.Values[at]
	if v.Op != ir.If {
		replaceResults(f, b, at, v.Args[len(v.Args)-len(v.Results):])
		b.Values = append(b.Values[:at:at], b.Values[at+1:]...)
		return true
	}
	for _, inner := range v.Blocks {
		t := inner.Term()
		if t.Op != ir.Yield {
			continue
		}
		replaceResults(f, b, at, t.Args)
		b.Values = append(append(b.Values[:at:at], inner.Values[:len(inner.Values)-1]...), b.Values[at+1:]...)
		return true
	}
	return false
}

// replaceResults makes other values of the results of a value, and drops those.
func replaceResults(f *ir.Func, b *ir.Block, at int, with []*ir.Value) {
	subst := map[*ir.Value]*ir.Value{}
	f.Values(func(r *ir.Value) {
		if r.Op == ir.Result && r.Args[0] == b.Values[at] {
			subst[r] = with[r.Index]
		}
	})
	f.Replace(subst)
	kept := b.Values[: at+1 : at+1]
	for _, r := range b.Values[at+1:] {
		if subst[r] == nil {
			kept = append(kept, r)
		}
	}
	b.Values = kept
}

// simplifyValue makes value i a constant, or the parameter that a pointer of its type
// could be.
func simplifyValue(f *ir.Func, i int) bool {
	b, at := find(f, i)
	if b == nil {
		return false
	}
	v := b.Values[at]
	if v.Type.D == dtype.Invalid || v.Op == op.Const || v.Op == op.Broadcast && !v.Args[0].Type.IsTile() || len(v.Results) > 0 || !used(f, v) {
		return false
	}
	var scalar *ir.Value
	if v.Type.D.IsPointer() {
		for _, p := range f.Params {
			if p.Type.D == v.Type.D {
				scalar = p
			}
		}
		if scalar == nil {
			return false
		}
	} else {
		scalar = f.NewValue(op.Const, v.Type.Elem(), diag.Pos{})
	}
	with, added := scalar, []*ir.Value{}
	if scalar.Op == op.Const {
		added = append(added, scalar)
	}
	if v.Type.IsTile() {
		with = f.NewValue(op.Broadcast, v.Type, diag.Pos{}, scalar)
		added = append(added, with)
	}
	f.Replace(map[*ir.Value]*ir.Value{v: with})
	b.Values = append(append(b.Values[:at:at], added...), b.Values[at:]...)
	return true
}
