// Package scales is named otherwise than its folder.
package scales

import tl "github.com/tiler-go/tiler/tilelang"

// Doubled is twice a tile.
func Doubled(x tl.Tile) tl.Tile { return x.Add(x) }
