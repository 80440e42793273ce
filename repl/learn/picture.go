package learn

import (
	"fmt"
	"math"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Picture is the puzzle's text.
func (p *Puzzle) Picture() picture.Picture {
	var q picture.Picture
	q.Add(picture.Name, p.Heading())
	q.Add("")
	for l := range strings.SplitSeq(paragraphs(p.Text), "\n") {
		style := picture.Plain
		if strings.HasPrefix(l, "\t") {
			style = picture.Code
		}
		q.Add(style, l)
	}
	return q
}

// Picture is what the judge says: of a kernel that is wrong the first finding, with its picture,
// what it means in this puzzle, and the elements that differ.
func (v *Verdict) Picture() picture.Picture {
	if v.Right() {
		return v.praise()
	}
	var p picture.Picture
	p.Add(picture.Bad, "not yet: ", v.Case.call(v.Puzzle))
	if v.Launches > 1 {
		p.Append(show.Aside(fmt.Sprintf("\t%s right, this one is not", launches(v.Launches-1))))
	}
	if v.Impossible != nil {
		p.Append(folded(show.ErrorText(v.Impossible.Error())))
		return p
	}
	p.Append(folded(show.Finding(v.shown())))
	if v.Got != nil {
		p.Append(v.difference())
	}
	for _, f := range v.Others[:min(len(v.Others), 2)] {
		f = exec.Finding{Kind: f.Kind, Severity: f.Severity, Diagnostic: diag.Diagnostic{Pos: f.Pos, Msg: f.Msg}}
		p.Append(folded(show.Aside("also " + strings.TrimSpace(f.String()))))
	}
	if lesson := v.Puzzle.lesson(v.Finding.Kind); lesson != "" {
		p.Append(show.Text("\n" + wrapped(lesson, columns)))
	}
	return p
}

func launches(n int) string {
	if n == 1 {
		return "1 launch was"
	}
	return fmt.Sprintf("%d launches were", n)
}

// shown is the finding. That an output differs needs no advice, for the elements are shown, and
// of the facts about it only one that its place does not tell: that no program wrote it.
func (v *Verdict) shown() exec.Finding {
	f := *v.Finding
	if f.Kind == check.Reference {
		f.Fixes = nil
		if f.PID != nil {
			f.Notes = nil
		} else {
			f.Notes = f.Notes[max(0, len(f.Notes)-1):]
		}
	}
	return f
}

// window is how many elements of a row are shown.
const window = 6

// difference is the row of the output that the worst element is in, beside what it should be.
func (v *Verdict) difference() picture.Picture {
	at := v.Finding.Index
	row := append([]int{}, at...)
	last := len(row) - 1
	n := v.Want.Dim(last)
	from := max(0, min(row[last]-window/2, n-window))
	to := min(n, from+window)
	tolerance := tensor.AllClose(v.Got, v.Want).Tolerance
	g := &picture.Grid{Rows: []string{"got", "want"}, Cells: make([][]picture.Cell, 2)}
	for i := from; i < to; i++ {
		row[last] = i
		got, want := v.Got.Float(row...), v.Want.Float(row...)
		cell := picture.Cell{Text: fmt.Sprintf("%.4g", got)}
		if !v.Got.IsDefinedAt(place(v.Got, row)) {
			cell.Text = "?"
		}
		if !(math.Abs(got-want) <= tolerance.Abs+tolerance.Rel*math.Abs(want)) {
			cell.Mark, cell.Style = "≠", picture.Bad
		}
		g.Cols = append(g.Cols, fmt.Sprint(i))
		g.Cells[0] = append(g.Cells[0], cell)
		g.Cells[1] = append(g.Cells[1], picture.Cell{Text: fmt.Sprintf("%.4g", want)})
	}
	caption := v.Finding.Tensor
	if last > 0 {
		caption += fmt.Sprintf(", row %s", numbers(at[:last]))
	}
	p := show.Aside(caption)
	p.Blocks = append(p.Blocks, picture.Block{Grid: g})
	return p
}

// place is where an element lies, in elements from the first.
func place(x *tensor.Tensor, at []int) (off int) {
	for d, i := range at {
		off += i * x.Stride(d)
	}
	return off
}

// praise is the verdict on a kernel that is right.
func (v *Verdict) praise() picture.Picture {
	var p picture.Picture
	p.Add(picture.Good, "right: ", fmt.Sprintf("%d launches, %d programs checked", v.Launches, v.Programs))
	if v.Engine != "" {
		p.Append(show.Text(fmt.Sprintf("\tcompiled to %s: %s, %s faster than interpreted",
			v.Engine, show.Seconds(v.Compiled.Seconds()), show.Times(v.Interpreted.Seconds()/v.Compiled.Seconds()))))
	}
	p.Append(show.Text("\n" + wrapped(v.Puzzle.After, columns)))
	return p
}
