package strided

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/lattice"
)

// FirstOutside is the first of n offsets off, off+step, ... that is not below size.
func FirstOutside(off, step int64, n, size int) int {
	if last := off + int64(n-1)*step; uint64(off) < uint64(size) && uint64(last) < uint64(size) {
		return n
	}
	k := 0
	for ; k < n && uint64(off+int64(k)*step) < uint64(size); k++ {
	}
	return k
}

// LoadLanes reads the active lanes of a chunk, and returns the first that is outside.
func LoadLanes(z, mem dtype.Buf, offs []int64, on []uint8) int {
	switch z.DType().Size() {
	case 1:
		return dtype.LoadLanes(dtype.View[uint8](z), dtype.View[uint8](mem), offs, on)
	case 2:
		return dtype.LoadLanes(dtype.View[uint16](z), dtype.View[uint16](mem), offs, on)
	case 4:
		return dtype.LoadLanes(dtype.View[uint32](z), dtype.View[uint32](mem), offs, on)
	}
	return dtype.LoadLanes(dtype.View[uint64](z), dtype.View[uint64](mem), offs, on)
}

// StoreLanes writes the active lanes of a chunk, and returns the first that is outside, or not one of only.
func StoreLanes(mem dtype.Buf, only *lattice.Set, x dtype.Buf, offs []int64, on []uint8) int {
	switch x.DType().Size() {
	case 1:
		return storeLanesAs[uint8](mem, only, x, offs, on)
	case 2:
		return storeLanesAs[uint16](mem, only, x, offs, on)
	case 4:
		return storeLanesAs[uint32](mem, only, x, offs, on)
	}
	return storeLanesAs[uint64](mem, only, x, offs, on)
}

func storeLanesAs[T dtype.Elem](to dtype.Buf, only *lattice.Set, from dtype.Buf, offs []int64, on []uint8) int {
	mem, x := dtype.View[T](to), dtype.View[T](from)
	for i, o := range offs[:len(x)] {
		if on != nil && on[i] == 0 {
			continue
		}
		if uint64(o) >= uint64(len(mem)) || only != nil && !only.Has(int(o)) {
			return i
		}
		mem[o] = x[i]
	}
	return -1
}

// Normalise makes every byte 0 or 1: memory may hold any.
func Normalise(b []byte) {
	for i, v := range b {
		if v > 1 {
			b[i] = 1
		}
	}
}
