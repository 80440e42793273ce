package ended

import tl "github.com/tiler-go/tiler/tilelang"

// Segments has programs of little work: each copies a few elements, none, or less than none, of those that i says.
func Segments(p *tl.Program, x, i, z tl.Ptr, n, far int, BLOCK tl.Const, OP string) {
	r := p.ID(0)
	at := tl.Load(i.Add(r))
	count, from := at.Int()%23-5, r*20
	lane := tl.Arange(0, BLOCK)
	switch OP {
	case "blocks": // as many as are needed
		for b := range tl.Cdiv(count, BLOCK) {
			c := lane.Add(b * BLOCK)
			m := tl.Mask(c.Lt(count))
			tl.Store(z.Add(c.Add(from)), tl.Load(x.Add(c.Add(from)), m), m)
		}
	case "chosen":
		first := 3
		if at.Int()%2 == 1 {
			first = at.Int() % 7
		}
		m := tl.Mask(lane.Lt(min(count, 12)))
		tl.Store(z.Add(lane.Add(from+first)), tl.Load(x.Add(lane.Add(from)), m), m)
	case "down": // and backwards
		m := tl.Mask(lane.Lt(count))
		tl.Store(z.Add(tl.Sub(from+17, lane)), tl.Load(x.Add(tl.Sub(from+17, lane)), m), m)
	case "wraps": // some of the numbers wrap, but of all lanes or of those that take part
		m := tl.Mask(lane.Lt(count))
		a := tl.Load(x.Add(lane.Mul(1<<28).Add(from)), tl.Mask(lane.Mod(16).Eq(0)), tl.Other(0))
		b := tl.Load(x.Add(lane.Mul(far).Add(from)), tl.Mask(lane.Lt(1)), tl.Other(0))
		tl.Store(z.Add(lane.Add(from)), a.Add(b), m)
	case "turned": // once round all int32
		o := at.Add(1 << 30).Add(1 << 30).Add(1 << 30).Add(1 << 30)
		v := tl.Load(x.Add(o))
		tl.Store(z.Add(at.Add(-1<<31).Add(-1<<31)), v)
		tl.Store(z.Add(lane.Add(o)), v.Add(tl.Load(x.Add(lane.Add(o)))), tl.Mask(lane.Lt(1)))
	case "counted": // up to a number that was loaded, and to one that the loop changes
		few := at.Mod(19)
		for k := max(count, 0); k < few.Int(); k += 2 {
			tl.Store(z.Add(from+k), tl.Load(x.Add(from+k)))
		}
		for k := 0; k < few.Int(); k++ {
			few = few.Sub(3)
			tl.Store(z.Add(from+19-k), tl.Load(x.Add(from+k)))
		}
	case "far": // outside, in lanes that take part if there are any
		m := tl.Mask(lane.Lt(count - far%20))
		tl.Store(z.Add(lane.Add(from)), tl.Load(x.Add(lane.Add(far+r)), m), m)
	}
}
