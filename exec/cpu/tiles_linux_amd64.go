package cpu

import "syscall"

// allowTiles asks Linux for the permission. It is refused by kernels before 5.16, by sandboxes, and where a thread's
// stack for signals could not hold the larger frame.
func allowTiles() bool {
	const (
		requestPermission = 0x1023 // ARCH_REQ_XCOMP_PERM
		tileData          = 18     // the component of the processor's state
	)
	_, _, e := syscall.RawSyscall(syscall.SYS_ARCH_PRCTL, requestPermission, tileData, 0)
	return e == 0
}
