package codemem

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

const (
	memSupported = true
	protRX       = windows.PAGE_EXECUTE_READ
	protNone     = windows.PAGE_NOACCESS
)

// mapPages maps n bytes, a multiple of the page size, readable and writable.
func mapPages(n int) ([]byte, error) {
	addr, err := windows.VirtualAlloc(0, uintptr(n), windows.MEM_COMMIT|windows.MEM_RESERVE, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	// The memory is outside the Go heap, so reading the address as a pointer hides nothing from the collector.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), n), nil
}

func protect(mem []byte, prot uint32) error {
	var old uint32
	return windows.VirtualProtect(base(mem), uintptr(len(mem)), prot, &old)
}

func unmapPages(mem []byte) error { return windows.VirtualFree(base(mem), 0, windows.MEM_RELEASE) }

func base(mem []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(mem))) }
