//go:build !js && !wasip1

package script

import (
	"os"
	"syscall"
)

// endings are what asks a process to end, besides an interrupt; hangups what its terminal's end sends.
var (
	endings = []os.Signal{syscall.SIGTERM, syscall.SIGHUP}
	hangups = []os.Signal{syscall.SIGHUP}
)
