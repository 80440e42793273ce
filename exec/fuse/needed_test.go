package fuse

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
)

// TestNeeded: conditions under which a tile is needed are those that all its users have, known where it is computed.
func TestNeeded(t *testing.T) {
	const text = `func k(v1 *f32 "x", v2 *f32 "o", v3 i32 "n", v4 i32 "r") "k.go" {
  v5 i32[64] = arange
  v6 i32[64] = broadcast v3
  v7 bool[64] = lt v5 v6
  v8 i32[64] = broadcast v4
  v9 i32[64] = mod v5 v8
  v10 *f32[64] = broadcast v1
  v11 i64[64] = cast v9
  v12 *f32[64] = ptradd v10 v11
  v13 bool[64] = ge v5 v8
  v14 bool[64] = and v7 v13
  v15 f32[64] = load v12 v14 masked
  v16 *f32[64] = broadcast v2
  v17 i64[64] = cast v5
  v18 *f32[64] = ptradd v16 v17
  store v18 v15 v7 masked
%s  return
}
`
	for _, x := range []struct{ more, want string }{
		{"", "[v7]"},
		{"  v20 f32[64] = load v12 v7 masked\n  store v18 v20 v7 masked\n", "[v7]"},
		{"  v20 f32[64] = load v12 v13 masked\n  store v18 v20 v7 masked\n", "[]"},
		{"  v20 f32[64] = load v12\n  store v18 v20 v7 masked\n", "[]"},
		{"  v20 i32 = sum v9 axis=0\n  v21 i64 = cast v20\n  v22 *f32 = ptradd v2 v21\n" +
			"  v23 f32 = cast v20\n  store v22 v23\n", "[]"},
		{"  v20 i32[64] = mod v5 v9\n  v21 f32[64] = cast v20\n  store v18 v21 v7 masked\n", "[]"},
	} {
		f := ir.MustParse(fmt.Sprintf(text, x.more))
		if err := ir.Verify(f); err != nil {
			t.Fatal(err)
		}
		p := Plan(f, false)
		var v9 *ir.Value
		f.Values(func(v *ir.Value) {
			if v.Name() == "v9" {
				v9 = v
			}
		})
		names := []string{}
		for _, c := range Needed(p, v9) {
			names = append(names, c.Name())
		}
		if got := fmt.Sprint(names); got != x.want {
			t.Errorf("%s: %s, want %s", x.more, got, x.want)
		}
	}
}
