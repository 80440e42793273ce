package amd64

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

func newSyms() *syms {
	return &syms{map[symKey]*sym{}, map[*ir.Value]*sym{}, func(*ir.Value) int { return 0 }}
}

// at is what a sym is for values of its leaves.
func (x *sym) at(leaves map[*ir.Value]int64) int64 {
	switch x.kind {
	case symConst:
		return x.n
	case symValue:
		return leaves[x.v]
	}
	a, b := x.a.at(leaves), x.b.at(leaves)
	switch x.kind {
	case symAdd:
		return a + b
	case symMul:
		return a * b
	case symMin:
		return min(a, b)
	}
	return max(a, b)
}

// TestSymsMean: whatever is made of sums, products and extrema of random syms means what
// the operations say, and lies in the range that it claims.
func TestSymsMean(t *testing.T) {
	leaf := func(o op.Op, d dtype.DType) *ir.Value { return &ir.Value{Op: o, Type: ir.Type{D: d}} }
	values := []*ir.Value{leaf(op.ProgramID, dtype.Int64), leaf(ir.Param, dtype.Int32), leaf(ir.Param, dtype.Int64), leaf(ir.Param, dtype.Int8)}
	r := rand.New(rand.NewPCG(1, 2))
	special := []int64{0, 1, -1, 2, 16, -7, 1 << 31, math.MaxInt64, math.MinInt64, 1 << 40}
	for range 3000 {
		s := newSyms()
		leaves := map[*ir.Value]int64{}
		type known struct {
			x *sym
			n int64
		}
		var pool []known
		for _, v := range values {
			x := s.value(v)
			n := special[r.IntN(len(special))]
			if r.IntN(2) == 0 {
				n = int64(r.Uint64()) >> r.IntN(64)
			}
			leaves[v] = min(max(n, x.lo), x.hi)
			pool = append(pool, known{x, leaves[v]})
		}
		for range 12 {
			a, b := pool[r.IntN(len(pool))], pool[r.IntN(len(pool))]
			if r.IntN(3) == 0 {
				n := special[r.IntN(len(special))]
				b = known{s.constant(n), n}
			}
			if r.IntN(2) == 0 {
				a, b = b, a
			}
			switch r.IntN(5) {
			case 0:
				pool = append(pool, known{s.add(a.x, b.x), a.n + b.n})
			case 1:
				pool = append(pool, known{s.sub(a.x, b.x), a.n - b.n})
			case 2:
				pool = append(pool, known{s.mul(a.x, b.x), a.n * b.n})
			case 3:
				pool = append(pool, known{s.min(a.x, b.x), min(a.n, b.n)})
			default:
				pool = append(pool, known{s.max(a.x, b.x), max(a.n, b.n)})
			}
			z := pool[len(pool)-1]
			if got := z.x.at(leaves); got != z.n {
				t.Fatalf("a sym is %d, want %d", got, z.n)
			}
			if z.n < z.x.lo || z.n > z.x.hi {
				t.Fatalf("%d is not in %d ... %d", z.n, z.x.lo, z.x.hi)
			}
		}
	}
}

// TestSymsAreEqual: what is equal for all values is one sym, as far as forms need it.
func TestSymsAreEqual(t *testing.T) {
	s := newSyms()
	x := s.value(&ir.Value{Op: ir.Param, Type: ir.Type{D: dtype.Int64}})
	pid := s.value(&ir.Value{Op: op.ProgramID, Type: ir.Type{D: dtype.Int64}})
	c := s.constant
	for _, tt := range []struct {
		name string
		a, b *sym
	}{
		{"x + 0", s.add(x, c(0)), x},
		{"3 + x", s.add(c(3), x), s.add(x, c(3))},
		{"x + 3 - 3", s.sub(s.add(x, c(3)), c(3)), x},
		{"x - x", s.sub(x, x), c(0)},
		{"1 * x", s.mul(c(1), x), x},
		{"x * 0", s.mul(x, c(0)), c(0)},
		{"x * 2 * 8", s.mul(s.mul(x, c(2)), c(8)), s.mul(x, c(16))},
		{"(x + 3) * 4", s.mul(s.add(x, c(3)), c(4)), s.add(s.mul(x, c(4)), c(12))},
		{"min(pid, -1)", s.min(pid, c(-1)), c(-1)},
		{"max(pid, 0)", s.max(pid, c(0)), pid},
		{"max(-1, pid)", s.max(c(-1), pid), pid},
		{"min(x, x)", s.min(x, x), x},
	} {
		if tt.a != tt.b {
			t.Errorf("%s is another sym", tt.name)
		}
	}
	if s.min(x, c(0)) == x || s.max(pid, c(1)) == pid {
		t.Error("an extremum was decided that is open")
	}
}
