package exec

import (
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/engine"
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

// engineNamed is one of this machine's engines.
func engineNamed(name string) *engine.Engine {
	use := engine.Choose(engine.Table(), name, cpu.Auto)
	return use.Forced
}

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
			t := engineNamed(e)
			k = k.With(Options{Memory: "off", CPU: t.Tier})
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

func dotBias(p *tl.Program, output, x, y, z tl.Ptr, A, B, C tl.Const) {
	a, b, c := tl.Arange(0, A), tl.Arange(0, B), tl.Arange(0, C)
	left := tl.Load(x.Add(a.Col().Mul(B).Add(b.Row())))
	right := tl.Load(y.Add(b.Col().Mul(C).Add(c.Row())))
	at := a.Col().Mul(C).Add(c.Row())
	tl.Store(output.Add(at), tl.Dot(left, right).Add(tl.Load(z.Add(at))))
}

// BenchmarkSmall is one launch of one program on four small tensors.
func BenchmarkSmall(b *testing.B) {
	x, y, z, out := tensor.Rand(1, tl.Float16, 16, 16), tensor.Rand(2, tl.Float16, 16, 16), tensor.Rand(3, tl.Float16, 16, 16), tensor.Zeros(tl.Float16, 16, 16)
	k := alone(dotBias, Options{Memory: "off"}).promoteUnchecked()
	b.ReportAllocs()
	for b.Loop() {
		if err := k.Launch(Grid{1, 1, 1}, out, x, y, z, 16, 16, 16); err != nil {
			b.Fatal(err)
		}
	}
	if s := k.State(); s.Engine == interpreted {
		b.Fatal(s)
	}
}
