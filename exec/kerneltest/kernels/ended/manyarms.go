package ended

import tl "github.com/tiler-go/tiler/tilelang"

// ManyArms copies rows of n from one of two tensors, which many branches change their minds about, one behind the other.
func ManyArms(p *tl.Program, a, b, i, z tl.Ptr, n int, B tl.Const) {
	r := p.ID(0)
	at := tl.Arange(0, B).Add(r * n)
	e := tl.Load(i.Add(r)).Int()
	m := tl.Mask(tl.Arange(0, B).Lt(n))
	v := tl.Load(a.Add(at), m)
	turn := func(k int) {
		if (e+k)%(k+2) == 0 {
			a = b
		} else if r == k {
			b = a.Add(0)
		}
		v = v.Add(tl.Load(a.Add(at), m))
	}
	turn(0)
	turn(1)
	turn(2)
	turn(3)
	turn(4)
	turn(5)
	turn(6)
	turn(7)
	turn(8)
	turn(9)
	turn(10)
	turn(11)
	turn(12)
	turn(13)
	tl.Store(z.Add(at), v, m)
}
