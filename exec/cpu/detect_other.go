//go:build !amd64

package cpu

import "runtime"

// detect knows no other processors: there is no generated code for them.
func detect() info {
	return info{tier: Portable, caches: defaultCaches, model: runtime.GOARCH + " processor"}
}
