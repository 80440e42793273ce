package asm

import (
	"encoding/binary"
	"fmt"
)

// Assembler appends instructions to a buffer. The zero value is ready for use; Reset makes it so again and
// keeps the memory.
type Assembler struct {
	// Only limits the instructions to those that need no other features; 0 = no limit.
	Only Feature
	// KeepListing makes the assembler remember every instruction for Listing.
	KeepListing bool

	buf    []byte
	err    error
	done   bool
	labels []int32 // offset of each label; unbound = -1
	fixups []fixup
	pool   pool
	lines  []Line
	tag    int32
}

const unbound = -1

// fixup is a 32-bit displacement to fill in when its target is known.
type fixup struct {
	at     int32   // offset of the displacement
	end    int32   // offset of the next instruction, from which the CPU counts
	target Operand // a label, or memory at a label or constant
}

// Reset forgets everything but Only and KeepListing. Slices that Finish returned are overwritten later.
func (a *Assembler) Reset() {
	a.buf, a.labels, a.fixups, a.lines = a.buf[:0], a.labels[:0], a.fixups[:0], a.lines[:0]
	a.err, a.done, a.tag = nil, false, 0
	a.pool.reset()
}

// Err is the first error, or nil.
func (a *Assembler) Err() error { return a.err }

// Len is the number of bytes so far.
func (a *Assembler) Len() int { return len(a.buf) }

// Error says which instruction was refused, and why.
type Error struct {
	Inst Inst
	Why  string
}

func (e *Error) Error() string { return fmt.Sprintf("asm: %s: %s", Print(e.Inst), e.Why) }

// fail copies in, so that the instruction of the caller does not escape.
func (a *Assembler) fail(in *Inst, why string) {
	if a.err == nil {
		a.err = &Error{*in, why}
	}
}

func (a *Assembler) failf(format string, args ...any) {
	if a.err == nil {
		a.err = fmt.Errorf("asm: "+format, args...)
	}
}

// Emit appends the plain instruction op.
func (a *Assembler) Emit(op Op, args ...Operand) {
	in := Inst{Op: op}
	in.setArgs(args)
	a.Append(&in)
}

// EmitMasked appends op under the write mask k.
func (a *Assembler) EmitMasked(op Op, k Operand, zeroing bool, args ...Operand) {
	in := Inst{Op: op, Mask: maskNumber(k), Zeroing: zeroing}
	in.setArgs(args)
	a.Append(&in)
}

// Append appends in, which it does not keep.
func (a *Assembler) Append(in *Inst) {
	if a.err != nil {
		return
	}
	if a.done {
		a.fail(in, "appended after Finish")
		return
	}
	off := len(a.buf)
	a.encode(in)
	if a.KeepListing && a.err == nil {
		a.lines = append(a.lines, Line{Off: off, Len: len(a.buf) - off, Inst: *in, Tag: a.tag})
	}
}

// MovImm sets a 64-bit register to v with the shortest instruction. It leaves the flags alone.
func (a *Assembler) MovImm(dst Operand, v uint64) {
	switch {
	case dst.kind() == kR64 && v>>32 == 0:
		a.Emit(MOV, dst.Width(32), Imm(int64(int32(v))))
	case v == uint64(int32(v)):
		a.Emit(MOV, dst, Imm(int64(v)))
	default:
		a.Append(&Inst{Op: MOVABS, Args: [4]Operand{dst}, Imm64: v})
	}
}

// NewLabel makes a label, to be placed by Bind.
func (a *Assembler) NewLabel() Label {
	a.labels = append(a.labels, unbound)
	return Label(len(a.labels) - 1)
}

// Bind places l at the next instruction.
func (a *Assembler) Bind(l Label) {
	switch {
	case uint(l) >= uint(len(a.labels)):
		a.failf("bind: no label %d", l)
	case a.labels[l] != unbound:
		a.failf("bind: label %d is bound already", l)
	default:
		a.labels[l] = int32(len(a.buf))
	}
}

// Align pads with nops until the offset is a multiple of n, a power of two up to 64.
func (a *Assembler) Align(n int) {
	if n < 1 || n > 64 || n&(n-1) != 0 {
		a.failf("align: %d is not a power of two up to 64", n)
		return
	}
	if a.err != nil || a.done {
		return
	}
	for pad := -len(a.buf) & (n - 1); pad > 0; {
		step := min(pad, len(nops))
		off := len(a.buf)
		a.buf = append(a.buf, nops[step-1]...)
		pad -= step
		if a.KeepListing {
			a.lines = append(a.lines, Line{Off: off, Len: step, Inst: Inst{Op: NOP}, Tag: a.tag})
		}
	}
}

// nops are the recommended no-ops of 1 to 9 bytes.
var nops = [...]string{
	"\x90",
	"\x66\x90",
	"\x0f\x1f\x00",
	"\x0f\x1f\x40\x00",
	"\x0f\x1f\x44\x00\x00",
	"\x66\x0f\x1f\x44\x00\x00",
	"\x0f\x1f\x80\x00\x00\x00\x00",
	"\x0f\x1f\x84\x00\x00\x00\x00\x00",
	"\x66\x0f\x1f\x84\x00\x00\x00\x00\x00",
}

// jump appends a jump to a label: two bytes when the label lies behind and near, else a 32-bit displacement.
// (A jump forward is always the long one; its distance is not known yet.)
func (a *Assembler) jump(in *Inst, f *form) {
	l := in.Args[0].val()
	if uint(l) >= uint(len(a.labels)) {
		a.fail(in, "no such label")
		return
	}
	if at := a.labels[l]; at != unbound {
		if d := int(at) - (len(a.buf) + 2); d >= -128 {
			short := f.opcode - 0x10 // 0F 8x -> 7x
			if in.Op == JMP {
				short = 0xeb
			}
			a.buf = append(a.buf, short, byte(d))
			return
		}
	}
	if f.enc.opcodeMap() == 1 {
		a.buf = append(a.buf, 0x0f)
	}
	a.buf = append(a.buf, f.opcode, 0, 0, 0, 0)
	end := int32(len(a.buf))
	a.fixups = append(a.fixups, fixup{end - 4, end, in.Args[0]})
}

// Finish appends the constant pool, resolves labels, and returns the code. Its first byte must be
// placed at an address that is a multiple of 64 for constants to be aligned. The slice belongs to the
// assembler; it is valid until Reset.
func (a *Assembler) Finish() ([]byte, error) {
	if !a.done && a.err == nil {
		a.done = true
		a.placePool()
		a.resolve()
	}
	if a.err != nil {
		return nil, a.err
	}
	return a.buf, nil
}

func (a *Assembler) resolve() {
	for _, f := range a.fixups {
		var to int32
		id := f.target.val()
		switch {
		case f.target.IsMem() && f.target.num() == baseConst:
			if uint(id) >= uint(len(a.pool.consts)) {
				a.failf("no constant %d", id)
				return
			}
			to = a.pool.consts[id].off
		case uint(id) >= uint(len(a.labels)) || a.labels[id] == unbound:
			a.failf("label %d is not bound", id)
			return
		default:
			to = a.labels[id]
		}
		binary.LittleEndian.PutUint32(a.buf[f.at:], uint32(to-f.end))
	}
}
