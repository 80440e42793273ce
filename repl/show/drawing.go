package show

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/palette"
)

// Measures of a drawing of blocks, in pixels.
const (
	panelSize  = 150 // a tensor's longer side, at most
	vectorSize = 520 // the same of a vector
	cellLeast  = 1   // an element
	cellMost   = 22
	panelGap   = 18
	panelHead  = 58 // captions and the numbers of columns
	panelLeft  = 38 // the numbers of rows
	drawMargin = 14
	drawWidth  = 660 // of a row of panels
	drawChar   = 7.3 // a character of a caption
)

// drawingStyle is colours of light and dark pages.
func drawingStyle() string {
	rules := "svg{" + palette.CSS(false) + "}@media(prefers-color-scheme:dark){svg{" + palette.CSS(true) + "}}" +
		"text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:var(--ink)}.b{font-weight:bold}.s{fill:var(--soft)}.t{font-size:10px;fill:var(--soft)}" +
		".i{fill:var(--on-ink);text-anchor:middle;dominant-baseline:central}.e{text-anchor:end}.m{text-anchor:middle}" +
		"rect{shape-rendering:crispEdges}.l{fill:none;stroke-width:2.5}.card{fill:var(--ground)}.x{fill:none;stroke:var(--soft)}.g{stroke:var(--line);fill:none;stroke-width:.6}.o{fill:none;stroke:var(--soft);stroke-dasharray:3 2}"
	for _, l := range looks {
		if l.colour.Ground {
			rules += fmt.Sprintf(".%s{fill:var(--%s)}.%sl{stroke:var(--%s)}", l.class, l.colour.Name, l.class, l.colour.Name)
		}
	}
	return "<style>" + rules + "</style>"
}

// A sketch is a drawing in the making.
type sketch struct {
	strings.Builder
	areas []Area
}

func (w *sketch) text(x, y float64, class, text string) {
	fmt.Fprintf(w, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>", x, y, class, html.EscapeString(text))
}

func (w *sketch) rect(x, y, width, height float64, class string) {
	fmt.Fprintf(w, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>", x, y, width, height, class)
}

// drawn is panels as a drawing.
func drawn(l *Launch, panels []*panel) *Figure {
	var w sketch
	x, y, right, tall := float64(drawMargin), float64(drawMargin), 0.0, 0.0
	w.text(x, y+12, "b", l.Kernel)
	w.text(x+drawChar*float64(width(l.Kernel)+2), y+12, "s", fmt.Sprintf("program %s of %s", tuple(l.Program), tuple(l.Grid)))
	y += 26
	says := []string{}
	for _, p := range panels {
		wide, high := p.extent()
		if x > drawMargin && x+wide > drawWidth {
			x, y, tall = drawMargin, y+tall+12, 0
		}
		p.draw(&w, l, x, y)
		right, tall = max(right, x+wide), max(tall, high)
		x += wide + panelGap
		says = append(says, p.verb+" "+p.name+p.where())
	}
	f := &Figure{W: int(right) + drawMargin, H: int(y+tall) + drawMargin, Areas: w.areas,
		Label: fmt.Sprintf("%s, program %s of %s: %s", l.Kernel, tuple(l.Program), tuple(l.Grid), strings.Join(says, "; "))}
	f.W = max(f.W, int(drawChar*float64(width(l.Kernel)+30))+2*drawMargin)
	f.Drawing = document(f.W, f.H, w.String())
	return f
}

// document is a drawing of a size, on a ground of its own.
func document(w, h int, body string) string {
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">%s<rect class=\"card\" width=\"100%%\" height=\"100%%\" rx=\"4\"/>%s</svg>",
		w, h, w, h, drawingStyle(), body)
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
		wide = max(wide, drawChar*float64(width(text)))
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
		list = append(list[:3], gapHeader, list[len(list)-1])
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
func (p *panel) draw(w *sketch, l *Launch, x, y float64) {
	w.text(x, y+12, "b", p.name)
	w.text(x+drawChar*float64(width(p.name)+1), y+12, "", typeText(p.m.x.DType(), p.m.shape))
	w.text(x, y+28, "s", p.caption())
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
		w.rect(ox+1, oy+1, max(1, ow-ox-2), max(1, oh-oy-2), "o")
	}
	w.rect(x0, y0, x1-x0, y1-y0, "x")
	p.ticks(w, at)
	p.labels(w, l, at)
}

// cells fills what is touched: rows of equal cells at once, with a sign in each where there is
// room.
func (p *panel) cells(w *sketch, x, y, size float64, sr, sc int) {
	rows, cols := p.size()
	for r := 0; r < rows; r += sr {
		var run Cell
		from := 0
		flush := func(to int) {
			if l := looks[run.Style]; l.colour.Ground || run.Text == markSeveral {
				class := l.class
				if run.Text == markSeveral {
					class = "mk"
				}
				w.rect(x+size*float64(from), y+size*float64(r/sr), size*float64(to-from), size, class)
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
				defer w.text(x+size*(float64(c/sc)+.5), y+size*(float64(r/sr)+.5), "i", cell.Text)
			}
		}
		flush((cols + sc - 1) / sc)
	}
}

// ticks writes where blocks begin and where the tensor ends.
func (p *panel) ticks(w *sketch, at func(box) (x0, y0, x1, y1 float64)) {
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
		return px, func() { w.text(px, py-6, "t m", fmt.Sprint(n)) }
	})
	if p.m.rows > 1 {
		write(rows, p.m.rows, func(n int) (float64, func()) {
			px, py, _, _ := at(box{n, 0, n, 0})
			return py, func() { w.text(px-6, py+4, "t e", fmt.Sprint(n*p.rowStep())) }
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
func (p *panel) labels(w *sketch, l *Launch, at func(box) (x0, y0, x1, y1 float64)) {
	for nth := range p.times {
		b, ok := p.boxes[nth]
		if !ok {
			continue
		}
		x0, y0, x1, y1 := at(b)
		text := fmt.Sprintf("program %s %s %s%s", tuple(l.Program), p.verb, p.name, p.slice(b))
		if p.times > 1 {
			text += fmt.Sprintf(", iteration %d", nth)
			if mark, style := p.sign(nth); style != Name && x1-x0 >= 8 && y1-y0 >= 8 && !p.shared(nth) {
				w.text((x0+x1)/2, (y0+y1)/2, "i b", mark)
			}
		}
		w.areas = append(w.areas, Area{[4]int{int(x0), int(y0), int(x1), int(y1)}, text})
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
