package kerneltest

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec/eager"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// An Outcome is what a launch did, beside memory.
type Outcome struct {
	Bad     *ir.Value // that failed, or nil
	Program int       // the lowest that failed
	Why     any
	Printed []string
}

// A Runner is an engine: it runs a Func over a grid on a world's arguments.
type Runner func(t testing.TB, f *ir.Func, grid [3]int, w *World) Outcome

// Instances is the number of instances of a grid.
func Instances(grid [3]int) int { return grid[0] * grid[1] * grid[2] }

// RunEager is the interpreter as a Runner: the oracle.
func RunEager(_ testing.TB, f *ir.Func, grid [3]int, w *World) (o Outcome) {
	run := eager.New(f)
	for i := range Instances(grid) {
		e := &instance{}
		bad, why := e.run(run, newProgram(i, grid), w.eagerArgs(f))
		for _, s := range e.printed {
			o.Printed = append(o.Printed, fmt.Sprint(i, " ", s))
		}
		if bad != nil {
			o.Bad, o.Program, o.Why = bad, i, why
			return o
		}
	}
	return o
}

// PrintTo is a printing function of a launch that records in o as RunEager does.
func (o *Outcome) PrintTo(program int, v *ir.Value, operands []ir.Printed) {
	for i, x := range operands {
		bits := make([]uint64, x.Elems.Len())
		for k := range bits {
			bits[k] = x.Elems.Bits(k)
		}
		o.Printed = append(o.Printed, fmt.Sprint(program, " ", v.Text, i, x.Type.D, x.Type.Shape.Dims(), bits, x.GoScalar))
	}
}

// Run runs f in a world that build makes.
func Run(t testing.TB, f *ir.Func, grid [3]int, build func(w *World), run Runner) (Outcome, *World) {
	t.Helper()
	w := NewWorld(2)
	build(w)
	return run(t, f, grid, w), w
}

// Differ says how a launch differs from what it should have done, or "".
func Differ(got, want Outcome, gotWorld, wantWorld *World) string {
	if !sameValue(got.Bad, want.Bad) || got.Program != want.Program {
		return fmt.Sprintf("failed at %v in program %d (%v), want %v in program %d (%v)", Name(got.Bad), got.Program, got.Why, Name(want.Bad), want.Program, want.Why)
	}
	for k := range max(len(got.Printed), len(want.Printed)) {
		if k >= len(got.Printed) || k >= len(want.Printed) || got.Printed[k] != want.Printed[k] {
			return fmt.Sprintf("printed\n%v\nwant\n%v", got.Printed, want.Printed)
		}
	}
	for i, x := range wantWorld.Whole {
		if s := differ(gotWorld.Whole[i].Buf(), x.Buf(), wantWorld.Views[x], want.Bad != nil); s != "" {
			return fmt.Sprintf("tensor %d: %s", i, s)
		}
	}
	return ""
}

// sameValue reports whether two values are the same operation of the source: passes
// make Funcs with others.
func sameValue(v, w *ir.Value) bool {
	if v == nil || w == nil {
		return v == w
	}
	return v == w || v.Pos.IsValid() && v.Pos == w.Pos && v.Op == w.Op
}

// Name is a value as messages name it; nil is nothing.
func Name(v *ir.Value) string {
	if v == nil {
		return "nothing"
	}
	return v.Name() + " " + ir.OpName(v.Op)
}

// differ says where a tensor with its guards differs from what it should be; after a
// failure, only the guards count, and what lies between the elements of a view. NaNs compare by class.
func differ(got, want dtype.Buf, view *tensor.Tensor, guardsOnly bool) string {
	d := got.DType()
	before, behind := guards()
	for i := range got.Len() {
		if guardsOnly && i >= before && i < got.Len()-behind && (view == nil || view.Contains(i-before)) {
			continue
		}
		g, w := got.Bits(i), want.Bits(i)
		if !dtype.SameBits(d, g, w) {
			return fmt.Sprintf("%s element %d is %#x, want %#x", d, i-before, g, w)
		}
	}
	return ""
}

// Same runs f under the interpreter and an engine, each in a world of its own that
// build makes, and demands equal results.
func Same(t testing.TB, f *ir.Func, grid [3]int, build func(w *World), run Runner) (Outcome, *World) {
	t.Helper()
	if err := ir.Verify(f); err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	want, wantWorld := Run(t, f, grid, build, RunEager)
	got, gotWorld := Run(t, f, grid, build, run)
	if s := Differ(got, want, gotWorld, wantWorld); s != "" {
		t.Fatalf("%s\n%s", s, f)
	}
	return got, gotWorld
}
