//go:build !linux

package dtype

// inLargePages does nothing where systems choose pages themselves.
func inLargePages(uintptr, int) {}
