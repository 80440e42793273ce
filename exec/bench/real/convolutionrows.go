package real

import (
	"fmt"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// What the kernels of convolutions.go are run with, and the Go loops beside them.

func programCausalConv(l, d int) Program {
	x, w, bias, out := Fine(l*d, 1, 1), Fine(d*4, 2, 1), Fine(d, 3, 1), tensor.Zeros(tl.Float32, l, d)
	at := func(i int) float64 {
		t, c := i/d, i%d
		sum := float64(bias[c])
		for j := range 4 {
			if t-3+j >= 0 {
				sum += float64(float64(x[(t-3+j)*d+c]) * float64(w[c*4+j]))
			}
		}
		return sum
	}
	return Program{
		File: "convolutions.go", Name: "causalConv", Fn: causalConv, Grid: exec.Grid{tl.Cdiv(l, 32), tl.Cdiv(d, 256)},
		Args: []any{tensor.From(x, l, d), tensor.From(w, d, 4), tensor.From(bias), out, l, d, 32, 256},
		Out:  out, At: at, Most: 1 << 20, Rel: 1e-5, Abs: 1e-5,
	}
}

func loopCausalConv(l, d int) func() {
	x, w, bias, out := Fine(l*d, 1, 1), Fine(d*4, 2, 1), Fine(d, 3, 1), make([]float32, l*d)
	return func() {
		for t := range l {
			to := out[t*d:][:d]
			copy(to, bias)
			for j := range 4 {
				if t-3+j < 0 {
					continue
				}
				for c, v := range x[(t-3+j)*d:][:d] {
					to[c] += v * w[c*4+j]
				}
			}
		}
	}
}

// A conv2dSize is c channels of h×w to f, by windows of r×r.
type conv2dSize struct{ c, h, w, f, r, stride, pad int }

func (s conv2dSize) out() (h, w int) {
	return (s.h+2*s.pad-s.r)/s.stride + 1, (s.w+2*s.pad-s.r)/s.stride + 1
}

// work is multiplications and additions.
func (s conv2dSize) work() int {
	h, w := s.out()
	return 2 * s.c * s.r * s.r * s.f * h * w
}

func programConv2d(s conv2dSize) Program {
	x, w := Fine(s.c*s.h*s.w, 1, 1), Fine(s.f*s.c*s.r*s.r, 2, 1)
	h, wide := s.out()
	out := tensor.Zeros(tl.Float32, s.f, h, wide)
	at := func(i int) float64 {
		f, y, z, sum := i/(h*wide), i/wide%h, i%wide, 0.0
		for c := range s.c {
			for dy := range s.r {
				for dz := range s.r {
					iy, iz := y*s.stride-s.pad+dy, z*s.stride-s.pad+dz
					if iy >= 0 && iy < s.h && iz >= 0 && iz < s.w {
						sum += float64(float64(x[(c*s.h+iy)*s.w+iz]) * float64(w[((f*s.c+c)*s.r+dy)*s.r+dz]))
					}
				}
			}
		}
		return sum
	}
	return Program{
		File: "convolutions.go", Name: "conv2d", Fn: conv2d, Grid: exec.Grid{tl.Cdiv(h*wide, 64), tl.Cdiv(s.f, 64)},
		Args: []any{
			tensor.From(x, s.c, s.h, s.w), tensor.From(w, s.f, s.c, s.r, s.r), out,
			s.c, s.h, s.w, s.f, s.r, s.stride, s.pad, 64, 64, 32,
		},
		Out: out, At: at, Most: 400, Rel: 1e-5, Abs: 1e-4,
	}
}

func loopConv2d(s conv2dSize) func() {
	x, weights := Fine(s.c*s.h*s.w, 1, 1), Fine(s.f*s.c*s.r*s.r, 2, 1)
	h, wide := s.out()
	out := make([]float32, s.f*h*wide)
	return func() {
		clear(out)
		for i, v := range weights {
			f, c, dy, dz := i/(s.c*s.r*s.r), i/(s.r*s.r)%s.c, i/s.r%s.r, i%s.r
			for y := range h {
				iy := y*s.stride - s.pad + dy
				if iy < 0 || iy >= s.h {
					continue
				}
				from, to := x[(c*s.h+iy)*s.w:][:s.w], out[(f*h+y)*wide:][:wide]
				for z := range to {
					if iz := z*s.stride - s.pad + dz; iz >= 0 && iz < s.w {
						to[z] += from[iz] * v
					}
				}
			}
		}
	}
}

// convolutions are over time, and of images.
func convolutions() []Row {
	const l, d = 2048, 1024
	row := irregularRow("conv", fmt.Sprintf("causal, four taps, %dx%d", l, d), "GB/s", 8*l*d,
		func() Program { return programCausalConv(l, d) },
		goLoop(1, func() func() { return loopCausalConv(l, d) }))
	row.Pass, row.PassN, row.OfPass = "copy", l*d, 0.5
	s := conv2dSize{64, 56, 56, 64, 3, 1, 1}
	return []Row{
		row,
		irregularRow("conv", "64 channels of 56x56, 3x3", "GF/s", s.work(), func() Program { return programConv2d(s) },
			goLoop(1, func() func() { return loopConv2d(s) }),
			torch(0.5, "conv2d c=%d h=%d w=%d f=%d r=%d stride=%d pad=%d", s.c, s.h, s.w, s.f, s.r, s.stride, s.pad)),
	}
}
