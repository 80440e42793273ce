package portable

import "github.com/tiler-go/tiler/tilelang/op"

// Lowers reports whether o is an op that Compile knows.
func Lowers(o op.Op) bool { return lower[o] != nil }
