package show_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func block(row, col int) tl.Tile {
	return tl.Arange(row, row+4).Mul(8).Col().Add(tl.Arange(col, col+4).Row())
}

// pictures are drawn in all three ways.
func pictures() []struct {
	name string
	p    picture.Picture
} {
	var o show.Options
	x := tensor.Randn(1, tl.Float32, 8, 8)
	xp := tl.PointerTo(x, "x", nil)
	y := tl.PointerTo(tensor.Arange(tl.Float32, 0, 100), "y", nil)
	big := tl.PointerTo(tensor.Zeros(tl.Float16, 100, 200), "big", nil)
	deep := tl.PointerTo(tensor.Zeros(tl.Int8, 2, 3, 4), "deep", nil)
	gaps := tl.PointerTo(tensor.Zeros(tl.Int8, 4, 8).SliceStep(1, 0, 8, 2), "gaps", nil)
	offs := tl.Arange(90, 106)
	partly := tensor.Empty(tl.Int32, 2, 3)
	partly.Set(7, 1, 1)
	return []struct {
		name string
		p    picture.Picture
	}{
		{"grid", show.Tile(block(0, 0), o)},
		{"vector", show.Tile(tl.Arange(0, 10), o)},
		{"broken vector", show.Tile(tl.Arange(0, 40), o)},
		{"long vector", show.Tile(tl.Arange(0, 4000), show.Options{Rows: 5})},
		{"scalar", show.Tile(tl.Sum(block(0, 0)), o)},
		{"scalar float", show.Tile(tl.Full(tl.Float16, 1.5), o)},
		{"floats", show.Tensor(x, o)},
		{"wide range", show.Tensor(tensor.From([]float32{1e-6, 1, 1e6}, 3), o)},
		{"not numbers", show.Tile(tl.Full(tl.Float32, 1, 3).Div(tl.Arange(-1, 2).To(tl.Float32)), o)},
		{"large", show.Tensor(tensor.Randn(1, tl.Float32, 100, 200), show.Options{Rows: 6})},
		{"narrow", show.Tensor(x, show.Options{Width: 40})},
		{"three dimensions", show.Tensor(tensor.Arange(tl.Int32, 0, 24).Reshape(2, 3, 4), o)},
		{"many matrices", show.Tensor(tensor.Zeros(tl.Int8, 20, 2, 2), o)},
		{"transposed", show.Tensor(tensor.Arange(tl.Int64, 0, 6).Reshape(2, 3).T(), o)},
		{"undefined", show.Tensor(partly, o)},
		{"no elements", show.Tensor(tensor.Zeros(tl.Float32, 0, 3), o)},
		{"mask", show.Tile(block(0, 0).Lt(10), o)},
		{"mask of a vector", show.Tile(offs.Lt(100), o)},
		{"wide mask", show.Tile(tl.Arange(0, 3).Col().Lt(tl.Arange(0, 100).Row()), o)},
		{"long mask", show.Tile(tl.Arange(0, 100).Ge(50), o)},
		{"true everywhere", show.Tile(tl.Arange(0, 3).Ge(0), o)},
		{"pointers", show.Tile(xp.Add(block(0, 0)), o)},
		{"one pointer", show.Tile(xp.Add(9), o)},
		{"outside", show.Tile(xp.Add(block(6, 6)), o)},
		{"before the start", show.Tile(y.Add(tl.Arange(-2, 2)), o)},
		{"past a vector", show.Tile(y.Add(offs), o)},
		{"masked", show.Pointers([]show.Access{{Ptr: y.Add(offs), Mask: offs.Lt(100)}}, o)},
		{"masked by columns", show.Pointers([]show.Access{{Ptr: xp.Add(block(4, 4)), Mask: tl.Arange(0, 4).Lt(2).Row()}}, o)},
		{"in a large tensor", show.Tile(big.Add(tl.Arange(50, 54).Mul(200).Col().Add(tl.Arange(100, 116).Row())), o)},
		{"in three dimensions", show.Tile(deep.Add(tl.Arange(10, 14)), o)},
		{"between elements", show.Tile(gaps.Add(tl.Arange(0, 4)), o)},
		{"twice", show.Tile(xp.Add(tl.Arange(0, 4).FloorDiv(2)), o)},
		{"overlay", show.Pointers([]show.Access{{Ptr: xp.Add(block(0, 0)), Name: "this"}, {Ptr: xp.Add(block(0, 2)), Name: "next"}, {Ptr: y.Add(3)}}, o)},
		{"program", show.Value(tl.NewProgram([3]int{1, 0, 0}, [3]int{2, 2, 1}, nil), o)},
		{"message", show.Error(diag.List{diag.At(diag.Pos{File: "k.go", Line: 2, Col: 7}, "undefined: tl.Maxx (did you mean tl.Max?)").Note("a note").Fix("write tl.Max")}, func(string) string { return "x := 1\ny := tl.Maxx(x)\n" })},
		{"error", show.Error(errors.New("plain\n\tand more"), nil)},
		{"report", show.Value(report(), o)},
		{"clean report", show.Report(&check.Report{Kernel: "add", Grid: []int{4}, Programs: 4, Ran: 4, OK: true})},
		{"speedup", show.Speedup("add", "avx512", 0.25, 0.0011)},
		{"text", show.Value("one\ntwo", o)},
		{"string", show.Value("one", o)},
		{"number", show.Value(3.5, o)},
		{"nothing", show.Value(nil, o)},
		{"function", show.Value(func(int) string { return "" }, o)},
		{"zero tile", show.Value(tl.Tile{}, o)},
	}
}

