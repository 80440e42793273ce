package runs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// nowhere is the place of values in no file.
var nowhere = ir.Value{}.Pos

// comparing is all comparisons.
var comparing = []op.Op{op.Lt, op.Le, op.Gt, op.Ge, op.Eq, op.Ne}

// holds reports whether integers compare so.
func holds(o op.Op, x, y int64) bool {
	switch o {
	case op.Lt:
		return x < y
	case op.Le:
		return x <= y
	case op.Gt:
		return x > y
	case op.Ge:
		return x >= y
	case op.Ne:
		return x != y
	}
	return x == y
}

// A fact is that one of two values compares so with a number, or x with y, or that it does not.
type fact struct {
	o     op.Op
	limit int64
	what  string // "x", "y", "x y"
	is    bool
	v     *ir.Value
}

func (f fact) String() string { return fmt.Sprint(f.what, " ", f.o, " ", f.limit, " is ", f.is) }

// fulfilled reports whether x and y are as the fact says.
func (f fact) fulfilled(x, y int64) bool {
	switch f.what {
	case "x":
		return holds(f.o, x, f.limit) == f.is
	case "y":
		return holds(f.o, y, f.limit) == f.is
	}
	return holds(f.o, x, y) == f.is
}

// A quiz asks what follows from facts of x and y.
type quiz struct {
	r    *rand.Rand
	f    *ir.Func
	d    dtype.DType
	x, y *ir.Value
}

// some is a number of the type: of its ends, or near 0.
func (q quiz) some() int64 {
	lo, hi := int64(math.MinInt64)>>(64-q.d.Bits()), int64(math.MaxInt64)>>(64-q.d.Bits())
	near := int64(q.r.IntN(4))
	return []int64{lo + near, hi - near, near - 2, near - 2}[q.r.IntN(4)]
}

// fact makes one, whose flag may be written as the opposite of another.
func (q quiz) fact() fact {
	z := fact{o: comparing[q.r.IntN(len(comparing))], limit: q.some(), is: q.r.IntN(2) == 0}
	z.what = []string{"x", "x", "x", "x", "y", "x y"}[q.r.IntN(6)]
	limit := q.f.NewValue(op.Const, q.x.Type, nowhere)
	limit.Bits = dtype.FromInt(q.d, z.limit, false)
	args := map[string][]*ir.Value{"x": {q.x, limit}, "y": {q.y, limit}, "x y": {q.x, q.y}}[z.what]
	z.v = q.f.NewValue(z.o, flag, nowhere, args...)
	if q.r.IntN(4) == 0 {
		z.v = q.f.NewValue(op.Not, flag, nowhere, z.v)
	}
	return z
}

// said is what a fact's flag says if its comparison is as the fact has it.
func (f fact) said() bool { return f.is != (f.v.Op == op.Not) }

// seen is whether a flag is true, or false, of some of the numbers next to limits, where facts hold.
func (q quiz) seen(facts []fact, on fact) (yes, no bool) {
	lo, hi := int64(math.MinInt64)>>(64-q.d.Bits()), int64(math.MaxInt64)>>(64-q.d.Bits())
	var near []int64
	for i := range int64(6) {
		near = append(near, lo+i, hi-i, i-3)
	}
	for _, x := range near {
	pairs:
		for _, y := range near {
			for _, f := range facts {
				if !f.fulfilled(x, y) {
					continue pairs
				}
			}
			if on.fulfilled(x, y) == on.said() {
				yes = true
			} else {
				no = true
			}
		}
	}
	return yes, no
}

// TestFollows: what is said to follow from comparisons holds of all numbers that fulfil them, with limits next to each
// other and at the ends of types; and a comparison with a number says all of others that there is to say.
func TestFollows(t *testing.T) {
	q, asked, said := quiz{r: rand.New(rand.NewPCG(1, 2))}, 0, 0
	for range 40000 {
		q.f, q.d = &ir.Func{}, []dtype.DType{dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64}[q.r.IntN(4)]
		q.x = q.f.NewValue(op.Arange, ir.Type{D: q.d}, nowhere)
		q.y = q.f.NewValue(op.Arange, ir.Type{D: q.d}, nowhere)
		w, facts, on := newSpot(), []fact(nil), q.fact()
		for range 1 + q.r.IntN(3) {
			f := q.fact()
			facts = append(facts, f)
			w.learn(f.v, f.said())
		}
		yes, no := q.seen(facts, on)
		if !yes && !no {
			continue // facts that contradict each other
		}
		asked++
		is, ok := w.known(on.v)
		switch {
		case ok && (is && no || !is && yes):
			t.Fatalf("%v: of %v it follows that %v %v %v of %v is %v", q.d, facts, on.v.Op, on.what, on.o, on.limit, is)
		case ok:
			said++
		case len(facts) == 1 && yes != no && q.plain(facts[0], on):
			t.Errorf("%v: of %v nothing follows for %v", q.d, facts, on)
		}
	}
	if said < asked/8 {
		t.Errorf("%d of %d comparisons follow from others", said, asked)
	}
}

// plain reports whether facts say all of each other: of x and numbers, not at ends, and none that has numbers on both
// sides.
func (q quiz) plain(known, on fact) bool {
	lo, hi := int64(math.MinInt64)>>(64-q.d.Bits()), int64(math.MaxInt64)>>(64-q.d.Bits())
	for _, f := range []fact{known, on} {
		if f.what != "x" || f.limit < lo+2 || f.limit > hi-2 || f.o == op.Ne {
			return false
		}
	}
	return known.o != op.Eq || known.is
}

// TestFollowsUnsigned: nothing follows of numbers without a sign, whose limits are none of int64.
func TestFollowsUnsigned(t *testing.T) {
	f := &ir.Func{}
	x := f.NewValue(op.Arange, ir.Type{D: dtype.Uint64}, nowhere)
	limit := func(o op.Op, n uint64) *ir.Value {
		c := f.NewValue(op.Const, x.Type, nowhere)
		c.Bits = n
		return f.NewValue(o, flag, nowhere, x, c)
	}
	w := newSpot()
	w.learn(limit(op.Lt, 1<<63+9), true)
	for _, on := range []*ir.Value{limit(op.Lt, 5), limit(op.Ge, 5)} {
		if is, ok := w.known(on); ok {
			t.Errorf("of x < 1<<63+9 it follows that x %v 5 is %v", on.Op, is)
		}
	}
}
