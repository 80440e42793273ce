package pass

import (
	"maps"
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass/write"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Complex numbers, and what else lies in pairs, are loaded as rows of two, or as one row, and split. To take a tile
// apart it has to lie in memory. But what it is computed of, lane by lane, can be taken apart ahead of that: even and
// odd elements are then loads two elements apart.

// Halves is f, if it splits no tiles that are computed of what is loaded, or a Func that loads their halves.
func Halves(f *ir.Func) *ir.Func {
	if !splits(f) {
		return f
	}
	c := f.Clone()
	h := halves{fn: c, users: map[*ir.Value][]*ir.Value{}, behind: map[*ir.Value][]*ir.Value{}, made: map[half]*ir.Value{}}
	var list []*ir.Value
	c.Values(func(v *ir.Value) {
		for _, a := range v.Args {
			h.users[a] = append(h.users[a], v)
		}
		if v.Op == op.Split {
			list = append(list, v)
		}
	})
	subst, loads := map[*ir.Value]*ir.Value{}, map[*ir.Value]bool{}
	for _, v := range list {
		if h.apart(v.Args[0], loads) {
			subst[v] = h.part(half{v.Args[0], v.Index, false})
		}
	}
	if len(subst) == 0 {
		return f
	}
	c.Walk(func(b *ir.Block) {
		var out []*ir.Value
		for _, v := range b.Values {
			if !loads[v] {
				out = append(out, v)
			}
			out = append(out, h.behind[v]...)
		}
		b.Values = out
	})
	c.Replace(subst)
	for _, p := range []func(*ir.Func){dce, fold, hoist, cse, dce} {
		p(c)
	}
	return c
}

func splits(f *ir.Func) (yes bool) {
	f.Values(func(v *ir.Value) { yes = yes || v.Op == op.Split })
	return yes
}

// A half is every second element of a value along its last dimension, from index on: of a last dimension of two, which
// is gone in it, or of a longer one.
type half struct {
	of    *ir.Value
	index int
	every bool
}

type halves struct {
	fn     *ir.Func
	users  map[*ir.Value][]*ir.Value
	behind map[*ir.Value][]*ir.Value // what is written behind values
	made   map[half]*ir.Value
}

// apart reports whether x is loaded and computed lane by lane, and used by splits only, both of its halves: what fails
// in one of them must not go unseen. It adds the loads to those that go.
func (h *halves) apart(x *ir.Value, loads map[*ir.Value]bool) bool {
	seen, both := map[*ir.Value]bool{}, [2]bool{}
	if !h.may(half{of: x}, seen) {
		return false
	}
	for _, u := range h.users[x] {
		if u.Op != op.Split {
			return false
		}
		both[u.Index], seen[u] = true, true
	}
	own := map[*ir.Value]bool{}
	for v := range seen {
		if v.Op == op.Load {
			own[v] = true
			if slices.ContainsFunc(h.users[v], func(u *ir.Value) bool { return !seen[u] }) {
				return false
			}
		}
	}
	if len(own) == 0 || both != [2]bool{true, true} {
		return false
	}
	maps.Copy(loads, own)
	return true
}

// may reports whether part knows both halves.
func (h *halves) may(x half, seen map[*ir.Value]bool) bool {
	v := x.of
	s := v.Type.Shape
	if seen[v] {
		return true
	}
	if !v.Type.IsTile() || x.every && s.D[s.N-1]%2 != 0 || !x.every && s.D[s.N-1] != 2 {
		return false
	}
	seen[v] = true
	if v.Op == op.Arange {
		return true
	}
	if v.Op == op.Broadcast && (!v.Args[0].Type.IsTile() || repeatsLast(v)) {
		return true
	}
	if v.Op == op.Reshape {
		y, ok := x.reshaped()
		return ok && h.may(y, seen)
	}
	if !byLanes(v) || v.Op == op.Load && s.N == 1 && !x.every {
		return false
	}
	if x.every && v.Type.D == dtype.Bool { // every second index up to an end is no box: a mask for each lane is slower
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ir.Value) bool {
		return v.Op != op.Broadcast && a.Type.Shape != s || !h.may(half{a, 0, x.every}, seen)
	})
}

