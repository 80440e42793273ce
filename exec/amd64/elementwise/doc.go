// Package elementwise writes instructions for an operation on one block of lanes: by element type and tier.
//
// table.go says what operations are one instruction; the others are in integer.go, float.go and cast.go. What operations
// are made of others, as math functions are, is in elementwise.go. What a tier has no instructions for Go does beside the
// code (aside.go).
package elementwise
