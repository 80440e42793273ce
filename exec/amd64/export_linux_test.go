package amd64

import (
	"runtime"
	"time"

	"github.com/tiler-go/tiler/exec/amd64/frame"
	"golang.org/x/sys/unix"
)

// TimeCalls makes every call of machine code tell f how much of a processor's time it
// took, until stop is called. f may be called by many goroutines.
func TimeCalls(f func(time.Duration)) (stop func()) {
	frame.Watch = func(call func()) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		start := processorTime()
		call()
		f(processorTime() - start)
	}
	return func() { frame.Watch = nil }
}

// processorTime is what this thread has used: what others use is not counted.
func processorTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}
