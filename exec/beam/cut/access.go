package cut

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/tilelang/op"
)

// An analysis is what is known of a kernel's accesses to memory for the arguments of a launch.
type analysis struct {
	p        *Program
	args     []ir.Arg
	grid     [3]int
	ids      int // of values are below it
	accesses []*access
	loops    []*ir.Value         // variable 3+i is the round of loop i
	carries  map[*ir.Value]carry // arguments of the blocks of loops
	forms    *affine.Forms
	boxes    *affine.Boxes
}

// A carry is what an argument of a loop's block is.
type carry struct {
	loop     *ir.Value
	variable int
	index    int // of what is carried; -1 is the counter
}

// An access is a load, a store or an atomic operation.
type access struct {
	v      *ir.Value
	base   int // the parameter it goes to, -1 if that is not known
	form   *affine.Form
	masks  []*affine.Box // lanes are within all of them
	within map[int]bool  // loops around it, by number
}

func analyze(p *Program) (*analysis, error) {
	fn, err := p.lowered()
	if err == nil {
		err = pass.Run(fn, pass.Options{})
	}
	if err != nil {
		return nil, err
	}
	a := &analysis{p: p, grid: p.grid, ids: fn.NumIDs(), args: p.scalars(fn), carries: map[*ir.Value]carry{}}
	a.forms = affine.NewForms(affine.NewSyms(func(*ir.Value) int { return 0 }), fn)
	a.forms.Clamped = true
	a.boxes = affine.NewBoxes(a.forms, func(affine.Cond) bool { return false })
	a.block(fn.Body, nil)
	for _, x := range a.accesses {
		if x.base < 0 {
			return nil, a.refuse(x, "which tensor it goes to cannot be told")
		}
	}
	return a, nil
}

// block collects the loops and accesses of a block that stands in loops.
func (a *analysis) block(b *ir.Block, loops []int) {
	for _, v := range b.Values {
		if v.Op == ir.For || v.Op == ir.Loop {
			n := len(a.loops)
			a.loops = append(a.loops, v)
			counter := 0
			if v.Op == ir.For {
				counter = 1
			}
			for i, arg := range v.Blocks[0].Args {
				a.carries[arg] = carry{v, 3 + n, i - counter}
			}
			a.block(v.Blocks[0], append(loops[:len(loops):len(loops)], n))
			continue
		}
		if v.Op == ir.If {
			for _, inner := range v.Blocks {
				a.block(inner, loops)
			}
		}
		if v.IsMemory() {
			a.accesses = append(a.accesses, a.access(v, loops))
		}
	}
}

func (a *analysis) access(v *ir.Value, loops []int) *access {
	m := v.Memory()
	x := &access{v: v, form: a.forms.Of(m.Ptr), within: map[int]bool{}}
	for _, n := range loops {
		x.within[n] = true
	}
	if x.base = a.origin(m.Ptr, 0); x.form.Ok {
		x.base = x.form.Base
	}
	if m.Mask != nil {
		x.masks = a.limits(m.Mask)
	}
	return x
}

// origin is the parameter that a pointer points into, -1 if there may be several.
func (a *analysis) origin(v *ir.Value, depth int) int {
	if depth > 1000 {
		return -1
	}
	if at, ok := a.carries[v]; ok && at.index >= 0 {
		first := 0
		if at.loop.Op == ir.For {
			first = 2
		}
		return a.origin(at.loop.Args[first+at.index], depth+1)
	}
	switch {
	case v.Op == ir.Param:
		return v.Index
	case v.Op == op.Where:
		if x := a.origin(v.Args[1], depth+1); x == a.origin(v.Args[2], depth+1) {
			return x
		}
	case v.Op == ir.PtrAdd || ir.Family(v.Op) == op.Shape:
		return a.origin(v.Args[0], depth+1)
	}
	return -1
}

