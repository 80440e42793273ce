package dtype

import "syscall"

// largePage is the size of a large page where processors translate them with one entry.
const largePage = 2 << 20

// inLargePages asks for memory in large pages, where the system leaves that to programs: code
// that goes down the columns of a matrix touches a page with every row, and a processor
// remembers only so many. It is a wish: what lies around the memory in its first and last large
// page may come along, and nothing changes what memory holds.
func inLargePages(at uintptr, bytes int) {
	lo := at &^ (largePage - 1)
	hi := (at + uintptr(bytes) + largePage - 1) &^ (largePage - 1)
	syscall.Syscall(syscall.SYS_MADVISE, lo, hi-lo, syscall.MADV_HUGEPAGE)
}
