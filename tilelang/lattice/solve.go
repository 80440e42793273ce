package lattice

import (
	"cmp"
	"math/bits"
	"slices"
)

// axes are those of a set in order of falling step, none with n = 1 or step = 0.
type axes []axis

type axis struct {
	n, step int
	// What the axes after this one can add up to: at most rest, multiples of gcd
	// only. So i·step must be off modulo gcd, which holds for every period-th i: those
	// that are off/common·inverse modulo period.
	rest, gcd, common, period, inverse int
}

func byStep(a, b axis) int { return cmp.Compare(b.step, a.step) }

// fewest is as few axes as span the same set.
func fewest(list []Axis) axes {
	var l, all axes
	for _, a := range list {
		if a.N > 1 && a.Step > 0 {
			all = append(all, axis{n: a.N, step: a.Step})
		}
	}
	slices.SortFunc(all, byStep)
	for _, a := range slices.Backward(all) {
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
func (l axes) link() {
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

// has reports whether off, which is not negative, is in the set, and sets index, if not nil, to the multipliers.
func (l axes) has(off int, index []int) bool {
	s := solver{index: index}
	return s.solve(l, off)
}

// haveGaps reports whether some number up to l's largest is not in the set.
func (l axes) haveGaps() bool {
	reach := 0 // 0 to reach are in the set
	for _, a := range slices.Backward(l) {
		if a.step > reach+1 {
			return true // reach+1 cannot be reached: this step and all larger ones pass it
		}
		reach += (a.n - 1) * a.step
	}
	return false
}

// runs is those of a set with gaps.
func (l axes) runs() (z []int) {
	for _, a := range l {
		switch {
		case a.step <= a.rest:
			return []int{1, 0, 0}
		case a.step > 1:
			z = append(z, a.step, a.rest+1)
		}
	}
	return append(z, 0)
}

// A solver searches a set. For views of row-major memory each axis leaves one
// candidate; after many steps it remembers what failed, so that odd strides end too.
type solver struct {
	index  []int
	steps  int
	failed map[[2]int]bool // (axes left, offset left)
}

func (s *solver) solve(l axes, off int) bool {
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
