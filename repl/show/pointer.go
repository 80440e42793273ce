package show

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/repl/picture"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// An Access is a tile of pointers as a load or store would use it.
type Access struct {
	Ptr  tl.Tile
	Mask tl.Tile // the zero Tile if there is none
	Name string  // what to call it beside others; "" for the tensor's name and its offset
}

// Pointers is pointer tiles and what they touch: for a single one the offsets as a
// grid, and below it the tensor with the touched elements marked. Several into one
// tensor are drawn over one another, each in a colour and with a letter of its own.
// What lies outside the tensor is marked, too.
func Pointers(list []Access, o Options) picture.Picture {
	o = o.WithDefaults()
	var p picture.Picture
	if len(list) == 1 {
		addOffsets(&p, list[0], o)
	}
	for _, group := range byTensor(list) {
		addTouched(&p, group, o)
	}
	return p
}

// byTensor groups accesses that point into the same tensor.
func byTensor(list []Access) (groups [][]Access) {
	for _, a := range list {
		i := slices.IndexFunc(groups, func(g []Access) bool { return sameTensor(g[0], a) })
		if i < 0 {
			groups = append(groups, []Access{a})
			continue
		}
		groups[i] = append(groups[i], a)
	}
	return groups
}

func sameTensor(a, b Access) bool {
	x, y := a.Ptr.Base(), b.Ptr.Base()
	return x == y || x != nil && y != nil && x.Tensor == y.Tensor && x.Tensor != nil
}

// lanes is where the lanes of an access point.
type lanes struct {
	x      *tensor.Tensor
	name   string // of x
	shape  []int  // of the tile
	offs   []int64
	active func(i int) bool
}

// lanes is an access's lanes, of a tensor x.
func (a Access) lanes(x *tensor.Tensor) lanes {
	bits := a.Ptr.Bits()
	l := lanes{x, a.tensorName(), a.Ptr.Shape(), make([]int64, len(bits)), func(int) bool { return true }}
	for i, b := range bits {
		l.offs[i] = int64(b)
	}
	if valid(a.Mask) {
		mask := a.Mask
		if !slices.Equal(mask.Shape(), a.Ptr.Shape()) {
			mask = mask.BroadcastTo(a.Ptr.Shape()...)
		}
		on := mask.Bits()
		l.active = func(i int) bool { return on[i] != 0 }
	}
	return l
}

func (a Access) tensor() *tensor.Tensor {
	if b := a.Ptr.Base(); b != nil {
		return b.Tensor
	}
	return nil
}

func (a Access) tensorName() string {
	if b := a.Ptr.Base(); b != nil && b.Name != "" {
		return b.Name
	}
	return "tensor"
}

func (a Access) label() string {
	if a.Name != "" {
		return a.Name
	}
	return a.tensorName() + " + " + strconv.FormatInt(int64(a.Ptr.Bits()[0]), 10) + "…"
}

// outside reports whether an offset is no element of the tensor.
func outside(x *tensor.Tensor, off int64) bool {
	return off < 0 || off >= int64(x.Span()) || x.HasGaps() && !x.Contains(int(off))
}

// addOffsets draws one pointer tile as base plus offsets.
func addOffsets(p *picture.Picture, a Access, o Options) {
	shape := a.Ptr.Shape()
	caption := fmt.Sprintf("%s + ", a.tensorName())
	kind := "  pointers " + typeText(a.Ptr.DType(), shape)
	if len(shape) == 0 {
		off := int64(a.Ptr.Bits()[0])
		p.Add(picture.Name, caption+strconv.FormatInt(off, 10), picture.Head, "  pointer "+typeText(a.Ptr.DType(), nil))
		return
	}
	p.Add(picture.Name, caption+"offsets", picture.Head, kind)
	arr := tileArray(a.Ptr)
	if x := a.tensor(); x != nil {
		l := a.lanes(x)
		arr.mark, arr.note = l.marks(), l.note
	}
	arr.blocks(p, o, arr.numbers)
}

// marks is how lanes are marked: what lies outside or in the wrong row, and what the mask
// keeps away.
func (l lanes) marks() func(i int) picture.Cell {
	wrong := l.wrongRows()
	return func(i int) picture.Cell {
		switch {
		case !l.active(i):
			return picture.Cell{Mark: markMasked, Style: picture.Masked}
		case outside(l.x, l.offs[i]):
			return picture.Cell{Mark: markBad, Style: picture.Bad}
		case wrong != nil && wrong[i]:
			return picture.Cell{Mark: markRow, Style: picture.WrongRow}
		}
		return picture.Cell{}
	}
}

// note is what a page says about a lane: index in the tile, address, and element.
func (l lanes) note(i int) string {
	text := fmt.Sprintf("lane %s: %s", Dims(indexIn(l.shape, i)), element(l.name, l.x, l.offs[i]))
	if !l.active(i) {
		text += ", masked off"
	}
	return text
}