// limits is what a mask says of indices; what it says beside that lets only less through.
func (a *analysis) limits(mask *ir.Value) []*affine.Box {
	if mask.Op == op.And {
		return append(a.limits(mask.Args[0]), a.limits(mask.Args[1])...)
	}
	if b := a.boxes.Of(mask); b.Ok {
		return []*affine.Box{b}
	}
	return nil
}

// A box is programs: n along each axis, from the first on.
type box struct{ from, n [3]int }

func (b box) size() int { return b.n[0] * b.n[1] * b.n[2] }

// view looks at a box.
func (a *analysis) view(b box) *view {
	w := &view{a: a, from: b.from, memo: make([]known, a.ids)}
	for _, n := range b.n {
		w.count = append(w.count, int64(n))
	}
	for range a.loops {
		w.count = append(w.count, -1)
	}
	for i, l := range a.loops {
		if l.Op != ir.For {
			continue
		}
		lo, ok := w.of(l.Args[0])
		hi, too := w.of(l.Args[1])
		if !ok || !too {
			continue
		}
		d, ok := hi.plus(lo, -1)
		least, most, bounded := w.span(d)
		if !ok || !bounded {
			continue
		}
		if step := int64(l.Index); step < 0 {
			w.count[3+i] = rounds(-least, 0, step)
		} else {
			w.count[3+i] = rounds(0, most, step)
		}
	}
	return w
}

// region is where an access of a box's programs goes; why says why it is not known, and it is all of the tensor then.
func (w *view) region(x *access) (r Region, why string) {
	t := w.a.p.Launch.Args[w.a.p.Tensors[x.base]].Tensor
	whole := flat(0, t.Len())
	if !x.form.Ok {
		return whole, "its addresses are no sums of indices: they depend on data, or on more than the compiler follows"
	}
	for n := range x.within {
		if w.count[3+n] == 0 {
			return Region{}, ""
		}
	}
	p := &place{view: w, x: x, shape: x.v.Memory().Ptr.Type.Shape}
	if why := p.prepare(); why != "" {
		return whole, why
	}
	row := t.Row()
	if r0, r1, c0, c1, ok := p.rows(int64(row)); ok {
		return rect(max(0, r0), min(r1, t.Len()/row), c0, c1, row), ""
	}
	lo, hi, ok := p.bounds(p.start, p.coef[:], 1)
	if !ok {
		return whole, "how far its addresses go is not known"
	}
	return flat(max(0, int(lo)), min(int(hi)+1, t.Len())), ""
}

// A place is the addresses of an access of a box's programs: start + Σ coef·index.
type place struct {
	*view
	x     *access
	shape ir.Shape
	start lin
	coef  [ir.MaxRank]int64
	most  [ir.MaxRank][]lin // what masks keep indices below
}

func (p *place) prepare() (why string) {
	f := p.x.form
	var ok bool
	if p.start, ok = p.sym(f.Start); !ok {
		return "where it begins depends on data, or is no sum of program ids and loop counters with constant factors"
	}
	for i, c := range f.Coef {
		if c == nil {
			continue
		}
		k, ok := p.sym(c)
		if !ok || !k.constant() {
			return "its stride differs from program to program"
		}
		p.coef[i] = k.c
	}
	if !p.hold(f.Conds) {
		return "its indices wrap around, or are kept below a limit that some of them reach"
	}
	for _, b := range p.x.masks {
		if !p.hold(b.Conds) {
			continue // it is not what the box says
		}
		for _, a := range b.Atoms {
			if a.Hi == nil {
				continue
			}
			if hi, ok := p.sym(a.Hi); ok {
				p.most[a.Dim] = append(p.most[a.Dim], hi)
			}
		}
	}
	return ""
}

func (p *place) hold(cs []affine.Cond) bool {
	return !slices.ContainsFunc(cs, func(c affine.Cond) bool { return !p.holds(c) })
}

