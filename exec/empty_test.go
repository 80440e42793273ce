package exec

import (
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// idle stores nothing where n is 0.
func idle(p *tl.Program, out tl.Ptr, n int) {
	o := tl.Arange(0, 16)
	tl.Store(out.Add(o), o.To(tl.Float32), tl.Mask(o.Lt(n)))
}

// alone is a kernel that shares nothing with others of its function.
func alone(fn any, o ...Option) *Kernel { return New(fn, append(o, aloneOption{})...) }

type aloneOption struct{}

func (aloneOption) apply(k *Kernel) { k.shared = &shared{} }

// promote makes a kernel's launches compiled without a check.
func (k *Kernel) promoteUnchecked() *Kernel {
	k.promoted.Store(true)
	return k
}

// BenchmarkIdle is what a promoted launch costs that does nothing.
func BenchmarkIdle(b *testing.B) {
	x := tensor.Zeros(tl.Float32, 16)
	for _, e := range Engines()[1:] {
		b.Run(e, func(b *testing.B) {
			k := alone(idle, Options{Memory: "off"}).promoteUnchecked()
			t, _ := k.engineNamed(e)
			k.opts.CPU = t.tier
			b.ReportAllocs()
			for b.Loop() {
				if err := k.Launch(Grid{1}, x, 0); err != nil {
					b.Fatal(err)
				}
			}
			if s := k.State(); s.Engine != e {
				b.Fatal(s)
			}
		})
	}
}
