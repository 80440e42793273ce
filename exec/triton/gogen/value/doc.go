// Package value is what a value of Python's is in Go: its type, its text, and what operators make of them.
//
// A number stays Go's, with the dtype that it has in Triton, until it meets a tile or its type
// shows: then it is lifted to a tile of rank 0. What an operation tells of a kernel's parameters
// is noted (facts.go), or starts the printing over; what has no counterpart in Go is refused
// where it stands (place.go).
package value
