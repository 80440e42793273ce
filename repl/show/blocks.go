package show

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Launch is what one program of an observed launch reads and writes.
type Launch struct {
	Kernel        string
	Program, Grid []int
	Visits        []Visit  // in order
	Others        []Stored // by other programs
	LeftOut       int      // visits beyond a limit
}

// A Visit is one load, store or atomic.
type Visit struct {
	Name    string // of the tensor
	Tensor  *tensor.Tensor
	Order   int    // of the tensor among the kernel's parameters
	Verb    string // reads, writes or updates
	Op      string
	Line    int
	Nth     int // how often the program had come to this place before
	Shape   []int
	Offsets []int64
	Active  []uint8 // nil: all lanes are
}

// Stored is where another program stores: its first and its last lane.
type Stored struct {
	Tensor  *tensor.Tensor
	Offsets []int64
}

// A panel is a tensor with what the program does to it in one way.
type panel struct {
	name, verb string
	order      int
	lines      []int
	m          *touchMap
	visits     []Visit
	times      int              // iterations
	seen       map[place][2]int // the first and the last iteration that touches an element
	boxes      map[int]box
	others     []box
}

// A box is rows and columns that hold what is touched: the first ones, and those after the last.
type box struct{ r0, c0, r1, c1 int }

func (b box) with(p place) box {
	if b.r1 == 0 {
		return box{p.row, p.col, p.row + 1, p.col + 1}
	}
	return box{min(b.r0, p.row), min(b.c0, p.col), max(b.r1, p.row+1), max(b.c1, p.col+1)}
}

// Blocks is the blocks that a program reads and writes, tensor by tensor, side by side: what is
// read first, each iteration of a loop with its number and in a colour of its own. A page has
// it as a drawing.
func Blocks(l *Launch, o Options) picture.Picture {
	o = o.WithDefaults()
	panels := l.panels(o)
	var text picture.Picture
	text.Add(picture.Name, l.Kernel, picture.Head, fmt.Sprintf("  program %s of %s", tuple(l.Program), tuple(l.Grid)))
	if len(panels) == 0 {
		text.Add(picture.Head, "reads and writes nothing")
		return text
	}
	if len(panels) > 0 {
		text.Blocks = append(text.Blocks, beside(panels, o)...)
	}
	keys := legendOf(panels)
	text.AddLegend(keys...)
	if l.LeftOut > 0 {
		text.Add(picture.Head, fmt.Sprintf("%s more than these, which are left out", count(l.LeftOut, "load or store")))
	}
	f := drawn(l, panels)
	f.Text = text
	p := picture.Picture{Blocks: []picture.Block{{Figure: f}}}
	var page picture.Picture
	page.AddLegend(keys...)
	p.Blocks = append(p.Blocks, picture.Block{Figure: &picture.Figure{Page: page}})
	return p
}

func tuple(n []int) string { return "(" + strings.Trim(Dims(n), "[]") + ")" }