// report is a report with a finding of each severity.
func report() *check.Report {
	r := check.NewReport("matmul", []int{2, 1}, 2)
	r.Ran = 2
	r.Add(
		check.Finding{Diagnostic: *diag.At(diag.Pos{File: "cell 3", Line: 7}, "tl.Load of x: lane [1,0] is x[33,0], 64 elements past the end").
			Note("x is f16[33,64]").Fix("mask the rows: tl.Mask(rows < n)"),
			Kind: check.OutOfBounds, Severity: check.Error, Op: "tl.Load", PID: []int{1, 0}, At: []int{1, 0}, Tensor: "x", Index: []int{33, 0},
			Lanes: 1920, Programs: 2, Source: "a := tl.Load(p)", Picture: "o o X\no X ·"},
		check.Finding{Diagnostic: *diag.At(diag.Pos{File: "cell 3", Line: 9}, "iteration 2 of 4 does nothing"), Kind: check.DeadLanes, Severity: check.Note, PID: []int{0, 0}},
		check.Finding{Diagnostic: *diag.At(diag.Pos{}, "two programs store out[0]"), Kind: check.Race, Severity: check.Warning, PID: []int{0, 1}, Variation: "n: 32 → 33"},
	)
	return r
}

// golden compares text with a file, or writes it with UPDATE=1.
func golden(t *testing.T, file, got string) {
	t.Helper()
	file = "testdata/" + file
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; refresh it with UPDATE=1 and read the difference. got:\n%s", file, got)
	}
}

func TestText(t *testing.T) {
	var b strings.Builder
	for _, x := range pictures() {
		fmt.Fprintf(&b, "-- %s --\n", x.name)
		for l := range strings.SplitSeq(x.p.String(), "\n") {
			b.WriteString(strings.TrimRight(l, " ") + "\n")
		}
	}
	golden(t, "pictures.txt", b.String())
}

func TestColours(t *testing.T) {
	var b strings.Builder
	for _, x := range pictures() {
		if plain := stripped(x.p.ANSI(false)); plain != x.p.String() {
			t.Errorf("%s: without its colours it is not the text:\n%s", x.name, plain)
		}
		switch x.name {
		case "grid", "masked", "overlay", "outside", "message", "report":
			fmt.Fprintf(&b, "-- %s --\n%s\n", x.name, strings.ReplaceAll(x.p.ANSI(false), "\x1b", "^"))
		}
	}
	golden(t, "colours.txt", b.String())
}

