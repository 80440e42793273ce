package ended

import tl "github.com/tiler-go/tiler/tilelang"

// Walks has programs that go through elements one by one, none or many of them, as i says.
func Walks(p *tl.Program, x, z, i tl.Ptr, n, far int, OP string) {
	r := p.ID(0)
	count, from := tl.Load(i.Add(r)).Int()%23-5, r*20
	acc := tl.Load(x.Add(from))
	switch OP {
	case "along":
		for t := range count {
			acc = acc.Add(tl.Load(x.Add(from + t))).To(acc.DType())
			tl.Store(z.Add(from+t), acc)
		}
	case "back":
		for t := count - 1; t >= 0; t-- {
			acc = acc.Add(tl.Load(x.Add(from + t))).To(acc.DType())
			tl.Store(z.Add(from+t), acc)
		}
	case "fours":
		for t := count - 17; t < 18; t += 4 {
			if t >= 0 {
				tl.Store(z.Add(from+t), tl.Load(x.Add(from+t)))
			}
		}
		for t := 0; t < n*20-3; t += 4 {
			tl.Store(z.Add(t+3), tl.Load(x.Add(t+3)))
		}
	case "twos":
		for t := count; t > -3; t -= 2 {
			tl.Store(z.Add(from+t+2), tl.Load(x.Add(from+17-t)))
		}
	case "columns":
		for t := range n {
			acc = acc.Add(tl.Load(x.Add(t*20 + r%20))).To(acc.DType())
			tl.Store(z.Add((n-1-t)*20+r%20), acc)
		}
	case "far": // by steps that wrap, where nothing is loaded
		for t := range 33 {
			if t%32 == 0 {
				acc = acc.Add(tl.Load(x.Add(from + t*far))).To(acc.DType())
			}
			tl.Store(z.Add(from+t/2), acc)
		}
	case "same":
		for t := range count {
			tl.Store(z.Add(from), tl.Load(z.Add(from)).Add(tl.Load(x.Add(from+t))).To(acc.DType()))
		}
	case "some": // ends somewhere, and is outside behind that
		for t := range n * 20 {
			if tl.Load(i.Add(t)).Int() == r {
				break
			}
			tl.Store(z.Add(t), tl.Load(x.Add(t)))
			if t < count {
				tl.Store(z.Add(from+t*2%20), tl.Load(x.Add(from+t)))
			}
		}
	case "nested":
		for a := range 3 {
			for t := range count {
				at := tl.Load(i.Add(from+t)).Int() * (a - 1) % 20
				if at >= 0 {
					tl.Store(z.Add(from+at), tl.Load(x.Add(from+t)))
				}
			}
		}
	case "all":
		if r == 0 {
			for t := range n * 20 {
				acc = acc.Add(tl.Load(x.Add(t))).To(acc.DType())
				tl.Store(z.Add(t), acc)
			}
		}
	case "narrow": // int32, which wraps where nothing is loaded
		at := tl.Load(i.Add(r))
		for t := range count {
			acc = acc.Add(tl.Load(x.Add(at.Sub(at).Add(t)))).To(acc.DType())
			tl.Store(z.Add(at.Mul(0).Add(from).Add(t)), acc)
		}
	case "fails":
		for t := range count + 9 {
			tl.Store(z.Add(from+t%20), tl.Load(x.Add(from+t*far)))
		}
	case "turned": // both ends are inside, and nothing in between
		for t := range 33 {
			tl.Store(z.Add(from+t/2), tl.Load(x.Add(from+t*far)))
		}
	case "last": // the index wraps behind the last round, and goes on
		first, end := far-20*n+1, far-1
		for t := first; t < end; t += 4 {
			tl.Store(z.Add(t-first), tl.Load(x.Add(t-first)))
		}
	case "first":
		first, end := far-1+20*n, far
		for t := first; t > end; t -= 4 {
			tl.Store(z.Add(first-t), tl.Load(x.Add(first-t)))
		}
	case "stored":
		for t := range count + 9 {
			tl.Store(z.Add(from+t*far), tl.Load(x.Add(from+t%20)))
		}
	}
}
