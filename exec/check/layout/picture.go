package layout

import "strings"

// PictureRows and PictureCols are how much of a tile a picture shows.
const (
	PictureRows = 12
	PictureCols = 64
)

// Picture is a tile around one of its elements; of more than two dimensions, the matrix that the element is in.
func Picture(shape []int, at int, cell func(i int) rune) string {
	if len(shape) == 0 {
		return ""
	}
	rows, cols := 1, shape[len(shape)-1]
	if len(shape) > 1 {
		rows = shape[len(shape)-2]
	}
	matrix := at / (rows * cols) * rows * cols
	r0, r1 := window((at-matrix)/cols, rows, PictureRows)
	c0, c1 := window(at%cols, cols, PictureCols)
	var b strings.Builder
	for r := r0; r < r1; r++ {
		if r > r0 {
			b.WriteByte('\n')
		}
		if c0 > 0 {
			b.WriteString("… ")
		}
		for k := c0; k < c1; k++ {
			b.WriteRune(cell(matrix + r*cols + k))
		}
		if c1 < cols {
			b.WriteString(" …")
		}
	}
	if r1 < rows {
		b.WriteString("\n…")
	}
	return b.String()
}

// window is a range of at most size of n indices, with at in it.
func window(at, n, size int) (lo, hi int) {
	lo = max(0, min(at-size/4, n-size))
	return lo, min(n, lo+size)
}
