package rule

import (
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/op"
)

// IsPointer is the rule of what is loaded from and stored to.
func (t Type) IsPointer() *diag.Diagnostic {
	if !t.D.IsPointer() {
		return wrong("%s is not a pointer tile", t).Fix("add offsets to a tensor parameter: x.Add(offs)")
	}
	return nil
}

// GoesTo is the rule of a value or mask ("the value") that goes with pointers, which it
// must not enlarge.
func (t Type) GoesTo(what string, ptr Type) *diag.Diagnostic {
	if !t.Shape.BroadcastsTo(ptr.Shape) {
		return wrong("the %s %s does not broadcast to the pointers %s", what, t, ptr).
			Note("each pointer says where one element goes: pointers are never repeated").
			Fix("pass a pointer for each element: x.Add(offs)")
	}
	return nil
}

// AtomicOn is the rule of what an atomic op works on: what t's pointers point to.
func AtomicOn(o op.Op, t Type) *diag.Diagnostic {
	if !o.Row().In.Has(t.D.Elem()) {
		return wrong("%s: no atomics on %s", t, t.D.Elem()).
			Note("atomics work on int32, int64, uint32, uint64, float32 and float64; AtomicAdd also on float16 and bfloat16; AtomicAnd, AtomicOr and AtomicXor on integers").
			Fix("keep the counters in a tensor of one of these")
	}
	return nil
}
