// Package primitive is what the primitive operations do: for each of them a loop over lanes per element type. A loop over
// one lane is the scalar meaning. The package knows no table of operations and no programs.
//
// Go converts away from fusing wherever a product meets a sum; nothing here may depend on the platform.
package primitive

import "github.com/tiler-go/tiler/tilelang/dtype"

// A Loop computes z[i] from x[i], y[i], w[i] for all i; unused operands are empty.
// All are equally long, or longer than z. z may be x, y or w itself.
type Loop func(z, x, y, w dtype.Buf)

// Loops is a loop for each element type that an operation takes.
type Loops = [dtype.Count]Loop
