package sanitizer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/check/layout"
	"github.com/tiler-go/tiler/exec/check/shadow"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// What a launch leaves unwritten of a tensor that it writes is looked at when all its
// programs have ended.

// output is what is known of the stores through a view.
type output struct {
	stores   bool     // there were any
	loads    bool     // and loads: what is not written may be meant to stay
	whole    bool     // all of the tensor is expected to be written
	fromData bool     // their places depend on what is in memory
	tile     []int    // of the first store
	pos      diag.Pos // of the first store
	op       string
	kind     tl.AccessKind // Stores if there was one
}

// Unwritten is findings about tensors that were written in part: errors where what is
// left was never written by anybody, warnings where it has other contents, and no lane
// of a store came near it. meant says of the latter whether the kernel is meant to write
// all that a dimension holds; programs is how many ran.
func (c *Checker) Unwritten(programs int, meant func(tensor string, dim int) bool) (fs []check.Finding) {
	for _, v := range c.ordered {
		o := &v.output
		if !o.stores || o.loads || o.fromData || v.shadow.sparse != nil {
			continue
		}
		if f := c.unwritten(v, programs, meant); f != nil {
			fs = append(fs, *f)
		}
	}
	return fs
}

func (c *Checker) unwritten(v *view, programs int, meant func(string, int) bool) *check.Finding {
	x := v.base.Tensor
	shape := x.Shape()
	left, undefined, first := 0, 0, -1
	untouched := make([]bool, x.Len()) // not even by a lane that is masked off
	blank := make([]bool, x.Len())
	offs := v.offsets()
	for i, off := range offs {
		if p := v.cell(off); p.Written() {
			continue
		}
		blank[i] = true
		if left++; left == 1 {
			first = i
		}
		if !x.IsDefinedAt(int(off)) {
			undefined++
		}
		untouched[i] = !v.shadow.wasDeclined(v, off)
	}
	if left == 0 {
		return nil
	}
	at := layout.IndexOf(shape, first)
	f := &check.Finding{Kind: check.Unwritten, Severity: check.Error, Op: v.output.op, Tensor: v.name, Index: at, Lanes: 0}
	f.Pos = v.output.pos
	if undefined == 0 && !v.output.whole {
		if c.skipped > 0 || !slices.ContainsFunc(layout.Slices(shape, untouched), func(d int) bool { return meant(v.name, d) }) {
			return nil
		}
		f.Severity = check.Warning
	}
	f.Msg = fmt.Sprintf("%d of %d elements of %s are never written, the first is %s%s", left, len(blank), v.name, v.name, check.IndexText(at))
	if undefined > 0 {
		f.Note("%s was made by tensor.Empty: they are undefined after the last program", v.name)
	}
	if o := c.sameBy(v.name); o != "" {
		f.Note("%s", o)
		f.Fix("give each program a block of its own")
	} else if s := tooFew(programs, v.output.tile, shape, len(blank)-left); s != "" {
		f.Note("%s", s)
		f.Fix("launch enough programs, or let each write more")
	} else {
		f.Fix("look at the grid, and at how programs come to their block of %s", v.name)
	}
	f.Picture = blankPicture(shape, blank, first)
	if c.Source != nil {
		f.Source = c.Source(f.Pos.File, f.Pos.Line)
	}
	return f
}

// Whole reports whether all of a tensor was written, and nothing of it loaded.
func (c *seen) Whole(p tl.Ptr) bool {
	v := c.views[p.Base()]
	return v != nil && v.output.stores && !v.output.loads && v.all((*shadow.Cell).Written)
}

// Read reports whether all of a tensor was loaded, and nothing of it written.
func (c *seen) Read(p tl.Ptr) bool {
	v := c.views[p.Base()]
	return v != nil && v.output.loads && !v.written && v.all(func(e *shadow.Cell) bool { return e.Read != 0 })
}

// all reports whether something holds of what happened to each element.
func (v *view) all(holds func(e *shadow.Cell) bool) bool {
	if v.shadow.sparse != nil {
		return false
	}
	for _, off := range v.offsets() {
		if !holds(v.cell(off)) {
			return false
		}
	}
	return true
}

