//go:build !amd64

package codemem

import (
	"runtime"
	"unsafe"
)

func call(uintptr, unsafe.Pointer) { panic(errNotSupported) }

// Pause gives way to other goroutines: there is no spin hint here, and no generated code to wait for.
func Pause(uint32) { runtime.Gosched() }

func restoreState(bool) {}

const archSupported = false
