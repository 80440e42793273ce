package tilelang_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// marker is an observer that marks the elements of loads whose offsets it is told, and
// remembers what is stored marked.
type marker struct {
	marked  []int64
	mark    tl.Mark
	stored  []tl.Mark
	from    int
	decided tl.Mark
	notices []string
}

var origin = &tl.Origin{Mark: tl.Undefined, Op: "test"}

func (m *marker) Access(a *tl.Access) {
	if a.Kind != tl.Loads {
		m.stored = append([]tl.Mark(nil), a.Stored.Marks...)
		m.from = len(a.Stored.From)
		return
	}
	a.Marks = make([]tl.Mark, len(a.Offsets))
	for i, o := range a.Offsets {
		if slices.Contains(m.marked, o) {
			a.Marks[i] = m.mark
			a.From = []*tl.Origin{origin}
		}
	}
}

func (m *marker) Decide(_ string, _ diag.Pos, mark tl.Mark, _ []*tl.Origin, _ tl.Sources) {
	m.decided |= mark
}
func (m *marker) Notice(n tl.Notice) { m.notices = append(m.notices, n.Op+": "+n.Text) }

// watchedTile is a tile of 1, 2, 3, ... with elements marked Undefined.
func (m *marker) watchedTile(d tl.DType, shape []int, marked ...int64) tl.Tile {
	n := 1
	for _, s := range shape {
		n *= s
	}
	x := tensor.Arange(d, 1, n+1).Reshape(shape...)
	m.marked, m.mark = marked, tl.Undefined
	return tl.Load(tl.Watch(ptr(x), m, 0).Add(tl.Arange(0, n)).Reshape(shape...))
}

// undefined is which elements of a tile are marked, as 0 and 1 in row-major order.
func (m *marker) undefined(x tl.Tile) string {
	out := tensor.Zeros(x.DType(), max(1, product(x.Shape())))
	m.stored = nil
	p := tl.Watch(ptr(out), m, 1)
	if len(x.Shape()) > 0 {
		p = p.Add(tl.Arange(0, out.Len())).Reshape(x.Shape()...)
	}
	tl.Store(p, x)
	var b strings.Builder
	for i := range out.Len() {
		if m.stored != nil && m.stored[i]&tl.Undefined != 0 {
			b.WriteByte('1')
		} else {
			b.WriteByte('0')
		}
	}
	return b.String()
}

