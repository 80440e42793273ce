package amd64

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// TestPlanAhead: which pass prefetches for others.
func TestPlanAhead(t *testing.T) {
	const head = "func f(v1 *f32 \"x\", v2 *f32 \"out\") \"k.go\" {\n" +
		"  v9 i32[64] = arange\n  v10 *f32[64] = broadcast v1\n  v11 *f32[64] = ptradd v10 v9\n  v12 *f32[64] = broadcast v2\n  v13 *f32[64] = ptradd v12 v9\n" +
		"  v20 f32[64] = load v11 \"tl.Load\"\n"
	for _, c := range []struct {
		name, text  string
		load, store op.Op // of the passes that ask; None: nobody does
	}{
		{"one pass asks for itself", "  store v13 v20 \"tl.Store\"\n", op.Store, op.Store},
		{"a maximum is over too soon, and the next one's comes early", "  v21 f32 = max v20\n  v22 f32[64] = broadcast v21\n  v23 f32[64] = sub v20 v22\n  v24 f32[64] = exp v23\n  v25 f32 = sum v24\n" +
			"  v26 f32[64] = broadcast v25\n  v27 f32[64] = div v24 v26\n  store v13 v27 \"tl.Store\"\n", op.Store, op.Sum},
		{"sums wait for themselves, and ask for nothing", "  v21 f32 = sum v20\n  v22 f32[64] = broadcast v21\n  v23 f32[64] = sub v20 v22\n  v24 f32[64] = mul v23 v23\n  v25 f32 = min v24\n" +
			"  v26 f32[64] = broadcast v25\n  store v13 v26 \"tl.Store\"\n", op.Store, op.Min},
	} {
		f, err := ir.Parse(head + c.text + "  return\n}\n")
		if err != nil {
			t.Fatal(c.name, err)
		}
		load, store := op.None, op.None
		p := fuse.Plan(f, false)
		for _, at := range f.Body.Values {
			for _, ask := range p.Of(at).Prefetches {
				if ask.V.Op == op.Load {
					load = at.Op
				} else {
					store = at.Op
				}
			}
		}
		if load != c.load || store != c.store {
			t.Errorf("%s: the load is asked for in %s, the store in %s; want %s, %s", c.name, ir.OpName(load), ir.OpName(store), ir.OpName(c.load), ir.OpName(c.store))
		}
	}
}

// TestNextTurn: what is loaded next is prefetched, from instance to instance and from round
// to round.
func TestNextTurn(t *testing.T) {
	const head = "func f(v1 *f32 \"x\", v2 *f32 \"out\", v3 i64 \"n\") \"k.go\" {\n  v4 i64 = program_id\n  v5 i64 = num_programs\n  v6 i64 = const 0\n  v7 i64 = const 1\n" +
		"  v8 i32[64] = arange\n  v9 i64[64] = cast v8\n"
	row := func(at string) string {
		return "  v30 i64 = mul " + at + " v3\n  v31 *f32 = ptradd v1 v30\n  v32 *f32[64] = broadcast v31\n  v33 *f32[64] = ptradd v32 v9\n  v34 f32[64] = load v33\n" +
			"  v35 f32 = sum v34\n  v36 *f32 = ptradd v2 " + at + "\n  store v36 v35\n"
	}
	for _, c := range []struct {
		name, text string
		asks       bool
	}{
		{"instances", row("v4"), true},
		{"every instance the same", row("v7"), false},
		{"for", "  for v6 v3 #2 {\n    (v11 i64)\n" + row("v11") + "    yield\n  }\n", true},
		{"loop", "  v10 (i64) = loop v4 {\n    (v11 i64)\n    v12 bool = lt v11 v3\n    if v12 {\n      yield\n    } {\n      break v11\n    }\n" + row("v11") + "    v13 i64 = add v11 v5\n    continue v13\n  }\n", true},
		{"doubled from round to round", "  v10 (i64) = loop v4 {\n    (v11 i64)\n    v12 bool = lt v11 v3\n    if v12 {\n      yield\n    } {\n      break v11\n    }\n" + row("v11") + "    v13 i64 = mul v11 v5\n    continue v13\n  }\n", false},
	} {
		f, err := ir.Parse(head + c.text + "  return\n}\n")
		if err == nil {
			err = ir.Verify(f)
		}
		if err != nil {
			t.Fatal(c.name, err)
		}
		if asks := strings.Contains(listing(t, f, cpu.AVX512), "prefetcht1"); asks != c.asks {
			t.Errorf("%s: asks ahead %t, want %t", c.name, asks, c.asks)
		}
	}
}

// TestFurtherOn: a store that no pass is ahead of prefetches lines of its own, each once, where
// its rows are long and it does not bypass the caches.
func TestFurtherOn(t *testing.T) {
	const text = "func f(v1 *DTYPE \"x\", v2 *DTYPE \"out\") \"k.go\" {\n" +
		"  v8 i32[SIZE] = arange\n  v9 i64[SIZE] = cast v8\n  v10 *DTYPE[SIZE] = broadcast v1\n  v11 *DTYPE[SIZE] = ptradd v10 v9\n  v12 *DTYPE[SIZE] = broadcast v2\n  v13 *DTYPE[SIZE] = ptradd v12 v9\n" +
		"  v20 DTYPE[SIZE] = load v11 \"tl.Load\"\n  store v13 v20 \"tl.Store\"\n  return\n}\n"
	for _, c := range []struct {
		dtype, size string
		tier        cpu.Tier
		prefetches  int
	}{
		{"f32", "512", cpu.AVX512, 1}, {"f32", "256", cpu.AVX512, 0}, {"f32", "512", cpu.AVX2, 0},
		{"f64", "256", cpu.AVX512, 2}, {"f16", "4096", cpu.AVX512, 0},
	} {
		f, err := ir.Parse(strings.NewReplacer("DTYPE", c.dtype, "SIZE", c.size).Replace(text))
		if err == nil {
			err = ir.Verify(f)
		}
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(listing(t, f, c.tier), "prefetchw"); n != c.prefetches {
			t.Errorf("%s[%s], %v: %d prefetches in a round, want %d", c.dtype, c.size, c.tier, n, c.prefetches)
		}
	}
}

// listing is f's machine code as text.
func listing(t *testing.T, f *ir.Func, tier cpu.Tier) string {
	t.Helper()
	code, err := Compile(f, Options{Tier: tier, Listing: true})
	if err != nil {
		t.Fatal(err)
	}
	var s strings.Builder
	if err := code.WriteListing(&s, nil); err != nil {
		t.Fatal(err)
	}
	return s.String()
}
