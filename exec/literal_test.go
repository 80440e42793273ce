package exec

import (
	"strings"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var globalOne, globalTwo = func(p *tl.Program, out tl.Ptr) { tl.Store(out, 1) }, func(p *tl.Program, out tl.Ptr) { tl.Store(out, 2) }

func pair() (one, two func(p *tl.Program, out tl.Ptr)) {
	return func(p *tl.Program, out tl.Ptr) { tl.Store(out, 1) }, func(p *tl.Program, out tl.Ptr) { tl.Store(out, 2) }
}

//go:noinline
func pairOf() (one, two func(p *tl.Program, out tl.Ptr)) {
	return func(p *tl.Program, out tl.Ptr) { tl.Store(out, 1) }, func(p *tl.Program, out tl.Ptr) { tl.Store(out, 2) }
}

func takes(func(p *tl.Program, out tl.Ptr)) bool { return true }

func halfDead() func(p *tl.Program, out tl.Ptr) {
	const never = false
	_, two := never && takes(func(p *tl.Program, out tl.Ptr) { tl.Store(out, 1) }), func(p *tl.Program, out tl.Ptr) { tl.Store(out, 2) }
	return two
}

// Function literals on one line are told apart, or stay interpreted.
func TestLiteralsOnALine(t *testing.T) {
	promote := func(name string, fn any, want int32, mayRefuse bool, args ...any) {
		t.Helper()
		k := New(fn, Options{Memory: "off"})
		out := tensor.Zeros(tl.Int32, 1)
		args = append([]any{out}, args...)
		rep, err := k.Promote(Grid{1}, args...)
		if err != nil && mayRefuse && strings.Contains(err.Error(), "nothing tells which") {
			return
		}
		if err != nil || !rep.Promoted {
			t.Errorf("%s: %v\n%v", name, err, rep)
			return
		}
		if err := k.With(Options{Engine: "portable"}).Launch(Grid{1}, args...); err != nil || tensor.Data[int32](out)[0] != want {
			t.Errorf("%s: %v, got %v, want %d", name, err, out, want)
		}
	}
	one, two := func(p *tl.Program, out tl.Ptr) { tl.Store(out, 1) }, func(p *tl.Program, out tl.Ptr) { tl.Store(out, 2) }
	promote("first", one, 1, false)
	promote("second", two, 2, false)
	promote("first global", globalOne, 1, false)
	promote("second global", globalTwo, 2, false)
	a, b := pairOf()
	promote("first of a pair", a, 1, false)
	promote("second of a pair", b, 2, false)
	a, b = pair()
	promote("first of an inlined pair", a, 1, true)
	promote("second of an inlined pair", b, 2, true)
	promote("the living one", halfDead(), 2, true)
	three, n := func(p *tl.Program, out tl.Ptr, n int) { tl.Store(out, n) }, func(p *tl.Program, out tl.Ptr) { tl.Store(out, 4) }
	promote("an int", three, 3, false, 3)
	promote("no int", n, 4, false)
	t.Run("nested", func(t *testing.T) {
		inner := func() any { return func(p *tl.Program, out tl.Ptr) { tl.Store(out, 5) } }
		outer := func(p *tl.Program, out tl.Ptr) { tl.Store(out, 6) }
		promote("deeper", inner(), 5, false)
		promote("less deep", outer, 6, false)
	})
}

// A change that leaves all lines as they were is seen where it makes a difference.
func TestTrialSeesConstants(t *testing.T) {
	const text = `package k

import tl "github.com/tiler-go/tiler/tilelang"

func storesOwn(p *tl.Program, x tl.Ptr) { tl.Store(x.Add(p.ID(0)), p.ID(0)*2) }
`
	k := New(storesOwn, Source(text, "storesOwn"), Options{Memory: "off"})
	rep, err := k.Promote(Grid{4}, tensor.Zeros(tl.Int32, 4))
	if err == nil || rep.Promoted || !strings.Contains(rep.String(), "engine-mismatch") {
		t.Errorf("%v\n%v", err, rep)
	}
}
