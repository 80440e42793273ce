package affine_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
)

// TestStep: what each value says of its two dimensions, and what it does within pieces.
func TestStep(t *testing.T) {
	f, err := ir.Parse(`func k(v1 *f32 "x", v2 i64 "n") "k.go" {
  v3 i32[8] = arange
  v4 i32[8,1] = reshape v3
  v5 i32[1,8] = reshape v3
  v6 i32 = const 7
  v7 i32[8,1] = broadcast v6
  v8 i32[8,1] = mul v4 v7
  v9 i32[8,8] = broadcast v8
  v10 i32[8,8] = broadcast v5
  v11 i32[8,8] = add v9 v10
  v12 i32[8,8] = sub v9 v10
  v13 i64[8,8] = cast v11
  v14 i64[8,8] = broadcast v2
  v15 i64[8,8] = mul v13 v14
  v16 i32[8,8] = broadcast v6
  v17 i32[8,8] = mod v10 v16
  v18 i32[8,8] = floordiv v10 v16
  v19 i32[8,8] = floordiv v11 v16
  v20 i8[8,8] = cast v11
  v21 i32[8,8] = cast v20
  v22 *f32[8,8] = broadcast v1
  v23 *f32[8,8] = ptradd v22 v13
  v24 f32[8,8] = load v23
  v25 i32[8,8] = permute v11 axes=1,0
  v26 i32[8,8] = mul v11 v11
  v27 i32[8,8] = broadcast v6
  v28 i32[8,8] = cumsum v27 axis=1
  v29 i32[8] = sum v10
  v30 i32[1,8] = reshape v29
  v31 i32[8,8] = broadcast v30
  v32 i64 = const 0
  v33 (i32[8,8]) = for v32 v2 v27 #1 {
    (v34 i64, v35 i32[8,8])
    yield v10
  }
  v36 i32[8,8] = result v33
  v37 i32[8,8] = bitcast v27
  return
}`)
	if err != nil {
		t.Fatal(err)
	}
	const many, unknown = affine.Many, affine.Unknown
	want := map[int][4]int64{ // by numbers: exactly, and in pieces
		11: {7, 1, 7, 1}, 12: {7, -1, 7, -1}, 13: {7, 1, 7, 1}, 14: {0, 0, 0, 0}, 15: {many, many, many, many},
		17: {0, unknown, 0, 1}, 18: {0, unknown, 0, 0}, 19: {unknown, unknown, unknown, 0},
		20: {unknown, unknown, unknown, unknown}, 21: {unknown, unknown, unknown, unknown},
		23: {7, 1, 7, 1}, 24: {unknown, unknown, unknown, unknown}, 25: {1, 7, 1, 7},
		26: {unknown, unknown, unknown, unknown}, 28: {unknown, unknown, unknown, unknown},
		31: {0, unknown, 0, unknown}, 35: {unknown, unknown, unknown, unknown},
		36: {unknown, unknown, unknown, unknown}, 37: {0, 0, 0, 0},
	}
	f.Values(func(v *ir.Value) {
		w, ok := want[v.ID]
		if !ok {
			return
		}
		var got [4]int64
		for i := range got {
			got[i] = affine.Step(v, i%2, i > 1)
		}
		if got != w {
			t.Errorf("v%d: %v, want %v", v.ID, got, w)
		}
	})
}
