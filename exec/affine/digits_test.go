package affine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
)

// TestDigits puts the digits of a number together.
func TestDigits(t *testing.T) {
	f := ir.MustParse(`func f(v1 *f32 "x", v2 i64 "w", v3 i64 "i") "f.go" {
  v4 i32[64] = arange
  v5 i32 = fits v2 "w"
  v6 i32[64] = broadcast v5
  v7 i32[64] = floordiv v4 v6
  v8 i32[64] = mod v4 v6
  v9 i32 = fits v3 "i"
  v10 i32[64] = broadcast v9
  v11 i32[64] = add v7 v10
  v12 i32[64] = mul v11 v6
  v13 i32[64] = add v12 v8
  v14 i64[64] = cast v13
  v15 i64[64] = cast v12
  v16 i64[64] = cast v8
  v17 *f32[64] = broadcast v1
  v18 *f32[64] = ptradd v17 v15
  v19 *f32[64] = ptradd v18 v16
  v20 i32[64] = sub v12 v8
  v21 i32[64] = mul v7 v10
  v22 i32[64] = add v21 v8
  v23 i32[64] = mod v4 v10
  v24 i32[64] = add v12 v23
  v25 i64[64] = cast v7
  v26 i64[64] = broadcast v2
  v27 i64[64] = mul v25 v26
  v28 i64[64] = add v27 v16
  v29 i32[64,1] = reshape v12
  v30 i32[64,1] = reshape v8
  v31 i32[64,1] = add v29 v30
  v32 i32[64,4] = broadcast v31
  return
}
`)
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	fs := NewForms(testSyms(), f)
	want := map[string]string{
		"v7": "none", "v12": "none", "v18": "none",
		"v13": "(v9 * v5) + 1·0",
		"v14": "(v9 * v5) + 1·0 if 1",
		"v19": "&0 + (v9 * v5) + 1·0 if 3", // each widened by itself
		"v20": "none",                      // the difference of digits
		"v22": "none",                      // another factor
		"v24": "none",                      // another divisor
		"v28": "none",                      // a quotient widened alone might be another number's
		"v32": "(v9 * v5) + 1·0",
	}
	f.Values(func(v *ir.Value) {
		if w, ok := want[v.Name()]; ok {
			if got := fs.Of(v).text(); got != w {
				t.Errorf("%s: got %s, want %s", v.Name(), got, w)
			}
		}
	})
}

// TestDigitsGrow: expressions that double with each step end at a limit, and do not take as long.
func TestDigitsGrow(t *testing.T) {
	var text strings.Builder
	text.WriteString(`func f(v1 i64 "w", v2 i64 "a") "f.go" {
  v3 i32[64] = arange
  v4 i32 = fits v1 "w"
  v5 i32[64] = broadcast v4
  v6 i32 = fits v2 "a"
  v7 i32[64] = broadcast v6
  v8 i32[64] = floordiv v3 v5
  v9 i32[64] = mod v3 v5
  v10 i32[64] = add v8 v9
`)
	last := 10
	for range 60 {
		fmt.Fprintf(&text, "  v%d i32[64] = mul v%d v7\n  v%d i32[64] = add v%d v%d\n", last+1, last, last+2, last, last+1)
		last += 2
	}
	text.WriteString("  return\n}\n")
	f := ir.MustParse(text.String())
	fs := NewForms(testSyms(), f)
	f.Values(func(v *ir.Value) {
		if v.ID == last && fs.Of(v).Ok {
			t.Errorf("v%d has a form", last)
		}
	})
}
