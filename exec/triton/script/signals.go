//go:build !js && !wasip1

package script

import (
	"os"
	"syscall"
)

// endings are what asks a process to end, besides an interrupt.
var endings = []os.Signal{syscall.SIGTERM, syscall.SIGHUP}
