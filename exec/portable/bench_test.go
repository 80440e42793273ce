package portable_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/portable"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

var benchmarks = []launch{
	vecaddLaunch(98432),
	matmulLaunch("matmul", dtype.Float32, 256, 256, 256),
	matmulLaunch("matmul16", dtype.Float16, 256, 256, 256),
	softmaxLaunch(64, 1024),
	layernormLaunch(64, 1000),
	attentionLaunch(256),
}

// BenchmarkKernel runs a grid in one worker.
func BenchmarkKernel(b *testing.B) {
	for _, l := range benchmarks {
		b.Run(l.name, func(b *testing.B) {
			p, err := portable.Compile(kernelFile(b, l.file))
			if err != nil {
				b.Fatal(err)
			}
			w := kerneltest.NewWorld(2)
			l.args(w)
			run, k, n := &portable.Launch{Args: w.IRArgs(), Grid: l.grid}, p.NewWorker(), kerneltest.Instances(l.grid)
			b.ReportAllocs()
			best := time.Hour // the machine may be busy
			for b.Loop() {
				start := time.Now()
				if fail := k.Run(run, 0, n); fail != nil {
					b.Fatal(fail)
				}
				best = min(best, time.Since(start))
			}
			b.ReportMetric(float64(best.Nanoseconds())/float64(n), "best-ns/program")
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, l := range benchmarks {
		f := kernelFile(b, l.file)
		b.Run(fmt.Sprint(l.name), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := portable.Compile(f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNewWorker(b *testing.B) {
	p, err := portable.Compile(kernelFile(b, "attention"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		p.NewWorker()
	}
}
