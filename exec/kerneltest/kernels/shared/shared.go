// Package shared is functions over tiles that kernels of other packages call.
package shared

import (
	scales "github.com/tiler-go/tiler/exec/kerneltest/kernels/shared/unlike-v2"
	tl "github.com/tiler-go/tiler/tilelang"
)

// Steps is how far Stepped goes.
const Steps = 3

// fixed is a variable that nothing assigns.
var fixed = [2]int{5, 7}

// An Affine is x*By + Plus.
type Affine struct{ By, Plus int }

// Of is the affine function of a tile.
func (a Affine) Of(x tl.Tile) tl.Tile { return x.Mul(a.By).Add(a.Plus) }

// Clipped is a tile within limits, computed in a function that is not exported.
func Clipped(x tl.Tile, lo, hi int) tl.Tile { return clip(x, lo, hi) }

func clip(x tl.Tile, lo, hi int) tl.Tile { return tl.Minimum(tl.Maximum(x, lo), hi) }

// Stepped adds up in a loop, with a variable of the package.
//
//go:noinline
func Stepped(x tl.Tile) tl.Tile {
	z := x
	for i := range Steps {
		z = z.Add(x.Mul(i + fixed[i%2]))
	}
	return z
}

// Through calls a function of a third package.
func Through(x tl.Tile) tl.Tile { return scales.Doubled(x).Sub(1) }

// Mapped is a generic function, which calls what it is given.
func Mapped[T interface{ Of(tl.Tile) tl.Tile }](f T, x tl.Tile) tl.Tile { return f.Of(x) }

// Block is where the elements of a program's block are, and which there are.
func Block(p *tl.Program, n int, BLOCK tl.Const) (i, inside tl.Tile) {
	i = tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	return i, i.Lt(n)
}
