package portable_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/portable"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// failures are kernels over x f32[100], y i32[100], n int64, with what they end with.
// The failing value is v99.
var failures = []struct {
	name    string
	body    string
	n       int64
	program int
	lane    int
	offset  int64
}{
	{"load past the end", `
  v10 i32[128] = arange #20
  v11 i64[128] = cast v10
  v12 *f32[128] = broadcast v1
  v13 *f32[128] = ptradd v12 v11
  v99 f32[128] = load v13`, 0, 0, 80, 100},
	{"load before the start", `
  v10 i32[8] = arange
  v11 i32 = fits v3
  v12 i32[8] = broadcast v11
  v13 i32[8] = sub v10 v12
  v14 i64[8] = cast v13
  v15 *f32[8] = broadcast v1
  v16 *f32[8] = ptradd v15 v14
  v17 i32[8] = broadcast v11
  v18 bool[8] = ge v10 v17
  v99 f32[8] = load v16`, 3, 0, 0, -3},
	{"load with a mask that is a box", `
  v10 i32[128] = arange
  v11 i64[128] = cast v10
  v12 *f32[128] = broadcast v1
  v13 *f32[128] = ptradd v12 v11
  v14 i64[128] = broadcast v3
  v15 bool[128] = lt v11 v14
  v99 f32[128] = load v13 v15 masked`, 102, 0, 100, 100},
	{"load with any mask", `
  v10 i32[128] = arange
  v11 i64[128] = cast v10
  v12 *f32[128] = broadcast v1
  v13 *f32[128] = ptradd v12 v11
  v14 i64[128] = broadcast v3
  v15 bool[128] = eq v11 v14
  v99 f32[128] = load v13 v15 masked`, 127, 0, 127, 127},
	{"load of a column", `
  v10 i32[16] = arange
  v11 i32[16,1] = reshape v10
  v12 i32[1,16] = reshape v10
  v13 i32 = fits v3
  v14 i32[16,1] = broadcast v13
  v15 i32[16,1] = mul v11 v14
  v16 i32[16,16] = broadcast v15
  v17 i32[16,16] = broadcast v12
  v18 i32[16,16] = add v16 v17
  v19 i64[16,16] = cast v18
  v20 *f32[16,16] = broadcast v1
  v21 *f32[16,16] = ptradd v20 v19
  v99 f32[16,16] = load v21`, 30, 0, 3*16 + 10, 100},
	{"load with a step so large that offsets wrap", `
  v10 i32[8] = arange
  v11 i64[8] = cast v10
  v12 i64[8] = broadcast v3
  v13 i64[8] = mul v11 v12
  v14 *f32[8] = broadcast v1
  v15 *f32[8] = ptradd v14 v13
  v99 f32[8] = load v15`, 1 << 62, 0, 1, 1 << 62},
	{"load through loaded pointers", `
  v10 i32[100] = arange
  v11 i64[100] = cast v10
  v12 *i32[100] = broadcast v2
  v13 *i32[100] = ptradd v12 v11
  v14 i32[100] = load v13
  v15 i64[100] = cast v14
  v16 *f32[100] = broadcast v1
  v17 *f32[100] = ptradd v16 v15
  v99 f32[100] = load v17`, 0, 0, 40, -7},
	{"load of a scalar", `
  v10 *f32 = ptradd v1 v3
  v99 f32 = load v10`, 100, 0, 0, 100},
	{"store past the end", `
  v10 i32[128] = arange #20
  v11 i64[128] = cast v10
  v12 *f32[128] = broadcast v1
  v13 *f32[128] = ptradd v12 v11
  v14 f32[128] = cast v10
  store v13 v14 "v99"`, 0, 0, 80, 100},
	{"store into a gap", `
  v10 i32[16] = arange
  v11 i64[16] = cast v10
  v12 *i32[16] = broadcast v4
  v13 *i32[16] = ptradd v12 v11
  store v13 v10 "v99"`, 0, 0, 1, 1},
	{"store of a scalar into a gap", `
  v10 i64 = const 3
  v11 *i32 = ptradd v4 v10
  v12 i32 = const 1
  store v11 v12 "v99"`, 0, 0, 0, 3},
	{"atomic past the end", `
  v10 i32[16] = arange
  v11 i64[16] = cast v10
  v12 i64[16] = broadcast v3
  v13 i64[16] = add v11 v12
  v14 *i32[16] = broadcast v2
  v15 *i32[16] = ptradd v14 v13
  v99 i32[16] = atomic_add v15 v10`, 90, 0, 10, 100},
	{"atomic in a gap", `
  v10 i32[4] = arange
  v11 i64[4] = cast v10
  v12 *i32[4] = broadcast v4
  v13 *i32[4] = ptradd v12 v11
  v14 i32 = const 2
  v15 i32[4] = broadcast v14
  v16 bool[4] = ge v10 v15
  v99 i32[4] = atomic_add v13 v10 v16 masked`, 0, 0, 3, 3},
	{"division by zero", `
  v10 i32[300] = arange
  v11 i32 = fits v3
  v12 i32[300] = broadcast v11
  v13 i32[300] = sub v10 v12
  v14 bool[300] = eq v10 v12
  v99 i32[300] = floordiv v10 v13`, 270, 0, 270, 0},
	{"remainder of scalars", `
  v99 i64 = mod v3 v3`, 0, 0, 0, 0},
	{"division in the third program", `
  v10 i64 = program_id
  v11 i64 = const 2
  v12 i64 = sub v10 v11
  v99 i64 = floordiv v3 v12 goscalar`, 5, 2, 0, 0},
	{"assert", `
  v10 i32[300] = arange
  v11 i32 = fits v3
  v12 i32[300] = broadcast v11
  v13 bool[300] = ne v10 v12
  assert v13 "v99"`, 280, 0, 280, 0},
	{"assert of an interval", `
  v10 i32[300] = arange
  v11 i32 = fits v3
  v12 i32[300] = broadcast v11
  v13 bool[300] = lt v10 v12
  assert v13 "v99"`, 17, 0, 17, 0},
	{"assert of a scalar", `
  v10 i64 = const 7
  v11 bool = eq v3 v10
  assert v11 "v99"`, 3, 0, 0, 0},
	{"fits", `
  v99 i32 = fits v3`, 1 << 31, 0, 0, 1 << 31},
	{"fits unsigned", `
  v99 u64 = fits v3`, -1, 0, 0, -1},
	{"gather", `
  v10 i32[10] = arange
  v11 i32[2,5] = reshape v10
  v12 i32[8] = arange
  v13 i32[2,4] = reshape v12
  v99 i32[2,4] = gather v11 v13 axis=1`, 0, 0, 5, 5},
	{"gather before the start", `
  v10 i32[10] = arange
  v11 i32 = fits v3
  v12 i32[10] = broadcast v11
  v13 i32[10] = add v10 v12
  v99 i32[10] = gather v10 v13`, -2, 0, 0, -2},
}

