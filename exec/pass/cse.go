package pass

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// key is everything that makes a pure value what it is.
type key struct {
	op       op.Op
	typ      ir.Type
	args     [4]*ir.Value
	bits     uint64
	index    int
	axis     int
	flags    ir.Flags
	axes     string
	argCount int
}

// cse replaces a pure value by an equal one that is computed before it in the same
// block or around it.
func cse(f *ir.Func) {
	subst := map[*ir.Value]*ir.Value{}
	cseBlock(f.Body, map[key]*ir.Value{}, subst)
	f.Replace(subst)
}

func cseBlock(b *ir.Block, outer map[key]*ir.Value, subst map[*ir.Value]*ir.Value) {
	seen := make(map[key]*ir.Value, len(outer)+len(b.Values))
	for k, v := range outer {
		seen[k] = v
	}
	kept := b.Values[:0]
	for _, v := range b.Values {
		for i, a := range v.Args {
			for w, ok := subst[a]; ok; w, ok = subst[w] {
				v.Args[i] = w
			}
		}
		for _, inner := range v.Blocks {
			cseBlock(inner, seen, subst)
		}
		if v.Pure() && len(v.Blocks) == 0 && len(v.Args) <= 4 && len(v.Results) == 0 {
			k := keyOf(v)
			if w := seen[k]; w != nil {
				subst[v] = w
				continue
			}
			seen[k] = v
		}
		kept = append(kept, v)
	}
	b.Values = kept
}

func keyOf(v *ir.Value) key {
	k := key{op: v.Op, typ: v.Type, bits: v.Bits, index: v.Index, axis: v.Axis, flags: v.Flags, argCount: len(v.Args)}
	copy(k.args[:], v.Args)
	if v.Axes != nil {
		k.axes = fmt.Sprint(v.Axes)
	}
	return k
}
