package tensor

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Span is the distance in elements from x's first element to its last, plus 1: the
// length of the memory that x lies in. An empty tensor has span 0.
func (x *Tensor) Span() int {
	if x.must("Span").n == 0 {
		return 0
	}
	span := 1
	for k, n := range x.shape {
		span += (n - 1) * x.strides[k]
	}
	return span
}

// HasGaps reports whether some offset below Span is no element of x.
func (x *Tensor) HasGaps() bool {
	return x.must("HasGaps").n > 0 && x.footprint().gaps
}

// hasGaps reports whether some number up to l's largest is not in l.
func (l lattice) hasGaps() bool {
	reach := 0 // 0 to reach are in l
	for _, a := range slices.Backward(l) {
		if a.step > reach+1 {
			return true // reach+1 cannot be reached: this step and all larger ones pass it
		}
		reach += (a.n - 1) * a.step
	}
	return false
}

// Contains reports whether the memory off elements after x's first element is an
// element of x. It is exact for any strides.
func (x *Tensor) Contains(off int) bool {
	if x.must("Contains").n == 0 || off < 0 {
		return false
	}
	return x.footprint().offsets.has(off, nil)
}

// IndexOf is the index of the element off elements after x's first one, nil if that
// is no element of x. Where several indices name the same memory it is one of them.
func (x *Tensor) IndexOf(off int) []int {
	if x.must("IndexOf").n == 0 || off < 0 {
		return nil
	}
	var axes lattice
	var dim []int
	for k, n := range x.shape {
		if n > 1 && x.strides[k] > 0 {
			axes = append(axes, axis{n: n, step: x.strides[k]})
			dim = append(dim, k)
		}
	}
	slices.SortStableFunc(dim, func(i, j int) int { return cmp.Compare(x.strides[j], x.strides[i]) })
	slices.SortStableFunc(axes, byStep)
	axes.link()
	i := make([]int, len(axes))
	if !axes.has(off, i) {
		return nil
	}
	index := make([]int, len(x.shape))
	for k, d := range dim {
		index[d] = i[k]
	}
	return index
}

// Overlaps reports whether x and y have memory in common: exactly, also for views
// that interleave and for tensors made separately over one Go slice.
func (x *Tensor) Overlaps(y *Tensor) bool {
	x.must("Overlaps")
	y.must("Overlaps")
	if x.n == 0 || y.n == 0 || x.st != y.st && (x.st.virtual || y.st.virtual) {
		return false
	}
	xs, ys := x.d.Size(), y.d.Size()
	xLo, yLo := x.st.Base()+uintptr(x.off*xs), y.st.Base()+uintptr(y.off*ys)
	xHi, yHi := xLo+uintptr(x.Span()*xs), yLo+uintptr(y.Span()*ys)
	if xHi <= yLo || yHi <= xLo {
		return false
	}
	if !x.HasGaps() && !y.HasGaps() {
		return true
	}
	// Byte a+p of x is byte b+q of y for some a+p, b+q of their lattices. With y's
	// lattice counted from its far end, every sign is positive: one membership test.
	axes := append(x.byteAxes(), y.byteAxes()...)
	return newLattice(axes).has(int(yHi-xLo)-1, nil)
}

// byteAxes is the lattice of x's bytes, counted from the first.
func (x *Tensor) byteAxes() lattice {
	size := x.d.Size()
	axes := lattice{{n: size, step: 1}}
	for k, n := range x.shape {
		axes = append(axes, axis{n: n, step: x.strides[k] * size})
	}
	return axes
}

// A footprint is what follows from a tensor's shape and strides.
type footprint struct {
	offsets lattice // of the elements, counted from the first
	gaps    bool
	mem     dtype.Buf // from the first element to the last; nothing of a virtual tensor
}