// TestFailures checks who fails, at which lane and offset, and that nothing outside
// the tensors is touched.
func TestFailures(t *testing.T) {
	for _, c := range failures {
		t.Run(c.name, func(t *testing.T) {
			f := ir.MustParse(`func k(v1 *f32 "x", v2 *i32 "y", v3 i64 "n", v4 *i32 "gaps") "k.go" {` + c.body + "\n  return\n}")
			o, w := same(t, f, [3]int{4, 1, 1}, failureWorld(c.n))
			got, ok := o.Why.(ir.Failure)
			if !ok {
				t.Fatal("it did not fail")
			}
			if v := got.Value; v.ID != 99 && v.Text != "v99" {
				t.Errorf("%s failed", kerneltest.Name(v))
			}
			if got.Program != c.program || got.Lane != c.lane || got.Offset != c.offset {
				t.Errorf("program %d, lane %d, offset %d, want %d, %d, %d", got.Program, got.Lane, got.Offset, c.program, c.lane, c.offset)
			}
			for i := 1; i < 40; i += 2 {
				if gap := w.Whole[2].Buf().Bits(kerneltest.Guard + i); gap != 0 {
					t.Errorf("gap at %d holds %d", i, gap)
				}
			}
		})
	}
}

func failureWorld(n int64) func(w *kerneltest.World) {
	return func(w *kerneltest.World) {
		w.Add(dtype.Float32, 100)
		y := w.AddBits(dtype.Int32, 100, func(i int) uint64 { return uint64(i) })
		y.Buf().SetBits(40, uint64(0xfffffff9))
		w.Args = append(w.Args, uint64(n))
		all := tensor.Zeros(dtype.Int32, 40+2*kerneltest.Guard)
		w.Whole = append(w.Whole, all)
		w.Args = append(w.Args, all.SliceStep(0, kerneltest.Guard, kerneltest.Guard+40, 2))
	}
}

// TestAfterFailure checks that a worker that has failed works on.
func TestAfterFailure(t *testing.T) {
	f := ir.MustParse(`func k(v1 *f32 "x", v2 *i32 "y", v3 i64 "n", v4 *i32 "gaps") "k.go" {
  v10 *f32 = ptradd v1 v3
  v99 f32 = load v10
  store v1 v99
  return
}`)
	p, err := portable.Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	k := p.NewWorker()
	for _, n := range []int64{100, 5, -1, 99} {
		w := kerneltest.NewWorld(2)
		failureWorld(n)(w)
		fail := k.Run(&portable.Launch{Args: w.IRArgs(), Grid: [3]int{1, 1, 1}}, 0, 1)
		if (fail != nil) != (n < 0 || n >= 100) {
			t.Errorf("offset %d: %v", n, fail)
		}
		x := w.Args[0].(*tensor.Tensor)
		if fail == nil && x.Buf().Bits(0) != x.Buf().Bits(int(n)) {
			t.Errorf("offset %d: x[0] is not x[%d]", n, n)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"v10 f32 = const 0x0(0)\n  v11 f32[65536,65536] = broadcast v10\n  v12 f32[65536,65536] = neg v11\n  v13 i32[65536,65536] = cast v11\n  v14 f32[65536,65536] = cumsum v11", "over 1 GiB"},
		{"v10 bool = const true\n  v11 *f32 = where v10 v1 v2", "different tensors"},
		{"v10 *f32[1] = broadcast v1\n  v11 *f32[1] = broadcast v2\n  v12 *f32[2] = cat v10 v11", "different tensors"},
	} {
		f := ir.MustParse(`func k(v1 *f32 "x", v2 *f32 "y") "k.go" {` + "\n  " + c.body + "\n  return\n}")
		if err := ir.Verify(f); err != nil {
			t.Fatal(err)
		}
		if _, err := portable.Compile(f); err == nil || !contains(err.Error(), c.want) {
			t.Errorf("%v, want an error with %q", err, c.want)
		}
	}
}
