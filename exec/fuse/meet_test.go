package fuse

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
)

// bisected looks a number up by halving, if PLACE is the middle.
const bisected = `func k(v1 *i32 "x", v2 i64 "n", v3 i64 "e") "k.go" {
  v4 i64 = const 0
  v5 i64 = const 1
  v6 i64 = const 2
  v7 (i64, i64) = loop v4 v2 {
    (v8 i64, v9 i64)
    v10 bool = lt v8 v9
    if v10 {
      yield
    } {
      break v8 v9
    }
    v11 i64 = add v8 v9
    v12 i64 = floordiv v11 v6 goscalar "zero"
    v13 *i32 = ptradd v1 PLACE
    v14 i32 = load v13
    v15 i64 = cast v14
    v16 bool = gt v15 v3
    v17 (i64, i64) = if v16 {
      yield v8 v12
    } {
      v18 i64 = add v12 v5
      yield v18 v9
    }
    v19 i64 = result v17
    v20 i64 = result v17 #1
    continue v19 v20
  }
  v21 i64 = result v7
  v22 *i32 = ptradd v1 v21
  v23 i32 = fits v21 "store"
  store v22 v23
  return
}
`

// TestRecurs: a choice that a later round's load waits for is told from one that only counts.
func TestRecurs(t *testing.T) {
	for place, want := range map[string]bool{"v12": true, "v3": false} {
		f := ir.MustParse(strings.ReplaceAll(bisected, "PLACE", place))
		if err := ir.Verify(f); err != nil {
			t.Fatal(err)
		}
		p, seen := Plan(f, false), false
		f.Values(func(v *ir.Value) {
			if v.Op == ir.If && len(v.Results) > 0 {
				seen = true
				if !Chosen(v) || Recurs(p, v) != want {
					t.Errorf("load at %s: recurs is %v", place, !want)
				}
			}
		})
		if !seen {
			t.Fatal("no branch")
		}
	}
}
