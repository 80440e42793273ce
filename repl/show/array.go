package show

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/repl/picture"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Options bound a picture. The zero value fits a terminal.
type Options struct {
	Width int // columns of text; 0 means 80
	Rows  int // rows of a grid that is not abbreviated; 0 means 16
}

// WithDefaults is the options with what is not given.
func (o Options) WithDefaults() Options {
	if o.Width <= 0 {
		o.Width = 80
	}
	if o.Rows <= 0 {
		o.Rows = 16
	}
	return o
}

// Marks of masks and of elements.
const (
	markOn     = "■"
	markOff    = "·"
	markMasked = "□"
	markBad    = "×"
	markRow    = "»"
	markUndef  = "?"
)

// An array is elements with a shape: a tile's or a tensor's.
type array struct {
	dt    dtype.DType
	shape []int
	at    func(i int) tensor.Value // by row-major number
	truth func(i int) bool         // of a bool array
	float func(i int) float64      // its value; NaN if undefined
	note  func(i int) string       // what a page says about an element; nil: its index and value
	mark  func(i int) picture.Cell // how it is marked; nil: not at all
}

func (a array) len() int {
	n := 1
	for _, d := range a.shape {
		n *= d
	}
	return n
}

// Tile is a tile: numbers in a grid with headers, truth as a mask, and pointers beside
// what they point to.
func Tile(x tl.Tile, o Options) picture.Picture {
	if !valid(x) {
		return Text("tile without a value")
	}
	if x.DType().IsPointer() {
		return Pointers([]Access{{Ptr: x}}, o)
	}
	a := tileArray(x)
	return a.picture(typeText(x.DType(), x.Shape()), o.WithDefaults())
}

// valid reports whether x was ever given a value.
func valid(x tl.Tile) (ok bool) {
	defer func() { _ = recover() }()
	x.DType()
	return true
}

func tileArray(x tl.Tile) array {
	bits := x.Bits()
	d := x.DType()
	if d.IsPointer() {
		d = tl.Int64
	}
	return array{
		dt: d, shape: x.Shape(),
		at:    func(i int) tensor.Value { return tensor.BitsValue(d, bits[i]) },
		truth: func(i int) bool { return bits[i] != 0 },
		float: func(i int) float64 { return valueOf(d, bits[i]) },
	}
}

// Tensor is a tensor's elements; those that were never written are shown as ?.
func Tensor(x *tensor.Tensor, o Options) picture.Picture {
	if x == nil {
		return Text("nil")
	}
	caption := "tensor " + typeText(x.DType(), x.Shape())
	if !x.IsContiguous() {
		caption += " strides " + Dims(x.Strides())
	}
	return tensorArray(x).picture(caption, o.WithDefaults())
}

func tensorArray(x *tensor.Tensor) array {
	shape, strides, d := x.Shape(), x.Strides(), x.DType()
	whole, buf := !x.Undefined(), x.Buf()
	offset := func(i int) (off int) {
		for k := len(shape) - 1; k >= 0; k-- {
			off += i % shape[k] * strides[k]
			i /= shape[k]
		}
		return off
	}
	undefined := func(off int) bool { return !whole && !x.IsDefinedAt(off) }
	return array{
		dt: d, shape: shape,
		at: func(i int) tensor.Value {
			off := offset(i)
			if undefined(off) {
				return tensor.TextValue("?")
			}
			return tensor.BitsValue(d, buf.Bits(off))
		},
		truth: func(i int) bool { return buf.Bits(offset(i)) != 0 },
		float: func(i int) float64 {
			off := offset(i)
			if undefined(off) {
				return math.NaN()
			}
			return valueOf(d, buf.Bits(off))
		},
	}
}

// typeText is f32[4,4], and f32 alone for a scalar.
func typeText(d dtype.DType, shape []int) string {
	if len(shape) == 0 {
		return d.Short()
	}
	return d.Short() + Dims(shape)
}