// panels sorts visits by tensor, those that are read first.
func (l *Launch) panels(o Options) (list []*panel) {
	for _, v := range l.Visits {
		if v.Tensor == nil {
			continue
		}
		i := slices.IndexFunc(list, func(p *panel) bool { return p.m.x == v.Tensor && p.verb == v.Verb })
		if i < 0 {
			i = len(list)
			list = append(list, newPanel(v, o))
		}
		list[i].add(v)
	}
	for _, s := range l.Others {
		for _, p := range list {
			if p.m.x == s.Tensor && p.verb != "reads" {
				p.outline(s)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *panel) int {
		if (a.verb == "reads") != (b.verb == "reads") {
			return map[bool]int{true: -1, false: 1}[a.verb == "reads"]
		}
		return a.order - b.order
	})
	return list
}

// add notes a visit.
func (p *panel) add(v Visit) {
	active := func(i int) bool { return v.Active == nil || v.Active[i] != 0 }
	ls := lanes{v.Tensor, v.Name, v.Shape, v.Offsets, active}
	p.m.add(len(p.visits), ls)
	p.visits, p.times = append(p.visits, v), max(p.times, v.Nth+1)
	if !slices.Contains(p.lines, v.Line) && v.Line > 0 {
		p.lines = append(p.lines, v.Line)
	}
	for i, off := range v.Offsets {
		at, ok := p.m.place(off)
		if !ok || !active(i) || outside(v.Tensor, off) || p.m.at[at].row {
			continue
		}
		p.boxes[v.Nth] = p.boxes[v.Nth].with(at)
		if was, again := p.seen[at]; again {
			p.seen[at] = [2]int{was[0], v.Nth}
		} else {
			p.seen[at] = [2]int{v.Nth, v.Nth}
		}
	}
}

// outline notes where another program stores.
func (p *panel) outline(s Stored) {
	var b box
	for _, off := range s.Offsets {
		if at, ok := p.m.place(off); ok && !outside(s.Tensor, off) {
			b = b.with(at)
		}
	}
	if b.r1 > 0 && !(p.m.vector && b.r1 > b.r0+1) {
		p.others = append(p.others, b)
	}
}

// size is the rows and columns that are drawn: the tensor's, and what lies outside.
func (p *panel) size() (rows, cols int) {
	rows, cols = p.m.rows, p.m.cols
	for at := range p.m.at {
		rows, cols = max(rows, at.row+1), max(cols, at.col+1)
	}
	return rows, cols
}

// newPanel is a panel of a tensor. A vector is drawn in rows that a mark of the prompt divides.
func newPanel(v Visit, o Options) *panel {
	p := &panel{name: v.Name, verb: v.Verb, order: v.Order, m: newTouchMap(v.Tensor, o), seen: map[place][2]int{}, boxes: map[int]box{}}
	p.m.meant = true
	if p.m.vector {
		n := p.m.shape[0]
		p.m.cols = panelCols
		for n > p.m.cols*vectorRows {
			p.m.cols *= 2
		}
		for n <= p.m.cols/2 && p.m.cols > 8 {
			p.m.cols /= 2
		}
		p.m.rows = max(1, (n+p.m.cols-1)/p.m.cols)
	}
	return p
}

// vectorRows is how many rows a vector is drawn in at most.
const vectorRows = 8

// digits are the signs of iterations; later ones are +.
const digits = "0123456789abcdefghijklmnopqrstuvwxyz"

const markSeveral = "+"

// sign is an iteration's mark and style.
func (p *panel) sign(nth int) (string, picture.Style) {
	switch {
	case p.times == 1:
		return markOn, picture.On
	case nth >= len(digits):
		return markSeveral, picture.Name
	}
	return digits[nth : nth+1], picture.Hue(nth)
}

// cell is the mark of some elements: those of rows and columns in a box. What is wrong
// counts more than what is right.
func (p *panel) cell(b box) picture.Cell {
	nth, several, masked, rank := -1, false, false, 0
	for r := b.r0; r < b.r1; r++ {
		for c := b.c0; c < b.c1; c++ {
			at := place{r, c}
			switch t := p.m.at[at]; {
			case t == nil:
			case t.bad:
				rank = 2
			case t.row:
				rank = max(rank, 1)
			case t.by == 0:
				masked = true
			default:
				k := p.seen[at]
				several = several || k[0] != k[1] || nth >= 0 && nth != k[0]
				nth = k[0]
			}
		}
	}
	switch {
	case rank == 2:
		return picture.Cell{Text: markBad, Style: picture.Bad}
	case rank == 1:
		return picture.Cell{Text: markRow, Style: picture.WrongRow}
	case several:
		return picture.Cell{Text: markSeveral, Style: picture.Name}
	case nth >= 0:
		mark, style := p.sign(nth)
		return picture.Cell{Text: mark, Style: style}
	case masked:
		return picture.Cell{Text: markMasked, Style: picture.Masked}
	case b.r0 < p.m.rows && b.c0 < p.m.cols && p.m.within(b.r0, b.c0):
		return picture.Cell{Text: markOff, Style: picture.Off}
	}
	return picture.Cell{Text: " "}
}

// How many rows and columns of marks a panel has at most.
const panelRows, panelCols = 20, 32

// scale is how many elements a mark stands for, in each direction.
func scale(n, most int) int {
	k := 1
	for (n+k-1)/k > most {
		k *= 2
	}
	return k
}

// text is the panel as lines, all of one width.
func (p *panel) text() (out []picture.Line) {
	rows, cols := p.size()
	sr, sc := scale(rows, panelRows), scale(cols, panelCols)
	out = append(out, picture.LineOf(picture.Name, p.name, picture.Head, " "+typeText(p.m.x.DType(), p.m.shape)),
		picture.LineOf(picture.Head, p.caption()))
	head := picture.Width(fmt.Sprint((rows - 1) / sr * sr * p.rowStep()))
	ruler := ""
	for c := 0; c < cols; c += sc {
		at := 2 * (c / sc)
		if name := fmt.Sprint(c); c/sc%4 == 0 && at >= picture.Width(ruler) {
			ruler += strings.Repeat(" ", at-picture.Width(ruler)) + name
		}
	}
	out = append(out, picture.LineOf(picture.Head, strings.Repeat(" ", head)+" │ "+ruler))
	for r := 0; r < rows; r += sr {
		row := picture.LineOf(picture.Head, fmt.Sprintf("%*d │ ", head, r*p.rowStep()))
		for c := 0; c < cols; c += sc {
			x := p.cell(box{r, c, min(r+sr, rows), min(c+sc, cols)})
			if c > 0 {
				row = append(row, picture.Span{Text: " ", Style: picture.Plain})
			}
			row = append(row, picture.Span{Text: x.Text, Style: x.Style})
		}
		out = append(out, row)
	}
	switch {
	case p.m.vector && sc > 1:
		out = append(out, picture.LineOf(picture.Head, fmt.Sprintf("a mark is %d elements", sc)))
	case sr*sc > 1:
		out = append(out, picture.LineOf(picture.Head, fmt.Sprintf("a mark is %d×%d elements", sr, sc)))
	}
	return out
}

// rowStep is what the number of a row counts: elements of a vector that is in several rows.
func (p *panel) rowStep() int {
	if p.m.vector {
		return p.m.cols
	}
	return 1
}

// caption is what is done to the tensor, and where.
func (p *panel) caption() string {
	text := p.verb
	if len(p.lines) > 0 {
		text += ", line " + strings.Trim(strings.ReplaceAll(fmt.Sprint(p.lines), " ", ", "), "[]")
	}
	if n := p.times; n > 1 {
		text += fmt.Sprintf(", %d times", n)
	}
	return text
}

// beside is panels as lines, as many side by side as fit.
func beside(panels []*panel, o Options) (out []picture.Block) {
	const gap = 3
	var now [][]picture.Line
	wide := 0
	flush := func() {
		for i := range tallest(now) {
			var l picture.Line
			for k, x := range now {
				w := widest(x)
				if i < len(x) {
					l = append(l, x[i]...)
					w -= lineWidth(x[i])
				}
				if k < len(now)-1 {
					l = append(l, picture.Span{Text: strings.Repeat(" ", w+gap), Style: picture.Plain})
				}
			}
			out = append(out, picture.Block{Line: l})
		}
		now, wide = nil, 0
	}
	for _, p := range panels {
		x := p.text()
		if w := widest(x); len(now) > 0 && wide+w > o.Width {
			flush()
			out = append(out, picture.Block{Line: picture.Line{}})
		}
		now = append(now, x)
		wide += widest(x) + gap
	}
	flush()
	return out
}

func tallest(list [][]picture.Line) (n int) {
	for _, x := range list {
		n = max(n, len(x))
	}
	return n
}

func widest(list []picture.Line) (n int) {
	for _, l := range list {
		n = max(n, lineWidth(l))
	}
	return n
}

func lineWidth(l picture.Line) (n int) {
	for _, s := range l {
		n += picture.Width(s.Text)
	}
	return n
}

// legendOf is what the marks of panels mean.
func legendOf(panels []*panel) (keys picture.Legend) {
	var once, several bool
	most := 0
	lanes := map[picture.Style]int{}
	for _, p := range panels {
		if n := p.times; n > 1 {
			most = max(most, n)
			for _, k := range p.seen {
				several = several || k[0] != k[1]
			}
		} else {
			once = true
		}
		lanes[picture.Masked] += p.m.masked
		lanes[picture.Bad] += p.m.bad
		lanes[picture.WrongRow] += p.m.wrong
	}
	if once {
		keys = append(keys, picture.Key{Mark: markOn, Style: picture.On, Text: "touched"})
	}
	for i := range most {
		switch {
		case most <= 4 || i < 2 || i == most-1 && i < len(digits):
			keys = append(keys, picture.Key{Mark: digits[i : i+1], Style: picture.Hue(i), Text: fmt.Sprintf("iteration %d", i)})
		case i == 2:
			keys = append(keys, picture.Key{Mark: picture.Gap, Style: picture.Head, Text: "and so on"})
		}
	}
	if several {
		keys = append(keys, picture.Key{Mark: markSeveral, Style: picture.Name, Text: "several times"})
	}
	for _, k := range []picture.Key{
		{Mark: markMasked, Style: picture.Masked, Text: "masked off: "},
		{Mark: markBad, Style: picture.Bad, Text: "outside the tensor: "},
		{Mark: markRow, Style: picture.WrongRow, Text: "in the wrong row: "},
	} {
		if n := lanes[k.Style]; n > 0 {
			k.Text += count(n, "lane")
			keys = append(keys, k)
		}
	}
	return append(keys, picture.Key{Mark: markOff, Style: picture.Off, Text: "not touched"})
}
