package show

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/picture"
)

// Measures of a drawing of blocks, in pixels.
const (
	panelSize  = 150 // a tensor's longer side, at most
	vectorSize = 520 // the same of a vector
	cellLeast  = 1   // an element
	cellMost   = 22
	panelGap   = 18
	panelHead  = 58  // captions and the numbers of columns
	panelLeft  = 38  // the numbers of rows
	drawWidth  = 660 // of a row of panels
)

// drawn is panels as a drawing.
func drawn(l *Launch, panels []*panel) *picture.Figure {
	var w picture.Sketch
	x, y, right, tall := float64(picture.SketchMargin), float64(picture.SketchMargin), 0.0, 0.0
	w.Text(x, y+12, "b", l.Kernel)
	w.Text(x+picture.SketchChar*float64(picture.Width(l.Kernel)+2), y+12, "s",
		fmt.Sprintf("program %s of %s", tuple(l.Program), tuple(l.Grid)))
	y += 26
	says := []string{}
	for _, p := range panels {
		wide, high := p.extent()
		if x > picture.SketchMargin && x+wide > drawWidth {
			x, y, tall = picture.SketchMargin, y+tall+12, 0
		}
		p.draw(&w, l, x, y)
		right, tall = max(right, x+wide), max(tall, high)
		x += wide + panelGap
		says = append(says, p.verb+" "+p.name+p.where())
	}
	f := &picture.Figure{W: int(right) + picture.SketchMargin, H: int(y+tall) + picture.SketchMargin, Areas: w.Areas,
		Label: fmt.Sprintf("%s, program %s of %s: %s", l.Kernel, tuple(l.Program), tuple(l.Grid), strings.Join(says, "; "))}
	f.W = max(f.W, int(picture.SketchChar*float64(picture.Width(l.Kernel)+30))+2*picture.SketchMargin)
	f.Drawing = w.Document(f.W, f.H)
	return f
}

// cellSize is how wide and high an element is drawn, and how many elements a drawn cell is.
func (p *panel) cellSize() (size float64, sr, sc int) {
	rows, cols := p.size()
	sr, sc = scale(rows, panelSize/cellLeast), scale(cols, panelSize/cellLeast)
	longest, room := max((rows+sr-1)/sr, (cols+sc-1)/sc), float64(panelSize)
	if p.m.vector {
		room = vectorSize
	}
	return max(cellLeast, min(cellMost, room/float64(longest))), sr, sc
}

// extent is the panel's size in pixels.
func (p *panel) extent() (wide, high float64) {
	rows, cols := p.size()
	size, sr, sc := p.cellSize()
	wide = panelLeft + size*float64((cols+sc-1)/sc) + 8
	for _, text := range []string{p.name + " " + typeText(p.m.x.DType(), p.m.shape), p.caption()} {
		wide = max(wide, picture.SketchChar*float64(picture.Width(text)))
	}
	return wide, panelHead + size*float64((rows+sr-1)/sr)
}

// where is the elements that each iteration touches, in words.
func (p *panel) where() string {
	var list []string
	for nth := range p.times {
		if b, ok := p.boxes[nth]; ok && !slices.Contains(list, p.slice(b)) {
			list = append(list, p.slice(b))
		}
	}
	if len(list) > 4 {
		list = append(list[:3], picture.Gap, list[len(list)-1])
	}
	return strings.Join(list, ", ")
}

// slice is a box as an index: [0:16,32:48].
func (p *panel) slice(b box) string {
	switch {
	case p.m.vector && b.r1 == b.r0+1:
		return fmt.Sprintf("[%d:%d]", b.r0*p.m.cols+b.c0, b.r0*p.m.cols+b.c1)
	case p.m.vector:
		return fmt.Sprintf("[%d:%d]", b.r0*p.m.cols, min(b.r1*p.m.cols, p.m.shape[0]))
	case len(p.m.shape) == 0:
		return ""
	case len(p.m.shape) == 2:
		return fmt.Sprintf("[%d:%d,%d:%d]", b.r0, b.r1, b.c0, b.c1)
	}
	return fmt.Sprintf("[%s…%s,%d:%d]", p.m.leading(b.r0), p.m.leading(b.r1-1), b.c0, b.c1)
}

