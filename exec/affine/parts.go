package affine

import "slices"

// mostParts is how many parts a row has at most that have code of their own.
const mostParts = 3

// Opposite reports whether one of two limits ends at the index at which the other begins.
func Opposite(a, b Atom) bool {
	return a.Dim == b.Dim && (a.Hi != nil && a.Hi == b.Lo || a.Lo != nil && a.Lo == b.Hi)
}

// Parts is the limits that code has looked at, once for each side of where two of them meet: in the order in which it
// has, which is that of a row, or else the part of a row has no indices.
func Parts(met []Atom) (parts [][]Atom) {
	var ends, starts, all []Atom // limits that meet, and others
	for _, a := range met {
		switch i := slices.IndexFunc(met, func(b Atom) bool { return Opposite(a, b) }); {
		case i < 0:
			all = append(all, a)
		case a.Hi != nil && len(ends) < mostParts-1:
			ends, starts = append(ends, a), append(starts, met[i])
		}
	}
	for i := range len(ends) + 1 {
		parts = append(parts, slices.Concat(all, starts[:i], ends[i:]))
	}
	return parts
}
