package tilelang

import (
	"math"
	"strconv"

	"github.com/tiler-go/tiler/tilelang/rule"
)

// Cdiv is x / d rounded up, for d > 0: how many blocks of d cover x.
func Cdiv(x, d int) int {
	if d <= 0 {
		must("tl.Cdiv", rule.BlockOf(strconv.Itoa(x), strconv.Itoa(d)))
	}
	q := x / d
	if x%d > 0 {
		q++
	}
	return q
}

// NextPow2 is the least power of two that is at least n.
func NextPow2(n int) int {
	p, d := rule.Pow2(n)
	must("tl.NextPow2", d)
	return p
}

// Swizzle2D renumbers the cells of a rows×cols grid so that cells counted one after
// the other walk down groups of group rows: it is where cell (i, j) of row-major
// order comes to lie.
func Swizzle2D(i, j, rows, cols, group int) (int, int) {
	if rows <= 0 || cols <= 0 || group <= 0 {
		fault("tl.Swizzle2D", "a grid of %d by %d in groups of %d", rows, cols, group).Fix("all three must be at least 1").raise()
	}
	if i < 0 || i >= rows || j < 0 || j >= cols {
		fault("tl.Swizzle2D", "cell (%d,%d) of a grid of %d by %d", i, j, rows, cols).Fix("launch as many programs as there are cells").raise()
	}
	ij := i*cols + j
	perGroup := group * cols
	first := ij / perGroup * group
	height := min(rows-first, group)
	ij %= perGroup
	return first + ij%height, ij / height
}

func nan() float64 { return math.NaN() }