// Dims is a shape or an index: [4,4].
func Dims(shape []int) string {
	parts := make([]string, len(shape))
	for i, n := range shape {
		parts[i] = strconv.Itoa(n)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// picture is the array below its caption.
func (a array) picture(caption string, o Options) picture.Picture {
	var p picture.Picture
	switch {
	case len(a.shape) == 0:
		p.Add(strings.TrimSpace(a.texts([]int{0})[0]), picture.Head, "  "+caption)
	case slices.Contains(a.shape, 0):
		p.Add(picture.Name, caption, picture.Head, "  no elements")
	case a.dt == tl.Bool:
		p.Add(picture.Name, caption, picture.Head, "  "+a.share())
		a.blocks(&p, o, a.mask)
		p.AddLegend(picture.Key{Mark: markOn, Style: picture.On, Text: "true"},
			picture.Key{Mark: markOff, Style: picture.Off, Text: "false"})
	default:
		p.Add(picture.Name, caption)
		a.blocks(&p, o, a.numbers)
		p.AddScale()
	}
	return p
}

// share says how many lanes of a mask are true.
func (a array) share() string {
	n, total := 0, a.len()
	for i := range total {
		if a.truth(i) {
			n++
		}
	}
	switch n {
	case total:
		return "all lanes true"
	case 0:
		return "no lane true"
	}
	return fmt.Sprintf("%d of %d lanes true", n, total)
}

// maxSlices is how many matrices of an array with more dimensions are shown.
const maxSlices = 6

// blocks draws an array as grids: one for two dimensions, one for each matrix of more.
func (a array) blocks(p *picture.Picture, o Options, draw func(first, rows, cols int, o Options) *picture.Grid) {
	rank := len(a.shape)
	if rank == 1 {
		p.AddGrid(draw(0, 0, a.shape[0], o))
		return
	}
	rows, cols := a.shape[rank-2], a.shape[rank-1]
	if rank == 2 {
		p.AddGrid(draw(0, rows, cols, o))
		return
	}
	o.Rows = max(4, o.Rows/2)
	for _, s := range pick(a.len()/rows/cols, maxSlices) {
		if s < 0 {
			p.Add(picture.Head, picture.Gap)
			continue
		}
		p.Add(picture.Head, sliceName(a.shape[:rank-2], s))
		p.AddGrid(draw(s*rows*cols, rows, cols, o))
	}
}

// sliceName is [1,0,:,:].
func sliceName(lead []int, s int) string {
	at := make([]string, len(lead))
	for i := len(lead) - 1; i >= 0; i-- {
		at[i] = strconv.Itoa(s % lead[i])
		s /= lead[i]
	}
	return "[" + strings.Join(at, ",") + ",:,:]"
}

// texts is elements as they are printed, all of one width.
func (a array) texts(at []int) []string {
	vals := make([]tensor.Value, len(at))
	for i, k := range at {
		vals[i] = a.at(k)
	}
	text := tensor.FormatValues([]int{len(vals)}, func(i int) tensor.Value { return vals[i] }, tensor.FormatOptions{Threshold: -1, LineWidth: math.MaxInt32})
	return strings.Split(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"), ", ")
}

// numbers is a matrix of elements from number first on as a grid. With 0 rows it is a
// vector, broken into rows that fit.
func (a array) numbers(first, rows, cols int, o Options) *picture.Grid {
	vector := rows == 0
	if vector {
		rows = 1
	}
	fit := min(cols, o.Width/3)
	room := o.Width - picture.Width(strconv.Itoa(max(rows, cols)-1)) - 3
	columns := func(at places) int { // how many fit beside one another
		cell := picture.Width(a.texts(at.numbers())[0])
		return max(1, (room+2)/(2+max(cell, picture.Width(strconv.Itoa(cols-1)))))
	}
	for {
		if can := columns(cross(first, []int{0}, pick(cols, fit), cols)); can < fit { // the first row shows it
			fit = max(can, fit*3/4)
			continue
		}
		c := pick(cols, fit)
		if vector {
			c = pick(cols, fit*o.Rows)
		}
		at := cross(first, pick(rows, o.Rows), c, cols)
		can := columns(at)
		if fit <= can || fit <= 1 {
			if vector {
				return a.wrapped(cols, fit, o)
			}
			return a.cells(at)
		}
		fit = max(can, fit*3/4) // fewer elements may be narrower
	}
}

// places are the elements of a grid by row and column; -1 stands for a gap.
type places struct {
	rows, cols []int
	at         [][]int
}

func cross(first int, rows, cols []int, stride int) places {
	p := places{rows: rows, cols: cols}
	for _, r := range rows {
		line := make([]int, len(cols))
		for k, c := range cols {
			line[k] = -1
			if r >= 0 && c >= 0 {
				line[k] = first + r*stride + c
			}
		}
		p.at = append(p.at, line)
	}
	return p
}

// numbers is the elements that are shown.
func (p places) numbers() (list []int) {
	for _, row := range p.at {
		for _, i := range row {
			if i >= 0 {
				list = append(list, i)
			}
		}
	}
	return list
}

// cells is elements as a grid of numbers.
func (a array) cells(p places) *picture.Grid {
	g := &picture.Grid{Cols: headers(p.cols, 1), Rows: headers(p.rows, 1)}
	texts := a.texts(p.numbers())
	next := 0
	for _, row := range p.at {
		cells := make([]picture.Cell, len(row))
		for k, i := range row {
			if i < 0 {
				cells[k] = picture.Cell{Text: picture.Gap, Style: picture.Head}
				continue
			}
			if a.mark != nil {
				cells[k] = a.mark(i)
			}
			cells[k].Text, cells[k].Note = texts[next], a.about(i, texts[next])
			next++
		}
		g.Cells = append(g.Cells, cells)
	}
	if a.dt.IsFloat() {
		a.heat(g, p)
	}
	return g
}

// heat gives every number its place on a scale that ends at the largest that is shown.
func (a array) heat(g *picture.Grid, p places) {
	each := func(do func(c *picture.Cell, v float64)) {
		for r, row := range p.at {
			for k, i := range row {
				if i < 0 {
					continue
				}
				if v := a.float(i); !math.IsNaN(v) {
					do(&g.Cells[r][k], v)
				}
			}
		}
	}
	most := 0.0
	each(func(_ *picture.Cell, v float64) {
		if !math.IsInf(v, 0) {
			most = max(most, math.Abs(v))
		}
	})
	if most > 0 {
		each(func(c *picture.Cell, v float64) { c.Heat = max(-1, min(1, v/most)) })
		g.Shaded = true
	}
}

// about is what a page says about an element: its index, its number and what it is.
func (a array) about(i int, text string) string {
	if a.note != nil {
		return a.note(i)
	}
	return fmt.Sprintf("%s, element %d: %s", Dims(indexIn(a.shape, i)), i, strings.TrimSpace(text))
}

// indexIn is the index of an element by its row-major number.
func indexIn(shape []int, i int) []int {
	at := make([]int, len(shape))
	for k := len(shape) - 1; k >= 0; k-- {
		at[k] = i % shape[k]
		i /= shape[k]
	}
	return at
}

// wrapped is a vector as a grid of rows that fit; the header of a row is the number of
// its first element.
func (a array) wrapped(n, fit int, o Options) *picture.Grid {
	if n <= fit {
		g := a.cells(cross(0, []int{0}, pick(n, fit), n))
		g.Rows = nil
		return g
	}
	fit = rowLength(fit)
	p := places{rows: pick((n+fit-1)/fit, o.Rows), cols: pick(fit, fit)}
	p.at = wrap(p, fit, n)
	g := a.cells(p)
	blank(g, p, n, fit)
	g.Rows = headers(p.rows, fit)
	return g
}

// rowLength is how long the rows of a broken vector are: the largest power of two that
// fits.
func rowLength(fit int) int {
	n := 1
	for n*2 <= fit {
		n *= 2
	}
	return n
}

// wrap is the places of n elements in rows of a length.
func wrap(p places, length, n int) (at [][]int) {
	for _, r := range p.rows {
		row := make([]int, length)
		for k := range row {
			if row[k] = r*length + k; r < 0 || row[k] >= n {
				row[k] = -1
			}
		}
		at = append(at, row)
	}
	return at
}

// blank empties the cells beyond the end of a broken vector.
func blank(g *picture.Grid, p places, n, length int) {
	for i, r := range p.rows {
		for k := range g.Cells[i] {
			if r >= 0 && r*length+k >= n {
				g.Cells[i][k] = picture.Cell{}
			}
		}
	}
}

// headers is numbers as headers; each stands for itself times step.
func headers(list []int, step int) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = picture.Gap
		if n >= 0 {
			out[i] = strconv.Itoa(n * step)
		}
	}
	return out
}

// pick is 0 ... n-1, or its two ends with -1 between them if there are more than most.
func pick(n, most int) []int { return pickRange(0, n, most) }

func pickRange(lo, hi, most int) (list []int) {
	if hi-lo <= max(most, 3) {
		for i := lo; i < hi; i++ {
			list = append(list, i)
		}
		return list
	}
	tail := max(1, (most-1)/2)
	head := max(1, most-1-tail)
	for i := range head {
		list = append(list, lo+i)
	}
	list = append(list, -1)
	for i := hi - tail; i < hi; i++ {
		list = append(list, i)
	}
	return list
}

// mask is a matrix of truth as filled and empty cells.
func (a array) mask(first, rows, cols int, o Options) *picture.Grid {
	fit := max(4, (o.Width-8)/2)
	if rows > 0 {
		p := cross(first, pick(rows, o.Rows), pick(cols, fit), cols)
		g := a.marks(p)
		g.Rows = headers(p.rows, 1)
		return g
	}
	if cols <= fit {
		return a.marks(cross(first, []int{0}, pick(cols, fit), cols))
	}
	fit = rowLength(fit)
	p := places{rows: pick((cols+fit-1)/fit, o.Rows), cols: pick(fit, fit)}
	p.at = wrap(p, fit, cols)
	g := a.marks(p)
	blank(g, p, cols, fit)
	g.Rows = headers(p.rows, fit)
	return g
}

func (a array) marks(p places) *picture.Grid {
	g := &picture.Grid{Tight: true, Cols: headers(p.cols, 1)}
	for _, row := range p.at {
		cells := make([]picture.Cell, len(row))
		for k, i := range row {
			switch {
			case i < 0:
				cells[k] = picture.Cell{Text: picture.Gap, Style: picture.Head}
			case a.truth(i):
				cells[k] = picture.Cell{Text: markOn, Style: picture.On, Note: a.about(i, "true")}
			default:
				cells[k] = picture.Cell{Text: markOff, Style: picture.Off, Note: a.about(i, "false")}
			}
		}
		g.Cells = append(g.Cells, cells)
	}
	return g
}
