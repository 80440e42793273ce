//go:build !linux

package script

import "runtime"

// yield lets another goroutine run.
func yield() { runtime.Gosched() }
