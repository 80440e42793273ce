package exec_test

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// turned loads rows, whose elements are further apart than they are, and stores them in the order of memory.
func turned(p *tl.Program, x, m, z tl.Ptr, A, B, C tl.Const) {
	a, b, c := tl.Arange(0, A).Reshape(A, 1, 1), tl.Arange(0, B).Reshape(1, B, 1), tl.Arange(0, C).Reshape(1, 1, C)
	from := a.Mul(C).Add(c).Mul(B).Add(b)
	v := tl.Load(x.Add(from), tl.Mask(tl.Load(m.Add(from))))
	tl.Store(z.Add(tl.Arange(0, A*B*C).Reshape(A, C, B)), v.Permute(0, 2, 1))
}

// TestTurned: what a mask lets through of a tile that goes beyond a tensor is the same in another order.
func TestTurned(t *testing.T) {
	for _, s := range [][3]int{{4, 3, 5}, {1, 7, 40}, {9, 2, 2}} {
		n := s[0] * s[1] * s[2]
		x, m := tensor.Rand(1, tl.Float32, n*3/4), tensor.Zeros(tl.Bool, n)
		for i := range n * 3 / 4 {
			m.Buf().SetBits(i, uint64(i*5/3&1))
		}
		want := ""
		for _, engine := range exec.Engines() {
			z := tensor.Zeros(tl.Float32, n)
			err := exec.New(turned, exec.Options{Engine: engine}).Launch(exec.Grid{1}, x, m, z, s[0], s[1], s[2])
			got := fmt.Sprint(err, z)
			if want == "" {
				want = got
			}
			if got != want || err != nil {
				t.Errorf("%v, %s: %v, want %v", s, engine, got, want)
			}
		}
	}
}
