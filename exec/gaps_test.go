package exec_test

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// ahead stores what lies by elements further on in another view, beyond the end of its first row, too.
func ahead(p *tl.Program, x, z tl.Ptr, n, by int, BLOCK tl.Const) {
	c := tl.Arange(0, BLOCK)
	tl.Store(z.Add(c), tl.Load(x.Add(c.Add(by)), tl.Mask(c.Lt(n))), tl.Mask(c.Lt(n)))
}

// TestGapsOfViews: a load may read between the elements of a view, where another view is stored to. All engines load all
// of it first.
func TestGapsOfViews(t *testing.T) {
	for _, by := range []int{0, 1, 5, 22, 27} {
		want := ""
		for _, engine := range exec.Engines() {
			a := tensor.Rand(1, tl.Float32, 200)
			x, z := a.AsStrided([]int{4, 22}, []int{50, 1}, 0), a.AsStrided([]int{4, 22}, []int{50, 1}, 22)
			err := exec.New(ahead, exec.Options{Engine: engine, Memory: "off"}).Launch(exec.Grid{1}, x, z, 22, by, 64)
			if err != nil {
				t.Fatalf("%s, %d further on: %v", engine, by, err)
			}
			got := fmt.Sprint(a.Buf().Bytes())
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s, %d further on: other bits than interpreted", engine, by)
			}
		}
	}
}
