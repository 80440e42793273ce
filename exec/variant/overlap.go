package variant

import (
	"github.com/tiler-go/tiler/exec/engine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Overlap reports whether two tensor arguments share memory and the kernel stores to one of them:
// then no load may be moved past a store.
func (v *Variant) Overlap(args []any) bool { return v.Overlapping(args, engine.Args(nil, args)) }

// Overlapping is Overlap of arguments that are at hand as compiled code takes them, too.
func (v *Variant) Overlapping(args []any, as []ir.Arg) bool {
	for i := range as {
		lo, hi := engine.Within(&as[i])
		for j := 0; j < i && lo < hi; j++ {
			l, h := engine.Within(&as[j])
			stored := v.Flow.Stored[i] || v.Flow.Stored[j]
			if stored && lo < h && l < hi && args[i].(*tensor.Tensor).Overlaps(args[j].(*tensor.Tensor)) {
				return true
			}
		}
	}
	return false
}
