package promote

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// doubles is a launch of 8 instances that store twice what they load; wrong is an element that the program gets wrong.
func doubles(full bool, wrong int) *Trial {
	double := func(args []any, i int) {
		x, out := tensor.Data[int32](args[0].(*tensor.Tensor)), tensor.Data[int32](args[1].(*tensor.Tensor))
		out[i] = 2 * x[i]
	}
	return &Trial{
		Flow: &Flow{Stored: []bool{false, true}, loaded: []bool{true, false}},
		Grid: [3]int{8, 1, 1}, Full: full, Workers: 1,
		Args: []any{tensor.Arange(dtype.Int32, 0, 8), tensor.Zeros(dtype.Int32, 8)},
		Interpret: func(_ context.Context, args []any, instances []int) error {
			for _, i := range instances {
				double(args, i)
			}
			return nil
		},
		Launch: func(_ context.Context, args []any, _ []int) error {
			for i := range 8 {
				if i != wrong {
					double(args, i)
				}
			}
			return nil
		},
		Fault: func(err error) error { return err },
		Label: func(arg int) string { return []string{"x", "out"}[arg] },
	}
}

func TestTrial(t *testing.T) {
	ok := doubles(true, -1)
	if err := ok.Run(t.Context()); err != nil || ok.Evidence() != "bit-identical to the interpreter in all 8 programs" {
		t.Errorf("%v, %s", err, ok.Evidence())
	}
	if out := tensor.Data[int32](ok.Args[1].(*tensor.Tensor)); out[7] != 0 {
		t.Error("the trial wrote to the launch's own tensor")
	}
	// A store left out shows, also of what is 0 anyhow.
	for _, wrong := range []int{0, 5} {
		var m *Mismatch
		if err := doubles(true, wrong).Run(t.Context()); !errors.As(err, &m) || m.Tensor != "out" || m.Index[0] != wrong {
			t.Errorf("element %d left out: %v", wrong, err)
		}
	}
	fails := doubles(false, -1)
	fails.Interpret = func(context.Context, []any, []int) error { return errors.New("out of bounds") }
	if err := fails.Run(t.Context()); err != ErrUndecided {
		t.Errorf("a launch that fails: %v", err)
	}
}

func TestFlow(t *testing.T) {
	f, err := ir.Parse(`func k(v1 *f32 "x", v2 *f32 "y", v3 i64 "n") "k.go" {
  v4 *f32 = ptradd v1 v3 @1:1
  v5 f32 = load v4 @1:1
  store v2 v5 @1:1
  return @1:1
}
`)
	if err != nil {
		t.Fatal(err)
	}
	w := FlowOf(f)
	if w.Stored[0] || !w.Stored[1] || !w.loaded[0] || w.loaded[1] || w.Atomics {
		t.Errorf("%+v", w)
	}
	x := tensor.Zeros(dtype.Float32, 4)
	if m := w.Mixed([]any{x, x, 4}); len(m) != 1 || m[0] != 1 {
		t.Errorf("one tensor twice: %v", m)
	}
	// Two views, of which neither has an element of the other: what is loaded may lie between those of the first.
	all := tensor.Zeros(dtype.Float32, 8)
	even, odd := all.AsStrided([]int{4}, []int{2}, 0), all.AsStrided([]int{3}, []int{2}, 1)
	views := []any{even, odd, 4}
	if m := w.Mixed(views); !w.Meet(views, 0, 1) || !w.reaches(views, 0) || len(m) != 1 || m[0] != 1 {
		t.Errorf("views between one another: %v, %v, %v", w.Meet(views, 0, 1), w.reaches(views, 0), m)
	}
}

func TestMemory(t *testing.T) {
	m := MemoryIn(t.TempDir() + "/deep")
	a, b := NameOf("pkg.k", "facts"), NameOf("pkg.k", "others")
	if err := m.Note(a); err != nil || !m.Has(a) || m.Has(b) || !m.HasAny("pkg.k") || m.HasAny("pkg.l") {
		t.Errorf("%v, %v, %v", err, a, b)
	}
	if MemoryIn("off") != "" {
		t.Errorf("%q", MemoryIn("off"))
	}
}

// Of ever new builds and shapes there are not ever more files, and those noted last are kept.
func TestMemoryForgets(t *testing.T) {
	m := MemoryIn(t.TempDir())
	first, start := NameOf("k", "first"), time.Now().Add(-time.Hour)
	names := []Name{first}
	for i := range 2 * kept {
		names = append(names, NameOf("k", strconv.Itoa(i)))
	}
	other := NameOf("l", "")
	if err := m.Note(other); err != nil {
		t.Fatal(err)
	}
	for i, n := range names {
		if err := m.Note(n); err != nil {
			t.Fatal(err)
		}
		at := start.Add(time.Duration(i) * time.Second) // a clock may be coarser than the notes are apart
		if err := os.Chtimes(filepath.Join(m.dir("k"), n.hash), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for i, n := range names {
		if want := i >= len(names)-kept; m.Has(n) != want {
			t.Errorf("name %d of %d: remembered %v", i, len(names), !want)
		}
	}
	if !m.Has(other) {
		t.Error("another kernel was forgotten")
	}
}