// stripped is text without a terminal's colours.
func stripped(s string) string {
	for {
		i := strings.IndexByte(s, '\x1b')
		if i < 0 {
			return s
		}
		s = s[:i] + s[i+strings.IndexByte(s[i:], 'm')+1:]
	}
}

func TestHTML(t *testing.T) {
	var b strings.Builder
	for i, x := range pictures() {
		page := x.p.HTML()
		for _, tag := range []string{"div", "pre", "table", "tr", "td", "th", "span", "style"} {
			if open, closed := strings.Count(page, "<"+tag+">")+strings.Count(page, "<"+tag+" "), strings.Count(page, "</"+tag+">"); open != closed {
				t.Errorf("%s: %d <%s> and %d </%s>", x.name, open, tag, closed, tag)
			}
		}
		style, body, _ := strings.Cut(page, "</style>")
		if i == 0 {
			fmt.Fprintf(&b, "%s</style>\n", strings.ReplaceAll(style, "}", "}\n"))
		}
		switch x.name {
		case "grid", "masked", "overlay", "mask", "message":
			fmt.Fprintf(&b, "<!-- %s -->\n%s", x.name, strings.ReplaceAll(body, "<tr>", "\n<tr>"))
		}
	}
	golden(t, "pictures.html", b.String())
}

// TestWidth: no grid is wider than was asked for.
func TestWidth(t *testing.T) {
	for _, w := range []int{40, 80, 132} {
		for _, n := range []int{1, 5, 17, 64, 1000} {
			for _, d := range []tl.DType{tl.Float32, tl.Int32, tl.Bool} {
				for _, p := range []picture.Picture{
					show.Tensor(tensor.Generate(1, d, n), show.Options{Width: w}),
					show.Tensor(tensor.Generate(1, d, 3, n), show.Options{Width: w}),
					show.Tile(tl.PointerTo(tensor.Zeros(d, 7, n), "x", nil).Add(tl.Arange(0, n)), show.Options{Width: w}),
				} {
					for l := range strings.SplitSeq(p.String(), "\n") {
						if got := len([]rune(strings.TrimRight(l, " "))); got > w && !strings.Contains(l, "[") {
							t.Errorf("a line of %d columns, at most %d were asked for:\n%s", got, w, l)
						}
					}
				}
			}
		}
	}
}

// TestAsPlain: as PyTorch prints it.
func TestAsPlain(t *testing.T) {
	grid := "tensor([[ 0,  1,  2,  3],\n        [ 8,  9, 10, 11],\n        [16, 17, 18, 19],\n        [24, 25, 26, 27]])"
	for _, c := range []struct {
		v    any
		want string
	}{
		{block(0, 0), grid},
		{tl.PointerTo(tensor.Zeros(tl.Float32, 8, 8), "x", nil).Add(block(0, 0)), grid},
		{tl.Arange(0, 3).Lt(1), "tensor([ True, False, False])"},
		{tl.Full(tl.Float16, 0.5, 2), "tensor([0.5000, 0.5000], dtype=float16)"},
		{tl.Full(tl.Float32, 0.5), "tensor(0.5000)"},
		{tensor.From([]int32{1, 2}, 2), "tensor([1, 2])"},
		{42, "42"},
		{"text", "text"},
		{tl.Tile{}, "tile without a value"},
	} {
		if got := show.AsPlain(c.v); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func BenchmarkTile(b *testing.B) {
	x := tl.Arange(0, 64).Col().Add(tl.Arange(0, 64).Row()).To(tl.Float32)
	for b.Loop() {
		_ = show.Tile(x, show.Options{}).String()
	}
}
