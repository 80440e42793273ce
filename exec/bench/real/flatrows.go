package real

import (
	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// What the kernels of flat.go are run with, and the Go loops beside them, which also make the answers.

// A flatCase is one of them, with a size that most are proportional to.
type flatCase struct {
	label       string
	size, small int
	elements    int // of work for each of size
	make        func(n int) (Program, func())
}

var flatCases = []flatCase{
	{"a bias for each channel, 7x7", 1 << 13, 9, 49, makeChannelBias},
	{"greatest of 2x2, 56x56", 64, 2, 56 * 56, makePooled},
	{"rows of 100 and 60 joined", 2048, 5, 160, makeJoined},
	{"rows of 64 through indices", 4096, 5, 64, makeFlatRows},
	{"im2col 3x3, 56x56", 16, 2, 9 * 56 * 56, makeColumns},
	{"grey of bytes", 1 << 19, 300, 1, makeGrey},
	{"product of complex numbers", 1 << 17, 300, 1, makeComplexProduct},
	{"blur of bytes, ends limited", 512, 3, 640, makeBlurred},
	{"search among 256 edges", 1 << 16, 300, 1, makeSearched},
	{"Histogram of bytes", 1 << 19, 300, 1, makeTallied},
}

func flats() (rows []Row) {
	for _, c := range flatCases {
		rows = append(rows, irregularRow("flat", c.label, "Gelem/s", c.size*c.elements,
			func() Program { p, _ := c.make(c.size); return p },
			goLoop(1, func() func() { _, loop := c.make(c.size); return loop })))
	}
	return rows
}

func smallFlats() (all []Program) {
	for _, c := range flatCases {
		p, _ := c.make(c.small)
		all = append(all, p)
	}
	return all
}

// flat is a program with what its loop leaves in want.
func flat[T int32 | uint8 | float32](
	name string, fn any, grid int, out *tensor.Tensor, want []T, loop func(), args ...any,
) (Program, func()) {
	loop()
	p := irregular("flat.go", name, fn, out, func(i int) float64 { return float64(want[i]) }, exec.Grid{grid}, args...)
	p.Abs = 1e-6
	return p, loop
}

const flatBlock = 1024

func makeChannelBias(n int) (Program, func()) {
	const area, channels = 49, 512
	x, bias, want := Fine(n*area, 1, 1), Fine(channels, 2, 1), make([]float32, n*area)
	out := tensor.Zeros(tl.Float32, n*area)
	return flat("channelBias", channelBias, tl.Cdiv(n*area, flatBlock), out, want, func() {
		for j := range n {
			b := bias[j%channels]
			for i := j * area; i < (j+1)*area; i++ {
				want[i] = x[i] + b
			}
		}
	}, tensor.From(x), tensor.From(bias), out, n*area, area, channels, flatBlock)
}

func makePooled(n int) (Program, func()) {
	const h, w = 56, 56
	x, want, out := Fine(n*4*h*w, 1, 1), make([]float32, n*h*w), tensor.Zeros(tl.Float32, n*h*w)
	return flat("pooled", pooled, tl.Cdiv(n*h*w, flatBlock), out, want, func() {
		for r := range n * h {
			for z := range w {
				at := r*4*w + 2*z
				want[r*w+z] = max(x[at], x[at+1], x[at+2*w], x[at+2*w+1])
			}
		}
	}, tensor.From(x), out, n*h*w, h, w, flatBlock)
}

func makeJoined(n int) (Program, func()) {
	const a, b = 100, 60
	x, y, want := Fine(n*a, 1, 1), Fine(n*b, 2, 1), make([]float32, n*(a+b))
	out := tensor.Zeros(tl.Float32, n*(a+b))
	return flat("joined", joined, tl.Cdiv(n*(a+b), flatBlock), out, want, func() {
		for r := range n {
			copy(want[r*(a+b):], x[r*a:][:a])
			copy(want[r*(a+b)+a:], y[r*b:][:b])
		}
	}, tensor.From(x), tensor.From(y), out, n*(a+b), a, b, flatBlock)
}

func makeFlatRows(n int) (Program, func()) {
	const rows, cols = 1000, 64
	table, ids, want := Fine(rows*cols, 1, 1), IDs(n, rows, 2), make([]float32, n*cols)
	out := tensor.Zeros(tl.Float32, n*cols)
	return flat("flatRows", flatRows, tl.Cdiv(n*cols, flatBlock), out, want, func() {
		for r, id := range ids {
			for j, v := range table[int(id)*cols:][:cols] {
				want[r*cols+j] = v
			}
		}
	}, tensor.From(table), tensor.From(ids), out, n*cols, cols, flatBlock)
}

func makeColumns(n int) (Program, func()) {
	const h, w = 56, 56
	x, want := Fine(n*(h+2)*(w+2), 1, 1), make([]float32, n*9*h*w)
	out := tensor.Zeros(tl.Float32, len(want))
	return flat("columns", columns, tl.Cdiv(len(want), flatBlock), out, want, func() {
		at := 0
		for c := range n {
			for k := range 9 {
				for y := range h {
					from := x[c*(h+2)*(w+2)+(y+k/3)*(w+2)+k%3:][:w]
					for z, v := range from {
						want[at+z] = v
					}
					at += w
				}
			}
		}
	}, tensor.From(x), out, len(want), h, w, flatBlock)
}

// bytesOf is n bytes.
func bytesOf(n int, seed uint32) []uint8 {
	v := make([]uint8, n)
	for i := range v {
		v[i] = uint8(Mix(uint32(i), seed) >> 24)
	}
	return v
}

func makeGrey(n int) (Program, func()) {
	x, want, out := bytesOf(3*n, 1), make([]uint8, n), tensor.Zeros(tl.Uint8, n)
	return flat("grey", grey, tl.Cdiv(n, flatBlock), out, want, func() {
		for i := range want {
			want[i] = uint8((int32(x[3*i])*77 + int32(x[3*i+1])*150 + int32(x[3*i+2])*29) >> 8)
		}
	}, tensor.From(x), out, n, flatBlock)
}

func makeComplexProduct(n int) (Program, func()) {
	x, y, want, out := Fine(2*n, 1, 1), Fine(2*n, 2, 1), make([]float32, 2*n), tensor.Zeros(tl.Float32, 2*n)
	return flat("complexProduct", complexProduct, tl.Cdiv(n, flatBlock), out, want, func() {
		for i := range n {
			a, b, c, d := x[2*i], x[2*i+1], y[2*i], y[2*i+1]
			want[2*i], want[2*i+1] = float32(a*c)-float32(b*d), float32(a*d)+float32(b*c)
		}
	}, tensor.From(x), tensor.From(y), out, n, flatBlock)
}

func makeBlurred(n int) (Program, func()) {
	const w = 640
	x, want, out := bytesOf(n*w, 1), make([]uint8, n*w), tensor.Zeros(tl.Uint8, n*w)
	return flat("blurred", blurred, n, out, want, func() {
		for r := range n {
			from, to := x[r*w:][:w], want[r*w:][:w]
			for i := range to {
				to[i] = uint8((int32(from[max(i-1, 0)]) + 2*int32(from[i]) + int32(from[min(i+1, w-1)])) >> 2)
			}
		}
	}, tensor.From(x), out, w, flatBlock)
}

func makeSearched(n int) (Program, func()) {
	edges, x, want, out := make([]float32, 256), Fine(n, 1, 2), make([]int32, n), tensor.Zeros(tl.Int32, n)
	for i := range edges {
		edges[i] = float32(i-128) / 128
	}
	return flat("searched", searched, tl.Cdiv(n, flatBlock), out, want, func() {
		for i, v := range x {
			lo, hi := 0, len(edges)
			for range 8 {
				if middle := (lo + hi) / 2; edges[middle] <= v {
					lo = middle
				} else {
					hi = middle
				}
			}
			want[i] = int32(lo)
		}
	}, tensor.From(edges), tensor.From(x), out, n, flatBlock)
}

// makeTallied begins with counts of zero, which grow: the loop counts once for the answer, and elsewhere after that.
func makeTallied(n int) (Program, func()) {
	x, want, counts, out := bytesOf(n, 1), make([]int32, 256), make([]int32, 256), tensor.Zeros(tl.Int32, 256)
	for _, v := range x {
		want[v]++
	}
	return flat("tallied", tallied, tl.Cdiv(n, 4*flatBlock), out, want, func() {
		for _, v := range x {
			counts[v]++
		}
	}, tensor.From(x), out, n, 4*flatBlock)
}
