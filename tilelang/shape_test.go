package tilelang_test

import (
	"fmt"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func TestShapes(t *testing.T) {
	a := tl.Arange(0, 6)
	m := a.Reshape(2, 3)
	cases := []struct {
		name      string
		got, want tl.Tile
	}{
		{"col", a.Col(), a.Reshape(6, 1)},
		{"row", a.Row(), a.Reshape(1, 6)},
		{"col of a matrix", m.Col(), a.Reshape(2, 3, 1)},
		{"col of a scalar", tl.Full(tl.Int32, 5).Col(), ints(tl.Int32, 5)},
		{"expand at the end", m.ExpandDims(-1), a.Reshape(2, 3, 1)},
		{"expand in the middle", m.ExpandDims(1), a.Reshape(2, 1, 3)},
		{"squeeze", a.Row().Squeeze(0), a},
		{"squeeze from the end", a.Col().Squeeze(-1), a},
		{"transpose", m.T(), ints(tl.Int32, 0, 3, 1, 4, 2, 5).Reshape(3, 2)},
		{"trans swaps the last two", tl.Trans(tl.Arange(0, 8).Reshape(2, 2, 2)), ints(tl.Int32, 0, 2, 1, 3, 4, 6, 5, 7).Reshape(2, 2, 2)},
		{"reshape of a transpose is row-major", m.T().Reshape(6), ints(tl.Int32, 0, 3, 1, 4, 2, 5)},
		{"ravel", m.T().Ravel(), ints(tl.Int32, 0, 3, 1, 4, 2, 5)},
		{"permute", tl.Arange(0, 8).Reshape(2, 2, 2).Permute(2, 0, 1), ints(tl.Int32, 0, 2, 4, 6, 1, 3, 5, 7).Reshape(2, 2, 2)},
		{"broadcast", tl.Arange(0, 2).Col().BroadcastTo(2, 3), ints(tl.Int32, 0, 0, 0, 1, 1, 1).Reshape(2, 3)},
		{"broadcast of lower rank", tl.Arange(0, 2).BroadcastTo(2, 2), ints(tl.Int32, 0, 1, 0, 1).Reshape(2, 2)},
		{"full", tl.Full(tl.Float16, 1.5, 2), floats(tl.Float16, 1.5, 1.5)},
		{"full of a tile", tl.Full(tl.Int8, tl.Full(tl.Float32, 300), 2), ints(tl.Int8, 127, 127)},
		{"full bool", tl.Full(tl.Bool, 7, 2), ints(tl.Bool, 1, 1)},
		{"full of a fraction", tl.Full(tl.Int32, -2.9), ints(tl.Int32, -2).Reshape()},
		{"zeros like", tl.ZerosLike(floats(tl.Float16, 1, 2)), floats(tl.Float16, 0, 0)},
		{"join", tl.Join(a, a.Add(10)), ints(tl.Int32, 0, 10, 1, 11, 2, 12, 3, 13, 4, 14, 5, 15).Reshape(6, 2)},
		{"join broadcasts", tl.Join(tl.Arange(0, 2), tl.Arange(5, 6)), ints(tl.Int32, 0, 5, 1, 5).Reshape(2, 2)},
		{"interleave", tl.Interleave(m, m.Neg()), ints(tl.Int32, 0, 0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5).Reshape(2, 6)},
		{"cat of rows", tl.Cat(0, m, m.Add(6)), tl.Arange(0, 12).Reshape(4, 3)},
		{"cat of columns", tl.Cat(-1, m, tl.Arange(0, 2).Col()), ints(tl.Int32, 0, 1, 2, 0, 3, 4, 5, 1).Reshape(2, 4)},
		{"flip of rows", tl.Flip(m, 0), ints(tl.Int32, 3, 4, 5, 0, 1, 2).Reshape(2, 3)},
		{"flip of columns", tl.Flip(m, -1), ints(tl.Int32, 2, 1, 0, 5, 4, 3).Reshape(2, 3)},
	}
	for _, c := range cases {
		same(t, c.name, c.got, c.want)
	}
	x, y := tl.Split(tl.Join(a, a.Add(10)))
	same(t, "split", x, a)
	same(t, "split", y, a.Add(10))
	x, y = tl.Broadcast(tl.Arange(0, 2).Col(), tl.Arange(0, 3))
	same(t, "broadcast pair", x, ints(tl.Int32, 0, 0, 0, 1, 1, 1).Reshape(2, 3))
	same(t, "broadcast pair", y, ints(tl.Int32, 0, 1, 2, 0, 1, 2).Reshape(2, 3))
}

// Pointers move through shape operations like anything else.
func TestPointerShapes(t *testing.T) {
	x := tensor.Arange(tl.Int32, 0, 12)
	start := ptr(x)
	p := start.Add(tl.Arange(0, 6)).Reshape(2, 3)
	q := start.Add(tl.Arange(0, 6).Mul(2).Reshape(2, 3))
	same(t, "transposed", tl.Load(p.T()), ints(tl.Int32, 0, 3, 1, 4, 2, 5).Reshape(3, 2))
	same(t, "flipped", tl.Load(tl.Flip(p, 1)), ints(tl.Int32, 2, 1, 0, 5, 4, 3).Reshape(2, 3))
	same(t, "cat", tl.Load(tl.Cat(1, p, q)), ints(tl.Int32, 0, 1, 2, 0, 2, 4, 3, 4, 5, 6, 8, 10).Reshape(2, 6))
	same(t, "where", tl.Load(tl.Where(tl.Arange(0, 3).Eq(1), q, p)), ints(tl.Int32, 0, 2, 2, 3, 8, 5).Reshape(2, 3))
	same(t, "gather", tl.Load(tl.Gather(p, i32(1, 3), 0)), ints(tl.Int32, 0, 1, 2).Row())
	a, b := tl.Split(tl.Join(p, q))
	same(t, "join and split", tl.Load(a).Add(tl.Load(b).Mul(100)), tl.Load(p).Add(tl.Load(q).Mul(100)))
	if p.DType() == tl.Int32 || p.Elem() != tl.Int32 {
		t.Errorf("a pointer tile is %s to %s", p.DType(), p.Elem())
	}
}

func TestPeek(t *testing.T) {
	m := tl.Arange(0, 6).Reshape(2, 3)
	if got := m.At(1, 2); got != 5 {
		t.Errorf("At(1,2) = %v", got)
	}
	for _, c := range []struct {
		x    tl.Tile
		want any
	}{
		{ints(tl.Bool, 1), true}, {ints(tl.Uint8, 200), 200}, {ints(tl.Int8, -3), -3}, {floats(tl.Float16, 0.5), 0.5},
		{bitsTile(tl.Uint64, 1<<63), uint64(1 << 63)},
	} {
		if got := c.x.At(0); got != c.want {
			t.Errorf("At of %s: %v (%T), want %v", c.x, got, got, c.want)
		}
	}
	if got := fmt.Sprint(tl.Arange(3, 6).Col().Values()); got != "[3 4 5]" {
		t.Errorf("Values: %s", got)
	}
	if m.Dim(0) != 2 || m.Dim(-1) != 3 || fmt.Sprint(m.Shape()) != "[2 3]" {
		t.Errorf("Dim and Shape of %v", m.Shape())
	}
	if tl.Sum(m).Int() != 15 || floats(tl.Float16, 0.5).Reshape().Float() != 0.5 || !tl.Full(tl.Bool, true).Bool() || tl.Full(tl.Int8, -3).Float() != -3 {
		t.Error("a scalar does not become the Go value it is")
	}
}

func ExampleTile_String() {
	rows, cols := tl.Arange(0, 4), tl.Arange(0, 4)
	fmt.Println(rows.Mul(8).Col().Add(cols.Row()))
	fmt.Println(rows.To(tl.Float16).Div(3.0))
	fmt.Println(rows.Lt(2))
	fmt.Println(tl.Full(tl.Int16, 7))
	x := tl.PointerTo(tensor.Zeros(tl.Float32, 8, 8), "x", nil)
	fmt.Println(x.Add(rows.Mul(8)))
	fmt.Println(tl.Tile{})
	// Output:
	// tile([[ 0,  1,  2,  3],
	//       [ 8,  9, 10, 11],
	//       [16, 17, 18, 19],
	//       [24, 25, 26, 27]])
	// tile([0.0000, 0.3333, 0.6667, 1.0000])
	// tile([ True,  True, False, False])
	// tile(7, dtype=int16)
	// x + tile([ 0,  8, 16, 24])
	// tile without a value
}