func product(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

// follow is what an op does with marks: f of a tile of [2,3] whose element [0,1] is
// marked (4 and 1 for vectors) gives a tile that is marked so.
var follow = func() map[op.Op]func(m *marker) (tl.Tile, string) {
	matrix := func(m *marker) tl.Tile { return m.watchedTile(tl.Float32, []int{2, 3}, 1) }
	whole := func(m *marker) tl.Tile { return m.watchedTile(tl.Int32, []int{2, 3}, 1) }
	one := func(f func(x tl.Tile) tl.Tile, want string) func(m *marker) (tl.Tile, string) {
		return func(m *marker) (tl.Tile, string) { return f(matrix(m)), want }
	}
	integer := func(f func(x tl.Tile) tl.Tile, want string) func(m *marker) (tl.Tile, string) {
		return func(m *marker) (tl.Tile, string) { return f(whole(m)), want }
	}
	const same, row, all = "010000", "111000", "111111"
	second := func(f func(tl.Tile) (tl.Tile, tl.Tile)) func(x tl.Tile) tl.Tile {
		return func(x tl.Tile) tl.Tile { _, i := f(x); return i }
	}
	t := map[op.Op]func(m *marker) (tl.Tile, string){
		op.Add: one(func(x tl.Tile) tl.Tile { return x.Add(1) }, same), op.Sub: one(func(x tl.Tile) tl.Tile { return tl.Sub(1, x) }, same),
		op.Mul: one(func(x tl.Tile) tl.Tile { return x.Mul(2.0) }, same), op.Div: one(func(x tl.Tile) tl.Tile { return tl.Div(1, x) }, same),
		op.FloorDiv: integer(func(x tl.Tile) tl.Tile { return x.FloorDiv(2) }, same), op.Mod: integer(func(x tl.Tile) tl.Tile { return x.Mod(2) }, same),
		op.And: integer(func(x tl.Tile) tl.Tile { return x.And(1) }, same), op.Or: integer(func(x tl.Tile) tl.Tile { return x.Or(1) }, same),
		op.Xor: integer(func(x tl.Tile) tl.Tile { return x.Xor(1) }, same), op.Shl: integer(func(x tl.Tile) tl.Tile { return x.Shl(1) }, same),
		op.Shr: integer(func(x tl.Tile) tl.Tile { return x.Shr(1) }, same),
		op.Lt:  one(func(x tl.Tile) tl.Tile { return x.Lt(2) }, same), op.Le: one(func(x tl.Tile) tl.Tile { return x.Le(2) }, same),
		op.Gt: one(func(x tl.Tile) tl.Tile { return x.Gt(2) }, same), op.Ge: one(func(x tl.Tile) tl.Tile { return x.Ge(2) }, same),
		op.Eq: one(func(x tl.Tile) tl.Tile { return x.Eq(2) }, same), op.Ne: one(func(x tl.Tile) tl.Tile { return x.Ne(2) }, same),
		op.Maximum: one(func(x tl.Tile) tl.Tile { return tl.Maximum(x, 2) }, same), op.Minimum: one(func(x tl.Tile) tl.Tile { return tl.Minimum(2, x) }, same),
		op.MaximumNaN: one(func(x tl.Tile) tl.Tile { return tl.Maximum(x, 2, tl.PropagateNaN) }, same),
		op.MinimumNaN: one(func(x tl.Tile) tl.Tile { return tl.Minimum(x, 2, tl.PropagateNaN) }, same),
		op.UMulHi:     integer(func(x tl.Tile) tl.Tile { return tl.UMulHi(x, x) }, same),
		op.Where:      one(func(x tl.Tile) tl.Tile { return tl.Where(x.Gt(0), 1.0, 2.0) }, same),
		op.FMA:        one(func(x tl.Tile) tl.Tile { return tl.FMA(1.0, x, 1.0) }, same),
		op.Pow:        one(func(x tl.Tile) tl.Tile { return tl.Pow(2.0, x) }, same), op.Atan2: one(func(x tl.Tile) tl.Tile { return tl.Atan2(x, 1.0) }, same),
		op.Neg: one(tl.Tile.Neg, same), op.Not: integer(tl.Tile.Not, same), op.Abs: one(tl.Abs, same),
		op.RandInt: integer(func(x tl.Tile) tl.Tile { return tl.RandInt(1, x) }, same), op.Rand: integer(func(x tl.Tile) tl.Tile { return tl.Rand(1, x) }, same),
		op.Randn: integer(func(x tl.Tile) tl.Tile { return tl.Randn(x, 1) }, same),
		op.Cast:  one(func(x tl.Tile) tl.Tile { return x.To(tl.Int8) }, same), op.CastRTZ: one(func(x tl.Tile) tl.Tile { return x.To(tl.Float16, tl.TowardZero) }, same),
		op.Bitcast:   one(func(x tl.Tile) tl.Tile { return x.Bitcast(tl.Int32) }, same),
		op.Broadcast: one(func(x tl.Tile) tl.Tile { return x.Reshape(2, 3, 1).BroadcastTo(2, 3, 2) }, "001100000000"),
		op.Reshape:   one(func(x tl.Tile) tl.Tile { return x.Reshape(3, 2) }, same), op.Permute: one(tl.Tile.T, "001000"),
		op.Join:  one(func(x tl.Tile) tl.Tile { return tl.Join(x.Add(1), tl.ZerosLike(x)) }, "001000000000"),
		op.Split: one(func(x tl.Tile) tl.Tile { _, b := tl.Split(x.Reshape(3, 2)); return b }, "100"),
		op.Cat:   one(func(x tl.Tile) tl.Tile { return tl.Cat(0, tl.ZerosLike(x), x) }, "000000010000"), op.Flip: one(func(x tl.Tile) tl.Tile { return tl.Flip(x, 0) }, "000010"),
		op.Sum: one(func(x tl.Tile) tl.Tile { return tl.Sum(x, tl.Axis(1)) }, "10"), op.Max: one(func(x tl.Tile) tl.Tile { return tl.Max(x, tl.Axis(0)) }, "010"),
		op.Min: one(func(x tl.Tile) tl.Tile { return tl.Min(x, tl.Axis(0), tl.KeepDims) }, "010"), op.ArgMax: one(func(x tl.Tile) tl.Tile { return tl.ArgMax(x, tl.Axis(1)) }, "10"),
		op.ArgMin:   one(func(x tl.Tile) tl.Tile { return tl.ArgMin(x) }, "1"),
		op.MaxIndex: one(second(func(x tl.Tile) (tl.Tile, tl.Tile) { return tl.MaxIndex(x, tl.Axis(1)) }), "10"),
		op.MinIndex: one(second(func(x tl.Tile) (tl.Tile, tl.Tile) { return tl.MinIndex(x, tl.Axis(1)) }), "10"),
		op.XorSum:   integer(func(x tl.Tile) tl.Tile { return tl.XorSum(x, tl.Axis(1)) }, "10"), op.OrSum: integer(func(x tl.Tile) tl.Tile { return tl.OrSum(x) }, "1"),
		op.Reduce: one(func(x tl.Tile) tl.Tile {
			return tl.Reduce(x, func(a, b tl.Tile) tl.Tile { return a.Add(b) }, tl.Axis(1))
		}, "10"),
		op.CumSum:  one(func(x tl.Tile) tl.Tile { return tl.CumSum(x, tl.Axis(1)) }, "011000"),
		op.CumProd: one(func(x tl.Tile) tl.Tile { return tl.CumProd(x, tl.Axis(1), tl.Reverse) }, "110000"),
		op.Scan:    one(func(x tl.Tile) tl.Tile { return tl.Scan(x, func(a, b tl.Tile) tl.Tile { return a.Add(b) }, tl.Axis(0)) }, "010010"),
		op.Sort:    one(func(x tl.Tile) tl.Tile { return tl.Sort(x) }, row), op.ArgSort: one(second(func(x tl.Tile) (tl.Tile, tl.Tile) { return tl.ArgSort(x) }), row),
		op.TopK:      one(second(func(x tl.Tile) (tl.Tile, tl.Tile) { return tl.TopK(x, 2) }), "1100"),
		op.Histogram: integer(func(x tl.Tile) tl.Tile { return tl.Histogram(x, 3) }, "111"),
		op.Gather: one(func(x tl.Tile) tl.Tile {
			return tl.Gather(x, tl.Arange(0, 2).Add(1).Row().BroadcastTo(2, 2), 1)
		}, "1000"),
		op.Dot: one(func(x tl.Tile) tl.Tile { return tl.Dot(x.T(), tl.Full(tl.Float32, 1.0, 2, 3)) }, "000111000"),
	}
	for o, f := range map[op.Op]func(tl.Tile) tl.Tile{op.Floor: tl.Floor, op.Ceil: tl.Ceil, op.Rint: tl.Rint, op.Trunc: tl.Trunc, op.Round: tl.Round, op.Sqrt: tl.Sqrt, op.Rsqrt: tl.Rsqrt, op.Exp: tl.Exp, op.Exp2: tl.Exp2,
		op.Expm1: tl.Expm1, op.Log: tl.Log, op.Log2: tl.Log2, op.Log1p: tl.Log1p, op.Sin: tl.Sin, op.Cos: tl.Cos, op.Tan: tl.Tan, op.Asin: tl.Asin, op.Acos: tl.Acos,
		op.Atan: tl.Atan, op.Tanh: tl.Tanh, op.Erf: tl.Erf, op.Sigmoid: tl.Sigmoid} {
		t[o] = one(f, same)
	}
	for o, i := range map[op.Op]int{op.RandInt1: 1, op.RandInt2: 2, op.RandInt3: 3} {
		t[o] = integer(func(x tl.Tile) tl.Tile {
			a, b, c, d := tl.RandInt4x(1, x)
			return []tl.Tile{a, b, c, d}[i]
		}, same)
	}
	return t
}()

// TestMarksFollow: every op that makes elements of elements carries their marks along.
func TestMarksFollow(t *testing.T) {
	defer tl.Watching()()
	for o := op.None + 1; o < op.NumOps; o++ {
		switch o.Row().Family {
		case op.Primitive, op.Create, op.Memory, op.Atomic, op.Effect:
			continue
		}
		f, ok := follow[o]
		if !ok {
			t.Errorf("%s: no test says what it does with marks", o)
			continue
		}
		m := &marker{}
		x, want := f(m)
		if got := m.undefined(x); got != want || m.from != 1 {
			t.Errorf("%s: marked %s from %d places, want %s from 1", o, got, m.from, want)
		}
	}
}

// What an op does not look at is not marked.
func TestMarksThatStop(t *testing.T) {
	defer tl.Watching()()
	m := &marker{}
	x := m.watchedTile(tl.Float32, []int{4}, 1, 2)
	known := tl.Arange(0, 4).Eq(1) // true where x is marked, and elsewhere not
	n := m.watchedTile(tl.Int32, []int{4}, 1, 2)
	for _, c := range []struct {
		name string
		x    tl.Tile
		want string
	}{
		{"the other side of where", tl.Where(known, 0.0, x), "0010"},
		{"this side of where", tl.Where(known, x, 0.0), "0100"},
		{"and false", x.Gt(0).And(known), "0100"},
		{"or true", x.Gt(0).Or(known), "0010"},
		{"an integer times 0", n.Mul(known.To(tl.Int32)), "0100"},
		{"an integer and 0", n.And(known.To(tl.Int32)), "0100"},
		{"zeros alike", tl.ZerosLike(x), "0000"},
		{"a masked count", tl.Histogram(n, 4, tl.Mask(tl.Arange(0, 4).Eq(0))), "0000"},
	} {
		if got := m.undefined(c.x); got != c.want {
			t.Errorf("%s: marked %s, want %s", c.name, got, c.want)
		}
	}
}

// A product that is added to becomes one chain with its sum, watched or not.
func TestMarksOfFusedProducts(t *testing.T) {
	defer tl.Watching()()
	m := &marker{}
	a := m.watchedTile(tl.Float32, []int{2, 2}, 0)
	if got := m.undefined(tl.Zeros(tl.Float32, 2, 2).Add(tl.Dot(a, a))); got != "1110" {
		t.Errorf("a product added: %s", got)
	}
	acc := m.watchedTile(tl.Float32, []int{2, 2}, 3)
	if got := m.undefined(acc.Add(tl.Dot(tl.Zeros(tl.Float32, 2, 2), tl.Zeros(tl.Float32, 2, 2)))); got != "0001" {
		t.Errorf("added to what is marked: %s", got)
	}
	b := m.watchedTile(tl.BFloat16, []int{2, 2}, 0)
	if got := m.undefined(tl.Dot(b, b, tl.BF16Pairs)); got != "1110" {
		t.Errorf("a product by pairs: %s", got)
	}
}

func TestDecisions(t *testing.T) {
	defer tl.Watching()()
	m := &marker{}
	tl.Sum(m.watchedTile(tl.Float32, []int{4}, 2)).Float()
	if m.decided != tl.Undefined {
		t.Errorf("decided %v", m.decided)
	}
	m.decided = 0
	tl.Sum(m.watchedTile(tl.Float32, []int{4})).Float()
	if m.decided != 0 {
		t.Error("what is not marked is reported")
	}
}

// Overflow is noted whether or not the tiles come from watched memory, and dropped by
// operations on bits.
func TestWrapped(t *testing.T) {
	defer tl.Watching()()
	m := &marker{}
	big := tl.Arange(0, 4).Mul(1 << 30) // 0, 1<<30, -1<<31, -1<<30
	lanes := func(x tl.Tile) string {
		m.undefined(x)
		return fmt.Sprint(m.stored)
	}
	for _, c := range []struct {
		x    tl.Tile
		want string
	}{
		{big, "[0 0 2 2]"},
		{big.Add(1).To(tl.Int64), "[0 0 2 2]"},
		{big.And(15), "[]"},
		{big.Shr(3), "[]"},
		{big.Lt(0), "[]"},
		{tl.Arange(0, 4).To(tl.Int64).Mul(1 << 30), "[]"},
		{tl.Arange(0, 4).To(tl.Uint32).Mul(1 << 30), "[]"},
		{tl.Arange(0, 2).Sub(1<<31 - 1).Sub(2), "[2 0]"},
	} {
		if got := lanes(c.x); got != c.want {
			t.Errorf("%v: %s, want %s", c.x, got, c.want)
		}
	}
}

// Notices wait in tiles until somebody watches, and are told once.
func TestNoticesWait(t *testing.T) {
	defer tl.Watching()()
	m := &marker{}
	a := tl.Arange(0, 4).Lt(2)
	b := a
	for range 40 {
		b = b.Add(a).Add(b)
	}
	m.undefined(b)
	if len(m.notices) == 0 || len(m.notices) > 16 || !strings.Contains(m.notices[0], "bools are added in one bit") {
		t.Errorf("%d notices: %.3q", len(m.notices), m.notices)
	}
}

// Without an observer nothing is looked after.
func TestUnwatched(t *testing.T) {
	m := &marker{}
	out := tensor.Zeros(tl.Int32, 4)
	big := tl.Arange(0, 4).Mul(1 << 30)
	tl.Store(tl.Watch(ptr(out), m, 1).Add(tl.Arange(0, 4)), big)
	if m.stored != nil {
		t.Errorf("marked %v", m.stored)
	}
}
