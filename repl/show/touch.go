package show

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A touchMap is the elements of a tensor, in rows, and who points to them. The rows of
// a vector are pieces of it; those of a tensor of more dimensions than two stand one
// below the other. Rows that would come after the last belong to what lies outside.
type touchMap struct {
	x          *tensor.Tensor
	o          Options
	shape      []int
	rows, cols int
	vector     bool
	meant      bool // lanes that are masked off are drawn where their tile's steps mean
	at         map[place]*touch
	notes      []func(lane int) string // by access

	lanes []int // by access: its active lanes
	tally
}

// A tally is what the legend counts.
type tally struct {
	masked, bad, wrong int // lanes
	shared, repeated   int // elements
	missed             int // lanes outside for which there is no place
}

type place struct{ row, col int }

// A touch is what points to one element.
type touch struct {
	by     uint64 // a bit for each access
	masked bool
	bad    bool
	row    bool // in the wrong row
	twice  bool
	from   []from
}

func newTouchMap(x *tensor.Tensor, o Options) *touchMap {
	m := &touchMap{x: x, o: o, shape: x.Shape(), rows: 1, cols: 1, at: map[place]*touch{}}
	switch n := len(m.shape); n {
	case 0:
	case 1:
		m.vector = true
		m.cols = max(1, m.shape[0])
		if fit := m.fit(); m.cols > fit {
			m.cols = rowLength(fit)
		}
		m.rows = (m.shape[0] + m.cols - 1) / m.cols
	default:
		m.cols = m.shape[n-1]
		for _, d := range m.shape[:n-1] {
			m.rows *= d
		}
	}
	return m
}

// fit is how many columns of marks there is room for.
func (m *touchMap) fit() int { return max(8, (m.o.Width-8)/2) }

// add notes the lanes of one access.
func (m *touchMap) add(i int, l lanes) {
	m.lanes = append(m.lanes, 0)
	bit := uint64(1) << (i % 64)
	wrong, meant := l.wrongRows(), l.meant()
	m.notes = append(m.notes, l.note)
	for k, off := range l.offs {
		on, out := l.active(k), outside(m.x, off)
		if on {
			m.lanes[i]++
		} else {
			m.masked++
		}
		if on && out {
			m.bad++
		}
		p, ok := m.place(off)
		if meant != nil && m.meant && !on {
			p = meant(k)
			ok = p.row >= 0 && p.col >= 0 && p.row < 2*m.rows+8 && p.col < 2*m.cols+8
		}
		if !ok {
			m.missed++
			continue
		}
		t := m.at[p]
		if t == nil {
			t = &touch{}
			m.at[p] = t
		}
		if wrong != nil && wrong[k] {
			m.wrong++
			t.row = true
		}
		if len(t.from) <= mostFrom {
			t.from = append(t.from, from{i, k})
		}
		m.note(t, bit, on, out)
	}
}

// from is a lane of an access that points to an element.
type from struct{ access, lane int }

// mostFrom is how many lanes are named that point to an element.
const mostFrom = 2

func (m *touchMap) note(t *touch, bit uint64, on, out bool) {
	switch {
	case !on:
		t.masked = true
		return
	case t.by&bit != 0 && !t.twice:
		t.twice = true
		m.repeated++
	case t.by != 0 && t.by&bit == 0 && bits.OnesCount64(t.by) == 1:
		m.shared++
	}
	t.by |= bit
	t.bad = t.bad || out
}

// place is where an offset is drawn; there is none for what lies before the start or
// between the elements.
func (m *touchMap) place(off int64) (place, bool) {
	if off < 0 {
		return place{}, false
	}
	if off < int64(m.x.Span()) {
		idx := m.x.IndexOf(int(off))
		if idx == nil {
			return place{}, false
		}
		n := 0
		for k, i := range idx {
			n = n*m.shape[k] + i
		}
		return place{n / m.cols, n % m.cols}, true
	}
	return m.beyond(off)
}

// beyond is the place of an offset past the end, as if the first dimension went on.
func (m *touchMap) beyond(off int64) (place, bool) {
	strides := m.x.Strides()
	switch {
	case m.vector && strides[0] > 0 && off%int64(strides[0]) == 0:
		n := int(off / int64(strides[0]))
		return place{n / m.cols, n % m.cols}, true
	case len(m.shape) == 2 && strides[1] == 1 && strides[0] >= m.cols:
		row, col := int(off/int64(strides[0])), int(off%int64(strides[0]))
		return place{row, col}, col < m.cols
	}
	return place{}, false
}

