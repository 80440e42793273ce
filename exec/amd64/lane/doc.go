// Package lane writes instructions that hold one block of lanes in registers and move it: constants and masks, bits and
// comparisons, loads and stores. It knows no operations of the language but those on bits, no loops and no IR.
//
// A block of lanes, Lanes (lanes.go), is as many elements as a vector has lanes of 32 bits. Masks are in masks.go, what
// moves lanes about in blocks.go, what an element is in memory and in its lane in pattern.go and float8.go, loads and
// stores in memory.go.
package lane
