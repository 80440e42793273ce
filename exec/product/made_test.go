package product

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// computedFile is a product whose B is computed, of words and scales.
const computedFile = "testdata/computed.ir"

// computedLaunch is such a product's, of m rows, with so many words and scales.
func computedLaunch(t *testing.T, text string, m, words, scales int) *Launch {
	t.Helper()
	const n, k = 100, 90
	size := func(x int) ir.Arg { return ir.Arg{Bits: uint64(x)} }
	buf := func(d dtype.DType, n int) ir.Arg { return ir.Arg{Mem: dtype.NewBuf(d, n)} }
	args := []ir.Arg{
		buf(dtype.Float32, m*k), buf(dtype.Int32, words), buf(dtype.Float32, scales), buf(dtype.Float32, m*n),
		size(m), size(n), size(k), size(32), size(64), size(32), size(128),
	}
	f := ir.MustParse(text)
	match := Find(f, fuse.Plan(f, false), false)
	if match == nil {
		return nil
	}
	if err := ir.Verify(match.Maker()); err != nil {
		t.Fatalf("what makes B: %v", err)
	}
	return match.Launch(args, [3]int{(m + 31) / 32, (n + 63) / 64, 1})
}

// TestMade: a B that is computed is a product's if all that it reads is there.
func TestMade(t *testing.T) {
	text := textOf(t, computedFile)
	const words, scales = 1200, 100
	w := computedLaunch(t, text, 70, words, scales)
	if w == nil || w.M != 70 || w.N != 100 || w.K != 90 || w.Made.Rows != 32 || w.Made.Cols != 64 || w.Steps != 96 {
		t.Fatalf("%+v", w)
	}
	first, next := w.Block(nil, 0, 0, 7), w.Block(nil, 2, 1, 9)
	if len(first) != len(next) || first[len(first)-1] != 7 || next[len(next)-1] != 9 {
		t.Errorf("blocks are made of %v and %v", first, next)
	}
	for what, w := range map[string]*Launch{
		"one block of rows":  computedLaunch(t, text, 32, words, scales),
		"a word is missing":  computedLaunch(t, text, 70, words-1, scales),
		"a scale is missing": computedLaunch(t, text, 70, words, scales-1),
		"columns of rows":    computedLaunch(t, strings.Replace(text, "program_id #1", "program_id", 1), 70, words, scales),
		"scales are results": computedLaunch(t, strings.Replace(text, "broadcast v3", "broadcast v4", 1), 70, words, scales),
		"K that is not A's":  computedLaunch(t, strings.Replace(text, "for v31 v34", "for v31 v11", 1), 70, words, scales),
	} {
		if w != nil {
			t.Errorf("%s: %+v, want none", what, w)
		}
	}
}
