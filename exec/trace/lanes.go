package trace

import (
	"slices"
	"strconv"
	"strings"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

var kinds = map[tl.AccessKind]string{tl.Loads: "load", tl.Stores: "store", tl.Updates: "atomic"}

// newAccess is an access without its lanes.
func newAccess(a *tl.Access, arg int, states []byte) Access {
	z := Access{Kind: kinds[a.Kind], Op: a.Op, Arg: arg, Shape: ints(a.Shape), Lanes: len(a.Offsets), Mask: a.Active != nil, Other: a.Other}
	for _, s := range states {
		switch s {
		case Masked:
			z.Counts.Masked++
			continue
		case Outside:
			z.Counts.Outside++
		case Undefined:
			z.Counts.Undefined++
		}
		z.Counts.Active++
	}
	return z
}

// laneStates is the state of each lane.
func laneStates(a *tl.Access) []byte {
	x := a.Base.Tensor
	span, gaps := int64(x.Span()), x.HasGaps()
	partial := a.Kind != tl.Stores && !x.Storage().Defined()
	z := make([]byte, len(a.Offsets))
	for i, off := range a.Offsets {
		switch {
		case a.Active != nil && a.Active[i] == 0:
			z[i] = Masked
		case off < 0 || off >= span || gaps && !x.Contains(int(off)):
			z[i] = Outside
		case partial && !x.IsDefinedAt(int(off)):
			z[i] = Undefined
		default:
			z[i] = Active
		}
	}
	return z
}

// lanes adds an access's lanes.
func (z *Access) lanes(a *tl.Access, states []byte) {
	z.States = string(states)
	if a.Affine && len(a.Offsets) > 0 {
		z.Start, z.Strides = a.Offsets[0], slices.Clone(a.Strides)
	} else {
		z.Offsets = slices.Clone(a.Offsets)
	}
	switch a.Kind {
	case tl.Loads:
		z.Values = memory(a, states)
	case tl.Stores:
		z.Values = join(a.Values.Len(), a.Values.DType(), a.Values.Bits)
	default:
		z.Values = join(a.Values.Len(), a.Values.DType(), a.Values.Bits)
		z.Before = memory(a, states)
	}
}

// memory is what the lanes that are carried out find.
func memory(a *tl.Access, states []byte) string {
	x := a.Base.Tensor
	mem, d := x.Buf(), x.DType()
	var b strings.Builder
	for i, off := range a.Offsets {
		if i > 0 {
			b.WriteByte(',')
		}
		if states[i] == Active || states[i] == Undefined {
			b.WriteString(number(d, mem.Bits(int(off))))
		}
	}
	return b.String()
}

func join(n int, d dtype.DType, bits func(i int) uint64) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(number(d, bits(i)))
	}
	return b.String()
}

// number is an element as text: floats with six significant digits, a bool as 1 or 0, a
// pointer as the offset of what it points to.
func number(d dtype.DType, bits uint64) string {
	switch {
	case d.IsPointer():
		return strconv.FormatInt(int64(bits), 10)
	case d == dtype.Bool:
		if bits != 0 {
			return "1"
		}
		return "0"
	case d.IsFloat():
		return strconv.FormatFloat(dtype.ToFloat(d, bits), 'g', 6, 64)
	case d.IsSigned():
		return strconv.FormatInt(dtype.ToInt(d, bits), 10)
	}
	return strconv.FormatUint(bits, 10)
}
