package affine

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
)

// TestAhead says what is checked before a loop for int32 values in it, that they may be widened.
func TestAhead(t *testing.T) {
	f := ir.MustParse(`func f(v1 *f32 "x", v2 i64 "n", v3 i64 "k") "f.go" {
  v4 i64 = const 0
  v42 i64 = const 3
  v5 i32[8] = arange
  v6 i32 = fits v2 "n"
  for v4 v2 #8 {
    (v7 i64)
    v8 i32 = fits v7 "i"
    v9 i32[8] = broadcast v8
    v10 i32[8] = add v5 v9
    v11 i64[8] = cast v10
    v12 i32 = cast v7
    v13 i32[8] = broadcast v12
    v14 i32[8] = add v5 v13
    v15 i64[8] = cast v14
    v16 i64 = mul v7 v3
    v17 i32 = fits v16 "k"
    v18 i32[8] = broadcast v17
    v19 i32[8] = add v5 v18
    v20 i64[8] = cast v19
    v21 i32 = fits v3 "k"
    v22 i32[8] = broadcast v21
    v23 i32[8] = add v10 v22
    v24 i64[8] = cast v23
    v25 i64 = sub v7 v3
    v26 i64 = maximum v25 v4
    v27 i32 = fits v26 "m"
    v28 i32[8] = broadcast v27
    v29 i32[8] = add v5 v28
    v30 i64[8] = cast v29
    v31 i64 = sub v26 v7
    v32 i32 = fits v31 "d"
    v33 i32[8] = broadcast v32
    v34 i32[8] = add v5 v33
    v35 i64[8] = cast v34
    v36 i64 = minimum v26 v7
    v37 i64 = mul v36 v42
    v38 i32 = fits v37 "d"
    v39 i32[8] = broadcast v38
    v40 i32[8] = add v5 v39
    v41 i64[8] = cast v40
    yield
  }
  return
}`)
	loop := f.Body.Values[4]
	inside := map[*ir.Value]bool{}
	for _, v := range loop.Blocks[0].Values {
		inside[v] = true
	}
	inside[loop.Blocks[0].Args[0]] = true
	fs := NewForms(NewSyms(func(v *ir.Value) int {
		if inside[v] {
			return 1
		}
		return 0
	}), f)
	for _, c := range []struct{ name, want string }{
		{"v11", "(v2 + -1) limit, (v2 + -1) + 1·0"},
		{"v15", "none"}, // n may be greater than an int32, which the index becomes
		{"v20", "none"}, // what the index is multiplied with may be great
		{"v30", "(v3 * -1) limit, ((v3 * -1) max 0) + 1·0, ((v2 + -1) + (v3 * -1)) limit, (v2 + -1) limit, " +
			"(((v2 + -1) + (v3 * -1)) max 0) + 1·0"},
		{"v35", "none"}, // it may fall and then grow
		{"v41", "(v3 * -1) limit, ((v3 * -1) max 0) limit, ((v2 + -1) + (v3 * -1)) limit, " +
			"(((v2 + -1) + (v3 * -1)) max 0) limit, (v2 + -1) limit, (v2 + -1) limit, " +
			"(((((v2 + -1) + (v3 * -1)) max 0) min (v2 + -1)) * 3) + 1·0"},
		{"v24", "v3 + 1·0, (v2 + -1) limit, ((v2 + -1) + v3) + 1·0"},
	} {
		var v *ir.Value
		for u := range inside {
			if u.Name() == c.name {
				v = u
			}
		}
		conds := fs.Of(v).Conds
		ahead, ok := fs.Ahead(conds[len(conds)-1], fs.IndexOf(loop))
		var parts []string
		for _, a := range ahead {
			if a.Depth() > 0 {
				t.Errorf("%s: a condition that the loop decides: %s", c.name, a.Form.text())
			}
			s := a.Form.text()
			if a.Hi == indexLimit {
				s += " limit"
			}
			parts = append(parts, s)
		}
		got := strings.Join(parts, ", ")
		if !ok {
			got = "none"
		}
		if got != c.want {
			t.Errorf("%s: got %s\nwant %s", c.name, got, c.want)
		}
	}
}
