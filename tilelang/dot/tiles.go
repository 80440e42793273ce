package dot

import "github.com/tiler-go/tiler/tilelang/dtype"

// TileSteps is how many elements of k make up a step of AddTiles.
const TileSteps = 32

// AddTiles adds the product of a (m×k) and b (k×n), dense and row-major, to z (m×n) as
// the tile unit multiplies bfloat16 (TDPBF16PS): in blocks of 32 along k, of which each
// has two chains that begin with +0, one through its even elements and one through its
// odd ones,
//
//	even = step(a[i,2l], b[2l,j], even)
//	odd = step(a[i,2l+1], b[2l+1,j], odd)
//
// l ascending, and then z = sum(z, sum(even, odd)). Where k is no multiple of 32, the
// last block is filled up with elements +0 of both a and b. All are float32, a and b with
// values of bfloat16.
//
// Steps are those of AddPairs. A sum is rounded to nearest even and knows no subnormals
// either: among its operands and as a result they count as zeros of their sign.
func AddTiles(z, a, b dtype.Buf, m, n, k int) {
	Tiles.Dot(z, a, b, m, n, k)
}

// Tiles is AddTiles.
func (d *Adder) Tiles(z, a, b dtype.Buf, m, n, k int) {
	x, y, w := dtype.View[float32](a)[:m*k], dtype.View[float32](b)[:k*n], dtype.View[float32](z)[:m*n]
	steps, sums := carefulSteps, carefulSums
	if neverTiny(factsOf(x), factsOf(y), factsOf(w)) {
		steps, sums = short1, plainSums
	}
	if cap(d.chains) < 2*n {
		d.chains = make([]float32, 2*n)
	}
	even, odd := d.chains[:n], d.chains[n:2*n]
	for i := range m {
		row := x[i*k : (i+1)*k]
		for lo := 0; lo < k; lo += TileSteps {
			clear(d.chains[:2*n])
			hi := min(lo+TileSteps, k)
			for l := lo; l < hi; l++ {
				chain := even
				if l&1 == 1 {
					chain = odd
				}
				steps(chain, row[l], y[l*n:(l+1)*n])
			}
			if hi < lo+TileSteps-1 {
				noMinusZeros(even)
			}
			if hi < lo+TileSteps {
				noMinusZeros(odd)
			}
			sums(w[i*n:(i+1)*n], even, odd)
		}
	}
}

// noMinusZeros is what steps of zeros do: each leaves what it finds, but for -0.
func noMinusZeros(z []float32) {
	for j := range z {
		z[j] += 0
	}
}

// carefulSteps takes a step of a row of chains.
func carefulSteps(z []float32, x float32, y []float32) {
	y = y[:len(z)]
	for j := range z {
		z[j] = pairStep(x, y[j], z[j])
	}
}

// carefulSums ends a block. A sum of two normal numbers that is subnormal is exact, so it
// does not matter whether it is flushed before or after it is rounded.
func carefulSums(z, even, odd []float32) {
	even, odd = even[:len(z)], odd[:len(z)]
	for j := range z {
		z[j] = flushed(flushed(z[j]) + flushed(even[j]+odd[j]))
	}
}

// plainSums is carefulSums where nothing is ever subnormal.
func plainSums(z, even, odd []float32) {
	even, odd = even[:len(z)], odd[:len(z)]
	for j := range z {
		z[j] += even[j] + odd[j]
	}
}