// Expect says that all of a tensor is to be written.
func (c *seen) Expect(p tl.Ptr) { c.views[p.Base()].output.whole = true }

// sameBy says that programs write the same elements of a tensor, if they do.
func (c *seen) sameBy(name string) string {
	for _, f := range c.list {
		if f.Kind == check.Race && f.Tensor == name && f.Severity == check.Note {
			return fmt.Sprintf("%s write elements that another program writes, too", check.Plural(f.Programs, "program"))
		}
	}
	return ""
}

// tooFew says that there are fewer programs than blocks, "" if there are enough.
func tooFew(programs int, tile, shape []int, written int) string {
	total := 1
	for _, n := range shape {
		total *= n
	}
	sizes := tile
	if len(tile) == 1 {
		shape = []int{total}
	}
	for len(sizes) < len(shape) {
		sizes = append([]int{1}, sizes...)
	}
	if len(sizes) != len(shape) || len(tile) == 0 {
		return ""
	}
	need, calls := 1, []string{}
	for d, n := range shape {
		blocks := (n + sizes[d] - 1) / sizes[d]
		if need *= blocks; sizes[d] > 1 {
			calls = append(calls, fmt.Sprintf("tl.Cdiv(%d, %d)", n, sizes[d]))
		} else if n > 1 {
			calls = append(calls, fmt.Sprint(n))
		}
	}
	if programs >= need || len(calls) == 0 {
		return ""
	}
	block := check.IndexText(tile)
	if len(tile) == 1 {
		block = fmt.Sprint(tile[0])
	}
	return fmt.Sprintf("%s of %s write %d of %d: %s is %d", check.Plural(programs, "program"), block, written, total, strings.Join(calls, "*"), need)
}

// blankPicture is the tensor around an element: o written, X not.
func blankPicture(shape []int, blank []bool, first int) string {
	return layout.Picture(shape, first, func(i int) rune {
		if blank[i] {
			return signBad
		}
		return signActive
	})
}

// offsets is where v's elements lie, in row-major order.
func (v *view) offsets() []int64 {
	x := v.base.Tensor
	shape, strides := x.Shape(), x.Strides()
	offs := make([]int64, x.Len())
	at := make([]int, len(shape))
	off := 0
	for i := range offs {
		offs[i] = int64(off)
		for d := len(shape) - 1; d >= 0; d-- {
			at[d]++
			off += strides[d]
			if at[d] < shape[d] {
				break
			}
			off -= at[d] * strides[d]
			at[d] = 0
		}
	}
	return offs
}

// decline remembers that a store came to an element and its mask let it not through.
func (r *region) decline(v *view, off int64) {
	if r.sparse != nil {
		return
	}
	if r.declined == nil {
		r.declined = make([]uint64, (len(r.cells)+63)/64)
	}
	i := v.first + int(off)*v.unit
	r.declined[i/64] |= 1 << (i % 64)
}

func (r *region) wasDeclined(v *view, off int64) bool {
	i := v.first + int(off)*v.unit
	return r.declined != nil && r.declined[i/64]&(1<<(i%64)) != 0
}

// outputs notes what a store or an update, or a load, says about v as an output.
func (w *visitor) outputs() {
	a, o := w.a, &w.v.output
	if a.Kind != tl.Loads && (a.Pointers.Data|a.Masks.Data|w.c.decided) != 0 {
		o.fromData = true
	}
	switch {
	case a.Kind == tl.Loads:
		o.loads = true
		return
	case !o.stores:
		o.stores, o.tile, o.op = true, slices.Clone(a.Shape), a.Op
		o.pos = w.c.pos(a.Pos)
	}
	if a.Kind == tl.Stores {
		o.kind = tl.Stores
	}
	for i, on := range a.Active {
		if off := a.Offsets[i]; on == 0 && w.v.inside(off) {
			w.v.shadow.decline(w.v, off)
		}
	}
}
