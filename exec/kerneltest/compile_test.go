package kerneltest_test

import (
	"os"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/exec/portable"
	tl "github.com/tiler-go/tiler/tilelang"
)

// examples are the kernels that compile times are measured with: those of the examples.
var examples = []struct {
	name, kernel string
	args         []any
}{
	{"bias", "triton_dot_2_Bias", []any{tl.Float16, tl.Float16, tl.Float16, tl.Float32, 16, 16, 16}},
	{"oobmatmul", "matmul_kernel", []any{tl.Float16, tl.Float16, tl.Float16, 100, 100, 100, 100, 32, 32, 32}},
	{"oobmatmul", "matmul_kernel_masked", []any{tl.Float16, tl.Float16, tl.Float16, 100, 100, 100, 100, 32, 32, 32}},
	{"shrunkmask", "matmul_kernel", nil},
	{"shrunkmask", "matmul_kernel_fixed", nil},
	{"softmax", "softmaxRows", []any{tl.Float32, tl.Float32, 100, 100, 100, 128}},
	{"matmul", "matmul", nil},
	{"attention", "attention", []any{tl.Float16, tl.Float16, tl.Float16, tl.Float16, 100, 0.125, true, 64, 32, 32}},
	{"layernorm", "backward", nil},
}

// compileArgs gives arguments for parameters; nil is floats of 16 bits and 32s.
func compileArgs(params []gofile.Param, values []any) []frontend.Arg {
	args := make([]frontend.Arg, len(params))
	for i := range params {
		args[i] = frontend.Arg{DType: tl.Float16, Int: 32, Float: 1, Str: "relu"}
		if values == nil {
			continue
		}
		switch v := values[i].(type) {
		case tl.DType:
			args[i].DType = v
		case int:
			args[i].Int = int64(v)
		case float64:
			args[i].Float = v
		case bool:
			args[i].Bool = v
		}
	}
	return args
}

// compileText does everything from a kernel's text to a program that runs.
func compileText(tb testing.TB, text, kernel string, values []any) {
	tb.Helper()
	f, err := gofile.Load("main.go", text)
	if err != nil {
		tb.Fatal(err)
	}
	params, err := f.Params(kernel)
	if err != nil {
		tb.Fatal(err)
	}
	fn, _, err := frontend.Compile(f, kernel, compileArgs(params, values))
	if err != nil {
		tb.Fatal(err)
	}
	if err := pass.Run(fn, pass.Options{}); err != nil {
		tb.Fatal(err)
	}
	p, err := portable.Compile(fn)
	if err != nil {
		tb.Fatal(err)
	}
	p.NewWorker()
}

// BenchmarkCompile is the time from source text to a runnable portable program.
func BenchmarkCompile(b *testing.B) {
	for _, s := range examples {
		text, err := os.ReadFile("../../examples/" + s.name + "/main.go")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(s.name+"/"+s.kernel, func(b *testing.B) {
			best := time.Hour // the machine may be busy
			for b.Loop() {
				start := time.Now()
				compileText(b, string(text), s.kernel, s.args)
				best = min(best, time.Since(start))
			}
			b.ReportMetric(float64(best.Microseconds())/1000, "best-ms")
		})
	}
}
