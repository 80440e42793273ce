package primitive

import "math"

// Rounding to integers. The float32 functions go through float64, where the result is
// exact. Each is a loop of its own because the compiler makes an instruction of a
// direct call.

func floor32(z, x []float32) {
	x = x[:len(z)]
	for i := range z {
		z[i] = float32(math.Floor(float64(x[i])))
	}
}

func floor64(z, x []float64) {
	x = x[:len(z)]
	for i := range z {
		z[i] = math.Floor(x[i])
	}
}

func ceil32(z, x []float32) {
	x = x[:len(z)]
	for i := range z {
		z[i] = float32(math.Ceil(float64(x[i])))
	}
}

func ceil64(z, x []float64) {
	x = x[:len(z)]
	for i := range z {
		z[i] = math.Ceil(x[i])
	}
}

func trunc32(z, x []float32) {
	x = x[:len(z)]
	for i := range z {
		z[i] = float32(math.Trunc(float64(x[i])))
	}
}

func trunc64(z, x []float64) {
	x = x[:len(z)]
	for i := range z {
		z[i] = math.Trunc(x[i])
	}
}

func rint32(z, x []float32) {
	x = x[:len(z)]
	for i := range z {
		z[i] = float32(math.RoundToEven(float64(x[i])))
	}
}

func rint64(z, x []float64) {
	x = x[:len(z)]
	for i := range z {
		z[i] = math.RoundToEven(x[i])
	}
}
