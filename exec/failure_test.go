package exec_test

import (
	"bytes"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// failsThenPrints loads outside of x, and needs what it loaded behind a print only.
func failsThenPrints(p *tl.Program, x, y tl.Ptr) {
	i := tl.Arange(0, 16)
	v := tl.Load(x.Add(i).Add(1000))
	p.Print("here")
	tl.Store(y.Add(i), v)
}

// failsTwice loads outside of x, and stores outside of y before it needs what it loaded.
func failsTwice(p *tl.Program, x, y tl.Ptr) {
	i := tl.Arange(0, 16)
	v := tl.Load(x.Add(i).Add(1000))
	tl.Store(y.Add(i), 1)
	tl.Store(y.Add(i).Add(2000), 2)
	tl.Store(y.Add(i), v)
}

// failsTurned adds two loads outside of x, the later one first.
func failsTurned(p *tl.Program, x, y tl.Ptr) {
	i := tl.Arange(0, 16)
	v := tl.Load(x.Add(i).Add(1000))
	w := tl.Load(x.Add(i).Add(2000))
	tl.Store(y.Add(i), w.Sub(v))
}

// TestFirstFailure checks that of several operations that fail the first is reported, with nothing
// printed behind it, in every engine.
func TestFirstFailure(t *testing.T) {
	for _, fn := range []any{failsThenPrints, failsTwice, failsTurned, failsLeftOut, failsUnchosen} {
		var want string
		for _, engine := range exec.Engines() {
			var out bytes.Buffer
			k := exec.New(fn).With(exec.Options{Engine: engine, Output: &out})
			err := k.Launch(exec.Grid{2}, tensor.Arange(tl.Float32, 0, 64), tensor.Zeros(tl.Float32, 64))
			if err == nil {
				t.Fatalf("%s: no error", engine)
			}
			if got := err.Error() + out.String(); want == "" {
				want = got
			} else if got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", engine, got, want)
			}
		}
	}
}

// failsLeftOut loads outside of x what a later load, or a choice, needs for no lane that is stored.
func failsLeftOut(p *tl.Program, x, y tl.Ptr) {
	i := tl.Arange(0, 16)
	v := tl.Load(x.Add(i).Add(1000))
	w := tl.Load(x.Add(i), tl.Mask(i.Lt(8)), tl.Other(v))
	tl.Store(y.Add(i), w, tl.Mask(i.Lt(8)))
}

// failsUnchosen is the same of a choice.
func failsUnchosen(p *tl.Program, x, y tl.Ptr) {
	i := tl.Arange(0, 16)
	v := tl.Load(x.Add(i).Add(1000))
	w := tl.Load(x.Add(i))
	tl.Store(y.Add(i), tl.Where(i.Lt(8), w, v), tl.Mask(i.Lt(8)))
}
