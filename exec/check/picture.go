package check

import "strings"

// How much of a tile a picture shows.
const (
	pictureRows = 12
	pictureCols = 64
)

// The signs of lanes in pictures.
const (
	signActive   = 'o'
	signMasked   = '·'
	signBad      = 'X' // outside the tensor, or else what the finding is about
	signWrongRow = '»'
	signUndef    = '?'
)

// picture is the tile around a lane as text: o active, · masked off, and those that are bad
// with the sign of the finding. Of a tile of more than two dimensions it is the matrix that
// the lane is in.
func (w *visitor) picture(lane int, sign rune, bad func(i int) bool) string {
	shape := w.a.Shape
	if len(shape) == 0 {
		return ""
	}
	cols := shape[len(shape)-1]
	rows := 1
	if len(shape) > 1 {
		rows = shape[len(shape)-2]
	}
	return matrixPicture(rows, cols, lane, func(i int) rune {
		switch {
		case bad(i):
			return sign
		case w.on(i):
			return signActive
		}
		return signMasked
	})
}

// matrixPicture is the matrix of rows and cols that an element is in, around it.
func matrixPicture(rows, cols, at int, cell func(i int) rune) string {
	matrix := at / (rows * cols) * rows * cols
	r0, r1 := window((at-matrix)/cols, rows, pictureRows)
	c0, c1 := window(at%cols, cols, pictureCols)
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
