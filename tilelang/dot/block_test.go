package dot

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestBlocks compares the chain in vector registers with the loops in Go, bit by bit: shapes about the edges of
// blocks, every kind of data in each operand. What lies beside z must stay.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var d Adder
	for range 3000 {
		dt := []dtype.DType{dtype.Float32, dtype.Float32, dtype.Float64, dtype.Int32, dtype.Uint32, dtype.Int64}[r.IntN(6)]
		m, n, k := r.IntN(10), r.IntN(40), r.IntN(20)
		a, b := dotOperand(r, dt, m*k), dotOperand(r, dt, k*n)
		all := dotOperand(r, dt, m*n+32)
		before, z := copyOf(all), all.Slice(16, 16+m*n)
		want := copyOf(z)
		d.loops(want, a, b, m, n, k)
		d.Chain(z, a, b, m, n, k)
		for i := range m * n {
			if !sameBits(dt, z.Bits(i), want.Bits(i)) {
				t.Fatalf("%s %d×%d×%d: element %d is %x, want %x", dt, m, n, k, i, z.Bits(i), want.Bits(i))
			}
		}
		for i := range 16 {
			for _, at := range []int{i, all.Len() - 1 - i} {
				if all.Bits(at) != before.Bits(at) {
					t.Fatalf("%s %d×%d×%d: element %d beside z changed", dt, m, n, k, at)
				}
			}
		}
	}
}

// dotOperand is n elements of one kind of data.
func dotOperand(r *rand.Rand, d dtype.DType, n int) dtype.Buf {
	b, pick := dtype.NewBuf(d, n), dotValues[r.IntN(len(dotValues))].pick
	for i := range n {
		switch {
		case d == dtype.Float32:
			b.SetBits(i, uint64(math.Float32bits(pick(r))))
		case d == dtype.Float64:
			b.SetBits(i, math.Float64bits(float64(pick(r))*(1+r.Float64())))
		default:
			b.SetBits(i, r.Uint64()&(1<<d.Bits()-1))
		}
	}
	return b
}

func copyOf(b dtype.Buf) dtype.Buf {
	c := dtype.NewBuf(b.DType(), b.Len())
	copy(c.Bytes(), b.Bytes())
	return c
}

// TestBlockLengths: operands that are shorter than their shape says are a panic, and nothing is read.
func TestBlockLengths(t *testing.T) {
	f := func(n int) dtype.Buf { return dtype.NewBuf(dtype.Float32, n) }
	for _, c := range [][3]int{{63, 64, 256}, {64, 63, 256}, {64, 64, 15}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic with %d, %d and %d elements", c[0], c[1], c[2])
				}
			}()
			new(Adder).Chain(f(c[0]), f(c[1]), f(c[2]), 4, 16, 16)
		}()
	}
}

// TestBlocksOff: without blocks the loops do it.
func TestBlocksOff(t *testing.T) {
	had := hasBlocks
	t.Logf("blocks: %t", had)
	defer func() { hasBlocks = had }()
	r := rand.New(rand.NewPCG(15, 16))
	a, b := dotOperand(r, dtype.Int32, 8*8), dotOperand(r, dtype.Int32, 8*16)
	var z [2]dtype.Buf
	for i := range z {
		hasBlocks = had && i == 0
		z[i] = dtype.NewBuf(dtype.Int32, 8*16)
		AddAscending(z[i], a, b, 8, 16, 8)
	}
	if !bytes.Equal(z[0].Bytes(), z[1].Bytes()) {
		t.Error("the loops differ from the blocks")
	}
}
