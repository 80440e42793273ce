// Package exec runs kernels: it launches them over grids, checks them, and promotes
// them to compiled code.
//
//	k := exec.New(matmul)
//	err := k.Launch(exec.Grid{2, 2}, x, y, out, 32, 64, 64, 32, 16, 16, 32)
//
// A kernel starts out interpreted: its Go function is called once per program
// instance, on eager tiles.
package exec
