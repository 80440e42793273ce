package fuse

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// rowsOfProducts adds up products of rows up to v3 and columns up to v4, whose chains end at v5.
const rowsOfProducts = `func k(v1 *f32 "x", v2 *f32 "z", v3 i32 "m", v4 i32 "n", v5 i32 "k", v6 i64 "rounds") "k.go" {
  v7 i32[16] = arange
  v8 i32[16,1] = reshape v7
  v9 i32[16,16] = broadcast v8
  v10 i32[1,16] = reshape v7
  v11 i32[16,16] = broadcast v10
  v12 i32[16,16] = broadcast v3
  v13 i32[16,16] = broadcast v4
  v14 i32[16,16] = broadcast v5
  v15 bool[16,16] = lt v9 v12
  v16 bool[16,16] = lt v11 v14
  v17 bool[16,16] = and v15 v16
  v18 bool[16,16] = lt v9 v14
  v19 bool[16,16] = lt v11 v13
  v20 bool[16,16] = and v18 v19
  v21 bool[16,16] = and v15 v19
  v22 i32[16,16] = add v9 v11
  v23 *f32[16,16] = broadcast v1
  v24 i64[16,16] = cast v22
  v25 *f32[16,16] = ptradd v23 v24
  v26 f32[16,16] = load v25 v17 masked
  v27 f32[16,16] = load v25 v20 masked
  v28 f32 = const 0x0(0)
  v29 f32[16,16] = broadcast v28
  v30 f32[16] = broadcast v28
  v31 i64 = const 0
  v32 (f32[16,16], f32[16]) = for v31 v6 v29 v30 #1 {
    (v33 i64, v34 f32[16,16], v35 f32[16])
    v36 f32[16,16] = dot v26 v27
    v37 f32[16] = max v36 axis=1
    v38 f32[16] = add v35 v37
    v39 f32[16,1] = reshape v37
    v40 f32[16,16] = broadcast v39
    v41 f32[16,16] = sub v36 v40
    v42 f32[16,16] = dot v41 v27
    v43 f32[16,16] = add v34 v42
    yield v43 v38
  }
  v44 f32[16,16] = result v32
  v45 *f32[16,16] = broadcast v2
  v46 *f32[16,16] = ptradd v45 v24
  store v46 v44 v21 masked
  return
}
`

// TestDemandedOfProducts follows rows through products, reductions along the other axis, and loops; columns end at the
// second operand, and chains where both are zeros.
func TestDemandedOfProducts(t *testing.T) {
	f := ir.MustParse(rowsOfProducts)
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	p := Plan(f, false)
	f.Values(func(v *ir.Value) {
		want, ok := map[int]string{
			26: "seen along 0 where v21's 0; seen along 1 where v17's 1 or v20's 0", 27: "",
			36: "seen along 0 where v21's 0", 37: "seen along 0 where v21's 0", 38: "",
			41: "seen along 0 where v21's 0", 42: "seen along 0 where v21's 0; seen along 1 where v21's 1",
			43: "seen along 0 where v21's 0; seen along 1 where v21's 1",
		}[int(v.ID)]
		if got := strings.Join(seen(p, v), "; "); ok && got != want {
			t.Errorf("%s is %q, want %q", v.Name(), got, want)
		}
	})
	f.Values(func(v *ir.Value) {
		if v.Op != op.Dot {
			return
		}
		if n := len(Summed(p, v)); n != map[int]int{36: 2}[int(v.ID)] {
			t.Errorf("%s has %d bounds of its chain", v.Name(), n)
		}
	})
}