// footprint is kept once it has been asked for.
func (x *Tensor) footprint() *footprint {
	if l := x.foot.Load(); l != nil {
		return l
	}
	axes := make(lattice, len(x.shape))
	for k, n := range x.shape {
		axes[k] = axis{n: n, step: x.strides[k]}
	}
	l := &footprint{offsets: newLattice(axes), mem: dtype.NewBuf(x.d, 0)}
	l.gaps = l.offsets.hasGaps()
	if !x.st.virtual {
		l.mem = x.st.buf.Slice(x.off, x.off+x.Span()).As(x.d)
	}
	x.foot.Store(l)
	return l
}

// A lattice is the set of sums of i·step over its axes, 0 <= i < n for each. Its
// axes are in order of falling step, none with n = 1 or step = 0.
type lattice []axis

type axis struct {
	n, step int
	// What the axes after this one can add up to: at most rest, multiples of gcd
	// only. So i·step must be off modulo gcd, which holds for every period-th i: those
	// that are off/common·inverse modulo period.
	rest, gcd, common, period, inverse int
}

func byStep(a, b axis) int { return cmp.Compare(b.step, a.step) }

// newLattice is the set that any axes span, with as few axes as can be.
func newLattice(axes lattice) lattice {
	axes = slices.DeleteFunc(slices.Clone(axes), func(a axis) bool { return a.n == 1 || a.step == 0 })
	slices.SortFunc(axes, byStep)
	l := axes[:0:0]
	for _, a := range slices.Backward(axes) {
		if len(l) > 0 {
			fine := &l[len(l)-1]
			if m := a.step / fine.step; a.step%fine.step == 0 && m <= fine.n {
				fine.n += (a.n - 1) * m
				continue
			}
		}
		l = append(l, a)
	}
	slices.Reverse(l)
	l.link()
	return l
}

// link fills in what each axis knows about those after it.
func (l lattice) link() {
	rest, g := 0, 0
	for k := range slices.Backward(l) {
		a := &l[k]
		a.rest, a.gcd = rest, g
		if g > 0 {
			a.common = gcd(a.step, g)
			a.period = g / a.common
			a.inverse = inverse(a.step/a.common%a.period, a.period)
		}
		rest += (a.n - 1) * a.step
		g = gcd(a.step, g)
	}
}

// has reports whether off is in l, and sets index, if not nil, to the multipliers.
func (l lattice) has(off int, index []int) bool {
	s := solver{index: index}
	return s.solve(l, off)
}

// A solver searches a lattice. For views of row-major memory each axis leaves one
// candidate; after many steps it remembers what failed, so that odd strides end too.
type solver struct {
	index  []int
	steps  int
	failed map[[2]int]bool // (axes left, offset left)
}

func (s *solver) solve(l lattice, off int) bool {
	if len(l) == 0 {
		return off == 0
	}
	a := &l[0]
	first, last := 0, min(a.n-1, off/a.step)
	if over := off - a.rest; over > 0 {
		first = (over + a.step - 1) / a.step
	}
	period := 1
	if a.gcd > 0 {
		if off%a.common != 0 {
			return false
		}
		period = a.period
		first += mod(mulMod(off/a.common%period, a.inverse, period)-first, period)
	}
	if first > last || s.failed[[2]int{len(l), off}] {
		return false
	}
	for i := first; i <= last; i += period {
		if s.solve(l[1:], off-i*a.step) {
			if s.index != nil {
				s.index[len(s.index)-len(l)] = i
			}
			return true
		}
	}
	if s.steps++; s.steps > 1000 {
		if s.failed == nil {
			s.failed = map[[2]int]bool{}
		}
		s.failed[[2]int{len(l), off}] = true
	}
	return false
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// mod is a modulo m, not negative.
func mod(a, m int) int {
	if a %= m; a < 0 {
		a += m
	}
	return a
}

// mulMod is a·b modulo m for 0 <= a, b < m, without overflow.
func mulMod(a, b, m int) int {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int(bits.Rem64(hi, lo, uint64(m)))
}

// inverse is the b with a·b = 1 modulo m, for a coprime to m.
func inverse(a, m int) int {
	r0, r1, t0, t1 := m, a, 0, 1
	for r1 != 0 {
		q := r0 / r1
		r0, r1 = r1, r0-q*r1
		t0, t1 = t1, t0-q*t1
	}
	return mod(t0, m)
}
