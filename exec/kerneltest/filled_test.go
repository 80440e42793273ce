package kerneltest_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestFilledByParts has a mask that a nest fills on its way for a loop behind it. Where all limits hold that nest has
// code that need not look at the mask.
func TestFilledByParts(t *testing.T) {
	const text = `func K(v1 *f32 "x", v2 *f32 "y", v3 *f32 "z", v6 i64 "n", v7 i64 "m", v10 i64 "end") "k.go" {
  v14 i32[1] = arange
  v15 i32[1,1] = reshape v14
  v601 i32 = const 0
  v23 i32 = fits v6 "n"
  v24 i32[1,1] = broadcast v23
  v25 bool[1,1] = lt v15 v24
  v26 i32 = fits v7 "n"
  v626 bool = lt v601 v26
  v627 bool[1,256] = broadcast v626
  v29 bool[1,256] = broadcast v25
  v30 bool[1,256] = and v29 v627
  v37 bool[1,256] = and v30 v30
  v38 f32 = const 0x0
  v536 *f32[1,256] = broadcast v3
  v53 i32 = const -5
  v54 i32[1,1] = broadcast v53
  v55 bool[1,1] = ge v15 v54
  v56 bool[1,256] = broadcast v55
  v57 bool[1,256] = and v37 v56
  v58 bool[1,256] = and v37 v57
  v59 bool[1,256] = and v58 v37
  v68 i32 = fits v10 "n"
  v630 bool = lt v601 v68
  v631 bool[1,256] = broadcast v630
  v75 bool[1,256] = and v59 v631
  v76 f32 = const 0x3f800000
  v77 f32[1,256] = broadcast v76
  v78 f32[1,256] = load v536 v75 v77 masked other
  v79 f32[1,256] = broadcast v38
  v490 i64 = const 0
  v84 (f32[1,256]) = for v490 v490 v79 #16 {
    (v85 i64, v87 f32[1,256])
    yield v79
  }
  v160 f32[1,256] = result v84
  v165 f32[1,256] = where v57 v78 v160
  v312 f32 = const 0x80000000
  v313 f32[1,256] = broadcast v312
  v315 (f32[1,256]) = for v490 v7 v313 #128 {
    (v316 i64, v317 f32[1,256])
    v322 f32[1,256] = where v57 v165 v317
    yield v322
  }
  v324 f32[1,256] = result v315
  v372 bool[1,256] = and v57 v631
  store v536 v324 v372 masked
  return
}
`
	for _, n := range []int{0, 1, 5} {
		err := sameIR(t, ir.MustParse(text), [3]int{1, 1, 1}, func(w *kerneltest.World) {
			w.Add(dtype.Float32, 1)
			w.Add(dtype.Float32, 1)
			w.Add(dtype.Float32, 256)
			w.Ints(n, 20, 7)
		}, map[string]int{})
		if err != nil {
			t.Errorf("n = %d: %v", n, err)
		}
	}
}
