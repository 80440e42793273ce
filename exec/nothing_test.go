package exec_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// forNothing stores what fails under masks of constants that let nothing through.
func forNothing(p *tl.Program, x, i, z tl.Ptr, MASK, OP string) {
	r, c := tl.Arange(0, 4), tl.Arange(0, 16)
	at := r.Mul(16).Col().Add(c.Row())
	mask := c.Lt(0).Row().And(at.Ge(0))
	switch MASK {
	case "rows":
		mask = r.Lt(0).Col().And(at.Ge(0))
	case "behind":
		mask = c.Ge(16).Row().And(at.Ge(0))
	case "between":
		mask = c.Ge(9).And(c.Lt(3)).Row().And(at.Ge(0))
	case "some":
		mask = c.Lt(3).Row().And(at.Ge(0))
	}
	switch OP {
	case "row": // of one dimension
		tl.Store(z.Add(c), tl.Load(x.Add(c.Add(200))), tl.Mask(c.Lt(0)))
	case "beyond":
		tl.Store(z.Add(at), tl.Load(x.Add(at.Add(100))), tl.Mask(mask))
	case "ahead":
		tl.Store(z.Add(at), tl.Load(x.Add(at.Sub(tl.Load(i).Mul(64)))), tl.Mask(mask))
	case "scattered":
		tl.Store(z.Add(tl.Load(i.Add(at))), tl.Load(x.Add(at.Sub(tl.Load(i).Mul(64)))), tl.Mask(mask))
	case "gathered":
		tl.Store(z.Add(at), tl.Load(x.Add(tl.Load(i.Add(at)).Mul(200))), tl.Mask(mask))
	case "summed":
		tl.Store(z.Add(at), tl.CumSum(tl.Load(x.Add(at.Add(100))), tl.Axis(1)), tl.Mask(mask))
	case "divided":
		tl.Store(z.Add(at), tl.Load(i.Add(at)).FloorDiv(tl.Load(i.Add(at)).Sub(1)), tl.Mask(mask))
	}
}

// TestForNothing: what a store needs fails also where the store does nothing.
func TestForNothing(t *testing.T) {
	for _, op := range []string{"row", "beyond", "ahead", "scattered", "gathered", "summed", "divided"} {
		for _, mask := range []string{"lanes", "rows", "behind", "between", "some"} {
			want := ""
			for _, e := range exec.Engines() {
				x, i, z := tensor.Zeros(tl.Float32, 150), tensor.Zeros(tl.Int32, 64), tensor.Zeros(tl.Float32, 64)
				for j := range 64 {
					i.Buf().SetBits(j, 1)
				}
				err := exec.New(forNothing, exec.Options{Engine: e}).Launch(exec.Grid{1}, x, i, z, mask, op)
				if want == "" && err != nil {
					want = err.Error()
				}
				if err == nil || err.Error() != want {
					t.Errorf("%s under %s, %s: got %v, want %s", op, mask, e, err, want)
				}
			}
		}
	}
}
