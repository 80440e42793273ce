package kernels

import tl "github.com/tiler-go/tiler/tilelang"

// The kernels of this file went wrong once.

// Issue1: what a loop's body declares was carried by the loop after a second attempt at
// lowering it.
func Issue1(p *tl.Program, x, z tl.Ptr, n int, b bool) {
	for i := 1; i < 7; i += 3 {
		for k := range 4 {
			v := tl.Load(x.Add(tl.Arange(0, 16)))
			if b {
				v = v.Add(i)
			}
			tl.Store(z.Add(tl.Arange(0, 16)), v.Add(k))
			if n > k+100 {
				break
			}
		}
	}
}
