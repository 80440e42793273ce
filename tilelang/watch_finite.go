package tilelang

import (
	"fmt"
	"math"
	"strings"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// traceLanes marks the elements of z, an elementwise op's result, that are NaN though no
// operand is, or infinite though all operands are finite.
func traceLanes(name string, z *node, operands []*node) {
	if tracing.Load() == 0 || !z.dt.IsFloat() {
		return
	}
	in := make([][]float64, len(operands))
	for i, x := range operands {
		b, temp := x.broadcastTo(z.shape).borrow(Float64)
		defer temp.free()
		in[i] = dtype.View[float64](b)
	}
	z.traced(name, func(k int, v float64) (made bool, of string) {
		nan, finite := false, true
		var text []string
		for _, x := range in {
			nan = nan || math.IsNaN(x[k])
			finite = finite && !math.IsInf(x[k], 0)
			text = append(text, fmt.Sprint(x[k]))
		}
		return !nan && (finite || math.IsNaN(v)), strings.Join(text, " and ")
	})
}

// traceWhole marks the elements of z that are NaN though no element of ts is, or infinite
// though all are finite.
func traceWhole(name string, z *node, ts ...*node) {
	if tracing.Load() == 0 || !z.dt.IsFloat() {
		return
	}
	nan, finite := false, true
	for _, t := range ts {
		b, temp := t.borrow(Float64)
		for _, v := range dtype.View[float64](b) {
			nan = nan || math.IsNaN(v)
			finite = finite && !math.IsInf(v, 0)
		}
		temp.free()
	}
	z.traced(name, func(_ int, v float64) (made bool, of string) {
		return !nan && (finite || math.IsNaN(v)), "numbers"
	})
}

// traced marks the elements of z that are not finite, where made says that z's operation
// has made them so, and of what.
func (z *node) traced(name string, made func(k int, v float64) (bool, string)) {
	b, temp := z.borrow(Float64)
	defer temp.free()
	var bits []uint8
	var from *Origin
	for k, v := range dtype.View[float64](b) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			continue
		}
		yes, of := made(k, v)
		if !yes {
			continue
		}
		if from == nil {
			bits = make([]uint8, z.shape.Len())
			from = &Origin{Mark: NotFinite, Op: name, Pos: kernelPos(), Text: fmt.Sprintf("%s of %s gives %v%s", name, of, v, z.laneText(k))}
		}
		bits[k] = uint8(NotFinite)
	}
	if from != nil {
		z.addBits(bits, from)
	}
}

// laneText is where element k is, in a sentence; nothing for a scalar.
func (z *node) laneText(k int) string {
	if z.shape.N == 0 {
		return ""
	}
	return fmt.Sprintf(" in lane %s of %s", shape.Index(z.shape.Place(k).Dims()), shape.Index(z.shape.Dims()))
}

// addBits adds marks, which come from an origin, to z's.
func (z *node) addBits(bits []uint8, from *Origin) {
	n := marks{}
	if m := z.marks; m != nil {
		n = *m
		if m.bits != nil {
			b, temp := m.bits.borrow(Uint8)
			for k, v := range dtype.View[uint8](b) {
				bits[k] |= v
			}
			temp.free()
		}
	}
	n.bits, n.from = bitsNode(bits, z.shape), joinOrigins(n.from, []*Origin{from})
	z.marks = &n
}
