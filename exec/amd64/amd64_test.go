package amd64

import (
	"os"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

const addText = `func add(v1 *f32 "x", v2 *f32 "y", v3 *f32 "out", v4 i64 "n") "add.go" {
  v5 i64 = program_id
  v6 i64 = const 1024
  v7 i64 = mul v5 v6
  v8 i32[1024] = arange
  v9 i32 = fits v7
  v10 i32[1024] = broadcast v9
  v11 i32[1024] = add v8 v10
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
}
`

func TestVectorAdd(t *testing.T) {
	for _, tier := range runnable(t) {
		f := ir.MustParse(addText)
		if err := ir.Verify(f); err != nil {
			t.Fatal(err)
		}
		c, err := Compile(f, Options{Tier: tier, Listing: true})
		if err != nil {
			t.Fatal(err)
		}
		if os.Getenv("SHOW") != "" {
			c.WriteListing(os.Stdout, nil)
		}
		const n = 5000
		x, y, z := make([]float32, n), make([]float32, n), make([]float32, n+16)
		for i := range x {
			x[i], y[i] = float32(i), float32(2*i)
		}
		l := &Launch{Grid: [3]int{5, 1, 1}, Args: []ir.Arg{
			{Mem: dtype.BufOf(dtype.Float32, x)}, {Mem: dtype.BufOf(dtype.Float32, y)}, {Mem: dtype.BufOf(dtype.Float32, z[:n])}, {Bits: n},
		}}
		w := c.NewWorker()
		w.Begin(l)
		if f := w.Run(0, 5); f != nil {
			t.Fatal(f)
		}
		for i := range z {
			want := float32(3 * i)
			if i >= n {
				want = 0
			}
			if z[i] != want {
				t.Fatalf("%v: z[%d] = %v, want %v", tier, i, z[i], want)
			}
		}
	}
}
