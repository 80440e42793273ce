package stride

// A Loop visits the elements of two views of one shape side by side, in row-major
// order. Dimensions that both views step through evenly are merged into one, so
// that the innermost dimension is as long as it can be.
type Loop struct {
	n, a, b []int // sizes, strides of the first and second view; at least one dimension
}

// NewLoop is the loop over views of one shape with strides a and b.
func NewLoop(shape, a, b []int) Loop {
	l := Loop{make([]int, 0, MaxRank), make([]int, 0, MaxRank), make([]int, 0, MaxRank)}
	for k, n := range shape {
		last := len(l.n) - 1
		switch {
		case n == 1:
		case last >= 0 && l.a[last] == a[k]*n && l.b[last] == b[k]*n:
			l.n[last] *= n
			l.a[last], l.b[last] = a[k], b[k]
		default:
			l.n, l.a, l.b = append(l.n, n), append(l.a, a[k]), append(l.b, b[k])
		}
	}
	if len(l.n) == 0 {
		l.n, l.a, l.b = append(l.n, 1), append(l.a, 1), append(l.b, 1)
	}
	return l
}

// Inner is the innermost dimension: how many elements, and how far apart they are in both views.
func (l Loop) Inner() (n, a, b int) {
	last := len(l.n) - 1
	return l.n[last], l.a[last], l.b[last]
}

// Each calls fn with the offsets in both views where the innermost dimension begins, each time.
func (l Loop) Each(fn func(i, j int)) { l.outer(1, fn) }

// outer calls fn with both offsets for every combination of all but the last inner
// dimensions.
func (l Loop) outer(inner int, fn func(i, j int)) {
	dims := len(l.n) - inner
	for _, n := range l.n {
		if n == 0 {
			return
		}
	}
	var at [MaxRank]int
	i, j := 0, 0
	for {
		fn(i, j)
		k := dims - 1
		for ; k >= 0; k-- {
			at[k]++
			i, j = i+l.a[k], j+l.b[k]
			if at[k] < l.n[k] {
				break
			}
			i, j = i-at[k]*l.a[k], j-at[k]*l.b[k]
			at[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

// Copy copies src to dst, which do not overlap, as l says: dst is the first view.
func Copy[T any](dst, src []T, l Loop) {
	last := len(l.n) - 1
	if last > 0 && l.b[last-1] > 0 && l.b[last] > l.b[last-1] && l.a[last] < l.a[last-1] {
		l.outer(2, func(i, j int) { copyBlocked(dst[i:], src[j:], l.n[last-1:], l.a[last-1:], l.b[last-1:]) })
		return
	}
	n, sa, sb := l.Inner()
	l.Each(func(i, j int) {
		if sa == 1 && sb == 1 {
			copy(dst[i:i+n], src[j:j+n])
			return
		}
		for range n {
			dst[i] = src[j]
			i, j = i+sa, j+sb
		}
	})
}

// copyBlocked copies two dimensions that lie crosswise in dst and src, block by
// block, so that the lines of the one that is read stay in the cache.
func copyBlocked[T any](dst, src []T, n, a, b []int) {
	const block = 32
	for r0 := 0; r0 < n[0]; r0 += block {
		r1 := min(r0+block, n[0])
		for c0 := 0; c0 < n[1]; c0 += block {
			c1 := min(c0+block, n[1])
			for r := r0; r < r1; r++ {
				i, j := r*a[0]+c0*a[1], r*b[0]+c0*b[1]
				for range c1 - c0 {
					dst[i] = src[j]
					i, j = i+a[1], j+b[1]
				}
			}
		}
	}
}
