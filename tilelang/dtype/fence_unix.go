//go:build unix

package dtype

import (
	"os"
	"syscall"
	"unsafe"
)

// canProtect reports whether pages can be made inaccessible.
const canProtect = true

// fencePage is the size of a fence: a page.
var fencePage = os.Getpagesize()

// protect makes a page inaccessible, or accessible again.
func protect(page unsafe.Pointer, none bool) error {
	prot := syscall.PROT_READ | syscall.PROT_WRITE
	if none {
		prot = syscall.PROT_NONE
	}
	return syscall.Mprotect(unsafe.Slice((*byte)(page), fencePage), prot)
}
