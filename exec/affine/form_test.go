package affine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
)

func (x *Sym) text() string {
	switch x.Kind {
	case Const:
		return fmt.Sprint(x.N)
	case Value:
		return x.V.Name()
	}
	return fmt.Sprintf("(%s %s %s)", x.A.text(), [...]string{Sum: "+", Product: "*", Min: "min", Max: "max"}[x.Kind], x.B.text())
}

// text is start + coef·dimension ..., and how many conditions there are.
func (f *Form) text() string {
	if !f.Ok {
		return "none"
	}
	var b strings.Builder
	if f.Base >= 0 {
		fmt.Fprintf(&b, "&%d + ", f.Base)
	}
	b.WriteString(f.Start.text())
	for i, c := range f.Coef {
		if c != nil {
			fmt.Fprintf(&b, " + %s·%d", c.text(), i)
		}
	}
	if len(f.Conds) > 0 {
		fmt.Fprintf(&b, " if %d", len(f.Conds))
	}
	return b.String()
}

// TestForms says which values are affine in their indices, and on what conditions.
func TestForms(t *testing.T) {
	f := ir.MustParse(`func f(v1 *f32 "x", v2 i64 "n") "f.go" {
  v3 i32[4] = arange
  v4 i32[4,1] = reshape v3
  v5 i32[8] = arange
  v6 i32[1,8] = reshape v5
  v7 i32 = fits v2 "n"
  v8 i32[4,1] = broadcast v7
  v9 i32[4,1] = mul v4 v8
  v10 i32[4,8] = broadcast v9
  v11 i32[4,8] = broadcast v6
  v12 i32[4,8] = add v10 v11
  v13 i32[4,8] = sub v12 v11
  v14 i32[4,8] = mul v11 v11
  v15 i64[4,8] = cast v12
  v16 i64[4,8] = cast v11
  v17 *f32[4,8] = broadcast v1
  v18 *f32[4,8] = ptradd v17 v15
  v19 *f32[4,8] = ptradd v17 v16
  v20 i32[4,8] = neg v12
  v21 i64 = program_id
  v22 i64 = const 8
  v23 i64 = mul v21 v22
  v24 i64[4,8] = broadcast v23
  v25 i64[4,8] = add v16 v24
  v26 *f32[4,8] = ptradd v17 v25
  v27 i32[4,8] = sub v11 v11
  v28 i32[4,8] = mul v12 v11
  v29 i32 = const 8
  v30 i32[4,8] = broadcast v29
  v31 i32[4,8] = mod v11 v30
  v32 i32[4,8] = mul v31 v30
  v33 i32[4,8] = xor v11 v30
  v34 i32[4,8] = cast v25
  v35 i32 = const 7
  v36 i32[4,8] = broadcast v35
  v37 i32[4,8] = mod v11 v36
  return
}
`)
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	fs := NewForms(testSyms(), f)
	want := map[string]string{
		"v3": "0 + 1·0", "v6": "0 + 1·1", "v9": "0 + v7·0", "v11": "0 + 1·1",
		"v12": "0 + v7·0 + 1·1",
		"v13": "0 + v7·0",                 // the columns cancel
		"v14": "none",                     // a square
		"v15": "0 + v7·0 + 1·1 if 1",      // n may be so large that it wraps
		"v16": "0 + 1·1",                  // 0 ... 7 does not
		"v18": "&0 + 0 + v7·0 + 1·1 if 1", // an address is as certain as its offset
		"v19": "&0 + 0 + 1·1",
		"v20": "0 + (v7 * -1)·0 + -1·1",
		"v25": "(v21 * 8) + 1·1",
		"v26": "&0 + (v21 * 8) + 1·1",
		"v27": "0",               // a constant
		"v28": "none",            // a product of two that vary
		"v31": "0 + 1·1 if 1",    // as long as it is below 8
		"v32": "0 + 8·1 if 1",    //
		"v33": "none",            // not an operation of addresses
		"v34": "(v21 * 8) + 1·1", // modulo 2^32
		"v37": "none",            // some of 8 in a row are not below 7
	}
	f.Values(func(v *ir.Value) {
		if w, ok := want[v.Name()]; ok {
			if got := fs.Of(v).text(); got != w {
				t.Errorf("%s: got %s, want %s", v.Name(), got, w)
			}
			delete(want, v.Name())
		}
	})
	for name := range want {
		t.Errorf("there is no %s", name)
	}
}