// element is an address and the element there: x + 10 (byte 40) = x[1,2] = 0.5.
func element(name string, x *tensor.Tensor, off int64) string {
	text := fmt.Sprintf("%s + %d (byte %d)", name, off, off*int64(x.DType().Size()))
	if outside(x, off) {
		return text + " is outside " + name
	}
	value := "?"
	if x.IsDefinedAt(int(off)) {
		d := x.DType()
		value = strings.TrimSpace(tensor.FormatValues([]int{}, func(int) tensor.Value { return tensor.BitsValue(d, x.Buf().Bits(int(off))) }, tensor.FormatOptions{}))
	}
	return text + " = " + name + Dims(x.IndexOf(int(off))) + " = " + value
}

// wrongRows is the lanes that lie in the tensor, but in another row than their tile's steps
// mean, nil if there can be none.
func (l lanes) wrongRows() []bool {
	meant := l.meant()
	if meant == nil {
		return nil
	}
	wrong := make([]bool, len(l.offs))
	for i, off := range l.offs {
		col := meant(i).col
		wrong[i] = l.active(i) && !outside(l.x, off) && (col < 0 || col >= l.x.Dim(1))
	}
	return wrong
}

// meant is the row and column that each lane's steps mean, nil if it has none: of a tile of rows
// and columns that walks along those of a matrix, maybe beyond their ends. The first active lane
// is taken to be where it was meant to be.
func (l lanes) meant() func(i int) place {
	shape, x, offs := l.shape, l.x, l.offs
	if len(shape) != 2 || x.Rank() != 2 || x.Stride(1) != 1 || x.Stride(0) < x.Dim(1) {
		return nil
	}
	step := [2]int64{}
	for k, lane := range []int{shape[1], 1} {
		if shape[k] > 1 {
			step[k] = offs[lane] - offs[0]
		}
	}
	first := -1
	for i, off := range offs {
		if off != offs[0]+int64(i/shape[1])*step[0]+int64(i%shape[1])*step[1] {
			return nil
		}
		if first < 0 && l.active(i) && !outside(x, off) {
			first = i
		}
	}
	row := int64(x.Stride(0))
	along := func(k int) bool { return step[k]%row == 0 } // an axis that walks along rows
	if first < 0 || along(0) == along(1) {
		return nil
	}
	rows, cols := 0, 1 // the axes that walk along rows and within one
	if along(1) {
		rows, cols = 1, 0
	}
	at := func(i, axis int) int64 { return int64([2]int{i / shape[1], i % shape[1]}[axis]) }
	return func(i int) place {
		return place{
			int(offs[first]/row + (at(i, rows)-at(first, rows))*(step[rows]/row)),
			int(offs[first]%row + (at(i, cols)-at(first, cols))*step[cols]),
		}
	}
}

// addTouched draws the tensor that accesses point into, with the elements they touch.
func addTouched(p *picture.Picture, list []Access, o Options) {
	x := list[0].tensor()
	if x == nil {
		return
	}
	m := newTouchMap(x, o)
	for i, a := range list {
		m.add(i, a.lanes(x))
	}
	p.Add(picture.Name, list[0].tensorName(),
		picture.Head, fmt.Sprintf("  %s: %s", typeText(x.DType(), x.Shape()), m.summary()))
	g := m.grid(len(list) > 1)
	if g != nil {
		p.AddGrid(g)
	}
	p.AddLegend(m.keys(list, g != nil)...)
	if m.repeated > 0 {
		p.Add(picture.Head, "touched more than once by one tile: "+count(m.repeated, "element"))
	}
}

// keys is what the marks of a touch map mean.
func (m *touchMap) keys(list []Access, drawn bool) (keys picture.Legend) {
	if len(list) > 1 {
		for i, a := range list {
			text := a.label() + ": " + count(m.lanes[i], "lane")
			keys = append(keys, picture.Key{Mark: letter(i), Style: picture.Hue(i), Text: text})
		}
		if m.shared > 0 {
			text := "touched by several: " + count(m.shared, "element")
			keys = append(keys, picture.Key{Mark: "+", Style: picture.Name, Text: text})
		}
	} else if drawn {
		keys = append(keys, picture.Key{Mark: markOn, Style: picture.On, Text: "touched"})
	}
	if drawn {
		keys = append(keys, picture.Key{Mark: markOff, Style: picture.Off, Text: "not touched"})
	}
	for _, k := range []struct {
		n   int
		key picture.Key
	}{
		{m.masked, picture.Key{Mark: markMasked, Style: picture.Masked, Text: "where masked lanes point: "}},
		{m.bad, picture.Key{Mark: markBad, Style: picture.Bad, Text: "outside the tensor: "}},
		{m.wrong, picture.Key{Mark: markRow, Style: picture.WrongRow, Text: "in the wrong row: "}},
	} {
		if k.n > 0 {
			k.key.Text += count(k.n, "lane")
			keys = append(keys, k.key)
		}
	}
	return keys
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func letter(i int) string { return string(rune('a' + i%26)) }
