// Package lane writes instructions for one block of lanes: an operation, an element type and a tier give instructions
// over virtual registers. It knows no loops and no IR.
//
// A block of lanes, Lanes (lanes.go), is as many elements as a vector has lanes of 32 bits. table.go says what
// operations are one instruction, the others are in elementwise.go, integer.go, compare.go, cast.go and lookup.go,
// masks in masks.go, loads and stores in memory.go, and what moves lanes about in blocks.go. What a tier has no
// instructions for Go does beside the code (aside.go).
package lane
