package reach_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/product/reach"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// TestInside: the fewest elements that a tensor must have for a load of 16 × 16 elements to lie inside, 0 if none
// suffice. The scalar at lies in 0 ... 48, and steps by 16 are looked at together.
func TestInside(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       int64
	}{
		{"rows and columns", "v10 i32[16,16] = add v8 v9", 150 + 64},
		{"quotients", "v11 i32[16,16] = floordiv v8 v7\n v10 i32[16,16] = add v11 v9", 150/10 + 64},
		{"remainders", "v10 i32[16,16] = mod v9 v7", 10},
		{"negative", "v10 i32[16,16] = sub v8 v9", 0},
		{"what wraps", "v11 i32[16,16] = mul v9 v12\n v10 i32[16,16] = mul v11 v12", 0},
		{"a mask of columns", "v10 i32[16,16] = add v8 v9 | lt v9 v7", 150 + 10},
		{"a mask of columns that leaves one out", "v10 i32[16,16] = add v8 v9 | le v9 v7", 150 + 11},
		{"a mask of rows alone", "v10 i32[16,16] = add v8 v9 | lt v8 v7", 1 + 63 + 9},
		{"a mask the other way round", "v10 i32[16,16] = add v8 v9 | gt v7 v9", 150 + 10},
		{"a mask of what is added", "v11 i32[16,16] = add v8 v7\n v10 i32[16,16] = add v11 v9 | lt v9 v7", 160 + 10},
		{"a mask that lets nothing through", "v10 i32[16,16] = sub v8 v9 | lt v9 v13", 1},
	} {
		load, mask := tt.text, ""
		for i := range load {
			if load[i] == '|' {
				load, mask = tt.text[:i], tt.text[i+2:]
				break
			}
		}
		text := "func f(v1 *f32 \"x\", v2 i32 \"at\") \"f.go\" {\n" +
			" v3 i32[16] = arange\n v4 i32[16] = broadcast v2\n v5 i32[16] = add v3 v4\n" +
			" v6 i32 = const 10\n v7 i32[16,16] = broadcast v6\n" +
			" v30 i32 = const 65536\n v12 i32[16,16] = broadcast v30\n v31 i32 = const -1\n v13 i32[16,16] = broadcast v31\n" +
			" v32 i32[16,1] = reshape v3\n v33 i32[16,16] = broadcast v32\n v8 i32[16,16] = mul v33 v7\n" +
			" v34 i32[1,16] = reshape v5\n v9 i32[16,16] = broadcast v34\n " + load + "\n" +
			" v20 i64[16,16] = cast v10\n v21 *f32[16,16] = broadcast v1\n v22 *f32[16,16] = ptradd v21 v20\n"
		if mask != "" {
			text += " v23 bool[16,16] = " + mask + "\n v24 f32[16,16] = load v22 v23 masked \"tl.Load\"\n"
		} else {
			text += " v24 f32[16,16] = load v22 \"tl.Load\"\n"
		}
		f := ir.MustParse(text + " store v22 v24 \"tl.Store\"\n return\n}\n")
		r := reach.New(func(v *ir.Value) (affine.Span, bool) { return affine.Span{Lo: 0, Hi: 48}, v.Op == ir.Param })
		var v *ir.Value
		f.Values(func(x *ir.Value) {
			if x.Op == op.Load {
				v = x
			}
		})
		got := int64(0)
		for n := int64(1); n < 1000 && got == 0; n++ {
			if r.Inside(v, n) {
				got = n
			}
		}
		if got != tt.want {
			t.Errorf("%s: inside of %d elements, want %d", tt.name, got, tt.want)
		}
	}
}

// TestDimensions: what a mask says of an index along one dimension holds for that alone, and products of far numbers
// are not taken for near ones.
func TestDimensions(t *testing.T) {
	f := ir.MustParse(`func f(v1 *f32 "x", v2 i64 "at") "f.go" {
 v3 i32[16] = arange
 v4 i32[16,1] = reshape v3
 v5 i32[1,16] = reshape v3
 v6 i32[16,16] = broadcast v4
 v7 i32[16,16] = broadcast v5
 v8 i32 = const 4
 v9 i32[1,16] = broadcast v8
 v10 bool[1,16] = lt v5 v9
 v11 bool[16,16] = broadcast v10
 v12 *f32[16,16] = broadcast v1
 v13 *f32[16,16] = ptradd v12 v6
 v14 f32[16,16] = load v13 v11 masked "tl.Load"
 v15 *f32[16,16] = ptradd v12 v7
 v16 f32[16,16] = load v15 v11 masked "tl.Load"
 v17 i64 = mul v2 v2
 v18 f32[16,16] = add v14 v16
 store v13 v18 "tl.Store"
 return
}
`)
	r := reach.New(func(v *ir.Value) (affine.Span, bool) { return affine.Span{Lo: 0, Hi: 1 << 40}, v.Op == ir.Param })
	f.Values(func(v *ir.Value) {
		switch {
		case v.Op == op.Load && r.Inside(v, 4) != (v.ID == 16), v.Op == op.Load && !r.Inside(v, 16):
			t.Errorf("v%d: inside of 4 elements %v, of 16 %v", v.ID, r.Inside(v, 4), r.Inside(v, 16))
		case v.Op == op.Mul && r.Of(v) != affine.SpanOfType(dtype.Int64):
			t.Errorf("a product of far numbers: %v", r.Of(v))
		}
	})
}