// byLanes reports whether v's elements are each made of its operands' elements at the same place.
func byLanes(v *ir.Value) bool {
	return affine.LaneByLane(v) && !v.CanFail() || v.Op == op.Load || v.Op == op.Broadcast
}

// repeatsLast reports whether a Broadcast of a tile repeats along the last dimension.
func repeatsLast(v *ir.Value) bool {
	x, z := v.Args[0].Type.Shape, v.Type.Shape
	return x.N == z.N && x.D[x.N-1] != z.D[z.N-1]
}

// reshaped is what half of a Reshape's operand has the same elements.
func (x half) reshaped() (y half, ok bool) {
	a, s := x.of.Args[0], x.of.Type.Shape
	last := a.Type.Shape.D[a.Type.Shape.N-1]
	switch {
	case last == s.D[s.N-1]:
		return half{a, x.index, x.every}, true
	case !x.every && s.N > 1 && last == 2*s.D[s.N-2]:
		return half{a, x.index, true}, true
	}
	return y, false
}

// shape is that of a half.
func (x half) shape() ir.Shape {
	s := x.of.Type.Shape
	if x.every {
		return s.With(s.N-1, s.D[s.N-1]/2)
	}
	return s.Drop(s.N - 1)
}

// part writes a half behind the value that it is of.
func (h *halves) part(x half) *ir.Value {
	if z := h.made[x]; z != nil {
		return z
	}
	w := halfWriter{h, x, write.Writer{Fn: h.fn, Pos: x.of.Pos}}
	z := w.write()
	h.made[x] = z
	h.behind[x.of] = append(h.behind[x.of], w.Out...)
	return z
}

type halfWriter struct {
	*halves
	half
	write.Writer
}

func (w *halfWriter) write() *ir.Value {
	v, s := w.of, w.shape()
	t := v.Type
	t.Shape = s
	switch {
	case v.Op == op.Arange:
		return w.arange(t)
	case v.Op == op.Broadcast && !v.Args[0].Type.IsTile():
		return w.repeated(t, v.Args[0])
	case v.Op == op.Broadcast && repeatsLast(v):
		x := v.Args[0]
		if !w.every {
			y := x.Type
			y.Shape = y.Shape.Drop(y.Shape.N - 1)
			x = w.Add(op.Reshape, y, x)
		}
		return w.repeated(t, x)
	case v.Op == op.Reshape:
		y, _ := w.reshaped()
		x := w.part(y)
		if !x.Type.IsTile() {
			return w.repeated(t, x)
		}
		return w.Add(op.Reshape, t, x)
	}
	args := make([]*ir.Value, len(v.Args))
	for i, a := range v.Args {
		args[i] = w.part(half{a, w.index, w.every})
	}
	z := w.Add(v.Op, t, args...)
	z.Attr = v.Attr
	return z
}

// repeated is x in all elements of a tile.
func (w *halfWriter) repeated(t ir.Type, x *ir.Value) *ir.Value {
	if x.Type == t {
		return x
	}
	return w.Add(op.Broadcast, t, x)
}

// arange is every second number.
func (w *halfWriter) arange(t ir.Type) *ir.Value {
	first := w.Add(op.Const, ir.Scalar(dtype.Int32))
	first.Bits = uint64(uint32(w.of.Index + w.index))
	if !w.every {
		return first
	}
	two := w.Add(op.Const, ir.Scalar(dtype.Int32))
	two.Bits = 2
	n := w.Add(op.Arange, t)
	return w.Add(op.Add, t, w.Add(op.Mul, t, n, w.repeated(t, two)), w.repeated(t, first))
}
