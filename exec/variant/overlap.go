package variant

import (
	"github.com/tiler-go/tiler/exec/engine"
	"github.com/tiler-go/tiler/exec/ir"
)

// Overlap reports whether the kernel stores to a tensor argument and accesses another one where that lies: then no load
// may be moved past a store.
func (v *Variant) Overlap(args []any) bool { return v.Overlapping(args, engine.Args(nil, args)) }

// Overlapping is Overlap of arguments that are at hand as compiled code takes them, too.
func (v *Variant) Overlapping(args []any, as []ir.Arg) bool {
	for i := range as {
		lo, hi := engine.Within(&as[i])
		for j := 0; j < i && lo < hi; j++ {
			l, h := engine.Within(&as[j])
			stored := v.Flow.Stored[i] || v.Flow.Stored[j]
			if stored && lo < h && l < hi && v.Flow.Meet(args, i, j) {
				return true
			}
		}
	}
	return false
}
