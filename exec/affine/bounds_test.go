package affine

import (
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

const differences = `func k(v1 *f32 "x") "k.go" {
  v2 i32[64] = arange
  v3 *f32[64] = broadcast v1
  v27 i64[64] = cast v2
  v4 *f32[64] = ptradd v3 v27
  v5 f32[64] = load v4
  v6 f32[8,8] = reshape v5
  v7 f32[8] = max v6 axis=1
  v8 f32[8,1] = reshape v7
  v9 f32[8,8] = broadcast v8
  v10 f32[8,8] = sub v6 v9
  v11 f32[1,8] = reshape v7
  v12 f32[8,8] = broadcast v11
  v13 f32[8,8] = sub v6 v12
  v14 f32[8] = max v6 axis=0
  v15 f32[8,8] = broadcast v14
  v16 f32[8,8] = sub v6 v15
  v17 f32[8] = maximum v14 v7
  v18 f32[8,8] = broadcast v17
  v19 f32[8,8] = sub v6 v18
  v20 f32[8] = min v6 axis=0
  v21 f32[8,8] = broadcast v20
  v22 f32[8,8] = sub v6 v21
  v23 f32[8,8] = sub v15 v6
  v24 f32[8,8] = permute v6 axes=1,0
  v25 f32[8,8] = sub v24 v9
  v26 f32[8,8] = sub v24 v12
  v28 f32[16,8] = cat v10 v16
  v29 f32[16,8] = cat v10 v6
  v30 f32[8,8,2] = join v10 v13
  return
}
`

// TestNotAbove0 knows a maximum that is taken along the right dimension.
func TestNotAbove0(t *testing.T) {
	f := ir.MustParse(differences)
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	want := map[int]bool{10: true, 16: true, 19: true, 26: true, 28: true}
	f.Walk(func(b *ir.Block) {
		for _, v := range b.Values {
			if (v.Op == op.Sub || v.Op == op.Cat || v.Op == op.Join) && NotAbove0(v) != want[v.ID] {
				t.Errorf("%s: %t", v.Name(), !want[v.ID])
			}
		}
	})
}
