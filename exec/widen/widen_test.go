package widen_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/kerneltest/random"
	"github.com/tiler-go/tiler/exec/widen"
	"github.com/tiler-go/tiler/tilelang/op"
)

// TestRandom: what several programs in one leave in memory is what they leave one by one, and that fails if one of them
// does. Functions that leave something else if another program is the last one are no test: their programs race.
func TestRandom(t *testing.T) {
	n := uint64(300)
	if os.Getenv("TILER_LONG") != "" {
		n = 2_000
	}
	tried := 0
	for seed := range n {
		text := random.Kernel(seed).String()
		for way := range 4 {
			axis, first := way&1, way > 1
			f := widen.Forced(ir.MustParse(text), axis, 4, first)
			if f == nil || !numbered(f, axis) {
				continue
			}
			if err := ir.Verify(f); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, f)
			}
			grid, groups := [3]int{4, 4, 1}, [3]int{4, 4, 1}
			groups[axis] = 1
			build := random.Args(seed)
			want, wantWorld := kerneltest.Run(t, ir.MustParse(text), grid, build, kerneltest.RunEager)
			races := false
			for last := range uint64(3) {
				o, w := kerneltest.Run(t, ordered(ir.MustParse(text), axis, last), grid, build, kerneltest.RunEager)
				races = races || want.Bad == nil && kerneltest.Differ(o, want, w, wantWorld) != ""
			}
			if races {
				continue
			}
			tried++
			got, gotWorld := kerneltest.Run(t, f, groups, build, kerneltest.RunEager)
			if (want.Bad == nil) != (got.Bad == nil) {
				t.Fatalf("seed %d, axis %d: %s %v, want %v\n%s\nfrom\n%s",
					seed, axis, kerneltest.Name(got.Bad), got.Why, want.Why, f, text)
			}
			if s := kerneltest.Differ(got, want, gotWorld, wantWorld); s != "" && want.Bad == nil {
				t.Fatalf("seed %d, axis %d: %s\n%s\nfrom\n%s", seed, axis, s, f, text)
			}
		}
	}
	t.Logf("%d functions", tried)
}

func numbered(f *ir.Func, axis int) (yes bool) {
	f.Values(func(v *ir.Value) { yes = yes || v.Op == op.ProgramID && v.Index == axis })
	return yes && strings.Contains(f.String(), "store")
}

// ordered is f with four programs along an axis in an order of which one is the last.
func ordered(f *ir.Func, axis int, last uint64) *ir.Func {
	subst := map[*ir.Value]*ir.Value{}
	f.Walk(func(b *ir.Block) {
		var out []*ir.Value
		for _, v := range b.Values {
			out = append(out, v)
			if v.Op == op.ProgramID && v.Index == axis {
				by := f.NewValue(op.Const, v.Type, v.Pos)
				by.Bits = 3 ^ last
				id := f.NewValue(op.ProgramID, v.Type, v.Pos)
				id.Index = axis
				subst[v] = f.NewValue(op.Xor, v.Type, v.Pos, by, id)
				out = append(out, by, id, subst[v])
			}
		}
		b.Values = out
	})
	f.Replace(subst)
	return f
}

// TestOf compares what is made of NAME.in with NAME.want, which UPDATE=1 writes.
func TestOf(t *testing.T) {
	files, err := filepath.Glob("testdata/*.in")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, got := ir.MustParse(string(text)), "stays as it is\n"
		if w := widen.Of(f); w != nil {
			if err := ir.Verify(w.Func); err != nil {
				t.Error(err)
			}
			got = fmt.Sprintf("%d programs along axis %d\n%s", w.Lanes, w.Axis, w.Func)
		}
		out := strings.TrimSuffix(file, ".in") + ".want"
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(out, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(out); err != nil || got != string(want) {
			t.Errorf("%s: got\n%s", file, got)
		}
	}
}

// TestTakes: heads lie side by side if their number is a multiple of the lanes, and no grid is smaller than these.
func TestTakes(t *testing.T) {
	text, err := os.ReadFile("testdata/heads.in")
	if err != nil {
		t.Fatal(err)
	}
	w := widen.Of(ir.MustParse(string(text)))
	for _, c := range []struct {
		heads, programs, workers int
		want                     bool
	}{
		{8, 8, 1, true}, {16, 20, 2, true}, {8, 7, 1, false}, {12, 24, 1, false}, {4, 16, 1, false}, {0, 16, 1, false},
		{-8, 16, 1, false}, {8, 8, 4, true}, {8, 8, 5, false}, {8, 0, 1, false},
	} {
		args := []ir.Arg{{}, {}, {Bits: 5}, {Bits: uint64(c.heads)}}
		if got := w.Takes(args, [3]int{c.programs, 1, 1}, c.workers); got != c.want {
			t.Errorf("%d heads, %d programs: %v", c.heads, c.programs, got)
		}
	}
}

// TestFloatDivisor: what divides a number may be cast from a float, whose bits say nothing of multiples.
func TestFloatDivisor(t *testing.T) {
	text, err := os.ReadFile("testdata/heads.in")
	if err != nil {
		t.Fatal(err)
	}
	s := strings.Replace(string(text), "v4 i64 \"H\"", "v25 f64 \"H\"", 1)
	s = strings.Replace(s, "  v5 i64 = program_id", "  v4 i64 = cast v25 @1:1\n  v5 i64 = program_id", 1)
	if w := widen.Of(ir.MustParse(s)); w != nil {
		t.Errorf("%d programs as one\n%s", w.Lanes, w.Func)
	}
}
