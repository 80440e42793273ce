package shadow

import "testing"

// Segments of instances are ordered by the atomics between them, through others too.
func TestHappenedBefore(t *testing.T) {
	var h Order
	var a, b Cell
	h.Begin(1)
	first := h.segment
	h.synchronise(&a)
	after := h.segment
	h.Begin(2)
	if !h.Apart(first) {
		t.Error("nothing orders the two yet")
	}
	h.synchronise(&a)
	if h.Apart(first) || !h.Apart(after) {
		t.Error("what came before the atomic is seen, what came after it is not")
	}
	h.synchronise(&b)
	h.Begin(3)
	h.synchronise(&b)
	if h.Apart(first) || !h.Apart(after) {
		t.Error("what another has seen is seen through it")
	}
	h.Begin(4)
	if !h.Apart(first) || !h.Apart(first|others) || h.Apart(0) || h.Apart(h.segment) {
		t.Error("an instance that has met nobody")
	}
}
