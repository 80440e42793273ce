package amd64

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/gemm"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// dotPairs is a Func that multiplies whole matrices by pairs in one program.
func dotPairs(m, n, k int) string {
	var s strings.Builder
	s.WriteString("func dots(v1 *bf16 \"x\", v2 *bf16 \"y\", v3 *f32 \"z\") \"k.go\" {\n")
	pointers := func(v, base, rows, cols int, d string) {
		fmt.Fprintf(&s, "v%d i32[%d] = arange\nv%d i32[%d,1] = reshape v%d\n", v, rows, v+1, rows, v)
		fmt.Fprintf(&s, "v%d i32 = const %d\nv%d i32[%d,1] = broadcast v%d\nv%d i32[%d,1] = mul v%d v%d\n", v+2, cols, v+3, rows, v+2, v+4, rows, v+1, v+3)
		fmt.Fprintf(&s, "v%d i32[%d] = arange\nv%d i32[1,%d] = reshape v%d\n", v+5, cols, v+6, cols, v+5)
		t := fmt.Sprintf("[%d,%d]", rows, cols)
		fmt.Fprintf(&s, "v%d i32%s = broadcast v%d\nv%d i32%s = broadcast v%d\nv%d i32%s = add v%d v%d\n", v+7, t, v+4, v+8, t, v+6, v+9, t, v+7, v+8)
		fmt.Fprintf(&s, "v%d i64%s = cast v%d\nv%d *%s%s = broadcast v%d\nv%d *%s%s = ptradd v%d v%d\n", v+10, t, v+9, v+11, d, t, base, v+12, d, t, v+11, v+10)
	}
	pointers(10, 1, m, k, "bf16")
	pointers(30, 2, k, n, "bf16")
	pointers(50, 3, m, n, "f32")
	fmt.Fprintf(&s, "v70 bf16[%d,%d] = load v22 \"tl.Load\"\nv71 bf16[%d,%d] = load v42 \"tl.Load\"\n", m, k, k, n)
	fmt.Fprintf(&s, "v72 f32[%d,%d] = dot v70 v71 bf16pairs\nstore v62 v72 \"tl.Store\"\nreturn\n}\n", m, n)
	return s.String()
}

// TestDotsByPairs runs products of one program by multiply-adds and by the instruction.
func TestDotsByPairs(t *testing.T) {
	if !cpu.Detected().Has(cpu.HasAVX512BF16) {
		t.Skip("this processor has no AVX-512 BF16")
	}
	for _, s := range [][3]int{{1, 1, 2}, {5, 17, 4}, {16, 33, 6}, {9, 16, 7}, {1, 40, 34}, {33, 1, 128}, {3, 3, 2}, {13, 100, 64}} {
		m, n, k := s[0], s[1], s[2]
		f := ir.MustParse(dotPairs(m, n, k))
		if err := ir.Verify(f); err != nil {
			t.Fatal(err)
		}
		args := []ir.Arg{tensorOfType(dtype.BFloat16, m*k, 1), tensorOfType(dtype.BFloat16, k*n, 2), tensorOfType(dtype.Float32, m*n, 3)}
		wide := func(x dtype.Buf) dtype.Buf {
			z := dtype.NewBuf(dtype.Float32, x.Len())
			for i := range x.Len() {
				z.SetBits(i, x.Bits(i)<<16)
			}
			return z
		}
		want := dtype.NewBuf(dtype.Float32, m*n)
		dot.AddPairs(want, wide(args[0].Mem), wide(args[1].Mem), m, n, k)
		for way := gemm.PairsSteps; way <= gemm.PairsInstruction; way++ {
			code, err := Compile(f, Options{Tier: cpu.AVX512, pairs: way})
			if err != nil {
				t.Fatal(err)
			}
			c := problem{"dots", args, [3]int{1, 1, 1}}
			if got := c.run(t, code, 1, true); string(got) != string(want.Bytes()) {
				t.Errorf("%v, way %d: byte %d differs", s, way, firstDifference(got, want.Bytes()))
			}
		}
	}
}
