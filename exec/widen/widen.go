// Package widen makes of a Func whose programs lie side by side in memory one whose programs do several of these at
// once, as the last dimension of its tiles.
//
// A kernel with a program for each column reads its elements a row apart, one by one; 16 columns at once are 16
// elements of each row, which are a vector. This is how compilers for SPMD programs (ISPC) take programs as lanes, at
// the level of tiles: a scalar that depends on the program's number becomes a tile of 16, a tile of 64 one of 64x16. Of
// programs that do a short row each a tile of 4 becomes one of 16x4, and one of 64 if the rows follow each other.
package widen

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Wide is a Func whose program number g along an axis does what programs Lanes*g up to Lanes*g+Lanes-1 of another
// one do, provided that no program reads or writes what another one writes.
type Wide struct {
	Func  *ir.Func
	Axis  int
	Lanes int

	multiples params // that must be, of Lanes
	least     int    // how many groups of programs are worth it
}

// fasterBy is how many times as fast programs at once are at least, about.
const fasterBy = 4

// params is a set of parameters.
type params map[int]bool

// Takes reports whether a launch is such that programs lie side by side, and there are enough of them for its workers.
func (w *Wide) Takes(args []ir.Arg, grid [3]int, workers int) bool {
	for p := range w.multiples {
		n := dtype.ToInt(w.Func.Params[p].Type.D, args[p].Bits)
		if n <= 0 || n%int64(w.Lanes) != 0 {
			return false
		}
	}
	groups := grid
	groups[w.Axis] /= w.Lanes
	n := groups[0] * groups[1] * groups[2]
	return n >= w.least && n*fasterBy >= workers
}

// Of is f with several programs in one; nil if these would not be faster, or not the same.
func Of(f *ir.Func) *Wide {
	axes, ok := candidates(f)
	if !ok {
		return nil
	}
	if w := flat(f, axes); w != nil {
		return w
	}
	forms := newForms(f)
	for _, n := range []int{16, 8} {
		for axis := range 3 {
			if !axes[axis] {
				continue
			}
			vary := newVarying(f, axis, n)
			how := reads(f, vary, forms)
			if n > 8 && len(vary.by) > 0 || how == rows && !short(f, vary) {
				continue // of heads there are 8 more often than 16
			}
			vary.first = how == rows
			if w := newWidener(f, vary); !w.refused && sideBySide(w, how) {
				again(w.to, how)
				return &Wide{w.to, axis, n, vary.by, least[how]}
			}
		}
	}
	return nil
}

// flat is f with 16 programs in a row, nil if they do not lie so.
func flat(f *ir.Func, axes [3]bool) *Wide {
	const n = 16
	for axis := range 3 {
		if !axes[axis] {
			continue
		}
		if z := flattened(f, newVarying(f, axis, n)); z != nil {
			pass.Tidy(z)
			return &Wide{Func: z, Axis: axis, Lanes: n, least: least[rows]}
		}
	}
	return nil
}

// candidates are the axes along which f numbers its programs, if it has nothing that must stay as it is: what is read
// is not written, so that programs can be run again if one of them fails.
func candidates(f *ir.Func) (axes [3]bool, ok bool) {
	read, written := params{}, params{}
	ok = true
	f.Values(func(v *ir.Value) {
		switch {
		case v.Op == op.ProgramID:
			axes[v.Index] = true
		case v.Op == op.Load:
			read[base(v.Memory().Ptr)] = true
		case v.Op == op.Store:
			written[base(v.Memory().Ptr)] = true
		case v.Op == op.Dot || v.Op == op.Print || ir.Family(v.Op) == op.Atomic:
			ok = false
		}
	})
	for p := range written {
		ok = ok && p >= 0 && !read[p] && !read[-1]
	}
	return axes, ok && len(written) > 0
}

// base is the parameter that an address is in, -1 if there may be several.
func base(v *ir.Value) int {
	for {
		switch v.Op {
		case ir.Param:
			return v.Index
		case ir.PtrAdd, op.Broadcast, op.Reshape, op.Permute:
			v = v.Args[0]
		default:
			return -1
		}
	}
}

func newForms(f *ir.Func) *affine.Forms {
	return affine.NewForms(affine.NewSyms(func(*ir.Value) int { return 0 }), f)
}

// How a program reads its elements.
const (
	rows   = iota // side by side, which are vectors as they are, or not at all
	apart         // tiles of others
	single        // one by one, and it has no tiles
)

// reads says how a program reads elements that others do not.
func reads(f *ir.Func, vary *varying, forms *affine.Forms) int {
	how, tiles, inRows := rows, false, false
	f.Values(func(v *ir.Value) {
		tiles = tiles || v.Type.IsTile()
		if !v.IsMemory() || !vary.any(v.Args) {
			return
		}
		ptr := v.Memory().Ptr
		switch {
		case v.Op != op.Load:
		case ptr.Type.IsTile():
			how = apart
		case how == rows:
			how = single
		}
		for dim, c := range forms.Of(ptr).Coef[:ptr.Type.Shape.N] {
			inRows = inRows || c != nil && c.IsConst(1) && ptr.Type.Shape.D[dim] > 1
		}
	})
	if inRows || tiles && how == single {
		return rows
	}
	return how
}

// again simplifies what was made; matrices, of which there were none, are made what the passes make of them.
func again(f *ir.Func, how int) {
	if how != rows || pass.Run(f, pass.Options{}) != nil {
		pass.Tidy(f)
	}
}

// least is how many groups of programs are faster than programs, which begin earlier.
var least = [...]int{rows: 8, apart: 1, single: 1}

// How many bytes a short row has at most: one that is reduced waits for itself, others keep registers busy.
const (
	mostShort   = 32
	mostReduced = 64
)

// short reports whether a program does little: it has no control flow, no scans, which wait in each row alike, and its
// tiles are short rows of 4 bytes an element or more, of which all programs leave out the same.
func short(f *ir.Func, vary *varying) bool {
	yes, most, longest := true, mostShort, 0
	f.Values(func(v *ir.Value) {
		family := ir.Family(v.Op)
		yes = yes && !v.IsControl() && family != op.Scanning
		yes = yes && v.Type.Shape.N <= 1 && v.Type.Shape.Len() <= mostReduced/4
		if family == op.Reducing {
			most = mostReduced
		}
		if v.IsMemory() {
			ptr, mask := v.Memory().Ptr.Type, v.Memory().Mask
			yes = yes && ptr.D.Elem().Size() >= 4 && (mask == nil || !vary.of(mask))
			longest = max(longest, ptr.Shape.Len()*ptr.D.Elem().Size())
		}
	})
	return yes && longest <= most
}

// sideBySide reports whether programs that follow each other read and write elements that do, and no other ones; of
// programs of single elements, whether they do so once; and of short rows, whether these are rows still.
func sideBySide(w *widener, how int) bool {
	forms := newForms(w.to)
	some := false
	for _, v := range w.accesses {
		ptr := v.Memory().Ptr
		f, shape := forms.Of(ptr), ptr.Type.Shape
		if how == rows && shape.N > 1 {
			shape.D[0] = 1 // rows may be anywhere
		}
		beside := besides(f, shape)
		if !beside && how != single {
			return false
		}
		some = some || beside && v.Op == op.Load
	}
	return some
}

// besides reports whether elements lie side by side along the last dimension only.
func besides(f *affine.Form, shape ir.Shape) bool {
	for dim, c := range f.Coef[:shape.N] {
		if next := c != nil && c.IsConst(1); next != (dim == shape.N-1) && shape.D[dim] > 1 {
			return false
		}
	}
	return f.Ok
}
