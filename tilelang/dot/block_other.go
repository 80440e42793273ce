//go:build !amd64

package dot

import "github.com/tiler-go/tiler/tilelang/dtype"

// hasBlocks: there are none.
var hasBlocks = false

func (d *Adder) vector(z, a, b dtype.Buf, m, n, k int) bool { return false }
