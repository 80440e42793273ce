// Package lanes builds and runs lines of elementwise ops, a chunk of lanes at a time, so that what
// lies between the ops stays in the first-level cache.
//
// A Builder appends ops to a Line: those that have a loop for their type, math functions as the
// instructions of their programs, and narrow floats by way of float32. When it finishes, polynomials
// have become single ops, and results share scratch slots. A Line runs in a Room, where its inputs
// and outputs have been bound; how large a worker's Room is, the Needs of all lines of a program say.
// A Single does the same ops on single lanes.
//
// It knows ops and dtypes, and nothing of values, steps or shapes.
package lanes
