package tilelang

import (
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// halves serialises atomics on 2-byte elements, for which the processor's own would
// touch a neighbour that may lie outside the tensor.
var halves sync.Mutex

// swap replaces element i of b by f of it, atomically, and returns what it was. f
// may run several times.
func swap(b dtype.Buf, i int, f func(old uint64) uint64) uint64 {
	switch b.DType().Size() {
	case 4:
		// The element is aligned: memory of a 4-byte type always is in Go.
		p := &dtype.View[uint32](b)[i]
		for {
			old := atomic.LoadUint32(p)
			if atomic.CompareAndSwapUint32(p, old, uint32(f(uint64(old)))) {
				return uint64(old)
			}
		}
	case 8:
		p := &dtype.View[uint64](b)[i]
		for {
			old := atomic.LoadUint64(p)
			if atomic.CompareAndSwapUint64(p, old, f(old)) {
				return old
			}
		}
	}
	halves.Lock()
	defer halves.Unlock()
	old := b.Bits(i)
	b.SetBits(i, f(old))
	return old
}
