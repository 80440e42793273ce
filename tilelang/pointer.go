package tilelang

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/rule"
	"github.com/tiler-go/tiler/tilelang/shape"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Base is what pointers point into: a tensor, or a view of one, under the name of
// the kernel's parameter. Offsets count elements from the view's first.
type Base struct {
	Name   string
	Tensor *tensor.Tensor

	buf     dtype.Buf    // the view's span
	gaps    bool         // some elements of the span are not the view's
	partial bool         // some memory of the tensor was never written
	stop    *atomic.Bool // set when the launch is cancelled; may be nil
	watch   Observer     // nil: nobody watches
	source  Sources      // its bit
	clean   *marks       // of watched elements without marks
}

// PointerTo is a pointer to the first element of x: what a kernel's Ptr parameter is.
// name is what messages call the tensor. When stop, which may be nil, is set, the next
// access through the pointer panics with an Interrupt.
func PointerTo(x *tensor.Tensor, name string, stop *atomic.Bool) Tile {
	b := &Base{Name: name, Tensor: x, buf: x.Buf(), gaps: x.HasGaps(), partial: !x.Storage().Defined(), stop: stop}
	return tile(newAffine(dtype.PointerTo(x.DType()), shape.Shape{}, 0, shape.Shape{}, b))
}

// An Interrupt is what an access to memory panics with after its launch was
// cancelled: it ends the program instance, and is no fault of it.
type Interrupt struct{}

// poll ends the program instance if its launch is cancelled.
func (b *Base) poll() {
	if b.stop != nil && b.stop.Load() {
		panic(Interrupt{})
	}
}

// wrote notes that n elements from off on, step apart, have been written.
func (b *Base) wrote(off, n, step int) {
	if !b.partial {
		return
	}
	for i := range n {
		b.Tensor.MarkDefinedAt(off + i*step)
	}
}

// IsNil reports whether x points into nothing: the launch passed nil for the tensor. It is
// known when the kernel is compiled, so that what it guards need not be there:
//
//	if !bias.IsNil() {
//		acc = acc.Add(tl.Load(bias.Add(cols)).Row())
//	}
func (x Tile) IsNil() bool {
	b := x.node("Tile.IsNil").base
	if b == nil {
		must("Tile.IsNil", rule.NoPlace(x.t.String()))
	}
	return b.Tensor.IsNone()
}

// Base is what a pointer tile points into, nil for other tiles.
func (x Tile) Base() *Base { return x.node("Tile.Base").base }

func (b *Base) name() string {
	if b == nil || b.Name == "" {
		return "the tensor"
	}
	return b.Name
}

// oneTensor refuses pointers into different tensors: a tile of pointers has one.
func oneTensor(name string, a, b *node) {
	if a.base != b.base && a.base != nil && b.base != nil {
		must(name, rule.TwoTensors(a.String(), b.String(), a.base.name(), b.base.name()))
	}
}

// describe is x: f32[33,64].
func (b *Base) describe() string {
	x := b.Tensor
	if x.IsNone() {
		return b.name() + " is nil: the launch has no such tensor"
	}
	s := fmt.Sprintf("%s is %s%s", b.name(), x.DType().Short(), shape.Index(x.Shape()))
	if x.IsContiguous() {
		return s
	}
	strides := shape.Index(x.Strides())
	s += " with strides " + strides[1:len(strides)-1]
	if x.Span() == 1 && x.Len() > 1 {
		s += ": one element"
	}
	return s
}

// place says where an offset lies: as the index it is, or would be.
func (b *Base) place(off int64) string {
	n := int64(b.Tensor.Span())
	switch {
	case b.Tensor.IsNone():
		return fmt.Sprintf("element %d of %s, which is nil", off, b.name())
	case off < 0:
		return fmt.Sprintf("%s before the start of %s", elements(-uint64(off)), b.name())
	case off >= n:
		s := fmt.Sprintf("%s past the end of %s", elements(uint64(off-n)+1), b.name())
		if at := b.wouldBe(off); at != nil {
			s = fmt.Sprintf("%s%s, %s", b.name(), shape.Index(at), s)
		}
		return s
	}
	if at := b.Tensor.IndexOf(int(off)); at != nil {
		return b.name() + shape.Index(at)
	}
	return fmt.Sprintf("offset %d of %s, which is between the elements of this view", off, b.name())
}

func elements(n uint64) string {
	if n == 1 {
		return "1 element"
	}
	return fmt.Sprintf("%d elements", n)
}

// wouldBe is the index that an offset past the end would have if the first
// dimension went on.
func (b *Base) wouldBe(off int64) []int {
	shape, strides := b.Tensor.Shape(), b.Tensor.Strides()
	at := make([]int, len(shape))
	for i, s := range strides {
		if s <= 0 || i > 0 && strides[i-1] < s {
			return nil
		}
		at[i] = int(off / int64(s))
		off %= int64(s)
	}
	if len(at) == 0 || off != 0 {
		return nil
	}
	return at
}

// Place says in words where an offset lies: x[1,2], or how far outside.
func (b *Base) Place(off int64) string { return b.place(off) }

// Index is the index that an offset is, or would be past the end; nil if it is none.
func (b *Base) Index(off int64) []int {
	switch {
	case off < 0:
		return nil
	case off >= int64(b.Tensor.Span()):
		return b.wouldBe(off)
	}
	return b.Tensor.IndexOf(int(off))
}

// Bits is the element at an offset within the tensor, as raw bits.
func (b *Base) Bits(off int64) uint64 { return b.buf.Bits(int(off)) }

// Describe is the tensor's name, dtype and shape: x is f32[33,64].
func (b *Base) Describe() string { return b.describe() }

// outOfBounds is the fault of an access whose lane first is the lowest that lies
// outside; offs and on (nil for all) are all its lanes.
func (b *Base) outOfBounds(name string, s shape.Shape, offs []int64, on []uint8, first int, outside func(int64) bool) *Fault {
	bad, active := 0, 0
	for i, o := range offs {
		if on != nil && on[i] == 0 {
			continue
		}
		active++
		if outside(o) {
			bad++
		}
	}
	var what strings.Builder
	what.WriteString("out of bounds: ")
	if s.N > 0 {
		fmt.Fprintf(&what, "lane %s of %s is ", shape.Index(s.Place(first).Dims()), s)
	} else {
		what.WriteString("the address is ")
	}
	what.WriteString(b.place(offs[first]))
	f := fault(name, "%s", what.String()).as(AddressFault).Note("%s", b.describe())
	if s.N > 0 {
		f.Note("%d of %d active lanes lie outside", bad, active)
	}
	switch {
	case b.Tensor.IsNone():
		f.Fix("ask first: if !%s.IsNil()", b.name())
	case s.N == 0:
		f.Fix("compare the index with the size first, or pass tl.Mask(i < n)")
	case on == nil:
		f.Fix("mask the lanes beyond the tensor's edge: tl.Mask(offs.Lt(n))")
	default:
		f.Fix("the mask lets these lanes through: compare every index with its own size")
	}
	return f
}
