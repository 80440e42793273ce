package portable_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// kernels are texts of which each takes x f32[400], y f32[400], n i64 and z i32[400].
var kernels = []struct{ name, body string }{
	{"values that a loop swaps", `
  v10 i32[16] = arange
  v11 f32[16] = cast v10
  v12 f32[16] = neg v11
  v13 i64 = const 0
  v14 (f32[16], f32[16]) = for v13 v3 v11 v12 #1 {
    (v15 i64, v16 f32[16], v17 f32[16])
    yield v17 v16
  }
  v18 f32[16] = result v14
  v19 f32[16] = result v14 #1
  v20 f32[16] = div v18 v19
  v21 i64[16] = cast v10
  v22 *f32[16] = broadcast v1
  v23 *f32[16] = ptradd v22 v21
  store v23 v18`},
	{"three values in a ring, one of them transposed", `
  v10 i32[16] = arange
  v11 i32[4,4] = reshape v10
  v12 f32[4,4] = cast v11
  v13 f32[4,4] = sqrt v12
  v14 f32[4,4] = neg v12
  v15 i64 = const 0
  v16 (f32[4,4], f32[4,4], f32[4,4]) = for v15 v3 v12 v13 v14 #1 {
    (v17 i64, v18 f32[4,4], v19 f32[4,4], v20 f32[4,4])
    v21 f32[4,4] = permute v18 axes=1,0
    v22 f32[4,4] = add v19 v21
    yield v22 v20 v21
  }
  v23 f32[4,4] = result v16
  v24 f32[4,4] = result v16 #1
  v25 f32[4,4] = result v16 #2
  v26 f32[4,4] = fma v23 v24 v25
  v27 i64[4,4] = cast v11
  v28 *f32[4,4] = broadcast v1
  v29 *f32[4,4] = ptradd v28 v27
  store v29 v26`},
	{"a running sum that is read after it moves on", `
  v10 f32 = const 0x3f800000(1)
  v11 f32[300] = broadcast v10
  v12 i64 = const 0
  v13 (f32[300], f32[300]) = for v12 v3 v11 v11 #1 {
    (v14 i64, v15 f32[300], v16 f32[300])
    v17 f32[300] = add v15 v15
    v18 f32[300] = sub v17 v15
    v19 f32[300] = fma v18 v15 v16
    yield v17 v19
  }
  v20 f32[300] = result v13 #1
  v21 i32[300] = arange
  v22 i64[300] = cast v21
  v23 *f32[300] = broadcast v1
  v24 *f32[300] = ptradd v23 v22
  store v24 v20`},
	{"a value written by an inner loop", `
  v10 f32 = const 0x3f800000(1)
  v11 f32[300] = broadcast v10
  v12 i64 = const 0
  v13 i64 = const 3
  v14 (f32[300]) = loop v11 {
    (v15 f32[300])
    v16 f32 = sum v15
    v17 (i64) = loop v12 {
      (v18 i64)
      v19 f32[300] = add v15 v11
      v20 i64 = const 1
      v21 i64 = add v18 v20
      v22 bool = ge v21 v13
      if v22 {
        v23 f32 = const 0x44fa0000(2000)
        v24 bool = gt v16 v23
        if v24 {
          break v19 #1
        } {
          continue v19 #1
        }
        return
      } {
        yield
      }
      continue v21
    }
    return
  }
  v25 f32[300] = result v14
  v26 i32[300] = arange
  v27 i64[300] = cast v26
  v28 *f32[300] = broadcast v1
  v29 *f32[300] = ptradd v28 v27
  store v29 v25`},
	{"an inner loop that begins with a value of before the outer", `
  v10 f32 = const 0x3f800000(1)
  v11 i32[300] = arange
  v12 f32[300] = cast v11
  v13 f32[300] = sqrt v12
  v14 i64 = const 0
  v15 f32[300] = broadcast v10
  v16 (f32[300]) = for v14 v3 v15 #1 {
    (v17 i64, v18 f32[300])
    v19 (f32[300]) = for v14 v3 v13 #1 {
      (v20 i64, v21 f32[300])
      v22 f32[300] = add v21 v15
      yield v22
    }
    v23 f32[300] = result v19
    v24 f32[300] = fma v18 v23 v23
    yield v24
  }
  v25 f32[300] = result v16
  v26 i64[300] = cast v11
  v27 *f32[300] = broadcast v1
  v28 *f32[300] = ptradd v27 v26
  store v28 v25`},
	{"a mask whose empty axis goes away", `
  v10 i32[1] = arange #2
  v11 i32 = fits v3
  v12 i32[1] = broadcast v11
  v13 bool[1] = lt v10 v12
  v14 bool[1,1] = reshape v13
  v15 bool[1,40] = broadcast v14
  v16 bool[40] = reshape v15
  v17 bool[40,1] = broadcast v14
  v18 bool[40] = reshape v17
  v19 bool[40] = and v16 v18
  v20 i32[40] = arange
  v21 i64[40] = cast v20
  v22 *i32[40] = broadcast v4
  v23 *i32[40] = ptradd v22 v21
  store v23 v20 v19 masked`},
	{"a polynomial of which a part is read twice", `
  v10 i32[300] = arange
  v11 f32[300] = cast v10
  v12 f32[300] = sin v11
  v13 f32 = const 0x3f000000(0.5)
  v14 f32[300] = broadcast v13
  v15 f32 = const 0x3eaaaaab(0.3333333432674408)
  v16 f32[300] = broadcast v15
  v17 f32[300] = fma v14 v12 v16
  v18 f32[300] = fma v17 v12 v14
  v19 f32[300] = fma v18 v12 v16
  v20 f32[300] = fma v19 v12 v16
  v21 f32[300] = mul v20 v18
  v22 i64[300] = cast v10
  v23 *f32[300] = broadcast v1
  v24 *f32[300] = ptradd v23 v22
  store v24 v21`},
	{"pointers that a branch chooses and a loop moves", `
  v10 i32[16] = arange
  v11 i64[16] = cast v10
  v12 *f32[16] = broadcast v1
  v13 *f32[16] = ptradd v12 v11
  v14 *f32[16] = broadcast v2
  v15 *f32[16] = ptradd v14 v11
  v16 i64 = const 2
  v17 bool = gt v3 v16
  v18 (*f32[16], *f32) = if v17 {
    yield v13 v2
  } {
    yield v15 v1
  }
  v19 *f32[16] = result v18
  v20 *f32 = result v18 #1
  v21 i64 = const 0
  v22 i64 = const 20
  v23 i64[16] = broadcast v22
  v24 (*f32[16], *f32) = for v21 v3 v19 v20 #1 {
    (v25 i64, v26 *f32[16], v27 *f32)
    v28 f32[16] = load v26
    v29 f32[16] = exp2 v28
    v30 *f32[16] = broadcast v27
    v31 *f32[16] = ptradd v30 v11
    store v31 v29
    v32 *f32[16] = ptradd v26 v23
    v33 *f32 = ptradd v27 v22
    yield v32 v33
  }`},
	{"indices that a loop carries, of which one wraps", `
  v10 i32[16] = arange
  v11 i32 = const 2147483000
  v12 i32[16] = broadcast v11
  v13 i32[16] = add v10 v12
  v14 i32 = const 300
  v15 i32[16] = broadcast v14
  v16 i64 = const 0
  v18 i64[16] = cast v10
  v17 (i32[16], i64[16]) = for v16 v3 v13 v18 #1 {
    (v19 i64, v20 i32[16], v21 i64[16])
    v22 i32[16] = add v20 v15
    v23 i64[16] = cast v22
    yield v22 v23
  }
  v24 i64[16] = result v17 #1
  v25 i64 = const 255
  v26 i64[16] = broadcast v25
  v27 i64[16] = and v24 v26
  v28 *i32[16] = broadcast v4
  v29 *i32[16] = ptradd v28 v27
  store v29 v10`},
	{"masks of every form", `
  v10 i32[16] = arange
  v11 i32[16,1] = reshape v10
  v12 i32[1,16] = reshape v10
  v13 i32 = fits v3
  v14 i32[16,1] = broadcast v13
  v15 bool[16,1] = lt v11 v14
  v16 i32[16,16] = broadcast v11
  v17 i32[16,16] = broadcast v12
  v18 bool[16,16] = ge v16 v17
  v19 bool[16,16] = broadcast v15
  v20 bool[16,16] = and v18 v19
  v21 i32 = const 16
  v22 i32[16,16] = broadcast v21
  v23 i32[16,16] = mul v16 v22
  v24 i32[16,16] = add v23 v17
  v25 i64[16,16] = cast v24
  v26 *f32[16,16] = broadcast v1
  v27 *f32[16,16] = ptradd v26 v25
  v28 f32[16,16] = cast v24
  v29 f32[16,16] = load v27 v20 v28 masked other
  v30 bool[16,16] = not v19
  v31 *f32[16,16] = broadcast v2
  v32 *f32[16,16] = ptradd v31 v25
  store v32 v29 v30 masked
  store v32 v28 v19 masked
  v33 bool[16,16] = permute v19 axes=1,0
  v34 bool[16,16] = and v33 v19
  v35 f32[16,16] = neg v29
  store v32 v35 v34 masked
  v36 f32[16,16] = where v34 v35 v29
  v37 bool = const true
  v38 bool[16,16] = broadcast v37
  v39 bool[16,16] = and v38 v33
  store v27 v36 v39 masked`},
	{"lanes with one address", `
  v10 i32[40] = arange
  v11 i32[4,10] = reshape v10
  v12 *i32[4,10] = broadcast v4
  store v12 v11
  v13 i32[10] = arange
  v14 i32[1,10] = reshape v13
  v15 i64[1,10] = cast v14
  v16 i64[4,10] = broadcast v15
  v17 *i32[4,10] = ptradd v12 v16
  v18 i64 = const 20
  v19 i64[4,10] = broadcast v18
  v20 *i32[4,10] = ptradd v17 v19
  v21 i32 = fits v3
  v22 i32[4,10] = broadcast v21
  v23 bool[4,10] = lt v11 v22
  store v20 v11 v23 masked
  v24 i32[4,10] = atomic_add v20 v11 v23 masked
  v25 i64 = const 50
  v26 i64[4,10] = broadcast v25
  v27 i64[40] = cast v10
  v28 i64[4,10] = reshape v27
  v29 i64[4,10] = add v28 v26
  v30 *i32[4,10] = ptradd v12 v29
  store v30 v24`},
	{"a store that a load sees", `
  v10 i32[300] = arange
  v11 i64[300] = cast v10
  v12 *f32[300] = broadcast v1
  v13 *f32[300] = ptradd v12 v11
  v14 i64 = const 1
  v15 i64[300] = broadcast v14
  v16 *f32[300] = ptradd v13 v15
  v17 f32[300] = load v13
  store v16 v17
  v18 f32[300] = load v16
  v19 f32[300] = add v17 v18
  store v13 v19
  v20 f32 = load v1
  v21 f32[300] = load v13
  v22 f32[300] = broadcast v20
  v23 f32[300] = mul v22 v21
  v24 *f32[300] = broadcast v2
  v25 *f32[300] = ptradd v24 v11
  store v25 v23
  v26 f32[300] = load v13
  store v16 v26`},
	{"rounds that go on with the present value when the next is made", `
  v10 i32[16] = arange
  v11 f32[16] = cast v10
  v12 i64 = const 0
  v13 (f32[16]) = loop v12 v11 {
    (v14 i64, v15 f32[16])
    v16 i64 = const 1
    v17 i64 = add v14 v16
    v18 bool = ge v14 v3
    if v18 {
      break v15
    } {
      yield
    }
    v19 f32[16] = sqrt v15
    v20 i64 = and v14 v16
    v21 bool = cast v20
    if v21 {
      continue v17 v15
    } {
      yield
    }
    continue v17 v19
  }
  v22 f32[16] = result v13
  v23 i64[16] = cast v10
  v24 *f32[16] = broadcast v1
  v25 *f32[16] = ptradd v24 v23
  store v25 v22`},
	{"a group whose transpose joins it", `
  v10 i32[36] = arange
  v11 i64[36] = cast v10
  v12 *f32[36] = broadcast v1
  v13 *f32[36] = ptradd v12 v11
  v14 f32[36] = load v13
  v15 f32[6,6] = reshape v14
  v16 f32[6,6] = exp v15
  v17 f32[6,6] = permute v16 axes=1,0
  v18 f32[6,6] = add v16 v17
  v19 f32[6,6] = mul v18 v15
  v20 f32[36] = reshape v19
  v21 f32[36] = sub v20 v14
  store v13 v21`},
}

func TestControl(t *testing.T) {
	for _, c := range kernels {
		t.Run(c.name, func(t *testing.T) {
			f := ir.MustParse(`func k(v1 *f32 "x", v2 *f32 "y", v3 i64 "n", v4 *i32 "z") "k.go" {` + c.body + "\n  return\n}")
			for _, n := range []int{0, 1, 2, 3, 7, 20} {
				for _, alias := range []bool{false, true} {
					if o, _ := same(t, f, [3]int{1, 1, 1}, controlWorld(n, alias)); o.Bad != nil {
						t.Fatalf("n is %d: %s failed: %v", n, kerneltest.Name(o.Bad), o.Why)
					}
				}
			}
		})
	}
}

// controlWorld has x and y overlap if alias is set: y begins in the middle of x.
func controlWorld(n int, alias bool) func(w *kerneltest.World) {
	return func(w *kerneltest.World) {
		x := w.Add(dtype.Float32, 900)
		if alias {
			w.Args[0] = x.Slice(0, 0, 500)
			w.Args = append(w.Args, x.Slice(0, 150, 900))
		} else {
			w.Add(dtype.Float32, 900)
		}
		w.Ints(n)
		w.Add(dtype.Int32, 400)
	}
}
