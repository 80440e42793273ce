package main

import (
	"math"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// reference is the layer in float64, forwards and backwards.
func reference(x, w, b, dy []float64, rows, cols int) (y, dx, dw, db []float64) {
	y, dx, dw, db = make([]float64, rows*cols), make([]float64, rows*cols), make([]float64, cols), make([]float64, cols)
	n := float64(cols)
	for i := range rows {
		v, g := x[i*cols:(i+1)*cols], dy[i*cols:(i+1)*cols]
		mean, variance := 0.0, 0.0
		for _, e := range v {
			mean += e / n
		}
		for _, e := range v {
			variance += (e - mean) * (e - mean) / n
		}
		rstd := 1 / math.Sqrt(variance+1e-5)
		c1, c2 := 0.0, 0.0
		for j, e := range v {
			hat := (e - mean) * rstd
			y[i*cols+j] = hat*w[j] + b[j]
			c1 += hat * w[j] * g[j] / n
			c2 += w[j] * g[j] / n
			dw[j] += g[j] * hat
			db[j] += g[j]
		}
		for j, e := range v {
			dx[i*cols+j] = (w[j]*g[j] - (e-mean)*rstd*c1 - c2) * rstd
		}
	}
	return y, dx, dw, db
}

func TestLayerNorm(t *testing.T) {
	for _, s := range [][2]int{{1, 2}, {5, 64}, {31, 100}} {
		rows, cols := s[0], s[1]
		x, dy := tensor.Randn(1, tl.Float32, rows, cols), tensor.Randn(2, tl.Float32, rows, cols)
		l := &norm{w: tensor.Randn(3, tl.Float32, cols), b: tensor.Randn(4, tl.Float32, cols)}
		y, err := l.forward(x)
		if err != nil {
			t.Fatal(err)
		}
		dx, dw, db, err := l.backward(dy, x)
		if err != nil {
			t.Fatal(err)
		}
		wantY, wantX, wantW, wantB := reference(x.Floats(), l.w.Floats(), l.b.Floats(), dy.Floats(), rows, cols)
		for _, c := range []struct {
			name string
			got  *tensor.Tensor
			want []float64
		}{{"y", y, wantY}, {"dx", dx, wantX}, {"dw", dw, wantW}, {"db", db, wantB}} {
			if r := tensor.AllClose(c.got, tensor.From(c.want, c.got.Shape()...).To(tl.Float32)); !r.OK {
				t.Errorf("%v %s: %s", s, c.name, r)
			}
		}
	}
}

func TestPromotes(t *testing.T) {
	rows, cols := 12, 100
	x, dy, y := tensor.Randn(1, tl.Float32, rows, cols), tensor.Randn(2, tl.Float32, rows, cols), tensor.Empty(tl.Float32, rows, cols)
	w, b := tensor.Rand(3, tl.Float32, cols), tensor.Rand(4, tl.Float32, cols)
	means, rstds := tensor.Empty(tl.Float32, rows), tensor.Empty(tl.Float32, rows)
	dx, dw, db := tensor.Empty(tl.Float32, rows, cols), tensor.Zeros(tl.Float32, cols), tensor.Zeros(tl.Float32, cols)
	for _, test := range []struct {
		kernel any
		args   []any
	}{
		{forward, []any{x, w, b, y, means, rstds, cols, 1e-5, 128}},
		{backward, []any{dy, x, w, means, rstds, dx, dw, db, cols, 128}},
	} {
		k := exec.New(test.kernel, exec.Options{Memory: "off"})
		if rep, err := k.Promote(exec.Grid{rows}, test.args...); err != nil || !rep.Promoted {
			t.Fatal(err, rep)
		}
		if err := k.Launch(exec.Grid{rows}, test.args...); err != nil || k.State().Engine == "interpreted" {
			t.Error(err, k.State())
		}
	}
}
