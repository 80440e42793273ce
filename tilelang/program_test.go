package tilelang_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func ExampleProgram_Print() {
	p := tl.NewProgram([3]int{1, 2, 0}, [3]int{2, 3, 1}, tl.NewOutput(os.Stdout))
	p.Print("offsets", tl.Arange(0, 4))
	p.Print("block", tl.Arange(0, 4).Reshape(2, 2))
	p.Print("numbers", 3, 1.5, true, "text", tl.Float16)
	p.Print("nothing")
	x := tl.PointerTo(tensor.Zeros(tl.Float32, 8), "x", nil)
	p.Print("pointers", x, x.Add(tl.Arange(0, 2)))
	// Output:
	// (1,2,0) offsets tile([0, 1, 2, 3])
	// (1,2,0) block
	// tile([[0, 1],
	//       [2, 3]])
	// (1,2,0) numbers 3 1.5 true text float16
	// (1,2,0) nothing
	// (1,2,0) pointers x + tile(0) x + tile([0, 1])
}

func TestProgram(t *testing.T) {
	p := tl.NewProgram([3]int{1, 2, 3}, [3]int{4, 5, 6}, nil)
	if p.ID(0) != 1 || p.ID(2) != 3 || p.Num(1) != 5 || p.String() != "(1,2,3)" {
		t.Errorf("%s: ID(0)=%d ID(2)=%d Num(1)=%d", p, p.ID(0), p.ID(2), p.Num(1))
	}
	p.Assert(true, "holds")
	p.Assert(tl.Arange(0, 4).Lt(4), "holds")
}

func TestRecover(t *testing.T) {
	p := tl.NewProgram([3]int{}, [3]int{1, 1, 1}, nil)
	fault := try(func() { tl.Arange(0, 0) })
	for _, c := range []struct {
		v    any
		line int
		want string
	}{
		{fault, 0, "program_test.go:"},
		{fault, 7, "k.go:7: tl.Arange: "},
		{errors.New("boom"), 7, "k.go:7: panic: boom"},
		{(*tl.Fault)(nil), 0, "panic: "},
		{&tl.Fault{}, 0, "panic: "},
		{[]int{1}, 0, "panic: [1]"},
		{badString{}, 0, "panic: %!v(PANIC=String method: no)"},
	} {
		p.Line = c.line
		if got := p.Recover(c.v, "k.go").Error(); !strings.Contains(got, c.want) {
			t.Errorf("Recover(%T): %q, want %q", c.v, got, c.want)
		}
	}
}

type badString struct{}

func (badString) String() string { panic("no") }

func TestHints(t *testing.T) {
	x := tl.Arange(0, 4)
	for _, y := range []tl.Tile{tl.MultipleOf(x, 4), tl.MaxContiguous(x, 4), tl.MaxConstancy(x, 1), tl.MultipleOf(x.Reshape(2, 2), 2, 2).Ravel()} {
		same(t, "hint", y, x)
	}
	tl.Assume(x.Lt(0))
	tl.Assume(false)
	tl.DebugBarrier()
	tl.StaticAssert(true, "fine")
}

func TestScalarFunctions(t *testing.T) {
	for _, c := range [][3]int{{0, 4, 0}, {1, 4, 1}, {4, 4, 1}, {5, 4, 2}, {-5, 4, -1}, {1<<63 - 1, 2, 1 << 62}} {
		if got := tl.Cdiv(c[0], c[1]); got != c[2] {
			t.Errorf("Cdiv(%d, %d) = %d, want %d", c[0], c[1], got, c[2])
		}
	}
	for _, c := range [][2]int{{-3, 1}, {0, 1}, {1, 1}, {2, 2}, {3, 4}, {1 << 62, 1 << 62}} {
		if got := tl.NextPow2(c[0]); got != c[1] {
			t.Errorf("NextPow2(%d) = %d, want %d", c[0], got, c[1])
		}
	}
}

// TestSwizzle2D draws the order in which a 5 by 4 grid is walked in groups of 2 rows,
// as Triton's documentation does.
func TestSwizzle2D(t *testing.T) {
	const rows, cols = 5, 4
	var order [rows][cols]int
	for i := range rows {
		for j := range cols {
			a, b := tl.Swizzle2D(i, j, rows, cols, 2)
			order[a][b] = i*cols + j
		}
	}
	const want = "[[0 2 4 6] [1 3 5 7] [8 10 12 14] [9 11 13 15] [16 17 18 19]]"
	if got := fmt.Sprint(order); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestRandom is the vectors that Random123 and Triton publish.
func TestRandom(t *testing.T) {
	for _, c := range []struct {
		seed, off int
		words     [4]uint64
		rand      uint64
	}{
		{0, 0, [4]uint64{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}, 0x3f4c4fd1},
		{0, 1, [4]uint64{0xf8e4cca4, 0x5cb200db, 0xb1a574eb, 0x097eff67}, 0x3d63666a},
		{42, 0, [4]uint64{0x9ceaf053, 0x77f5493b, 0x12bf50ad, 0x5742b3d7}, 0x3f462a1e},
		{42, 3, [4]uint64{0xbac70475, 0xabaf0dab, 0x961e5543, 0x610e67f7}, 0x3f0a71f6},
		{123, 0, [4]uint64{0x11237cdc, 0x66ff3dd8, 0xbfb09d90, 0x30db7e52}, 0x3e091be6},
		{123, 2, [4]uint64{0x2c1b5aa5, 0x401e267d, 0xb2ef73a1, 0xf88dcd49}, 0x3eb06d6a},
		{-1, 0, [4]uint64{0x72a47709, 0x15474739, 0x9f41b01f, 0x22799a5a}, 0x3f6548ed},
		{0x1234567890, 0, [4]uint64{0x96173d71, 0x1b958a0b, 0x0f70b574, 0x150e59f8}, 0x3f53d184},
	} {
		a, b, d, e := tl.RandInt4x(c.seed, c.off)
		for i, w := range []tl.Tile{a, b, d, e} {
			same(t, fmt.Sprint(c.seed, c.off, " word ", i), w, bitsTile(tl.Uint32, c.words[i]).Reshape())
		}
		same(t, "rand", tl.Rand(c.seed, c.off), bitsTile(tl.Float32, c.rand).Reshape())
	}
	// The counter is 64 bits wide only for offsets of 64 bits; the key always is.
	o := tl.Arange(0, 4)
	same(t, "a tile of offsets", tl.RandInt(42, o).Eq(tl.RandInt(42, 3)), ints(tl.Bool, 0, 0, 0, 1))
	same(t, "int64 offsets", tl.RandInt(42, o.To(tl.Int64)), tl.RandInt(42, o))
	same(t, "negative int32 offsets", tl.RandInt(1, o.Sub(2)), tl.RandInt(1, o.Sub(2).To(tl.Uint32)))
	same(t, "high word counts", tl.RandInt(1, o.To(tl.Int64).Add(1<<32)).Eq(tl.RandInt(1, o)), ints(tl.Bool, 0, 0, 0, 0))
	same(t, "a tile of seeds", tl.Rand(o, 5).Eq(tl.Rand(2, 5)), ints(tl.Bool, 0, 0, 1, 0))
}

func TestDiagnosticIsTheFault(t *testing.T) {
	fault := try(func() { f32(4).Add(f32(5)) })
	var d *diag.Diagnostic = fault.Diag
	if !d.Pos.IsValid() || len(d.Notes) == 0 || len(d.Fixes) == 0 || fault.Op != "Tile.Add" {
		t.Errorf("incomplete: %+v", fault)
	}
}
