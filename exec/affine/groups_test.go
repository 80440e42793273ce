package affine

import (
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
)

// TestBoxesOfQuotients: a limit of quotients of indices is one of indices, if the first index is a multiple of what
// divides them.
func TestBoxesOfQuotients(t *testing.T) {
	f := ir.MustParse(`func f(v1 i64 "n") "f.go" {
  v2 i32[12] = arange
  v3 i32[12] = arange #6
  v4 i32[12] = arange #5
  v5 i32 = const 1
  v6 i32[12] = broadcast v5
  v7 i32 = const 3
  v8 i32[12] = broadcast v7
  v9 i32 = fits v1 "n"
  v10 i32[12] = broadcast v9
  v11 i32[12] = shr v2 v6
  v12 bool[12] = lt v11 v10
  v13 i32[12] = floordiv v3 v8
  v14 i32[12] = add v13 v10
  v15 bool[12] = ge v14 v8
  v16 i32[12] = shr v4 v6
  v17 bool[12] = lt v16 v10
  v18 i32[12] = mul v11 v6
  v19 bool[12] = lt v18 v10
  v20 bool[12] = le v8 v11
  return
}
`)
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	bs := NewBoxes(NewForms(NewSyms(func(*ir.Value) int { return 0 }), f), func(Cond) bool { return false })
	want := map[string]string{
		"v12": "below (v9 * 2)", "v15": "from ((v9 * -3) + 3)", "v17": "none", "v19": "none", "v20": "none",
	}
	f.Values(func(v *ir.Value) {
		w, ok := want[v.Name()]
		if !ok {
			return
		}
		got := "none"
		if b := bs.Of(v); b.Ok && len(b.Atoms) == 1 && b.Atoms[0].Hi != nil {
			got = "below " + b.Atoms[0].Hi.text()
		} else if b.Ok && len(b.Atoms) == 1 {
			got = "from " + b.Atoms[0].Lo.text()
		}
		if got != w {
			t.Errorf("%s: %s, want %s", v.Name(), got, w)
		}
	})
}
