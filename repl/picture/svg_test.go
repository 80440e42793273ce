package picture_test

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/picture"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// outer multiplies each of x by each of y, and forgets that columns end, too.
func outer(p *tl.Program, x, y, out tl.Ptr, rows, cols int, BR, BC tl.Const) {
	i, j := tl.Arange(0, BR).Add(p.ID(0)*BR), tl.Arange(0, BC).Add(p.ID(1)*BC)
	a := tl.Load(x.Add(i), tl.Mask(i.Lt(rows)), tl.Other(0))
	b := tl.Load(y.Add(j), tl.Mask(j.Lt(cols)), tl.Other(0))
	tl.Store(out.Add(i.Mul(cols).Col().Add(j.Row())), a.Col().Mul(b.Row()), tl.Mask(i.Col().Lt(rows)))
}

const wrongRowSign = '»' // of exec/check's pictures

// wrongRow is README's picture: what a check of outer finds, as a block and in its tensor.
func wrongRow(t *testing.T) string {
	t.Helper()
	x, y, out := tensor.Rand(1, tl.Float32, 5), tensor.Rand(2, tl.Float32, 6), tensor.Zeros(tl.Float32, 5, 6)
	r, err := exec.New(outer).Check(exec.Grid{2, 2}, x, y, out, 5, 6, 4, 4)
	if r == nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(r.Findings, func(f check.Finding) bool { return f.Kind == check.WrongRow })
	if i < 0 {
		t.Fatalf("no wrong row in\n%v", r)
	}
	f := r.Findings[i]
	lanes := strings.Split(f.Picture, "\n")
	const rows, cols = 4, 4
	row, col := f.PID[0]*rows, f.PID[1]*cols // of the block
	block := &picture.Grid{Tight: true, Cells: make([][]picture.Cell, rows)}
	touched := &picture.Grid{Tight: true, Cells: make([][]picture.Cell, out.Dim(0))}
	for k := range out.Dim(1) {
		touched.Cols = append(touched.Cols, strconv.Itoa(k))
	}
	for k := range out.Dim(0) {
		touched.Rows = append(touched.Rows, strconv.Itoa(k))
		touched.Cells[k] = slices.Repeat([]picture.Cell{{Text: "·", Style: picture.Off}}, out.Dim(1))
	}
	for i := range rows {
		block.Rows = append(block.Rows, strconv.Itoa(row+i))
		for j := range cols {
			c := picture.Cell{Text: "■", Style: picture.On}
			if []rune(lanes[i])[j] == wrongRowSign {
				c = picture.Cell{Text: "»", Style: picture.WrongRow}
			}
			at := (row+i)*out.Dim(1) + col + j
			block.Cells[i] = append(block.Cells[i], c)
			touched.Cells[at/out.Dim(1)][at%out.Dim(1)] = c
		}
	}
	for j := range cols {
		block.Cols = append(block.Cols, strconv.Itoa(col+j))
	}
	head := func(name, text string) picture.Block {
		return picture.Block{Line: picture.Line{{Text: name, Style: picture.Name}, {Text: text, Style: picture.Head}}}
	}
	what, where, _ := strings.Cut(f.Msg, ": inside")
	return picture.SVG("a block of a tensor, half of which lands in the wrong row",
		picture.Picture{Blocks: []picture.Block{
			{Line: picture.Line{{Text: "error: wrong-row: ", Style: picture.Bad}, {Text: what + ":"}}},
			{Line: picture.Line{{Text: "    inside" + where}}},
			{Line: picture.Line{{Text: "    fix: " + f.Fixes[0], Style: picture.Good}}},
		}},
		picture.Picture{Blocks: []picture.Block{head("program (0,1)", " stores a block"), {Grid: block}}},
		picture.Picture{Blocks: []picture.Block{head(f.Tensor, " f32[5,6]"), {Grid: touched}}})
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

// TestSVG: README's picture is what the check of a kernel gives today.
func TestSVG(t *testing.T) {
	got := wrongRow(t)
	golden(t, "wrongrow.svg", got)
	d := xml.NewDecoder(strings.NewReader(got))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
