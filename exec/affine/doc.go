// Package affine answers questions about the scalars, addresses and masks of a Func, for any engine; it knows no
// registers and writes no code.
//
//   - A Sym (sym.go) is an int64 scalar taken apart into constants, values of the Func, sums and products.
//   - A Form (form.go) says that an integer or pointer tile is start + Σ index·coef over its dimensions, and on
//     which conditions: that an int32 does not wrap where it is widened, say.
//   - A Box (box.go) says that a mask holds between a lower and an upper index of each dimension, so that a loop
//     can run over these indices instead of looking at lanes.
//   - Axes (axes.go) say how a tile is read by a loop over another shape: through broadcasts and permutations.
//   - Small and NotAbove0 (bounds.go) say what is known of floats from how they are made.
//   - An Env (eval.go) computes scalars of one instance in Go, before any of them runs.
package affine
