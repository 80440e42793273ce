package op

import "github.com/tiler-go/tiler/tilelang/dtype"

// randomPrograms are Philox 4x32-10 and what is made of its words, bit for bit as
// Triton computes them. The inputs are the counter's low words c0, c1 (the offset)
// and the key k0, k1 (the seed), all uint32; c2 and c3 start as 0.
func randomPrograms() map[Op]progs {
	word := func(n int) *Prog {
		return random(func(b *builder, c [4]V) V { return c[n] })
	}
	return map[Op]progs{
		RandInt:  {dtype.Uint32: word(0)},
		RandInt1: {dtype.Uint32: word(1)},
		RandInt2: {dtype.Uint32: word(2)},
		RandInt3: {dtype.Uint32: word(3)},
		Rand:     {dtype.Uint32: random(func(b *builder, c [4]V) V { return uniform(b, c[0]) })},
		Randn:    {dtype.Uint32: random(func(b *builder, c [4]V) V { return normal(b, uniform(b, c[0]), uniform(b, c[1])) })},
	}
}

func random(result func(b *builder, c [4]V) V) *Prog {
	u := dtype.Uint32
	return program([]dtype.DType{u, u, u, u}, func(b *builder, in []V) V {
		zero := b.integer(u, 0)
		return result(b, philox(b, [4]V{in[0], in[1], zero, zero}, in[2], in[3]))
	})
}

// philox is ten rounds over the counter c under the key k0, k1.
func philox(b *builder, c [4]V, k0, k1 V) [4]V {
	u := dtype.Uint32
	m0, m1 := b.bits(u, 0xD2511F53), b.bits(u, 0xCD9E8D57)
	w0, w1 := b.bits(u, 0x9E3779B9), b.bits(u, 0xBB67AE85)
	for range 10 {
		t0, t2 := c[0], c[2]
		c = [4]V{
			b.xor(b.xor(b.umulhi(m1, t2), c[1]), k0),
			b.mul(m1, t2),
			b.xor(b.xor(b.umulhi(m0, t0), c[3]), k1),
			b.mul(m0, t0),
		}
		k0, k1 = b.add(k0, w0), b.add(k1, w1)
	}
	return c
}

// uniform is a float32 in [0, 1) from 32 bits: their magnitude as an integer of
// either sign, times the float32 just below 2^-31.
func uniform(b *builder, u V) V {
	i := b.bitcast(dtype.Int32, u)
	i = b.where(b.lt(i, b.integer(dtype.Int32, 0)), b.not(i), i)
	return b.mul(b.cast(dtype.Float32, i), b.bits(dtype.Float32, 0x2FFFFFFF))
}

// normal is Box and Muller's first value of two uniform ones.
func normal(b *builder, u1, u2 V) V {
	f := dtype.Float32
	u1 = b.do(Maximum, b.float(f, 1e-7), u1)
	theta := b.mul(b.float(f, 6.283185307179586), u2)
	r := b.sqrt(b.mul(b.float(f, -2), b.inline(Table[Log].Progs[f], u1)))
	return b.mul(r, b.inline(Table[Cos].Progs[f], theta))
}
