package real

// Inputs are made by formula, the same here and in every peer (peers/peer.py,
// peers/loop.h).

// Mix is the random bits of element i of stream seed.
func Mix(i, seed uint32) uint32 {
	h := i*2654435761 + seed*0x9e3779b9
	h ^= h >> 16
	h *= 0x45d9f3b
	return h ^ h>>16
}

// Fine is n values in [-0.5, 0.5) times scale, 24 bits each.
func Fine(n int, seed uint32, scale float32) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = (float32(float32(Mix(uint32(i), seed)>>8)*0x1p-24) - 0.5) * scale
	}
	return v
}

// Coarse is n values in [-0.5, 0.5), 8 bits each: exact in every float type.
func Coarse(n int, seed uint32) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = (float32(Mix(uint32(i), seed)>>24) - 128) / 256
	}
	return v
}

// Whole8 is n values of int8, and the same as floats.
func Whole8(n int, seed uint32) ([]int8, []float32) {
	v, f := make([]int8, n), make([]float32, n)
	for i := range v {
		v[i] = int8(Mix(uint32(i), seed) >> 24)
		f[i] = float32(v[i])
	}
	return v, f
}
