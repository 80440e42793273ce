// Package frame runs machine code: a Frame is the memory that code works on, a Piece is code that is called with one.
// It knows nothing of what code is for.
//
// A Frame holds what Go and the code tell each other, spill slots, and scratch memory. All offsets are fixed when
// code is written. A Part is a piece, or more, that is made when it is first asked for (part.go); Spares are frames
// that wait for use (spares.go).
package frame
