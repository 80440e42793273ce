package portable_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// bench runs f over a grid with one worker.
func bench(b *testing.B, text string, grid [3]int, build func(w *world)) {
	f := ir.MustParse(text)
	p, err := portable.Compile(f)
	if err != nil {
		b.Fatal(err)
	}
	w := &world{r: rand.New(rand.NewPCG(1, 2))}
	build(w)
	l := &portable.Launch{Args: argsOf(w), Grid: grid}
	k := p.NewWorker()
	b.ReportAllocs()
	for b.Loop() {
		if fail := k.Run(l, 0, instances(grid)); fail != nil {
			b.Fatal(fail)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*instances(grid)), "ns/program")
}

func uniform(w *world, n int) {
	w.addBits(dtype.Float32, n, func(int) uint64 { return dtype.FromFloat(dtype.Float32, w.r.Float64()) })
}

func BenchmarkKernel(b *testing.B) {
	b.Run("vecadd/98432", func(b *testing.B) {
		bench(b, vecadd, [3]int{97, 1, 1}, func(w *world) {
			for range 3 {
				uniform(w, 98432)
			}
			w.ints(98432)
		})
	})
}

func BenchmarkCompile(b *testing.B) {
	for name, text := range map[string]string{"vecadd": vecadd} {
		f := ir.MustParse(text)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				portable.Compile(f)
			}
		})
	}
}
