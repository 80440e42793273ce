package exec

import (
	"fmt"
	"os"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// BenchmarkCompile is what it takes from source text to the end of a small launch, whose
// code is made on the way.
func BenchmarkCompile(b *testing.B) {
	tile := func(d tl.DType, shape ...int) *tensor.Tensor { return tensor.Zeros(d, shape...) }
	for _, s := range []struct {
		dir, name string
		fn        any
		args      []any
	}{
		{"bias", "triton_dot_2_Bias", func(p *tl.Program, a, b, c, d tl.Ptr, A, B, C tl.Const) {},
			[]any{tile(tl.Float16, 16, 16), tile(tl.Float16, 16, 16), tile(tl.Float16, 16, 16), tile(tl.Float16, 16, 16), 16, 16, 16}},
		{"oobmatmul", "matmul_kernel", func(p *tl.Program, x, y, out tl.Ptr, xRows, xCols, yRows, yCols int, BX, BY, BK tl.Const) {},
			[]any{tile(tl.Float32, 16, 32), tile(tl.Float32, 32, 16), tile(tl.Float16, 16, 16), 16, 32, 32, 16, 16, 16, 32}},
		{"shrunkmask", "matmul_kernel_fixed", func(p *tl.Program, a, b, c tl.Ptr, M, N, K, am, ak, bk, bn, cm, cn int, BM, BN, BK tl.Const) {},
			[]any{tile(tl.Float32, 16, 32), tile(tl.Float32, 32, 16), tile(tl.Float32, 16, 16), 16, 16, 32, 32, 1, 16, 1, 16, 1, 128, 256, 64}},
		{"softmax", "softmaxRows", func(p *tl.Program, x, out tl.Ptr, rows, cols, stride int, BLOCK tl.Const) {},
			[]any{tile(tl.Float32, 1, 100), tile(tl.Float32, 1, 100), 1, 100, 100, 128}},
	} {
		text, err := os.ReadFile("../examples/" + s.dir + "/main.go")
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range Engines()[1:] {
			b.Run(s.dir+"/"+e, func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					text := fmt.Sprintf("%s\n// %d\n", text, i) // another one each time: files are parsed once
					k := New(s.fn, Source(text, s.name), Options{Engine: e, Workers: 1})
					if err := k.Launch(Grid{1}, s.args...); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
