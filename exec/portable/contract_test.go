package portable

import (
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// TestContractAtHints checks that a polynomial is not contracted across the end of
// what a hint may leave out, and that hints still leave out the same ops.
func TestContractAtHints(t *testing.T) {
	c := &compiler{p: &Program{}, splats: map[splat]int{}}
	b := c.newLanes()
	f32 := dtype.Float32
	x, cond := b.input(f32), b.input(dtype.Bool)
	k := func(v float64) lane { return b.splat(f32, dtype.FromFloat(f32, v)) }
	b.l.ops = append(b.l.ops, laneOp{in: [3]lane{cond}, n: 1, hint: true, skip: 3})
	y := b.primitive(op.FMA, f32, k(1), x, k(2))
	y = b.primitive(op.FMA, f32, y, x, k(3))
	y = b.primitive(op.FMA, f32, y, x, k(4))
	y = b.primitive(op.FMA, f32, y, x, k(5))
	b.output(b.primitive(op.Neg, f32, y))
	l := b.finish(0)
	if len(l.ops) != 4 || !l.ops[0].hint || l.ops[0].skip != 1 {
		t.Fatalf("%d ops, the hint leaves out %d; want 4, of which 1", len(l.ops), l.ops[0].skip)
	}
	if o := l.ops[2]; o.o != op.FMA {
		t.Errorf("after the hint comes %s, want fma", o.o)
	}
}
