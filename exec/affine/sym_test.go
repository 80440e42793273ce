package affine

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

func testSyms() *Syms { return NewSyms(func(*ir.Value) int { return 0 }) }

// at is what a sym is for values of its leaves.
func (x *Sym) at(leaves map[*ir.Value]int64) int64 {
	switch x.Kind {
	case Const:
		return x.N
	case Value:
		return leaves[x.V]
	}
	a, b := x.A.at(leaves), x.B.at(leaves)
	switch x.Kind {
	case Sum:
		return a + b
	case Product:
		return a * b
	case Min:
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
		s := testSyms()
		leaves := map[*ir.Value]int64{}
		type known struct {
			x *Sym
			n int64
		}
		var pool []known
		for _, v := range values {
			x := s.Value(v)
			n := special[r.IntN(len(special))]
			if r.IntN(2) == 0 {
				n = int64(r.Uint64()) >> r.IntN(64)
			}
			leaves[v] = min(max(n, x.Lo), x.Hi)
			pool = append(pool, known{x, leaves[v]})
		}
		for range 12 {
			a, b := pool[r.IntN(len(pool))], pool[r.IntN(len(pool))]
			if r.IntN(3) == 0 {
				n := special[r.IntN(len(special))]
				b = known{s.Constant(n), n}
			}
			if r.IntN(2) == 0 {
				a, b = b, a
			}
			switch r.IntN(5) {
			case 0:
				pool = append(pool, known{s.Add(a.x, b.x), a.n + b.n})
			case 1:
				pool = append(pool, known{s.Sub(a.x, b.x), a.n - b.n})
			case 2:
				pool = append(pool, known{s.Mul(a.x, b.x), a.n * b.n})
			case 3:
				pool = append(pool, known{s.Min(a.x, b.x), min(a.n, b.n)})
			default:
				pool = append(pool, known{s.Max(a.x, b.x), max(a.n, b.n)})
			}
			z := pool[len(pool)-1]
			if got := z.x.at(leaves); got != z.n {
				t.Fatalf("a sym is %d, want %d", got, z.n)
			}
			if z.n < z.x.Lo || z.n > z.x.Hi {
				t.Fatalf("%d is not in %d ... %d", z.n, z.x.Lo, z.x.Hi)
			}
		}
	}
}

// TestSymsAreEqual: what is equal for all values is one sym, as far as forms need it.
func TestSymsAreEqual(t *testing.T) {
	s := testSyms()
	x := s.Value(&ir.Value{Op: ir.Param, Type: ir.Type{D: dtype.Int64}})
	pid := s.Value(&ir.Value{Op: op.ProgramID, Type: ir.Type{D: dtype.Int64}})
	c := s.Constant
	for _, tt := range []struct {
		name string
		a, b *Sym
	}{
		{"x + 0", s.Add(x, c(0)), x},
		{"3 + x", s.Add(c(3), x), s.Add(x, c(3))},
		{"x + 3 - 3", s.Sub(s.Add(x, c(3)), c(3)), x},
		{"x - x", s.Sub(x, x), c(0)},
		{"1 * x", s.Mul(c(1), x), x},
		{"x * 0", s.Mul(x, c(0)), c(0)},
		{"x * 2 * 8", s.Mul(s.Mul(x, c(2)), c(8)), s.Mul(x, c(16))},
		{"(x + 3) * 4", s.Mul(s.Add(x, c(3)), c(4)), s.Add(s.Mul(x, c(4)), c(12))},
		{"min(pid, -1)", s.Min(pid, c(-1)), c(-1)},
		{"max(pid, 0)", s.Max(pid, c(0)), pid},
		{"max(-1, pid)", s.Max(c(-1), pid), pid},
		{"min(x, x)", s.Min(x, x), x},
	} {
		if tt.a != tt.b {
			t.Errorf("%s is another sym", tt.name)
		}
	}
	if s.Min(x, c(0)) == x || s.Max(pid, c(1)) == pid {
		t.Error("an extremum was decided that is open")
	}
}

// TestSymsKnow: what is said of scalars is known of what is made of them, too.
func TestSymsKnow(t *testing.T) {
	s := testSyms()
	leaf := func(o op.Op, d dtype.DType, args ...*ir.Value) *ir.Value {
		return &ir.Value{Op: o, Type: ir.Scalar(d), Args: args}
	}
	lo, other := leaf(op.None, dtype.Int64), leaf(op.None, dtype.Int64)
	hi := leaf(op.Minimum, dtype.Int64, other, lo)
	s.Know(lo, 0, 64)
	s.Know(hi, 1, 64)
	s.Order(lo, hi)
	either := leaf(op.Where, dtype.Int64, leaf(op.None, dtype.Bool), hi, lo)
	if x := s.Value(either); !x.Within(0, 64) {
		t.Errorf("one of two lies in %d ... %d, want 0 ... 64", x.Lo, x.Hi)
	}
	if s.Value(leaf(op.Cast, dtype.Int32, hi)) != s.Value(hi) {
		t.Error("a cast that changes nothing is another number")
	}
	if s.Value(leaf(op.Cast, dtype.Int32, other)) == s.Value(other) {
		t.Error("a cast that may change a number is that number")
	}
	if x, y := s.Value(lo), s.Value(hi); !s.Before(x, y) || s.Before(y, x) || s.Before(s.Constant(0), y) {
		t.Error("what is less is not what was said to be")
	}
}
