//go:build !unix

package dtype

import (
	"errors"
	"unsafe"
)

const canProtect = false

const fencePage = heapUnit

// protect is not called: there is no fence to set.
func protect(unsafe.Pointer, bool) error { return errors.ErrUnsupported }