// draw draws the panel with its corner at a place.
func (p *panel) draw(w *picture.Sketch, l *Launch, x, y float64) {
	w.Text(x, y+12, "b", p.name)
	w.Text(x+picture.SketchChar*float64(picture.Width(p.name)+1), y+12, "", typeText(p.m.x.DType(), p.m.shape))
	w.Text(x, y+28, "s", p.caption())
	x, y = x+panelLeft, y+panelHead
	size, sr, sc := p.cellSize()
	at := func(b box) (x0, y0, x1, y1 float64) {
		px := func(n, s int) float64 { return size * float64(n) / float64(s) }
		return x + px(b.c0, sc), y + px(b.r0, sr), x + px(b.c1, sc), y + px(b.r1, sr)
	}
	p.cells(w, x, y, size, sr, sc)
	x0, y0, x1, y1 := at(box{0, 0, p.m.rows, p.ends()})
	if size >= 6 {
		lines := ""
		for c := 1; c < (p.ends()+sc-1)/sc; c++ {
			lines += fmt.Sprintf("M%.1f %.1fV%.1f", x0+size*float64(c), y0, y1)
		}
		for r := 1; r < (p.m.rows+sr-1)/sr; r++ {
			lines += fmt.Sprintf("M%.1f %.1fH%.1f", x0, y0+size*float64(r), x1)
		}
		if lines != "" {
			fmt.Fprintf(w, "<path d=\"%s\" class=\"g\"/>", lines)
		}
	}
	for _, b := range p.others {
		ox, oy, ow, oh := at(b)
		w.Rect(ox+1, oy+1, max(1, ow-ox-2), max(1, oh-oy-2), "o")
	}
	w.Rect(x0, y0, x1-x0, y1-y0, "x")
	p.ticks(w, at)
	p.labels(w, l, at)
}

// cells fills what is touched: rows of equal cells at once, with a sign in each where there is
// room.
func (p *panel) cells(w *picture.Sketch, x, y, size float64, sr, sc int) {
	rows, cols := p.size()
	for r := 0; r < rows; r += sr {
		var run picture.Cell
		from := 0
		flush := func(to int) {
			if class := run.Style.Class(); run.Style.IsGround() || run.Text == markSeveral {
				if run.Text == markSeveral {
					class = "mk"
				}
				w.Rect(x+size*float64(from), y+size*float64(r/sr), size*float64(to-from), size, class)
			}
			from = to
		}
		for c := 0; c < cols; c += sc {
			cell := p.cell(box{r, c, min(r+sr, rows), min(c+sc, cols)})
			if k := c / sc; k == 0 {
				run = cell
			} else if cell != run {
				flush(k)
				run = cell
			}
			if size >= 9 && strings.Contains(markMasked+markBad+markRow+markSeveral, strings.TrimSpace(cell.Text)) && cell.Text != " " {
				defer w.Text(x+size*(float64(c/sc)+.5), y+size*(float64(r/sr)+.5), "i", cell.Text)
			}
		}
		flush((cols + sc - 1) / sc)
	}
}

// ticks writes where blocks begin and where the tensor ends.
func (p *panel) ticks(w *picture.Sketch, at func(box) (x0, y0, x1, y1 float64)) {
	rows, cols := map[int]bool{0: true, p.m.rows: true}, map[int]bool{0: true, p.ends(): true}
	for _, b := range p.boxes {
		rows[b.r0], rows[b.r1], cols[b.c0], cols[b.c1] = true, true, true, true
	}
	write := func(marks map[int]bool, last int, put func(n int) (pos float64, draw func())) {
		list := []int{}
		for n := range marks {
			list = append(list, n)
		}
		slices.Sort(list)
		end, _ := put(last)
		room := -100.0
		for _, n := range list {
			pos, draw := put(n)
			if pos-room < 20 || n != last && end-pos < 20 {
				continue
			}
			draw()
			room = pos
		}
	}
	write(cols, p.ends(), func(n int) (float64, func()) {
		px, py, _, _ := at(box{0, n, 0, n})
		return px, func() { w.Text(px, py-6, "t m", fmt.Sprint(n)) }
	})
	if p.m.rows > 1 {
		write(rows, p.m.rows, func(n int) (float64, func()) {
			px, py, _, _ := at(box{n, 0, n, 0})
			return py, func() { w.Text(px-6, py+4, "t e", fmt.Sprint(n*p.rowStep())) }
		})
	}
}

// ends is the column at which the tensor ends.
func (p *panel) ends() int {
	if p.m.vector && p.m.rows == 1 {
		return min(p.m.cols, max(1, p.m.shape[0]))
	}
	return p.m.cols
}

// labels writes the number of each iteration in its block, and names the block for who points
// at it.
func (p *panel) labels(w *picture.Sketch, l *Launch, at func(box) (x0, y0, x1, y1 float64)) {
	for nth := range p.times {
		b, ok := p.boxes[nth]
		if !ok {
			continue
		}
		x0, y0, x1, y1 := at(b)
		text := fmt.Sprintf("program %s %s %s%s", tuple(l.Program), p.verb, p.name, p.slice(b))
		if p.times > 1 {
			text += fmt.Sprintf(", iteration %d", nth)
			if mark, style := p.sign(nth); style != picture.Name && x1-x0 >= 8 && y1-y0 >= 8 && !p.shared(nth) {
				w.Text((x0+x1)/2, (y0+y1)/2, "i b", mark)
			}
		}
		w.Areas = append(w.Areas, picture.Area{Rect: [4]int{int(x0), int(y0), int(x1), int(y1)}, Text: text})
	}
}

// shared reports whether another iteration has the same block.
func (p *panel) shared(nth int) bool {
	for k, b := range p.boxes {
		if k != nth && b == p.boxes[nth] {
			return true
		}
	}
	return false
}
