package exec

import (
	"os"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// BenchmarkCompile is what it takes from source text to code that can be launched.
func BenchmarkCompile(b *testing.B) {
	f16, f32 := tensor.Zeros(tl.Float16, 1), tensor.Zeros(tl.Float32, 1)
	for _, s := range []struct {
		dir, name string
		args      []any
	}{
		{"seed002", "triton_dot_2_Bias", []any{f16, f16, f16, f16, 16, 16, 16}},
		{"seed003", "matmul_kernel", []any{f32, f32, f16, 512, 512, 512, 512, 16, 16, 32}},
		{"seed004", "matmul_kernel_fixed", []any{f32, f32, f32, 512, 512, 512, 512, 1, 512, 1, 512, 1, 128, 256, 64}},
		{"softmax", "softmaxRows", []any{f32, f32, 100, 100, 100, 128}},
	} {
		text, err := os.ReadFile("../examples/" + s.dir + "/main.go")
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range Engines()[1:] {
			b.Run(s.dir+"/"+e, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					clear(files.byText)
					k := New(func(p *tl.Program) {}, Source(string(text), s.name))
					eng, _ := k.engineNamed(e)
					v, err := k.variant(s.args)
					if err != nil {
						b.Fatal(err)
					}
					if p := v.program(eng, false); p.err != nil {
						b.Fatal(p.err)
					}
				}
			})
		}
	}
}
