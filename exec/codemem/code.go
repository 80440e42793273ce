package codemem

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"
)

// Code is a piece of machine code. It is written by one goroutine; once sealed it may be called by any number of them.
type Code struct {
	mem []byte // whole pages, owned until unmapped
	n   int    // bytes of code in mem

	// users counts the calls and entries that hold the pages; the closed bit says that there shall be no more.
	users    atomic.Int64
	freed    atomic.Bool
	unmapped atomic.Bool
}

// closed is the state before Seal and after Free.
const closed = 1 << 62

// Errors of Acquire and Seal.
var (
	ErrSealed    = errors.New("codemem: code is sealed already")
	ErrNotSealed = errors.New("codemem: code is not sealed")
	ErrFreed     = errors.New("codemem: code has been freed")
)

// trap fills the rest of the last page: int3.
const trap = 0xcc

// Alloc maps writable pages for n bytes of code, to be filled through Bytes. The code
// starts at a page boundary.
func Alloc(n int) (*Code, error) {
	if !Supported {
		return nil, errNotSupported
	}
	if n <= 0 {
		return nil, fmt.Errorf("codemem: %d bytes of code", n)
	}
	mem, err := mapPages(pagesFor(n))
	if err != nil {
		return nil, fmt.Errorf("codemem: map %d bytes: %w", n, err)
	}
	for i := n; i < len(mem); i++ {
		mem[i] = trap
	}
	mapped.Add(int64(len(mem)))
	c := &Code{mem: mem, n: n}
	c.users.Store(closed)
	return c, nil
}

// Write maps pages that hold code, still to be sealed.
func Write(code []byte) (*Code, error) {
	c, err := Alloc(len(code))
	if err != nil {
		return nil, err
	}
	copy(c.mem, code)
	return c, nil
}

// mapped is the bytes of all code, in whole pages.
var mapped atomic.Int64

// Mapped is how much memory code takes in this process, in bytes.
func Mapped() int64 { return mapped.Load() }

func pagesFor(n int) int {
	page := os.Getpagesize()
	return (n + page - 1) &^ (page - 1)
}

// Bytes is the code, writable until Seal and nil from then on.
func (c *Code) Bytes() []byte {
	if c.freed.Load() || c.users.Load()&closed == 0 {
		return nil
	}
	return c.mem[:c.n:c.n]
}

// Len is the number of bytes of code.
func (c *Code) Len() int { return c.n }

// Addr is where the code lies, for messages and profiles.
func (c *Code) Addr() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(c.mem))) }

// Seal makes the code executable and no longer writable.
func (c *Code) Seal() error {
	switch {
	case c.freed.Load():
		return ErrFreed
	case c.users.Load()&closed == 0:
		return ErrSealed
	}
	if err := protect(c.mem, protRX); err != nil {
		return fmt.Errorf("codemem: make code executable: %w", err)
	}
	c.users.And(^closed)
	return nil
}

// Call runs the code from its start. It panics if the code is not sealed or has been freed.
func (c *Code) Call(args unsafe.Pointer) {
	e, err := c.Acquire()
	if err != nil {
		panic(err)
	}
	defer e.Release() // also when a fault unwinds
	e.Call(args)
}

// Entry is a hold on a Code, for many calls: the pages stay until Release.
type Entry struct {
	c  *Code
	pc uintptr
}

// Acquire takes a hold on c. Every successful Acquire needs one Release.
func (c *Code) Acquire() (Entry, error) {
	if c.users.Add(1)&closed == 0 {
		return Entry{c, c.Addr()}, nil
	}
	c.release()
	if c.freed.Load() {
		return Entry{}, ErrFreed
	}
	return Entry{}, ErrNotSealed
}

// Call runs the code from its start. The entry must be held.
func (e Entry) Call(args unsafe.Pointer) { call(e.pc, args) }

// CallAt runs the code from off bytes after its start, for code with several entry points.
func (e Entry) CallAt(off int, args unsafe.Pointer) {
	if uint(off) >= uint(e.c.n) {
		panic(fmt.Errorf("codemem: entry at %d in %d bytes of code", off, e.c.n))
	}
	call(e.pc+uintptr(off), args)
}

// Release gives the hold back.
func (e Entry) Release() { e.c.release() }

func (c *Code) release() {
	if c.users.Add(-1) == closed && c.freed.Load() {
		c.unmap()
	}
}

// Free gives the pages back as soon as nobody holds them, which may be now or in the last Release. Acquire fails from here
// on. Freeing again does nothing.
func (c *Code) Free() {
	if c.freed.Swap(true) {
		return
	}
	// Whoever brings users to closed after this point sees freed and unmaps: this line, or a release.
	if c.users.Or(closed)&^closed == 0 {
		c.unmap()
	}
}

// unmap happens once, although Free and a failed Acquire may both get here.
func (c *Code) unmap() {
	if !c.unmapped.Swap(true) {
		mapped.Add(-int64(len(c.mem)))
		// An error would mean that the pages were not ours; there is nobody to tell who could do better.
		_ = unmapPages(c.mem)
	}
}
