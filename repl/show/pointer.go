package show

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
func Pointers(list []Access, o Options) Picture {
	o = o.withDefaults()
	var p Picture
	if len(list) == 1 {
		p.offsets(list[0], o)
	}
	for _, group := range byTensor(list) {
		p.touched(group, o)
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

// lanes is an access's element offsets and which of them are active.
func (a Access) lanes() (offs []int64, active func(i int) bool) {
	bits := a.Ptr.Bits()
	offs = make([]int64, len(bits))
	for i, b := range bits {
		offs[i] = int64(b)
	}
	if !valid(a.Mask) {
		return offs, func(int) bool { return true }
	}
	mask := a.Mask
	if !slices.Equal(mask.Shape(), a.Ptr.Shape()) {
		mask = mask.BroadcastTo(a.Ptr.Shape()...)
	}
	on := mask.Bits()
	return offs, func(i int) bool { return on[i] != 0 }
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

// offsets draws one pointer tile as base plus offsets.
func (p *Picture) offsets(a Access, o Options) {
	shape := a.Ptr.Shape()
	caption := fmt.Sprintf("%s + ", a.tensorName())
	kind := "  pointers " + typeText(a.Ptr.DType(), shape)
	if len(shape) == 0 {
		off := int64(a.Ptr.Bits()[0])
		p.add(Name, caption+strconv.FormatInt(off, 10), Head, "  pointer "+typeText(a.Ptr.DType(), nil))
		return
	}
	p.add(Name, caption+"offsets", Head, kind)
	arr := tileArray(a.Ptr)
	arr.blocks(p, o, arr.numbers)
	if x := a.tensor(); x != nil {
		a.markOffsets(p, x)
	}
}

// markOffsets marks the cells of the offsets' grids: what lies outside, and what the
// mask keeps away.
func (a Access) markOffsets(p *Picture, x *tensor.Tensor) {
	offs, active := a.lanes()
	state := map[string]Cell{}
	for i, off := range offs {
		key := strconv.FormatInt(off, 10)
		switch {
		case !active(i):
			if _, seen := state[key]; !seen {
				state[key] = Cell{Mark: markMasked, Style: Masked}
			}
		case outside(x, off):
			state[key] = Cell{Mark: markBad, Style: Bad}
		default:
			state[key] = Cell{}
		}
	}
	for _, b := range p.Blocks {
		if b.Grid == nil {
			continue
		}
		for _, row := range b.Grid.Cells {
			for k := range row {
				if s, ok := state[strings.TrimSpace(row[k].Text)]; ok {
					row[k].Mark, row[k].Style = s.Mark, s.Style
				}
			}
		}
	}
}

// touched draws the tensor that accesses point into, with the elements they touch.
func (p *Picture) touched(list []Access, o Options) {
	x := list[0].tensor()
	if x == nil {
		return
	}
	m := newTouchMap(x, o)
	for i, a := range list {
		m.add(i, a)
	}
	caption := line(Name, list[0].tensorName(), Head, fmt.Sprintf("  %s: %s", typeText(x.DType(), x.Shape()), m.summary()))
	p.Blocks = append(p.Blocks, Block{Line: caption})
	if g := m.grid(len(list) > 1); g != nil {
		p.grid(g)
	}
	p.legend(m, list)
}

// legend says what the marks of a touch map mean.
func (p *Picture) legend(m *touchMap, list []Access) {
	if len(list) > 1 {
		for i, a := range list {
			p.add(hue(i), letter(i), Head, " "+a.label()+": "+count(m.lanes[i], "lane"))
		}
		if m.shared > 0 {
			p.add("+", Head, " touched by several: "+count(m.shared, "element"))
		}
	}
	for _, l := range []struct {
		n     int
		mark  string
		style Style
		text  string
	}{
		{m.masked, markMasked, Masked, "where masked lanes point: "},
		{m.bad, markBad, Bad, "outside the tensor: "},
	} {
		if l.n > 0 {
			p.add(l.style, l.mark, Head, " "+l.text+count(l.n, "lane"))
		}
	}
	if m.repeated > 0 {
		p.add(Head, "touched more than once by one tile: "+count(m.repeated, "element"))
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func letter(i int) string { return string(rune('a' + i%26)) }
