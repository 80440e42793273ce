package exec

import (
	"strings"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// TestLongChains compiles values that are made of themselves twice, forty times: whoever
// goes through them as if they were trees never ends.
func TestLongChains(t *testing.T) {
	const (
		head = "package k\n\nimport tl \"github.com/tiler-go/tiler/tilelang\"\n\nfunc k(p *tl.Program, x, y, out tl.Ptr, n int, f float64) {\n"
		load = "\toffs := tl.Arange(0, 64)\n\tv := tl.Load(x.Add(offs))\n"
		loop = "\tidx := tl.Arange(0, 16).Col().Mul(16).Add(tl.Arange(0, 16).Row())\n\tacc := tl.Zeros(tl.Float32, 16, 16)\n" +
			"\tfor range n {\n\t\tacc = acc.Add(tl.Dot(tl.Load(x.Add(idx)), tl.Load(y.Add(idx))))\n\t}\n"
		stored = "\ttl.Store(out.Add(idx), acc)\n"
	)
	chain := func(s string) string { return strings.Repeat("\t"+s+"\n", 40) }
	fn := func(p *tl.Program, x, y, out tl.Ptr, n int, f float64) {}
	for _, c := range []struct{ name, body string }{
		{"tile", load + chain("v = v.Add(v)") + "\ttl.Store(out.Add(offs), v)\n"},
		{"index", load + chain("offs = offs.Add(offs)") + "\ttl.Store(out.Add(offs.Mod(64)), v)\n"},
		{"remainder", load + chain("offs = offs.Add(offs).Mod(64)") + "\ttl.Store(out.Add(offs), v)\n"},
		{"stride", load + "\toffs = offs.To(tl.Int64).Mul(n-1)\n" + chain("offs = offs.Add(offs)") + "\ttl.Store(out.Add(offs), v)\n"},
		{"mask", load + "\tm := v.Lt(3)\n" + chain("m = m.And(m).Or(m)") + "\ttl.Store(out.Add(offs), v, tl.Mask(m))\n"},
		{"limit", load + "\tm := offs.Lt(n)\n" + chain("m = m.And(m)") + "\ttl.Store(out.Add(offs), v, tl.Mask(m))\n"},
		{"address", load + chain("n = n*n") + "\ttl.Store(out.Add(offs.Add(n)), v)\n"},
		{"float", load + chain("f = f*f") + "\ttl.Store(out.Add(offs), v.Add(f))\n"},
		{"product", loop + chain("acc = acc.Mul(acc)") + stored},
		{"scaled product", loop + chain("f = f*f") + "\tacc = acc.Mul(f)\n" + stored},
		{"chain of products", chain("n = n*n") + loop + stored},
	} {
		for _, e := range Engines()[1:] {
			z := func() *tensor.Tensor { return tensor.Zeros(tl.Float32, 256) }
			k := New(fn, Source(head+c.body+"}\n", "k"), Options{Engine: e, Workers: 1})
			if err := k.Launch(Grid{1}, z(), z(), z(), 1, 1.0); err != nil {
				t.Errorf("%s: %s: %v", c.name, e, err)
			}
		}
	}
}
