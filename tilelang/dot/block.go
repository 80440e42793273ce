package dot

import "github.com/tiler-go/tiler/tilelang/dtype"

// A block adds the product of four rows of a and k rows of b, 64 bytes of each, to four rows of z. The steps
// are how many elements lie between rows; 0 takes one row four times.
type block[T dtype.Elem] func(z *T, zStep int, a *T, aStep int, b *T, bStep, k int)

// edge is copies of the columns that are left over when blocks are taken away, filled up to a block's width.
// What is computed of the filling goes nowhere.
type edge[T dtype.Elem] struct{ z, b []T }

// blocked carries out a chain by blocks, one column of them after the other: k rows of b, 64 bytes of each, stay
// in the first-level cache. width is how many elements 64 bytes are. Here is where lengths are checked: a block sees rows that lie within the slices.
func blocked[T dtype.Elem](do block[T], width int, e *edge[T], z, a, b []T, m, n, k int) {
	z, a, b = z[:m*n], a[:m*k], b[:k*n]
	if m == 0 || n == 0 || k == 0 {
		return
	}
	j := 0
	for ; j+width <= n; j += width {
		blockRows(do, z[j:], n, a, b[j:], n, m, k)
	}
	if j == n {
		return
	}
	e.z, e.b = sized(e.z, m*width), sized(e.b, k*width)
	copyRows(e.z, width, z[j:], n, m, n-j)
	copyRows(e.b, width, b[j:], n, k, n-j)
	blockRows(do, e.z, width, a, e.b, width, m, k)
	copyRows(z[j:], n, e.z, width, m, n-j)
}

// blockRows is one column of blocks: m rows, four at a time and then one at a time.
func blockRows[T dtype.Elem](do block[T], z []T, zStep int, a, b []T, bStep, m, k int) {
	i := 0
	for ; i+4 <= m; i += 4 {
		do(&z[i*zStep], zStep, &a[i*k], k, &b[0], bStep, k)
	}
	for ; i < m; i++ {
		do(&z[i*zStep], 0, &a[i*k], 0, &b[0], bStep, k)
	}
}

// copyRows copies n elements of each row.
func copyRows[T dtype.Elem](z []T, zStep int, x []T, xStep, rows, n int) {
	for i := range rows {
		copy(z[i*zStep:i*zStep+n], x[i*xStep:])
	}
}

// sized is n elements, of s if it has them.
func sized[T dtype.Elem](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
