package fuse

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/fuse/packed"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// packs stores elements that are not zero to PLACE under MASK; OTHER may use v14, the sum.
const packs = `func k(v1 *i32 "x", v2 *i32 "z", v3 i32 "n") "k.go" {
  v4 i32[64] = arange
  v5 i32[64] = broadcast v3
  v6 bool[64] = lt v4 v5
  v7 i32 = const 0
  v8 i32[64] = broadcast v7
  v9 *i32[64] = broadcast v1
  v27 i64[64] = cast v4
  v10 *i32[64] = ptradd v9 v27
  v11 i32[64] = load v10 v6 v8 masked other
  v12 bool[64] = ne v11 v8
  v13 i32[64] = cast v12
  v14 i32[64] = cumsum v13
  v15 i32[64] = sub v14 v13
  v16 i32[64] = add v15 v5
  v17 i64[64] = cast v16
  v18 *i32[64] = broadcast v2
  v19 *i32[64] = ptradd v18 v17
  v20 bool[64] = and v12 v6
  v21 bool[64] = gt v11 v5
  v22 bool[64] = and v12 v21
  v23 i32[64] = mul v15 v4
  v24 i64[64] = cast v23
  v25 *i32[64] = ptradd v18 v24
  store PLACE v11 MASK masked
  OTHER
  return
}
`

// TestPackedStore: lanes that are counted are packed, unless others are stored, or places are no line of their ranks.
func TestPackedStore(t *testing.T) {
	for _, c := range []struct {
		place, mask, other string
		packs, within      bool
	}{
		{"v19", "v12", "", true, true},
		{"v19", "v20", "", true, true},                          // of indices that exist
		{"v19", "v22", "", false, false},                        // of elements of some kind
		{"v19", "v6", "", false, false},                         // which are not all counted
		{"v25", "v12", "", false, false},                        // to places that are no line
		{"v19", "v12", "store v19 v14 v12 masked", true, false}, // the sum is stored, too
		{"v19", "v12", "store v19 v4 v12 masked", true, true},   // under the same mask
		{"v19", "v12", "store v19 v4 v6 masked", true, false},   // under another
		{"v19", "v12", "store v10 v14 v6 masked", true, false},  // all of it
		{"v19", "v12", "v26 i32[64] = load v19 v12 masked\n  store v10 v26 v6 masked", true, false},
	} {
		f := ir.MustParse(strings.NewReplacer("PLACE", c.place, "MASK", c.mask, "OTHER", c.other).Replace(packs))
		if err := ir.Verify(f); err != nil {
			t.Fatal(err)
		}
		p := Plan(f, false)
		first := true
		f.Values(func(v *ir.Value) {
			switch {
			case v.Op == op.CumSum && p.Of(v).Within != c.within:
				t.Errorf("%+v: the sum is computed within: %v", c, p.Of(v).Within)
			case v.Op == op.Store && first:
				if first = false; (packed.Of(v) != nil) != c.packs {
					t.Errorf("%+v: packs: %v", c, packed.Of(v))
				}
			}
		})
	}
}
