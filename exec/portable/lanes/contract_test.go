package lanes

import (
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// TestContractAtHints checks that a polynomial is not contracted across the end of
// what a hint may leave out, and that hints still leave out the same ops.
func TestContractAtHints(t *testing.T) {
	needs := NewNeeds()
	b := NewBuilder(&needs)
	f32 := dtype.Float32
	x, cond := b.Input(f32), b.Input(dtype.Bool)
	k := func(v float64) Lane { return b.splat(f32, dtype.FromFloat(f32, v)) }
	b.line.ops = append(b.line.ops, laneOp{in: [3]Lane{cond}, n: 1, hint: true, skip: 3})
	y := b.primitive(op.FMA, f32, k(1), x, k(2))
	y = b.primitive(op.FMA, f32, y, x, k(3))
	y = b.primitive(op.FMA, f32, y, x, k(4))
	y = b.primitive(op.FMA, f32, y, x, k(5))
	b.Output(b.primitive(op.Neg, f32, y))
	l := b.Finish(0)
	if len(l.ops) != 4 || !l.ops[0].hint || l.ops[0].skip != 1 {
		t.Fatalf("%d ops, the hint leaves out %d; want 4, of which 1", len(l.ops), l.ops[0].skip)
	}
	if o := l.ops[2]; o.o != op.FMA {
		t.Errorf("after the hint comes %s, want fma", o.o)
	}
}
