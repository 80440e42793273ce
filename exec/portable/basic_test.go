package portable_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

const vecadd = `func add(v1 *f32 "x", v2 *f32 "y", v3 *f32 "out", v4 i64 "n") "k.go" {
  v5 i64 = program_id
  v6 i64 = const 1024
  v7 i64 = mul v5 v6
  v8 i32 = fits v7
  v9 i32[1024] = broadcast v8
  v10 i32[1024] = arange
  v11 i32[1024] = add v10 v9
  v12 i32 = fits v4
  v13 i32[1024] = broadcast v12
  v14 bool[1024] = lt v11 v13
  v15 i64[1024] = cast v11
  v16 *f32[1024] = broadcast v1
  v17 *f32[1024] = ptradd v16 v15
  v18 f32[1024] = load v17 v14 masked
  v19 *f32[1024] = broadcast v2
  v20 *f32[1024] = ptradd v19 v15
  v21 f32[1024] = load v20 v14 masked
  v22 f32[1024] = add v18 v21
  v23 *f32[1024] = broadcast v3
  v24 *f32[1024] = ptradd v23 v15
  store v24 v22 v14 masked
  return
}`

func TestVecadd(t *testing.T) {
	f := ir.MustParse(vecadd)
	for _, n := range []int{1, 15, 1000, 1024, 1025, 5000} {
		same(t, f, [3]int{(n + 1023) / 1024, 1, 1}, func(w *world) {
			for range 3 {
				w.add(dtype.Float32, n)
			}
			w.ints(n)
		})
	}
}
