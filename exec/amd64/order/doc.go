// Package order sorts rows of elements that lie in the frame, in vectors. It knows no tiles and no IR.
//
// An element becomes a key, an integer that orders as the language orders elements; where it matters which of equal
// elements comes first, the key is the upper half of 64 bits whose lower half is the element's index, so that all are
// different and any network sorts them stably. Rows of keys are sorted in memory by a network (network.go), or if few of
// the first are wanted, kept in order in registers (top.go). Values come from the row itself, by index. Sorting values
// alone takes keys of 32 bits and makes values of them again: zeros of both signs, and NaNs, have one key, and are written
// over in their order if there are any. Elements of 64 bits are ranked in short rows (rank.go), or their keys stand
// beside registers of indices (pairs.go).
package order
