package primitive

import "github.com/tiler-go/tiler/tilelang/dtype"

// Lookup is the loop that reads entries, bits of type to, by an index of type from. Their number is a power of two, and
// the index is taken modulo it.
func Lookup(to, from dtype.DType, entries []uint64) Loop {
	mask := uint64(len(entries) - 1)
	if from.Size() == 8 && to.Size() == 8 {
		return loop1(func(z, index []uint64) {
			for i := range z {
				z[i] = entries[index[i]&mask]
			}
		})
	}
	return func(z, index, _, _ dtype.Buf) {
		for i := range z.Len() {
			z.SetBits(i, entries[index.Bits(i)&mask])
		}
	}
}
