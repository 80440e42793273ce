//go:build !linux || !amd64

package cpu

// allowTiles knows no other system that has the permission.
func allowTiles() bool { return false }
