package asm

import (
	"encoding/binary"
	"math/bits"
)

// pool holds the constants that code addresses from RIP. They follow the code, largest first, so that each is
// aligned to its size with one gap at most, between code and pool. Equal constants are one.
type pool struct {
	consts []constant
	byData map[constData]int32
}

type constData struct {
	size uint8
	data [64]byte
}

type constant struct {
	constData
	off int32 // from the start of the code; set by placePool
}

func (p *pool) reset() {
	p.consts = p.consts[:0]
	clear(p.byData)
}

// Const is a memory operand for the constant data, whose length is a power of two up to 64. It is
// aligned to its length.
func (a *Assembler) Const(data []byte) Operand {
	n := len(data)
	if n == 0 || n > 64 || n&(n-1) != 0 {
		a.failf("constant of %d bytes: size is not a power of two up to 64", n)
		return invalid
	}
	c := constData{size: uint8(n)}
	copy(c.data[:], data)
	id, ok := a.pool.byData[c]
	if !ok {
		id = int32(len(a.pool.consts))
		a.pool.consts = append(a.pool.consts, constant{constData: c})
		if a.pool.byData == nil {
			a.pool.byData = make(map[constData]int32)
		}
		a.pool.byData[c] = id
	}
	return Operand(kMem1+kind(bits.TrailingZeros(uint(n)))) | baseConst<<8 | noIndex<<16 | Operand(uint32(id))<<32
}

// Const32 is a 4-byte constant, usually for [Operand.Bcast].
func (a *Assembler) Const32(v uint32) Operand {
	return a.Const(binary.LittleEndian.AppendUint32(nil, v))
}

// Const64 is an 8-byte constant.
func (a *Assembler) Const64(v uint64) Operand {
	return a.Const(binary.LittleEndian.AppendUint64(nil, v))
}

// trap fills gaps: int3.
const trap = 0xcc

// placePool appends the constants to the code.
func (a *Assembler) placePool() {
	largest := uint8(0)
	for _, c := range a.pool.consts {
		largest = max(largest, c.size)
	}
	if largest == 0 {
		return
	}
	for len(a.buf)&int(largest-1) != 0 {
		a.buf = append(a.buf, trap)
	}
	for size := largest; size > 0; size >>= 1 {
		for i := range a.pool.consts {
			if c := &a.pool.consts[i]; c.size == size {
				c.off = int32(len(a.buf))
				a.buf = append(a.buf, c.data[:size]...)
			}
		}
	}
}
