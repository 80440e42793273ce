package exec

import (
	"errors"
	"strings"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func TestPromote(t *testing.T) {
	x, out := tensor.Arange(tl.Float32, 0, 64), tensor.Zeros(tl.Float32, 64)
	k := alone(double, Options{Memory: "off"})
	rep, err := k.Promote(Grid{4}, x, out, 64)
	if err != nil || !rep.Promoted || rep.Engine == interpreted || rep.Times.Compiled == 0 {
		t.Fatalf("%v\n%v", err, rep)
	}
	if err := k.Launch(Grid{4}, x, out, 64); err != nil {
		t.Fatal(err)
	}
	s := k.State()
	if !s.Promoted || s.Engine != rep.Engine {
		t.Errorf("state: %v", s)
	}
	z := s.Specialisations[len(s.Specialisations)-1]
	if !z.Trusted || z.Reason != "bit-identical to the interpreter in all 4 programs" || z.Args != "x float32, out float32" {
		t.Errorf("specialisation: %+v", z)
	}
}

// What Promote refuses it says, and launches stay interpreted.
func TestPromoteRefuses(t *testing.T) {
	x, out := tensor.Arange(tl.Float32, 0, 64), tensor.Zeros(tl.Float32, 64)
	k := alone(double, Options{Memory: "off"})
	k.use.Table = fake(nothing)
	k.use.Table = k.use.Table[:1]
	if rep, err := k.Promote(Grid{4}, x, out, 64); err != nil || rep.Engine != "portable" {
		t.Errorf("%v\n%v", err, rep)
	}
	bad := New(func(p *tl.Program, out tl.Ptr) {
		values := map[int]int{0: 1}
		go func() {}()
		tl.Store(out, values[0])
	}, Options{Memory: "off"})
	rep, err := bad.Promote(Grid{1}, tensor.Zeros(tl.Int32, 1))
	if err == nil || rep.Promoted || !strings.Contains(rep.String(), "unsupported") {
		t.Errorf("%v\n%v", err, rep)
	}
}

// A function is promoted once, however often a kernel is made of it.
func TestPromotionIsOfTheFunction(t *testing.T) {
	once := func(p *tl.Program, out tl.Ptr) { tl.Store(out.Add(p.ID(0)), 1.0) }
	out := tensor.Zeros(tl.Float32, 4)
	o := Options{Memory: "off"}
	if _, err := New(once, o).Promote(Grid{4}, out); err != nil {
		t.Fatal(err)
	}
	if s := New(once).With(o).State(); !s.Promoted {
		t.Errorf("state: %v", s)
	}
}

// storesOwn writes to the element of its own number.
func storesOwn(p *tl.Program, x tl.Ptr) { tl.Store(x.Add(p.ID(0)), p.ID(0)) }

// TestLowestCompiledFailure: the lowest failing program is reported, although workers
// begin in the middle of the grid too, and fail there first.
func TestLowestCompiledFailure(t *testing.T) {
	for _, engine := range Engines() {
		k := New(storesOwn, Options{Engine: engine, Workers: 4, Memory: "off"})
		x := tensor.Zeros(tl.Int32, 1000)
		for range 3 { // until it is known how long a program takes
			if err := k.Launch(Grid{1000}, x); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 100 {
			var e *Error
			if err := k.Launch(Grid{100_000}, x); !errors.As(err, &e) || e.Program[0] != 1000 {
				t.Fatalf("%s, launch %d: %v; want the failure of program 1000", engine, i, err)
			}
		}
	}
}