// summary is how much of the tensor is touched.
func (m *touchMap) summary() string {
	n := 0
	for _, t := range m.at {
		if t.by != 0 && !t.bad {
			n++
		}
	}
	s := fmt.Sprintf("%d of %d elements touched", n, m.x.Len())
	if m.missed > 0 {
		s += fmt.Sprintf(", %s point elsewhere", count(m.missed, "lane"))
	}
	return s
}

// grid draws the map; letters tells accesses apart.
func (m *touchMap) grid(letters bool) *picture.Grid {
	if m.x.Len() == 0 || len(m.at) == 0 {
		return nil
	}
	lastRow, lastCol := m.rows, m.cols
	lo, hi := place{m.rows, m.cols}, place{-1, -1}
	for p := range m.at {
		lo = place{min(lo.row, p.row), min(lo.col, p.col)}
		hi = place{max(hi.row, p.row), max(hi.col, p.col)}
		lastRow, lastCol = max(lastRow, p.row+1), max(lastCol, p.col+1)
	}
	rows := window(lo.row, hi.row+1, lastRow, m.o.Rows)
	cols := window(lo.col, hi.col+1, lastCol, m.fit())
	g := &picture.Grid{Tight: true, Cols: headers(cols, 1)}
	if m.rows > 1 || lastRow > 1 {
		g.Rows = m.rowNames(rows)
	}
	for _, r := range rows {
		cells := make([]picture.Cell, len(cols))
		for k, c := range cols {
			cells[k] = m.cell(r, c, letters)
		}
		g.Cells = append(g.Cells, cells)
	}
	return g
}

// window is which of n rows are shown: all if they fit, else those from lo to hi and
// one more on each side.
func window(lo, hi, n, most int) []int {
	if n <= most {
		return pick(n, most)
	}
	lo, hi = max(0, lo-1), min(n, hi+1)
	list := pickRange(lo, hi, most)
	if lo > 0 {
		list = slices.Insert(list, 0, -1)
	}
	if hi < n {
		list = append(list, -1)
	}
	return list
}

// rowNames are the headers of rows: the leading indices, and for a vector the number of
// the first element.
func (m *touchMap) rowNames(rows []int) []string {
	if m.vector {
		return headers(rows, m.cols)
	}
	if len(m.shape) < 3 {
		return headers(rows, 1)
	}
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = picture.Gap
		if r >= 0 {
			names[i] = m.leading(r)
		}
	}
	return names
}

func (m *touchMap) leading(row int) string {
	lead := m.shape[:len(m.shape)-1]
	at := make([]string, len(lead))
	for i := len(lead) - 1; i >= 0; i-- {
		at[i] = strconv.Itoa(row % lead[i])
		row /= lead[i]
	}
	return strings.Join(at, ",")
}

// cell is an element with what points to it.
func (m *touchMap) cell(row, col int, letters bool) picture.Cell {
	c := m.marked(row, col, letters)
	if t := m.at[place{row, col}]; t != nil {
		var lanes []string
		for _, f := range t.from[:min(len(t.from), mostFrom)] {
			lanes = append(lanes, m.notes[f.access](f.lane))
		}
		if len(t.from) > mostFrom {
			lanes = append(lanes, picture.Gap)
		}
		c.Note = strings.Join(lanes, "; ")
	}
	return c
}

func (m *touchMap) marked(row, col int, letters bool) picture.Cell {
	if row < 0 || col < 0 {
		return picture.Cell{Text: picture.Gap, Style: picture.Head}
	}
	t := m.at[place{row, col}]
	switch {
	case t == nil && !m.within(row, col):
		return picture.Cell{Text: " "}
	case t == nil:
		return picture.Cell{Text: markOff, Style: picture.Off}
	case t.bad:
		return picture.Cell{Text: markBad, Style: picture.Bad}
	case t.row:
		return picture.Cell{Text: markRow, Style: picture.WrongRow}
	case t.by == 0:
		return picture.Cell{Text: markMasked, Style: picture.Masked}
	case !letters:
		return picture.Cell{Text: markOn, Style: picture.On}
	case bits.OnesCount64(t.by) > 1:
		return picture.Cell{Text: "+", Style: picture.Name}
	}
	i := bits.TrailingZeros64(t.by)
	return picture.Cell{Text: letter(i), Style: picture.Hue(i)}
}

// within reports whether a place is an element of the tensor.
func (m *touchMap) within(row, col int) bool {
	if m.vector {
		return row*m.cols+col < m.shape[0]
	}
	return row < m.rows && col < m.cols
}