// holds reports whether a condition holds for all programs of the box.
func (p *place) holds(c affine.Cond) bool {
	start, ok := p.sym(c.Form.Start)
	if !ok {
		return false
	}
	lo, hi, ok := p.span(start)
	if !ok {
		return false
	}
	for i, s := range c.Form.Coef {
		if s == nil {
			continue
		}
		k, ok := p.sym(s)
		if !ok || !k.constant() {
			return false
		}
		last, within := fma(0, k.c, int64(c.Shape.D[i]-1))
		lo, hi, ok = lo+min(0, last), hi+max(0, last), within
		if !ok {
			return false
		}
	}
	if c.Below == nil {
		return lo >= c.Lo && hi <= c.Hi
	}
	below, ok := p.sym(c.Below)
	if !ok {
		return false
	}
	least, _, ok := p.span(below)
	return ok && lo >= 0 && hi < least
}

// rows is the addresses as rows and columns of a tensor whose rows have row elements; ok is false if some go from one
// row into the next.
func (p *place) rows(row int64) (r0, r1, c0, c1 int, ok bool) {
	down := lin{c: floor(p.start.c, row), k: make([]int64, len(p.start.k))}
	across := lin{c: p.start.c - down.c*row, k: make([]int64, len(p.start.k))}
	for i, k := range p.start.k {
		if k%row == 0 {
			down.k[i] = k / row
		} else {
			across.k[i] = k
		}
	}
	var coefDown, coefAcross [ir.MaxRank]int64
	for i, k := range p.coef {
		if k%row == 0 {
			coefDown[i] = k / row
		} else {
			coefAcross[i] = k
		}
	}
	least, most, ok := p.bounds(across, coefAcross[:], row)
	if !ok || least < 0 || most >= row {
		return 0, 0, 0, 0, false
	}
	top, bottom, ok := p.bounds(down, coefDown[:], row)
	return int(top), int(bottom) + 1, int(least), int(most) + 1, ok
}

func floor(x, y int64) int64 {
	z := x / y
	if x%y < 0 {
		z--
	}
	return z
}

// bounds is the least and greatest of start + Σ coef·index, as far as masks let indices go.
func (p *place) bounds(start lin, coef []int64, row int64) (lo, hi int64, ok bool) {
	lo, hi, ok = p.span(start)
	if !ok {
		return 0, 0, false
	}
	top := []lin{start}
	for i, k := range coef[:p.shape.N] {
		last := k * int64(p.shape.D[i]-1)
		lo += min(0, last)
		if k == 0 {
			continue
		}
		// The greatest index is below the tile's size, and below each limit of a mask.
		var next []lin
		for _, t := range top {
			ends := []lin{{c: int64(p.shape.D[i])}}
			if k > 0 {
				ends = append(ends, p.most[i]...)
			} else {
				ends = []lin{{c: 1}}
			}
			for _, e := range ends {
				if z, ok := t.plus(e, k); ok {
					z.c -= k
					next = append(next, z)
				}
			}
		}
		if len(next) == 0 || len(next) > 64 {
			return 0, 0, false
		}
		top = next
	}
	hi = limit
	for _, t := range top {
		if _, most, ok := p.span(t); ok {
			hi = min(hi, most)
		}
	}
	return lo, hi, hi < limit
}

// An Error is a launch that cannot be cut: a line of the kernel, and the reason.
type Error struct {
	Place, Kernel, Op, Reason string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s of %s: the launch cannot be cut here: %s", e.Place, e.Op, e.Kernel, e.Reason)
}

func (a *analysis) refuse(x *access, format string, args ...any) error {
	pos := x.v.Pos
	if pos.File == "" {
		pos.File = a.p.Launch.File
	}
	pos.File = filepath.Base(pos.File)
	name := x.v.Text
	if name == "" {
		name = ir.OpName(x.v.Op)
	}
	return &Error{pos.String(), a.p.Name, name, fmt.Sprintf(format, args...)}
}
