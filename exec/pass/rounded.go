package pass

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass/write"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// An operation on halves is one on float32, and rounded. Where it is only stored, who stores it rounds: the IR says so
// by a cast. Lanes of halves are float32 that were rounded, which takes as long again as what the store does.

// Rounded is f, if it stores nothing that an operation has just rounded, or a Func in which such operations are of
// float32.
func Rounded(f *ir.Func) *ir.Func {
	found := false
	f.Values(func(v *ir.Value) { found = found || storesRounded(v) })
	if !found || len(roundedStores(f)) == 0 {
		return f
	}
	c := f.Clone()
	stores := roundedStores(c)
	c.Walk(func(b *ir.Block) {
		w := write.Writer{Fn: c}
		for _, v := range b.Values {
			if stores[v] {
				w.Pos = v.Memory().Val.Pos
				v.Args[slices.Index(v.Args, v.Memory().Val)] = widened(&w, v.Memory().Val)
			}
			w.Out = append(w.Out, v)
		}
		b.Values = w.Out
	})
	dce(c)
	return c
}

// roundedStores is the stores of what nobody else uses, and the same round of a loop computes, by an operation on
// halves that rounds.
func roundedStores(f *ir.Func) map[*ir.Value]bool {
	uses, in := map[*ir.Value]int{}, map[*ir.Value]*ir.Block{}
	var stores []*ir.Value
	f.Walk(func(b *ir.Block) {
		for _, v := range b.Values {
			in[v] = b
			for _, a := range v.Args {
				uses[a]++
			}
			if storesRounded(v) {
				stores = append(stores, v)
			}
		}
	})
	set := map[*ir.Value]bool{}
	for _, v := range stores {
		if x := v.Memory().Val; uses[x] == 1 && in[x] == in[v] {
			set[v] = true
		}
	}
	return set
}

// storesRounded reports whether v stores what an operation on halves has rounded.
func storesRounded(v *ir.Value) bool {
	return v.Op == op.Store && v.Memory().Val.Type.IsTile() && rounds(v.Memory().Val)
}

// rounds reports whether a value is an operation on halves that leaves others than its operands.
func rounds(v *ir.Value) bool {
	d := v.Type.D
	switch {
	case d != dtype.Float16 && d != dtype.BFloat16, ir.Family(v.Op) != op.Elementwise, v.CanFail():
		return false
	case v.Op == op.FMA, v.Op == op.Where, v.Op == op.Neg, v.Op == op.Abs, v.Op >= op.Maximum && v.Op <= op.MinimumNaN:
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return a.Type.D != d })
}

// widened is a value computed in float32, and rounded.
func widened(w *write.Writer, v *ir.Value) *ir.Value {
	args := make([]*ir.Value, len(v.Args))
	for i, a := range v.Args {
		args[i] = w.Add(op.Cast, a.Type.As(dtype.Float32), a)
	}
	return w.Add(op.Cast, v.Type, w.Clone(v, v.Type.As(dtype.Float32), args...))
}
