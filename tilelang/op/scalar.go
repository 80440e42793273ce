package op

import "github.com/tiler-go/tiler/tilelang/op/primitive"

// Max32 is Maximum of two float32.
func Max32(x, y float32) float32 { return primitive.Max32(x, y) }

// Max64 is Maximum of two float64.
func Max64(x, y float64) float64 { return primitive.Max64(x, y) }

// Horner32 is the loop of a polynomial of float32.
func Horner32(z, x []float32, c []float64) { primitive.Horner32(z, x, c) }
