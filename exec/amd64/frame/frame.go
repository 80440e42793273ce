package frame

import (
	"encoding/binary"
	"unsafe"

	"github.com/tiler-go/tiler/exec/codemem"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Frame is the memory that code works on, with R15 pointing to it while code runs.
type Frame struct {
	buf dtype.Buf
	mem []byte // of buf
}

// New is a Frame for code that takes so many bytes. Against a fence it is full of NaN, which show if they are read.
func New(bytes int) Frame {
	buf := dtype.Alloc("a frame of machine code", dtype.Uint8, bytes)
	if dtype.Fenced() != dtype.NoFence {
		for i := range buf.Bytes() {
			buf.Bytes()[i] = 0xff
		}
	}
	return Frame{buf, buf.Bytes()}
}

// Grow makes the frame at least so many bytes long, and just so many against a fence. What is in it is lost
// if it changes.
func (f *Frame) Grow(bytes int) {
	if len(f.mem) < bytes || dtype.Fenced() != dtype.NoFence && len(f.mem) != bytes {
		*f = New(bytes)
	}
}

// Word and Set read and write a word.
func (f *Frame) Word(off int) int64   { return int64(binary.LittleEndian.Uint64(f.mem[off:])) }
func (f *Frame) Set(off int, v int64) { binary.LittleEndian.PutUint64(f.mem[off:], uint64(v)) }

// Address is where numbers are that code reads, 0 for none. They are to be kept as long.
func Address(numbers []int) int64 { return int64(uintptr(unsafe.Pointer(unsafe.SliceData(numbers)))) }

// At is the address of a buffer's byte.
func At(b dtype.Buf, byte int) int64 { return int64(uintptr(b.Pointer())) + int64(byte) }

// Bytes are some in the frame.
func (f *Frame) Bytes(off, n int) []byte { return f.mem[off : off+n] }

// Region is n elements of type d in the frame.
func (f *Frame) Region(d dtype.DType, off, n int) dtype.Buf {
	return dtype.RawBuf(d, unsafe.Add(f.buf.Pointer(), off), n)
}

// Watch, if set, makes the calls of code: tests measure them.
var Watch func(call func())

// Call enters a piece.
func (f *Frame) Call(p *Piece) { f.CallAt(p.Entry, 0) }

// CallAt enters code at an offset. The frame's memory does not move, and outlives the call.
func (f *Frame) CallAt(code codemem.Entry, at int) {
	if Watch != nil {
		Watch(func() { code.CallAt(at, f.buf.Pointer()) })
		return
	}
	code.CallAt(at, f.buf.Pointer())
}
