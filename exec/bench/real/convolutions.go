package real

import (
	tl "github.com/tiler-go/tiler/tilelang"
)

// causalConv is a convolution of each channel with four weights of its own, over positions up to the one at hand.
func causalConv(p *tl.Program, x, w, bias, out tl.Ptr, L, D int, BL, BD tl.Const) {
	t := tl.Arange(0, BL).Add(p.ID(0) * BL)
	d := tl.Arange(0, BD).Add(p.ID(1) * BD)
	on := d.Lt(D)
	acc := tl.Zeros(tl.Float32, BL, BD).Add(tl.Load(bias.Add(d), tl.Mask(on), tl.Other(0)).Row())
	for j := range 4 {
		at := t.Sub(3 - j)
		inside := at.Ge(0).And(at.Lt(L)).Col().And(on.Row())
		v := tl.Load(x.Add(at.Col().Mul(D).Add(d.Row())), tl.Mask(inside), tl.Other(0))
		acc = acc.Add(v.Mul(tl.Load(w.Add(d.Mul(4).Add(j)), tl.Mask(on), tl.Other(0)).Row()))
	}
	tl.Store(out.Add(t.Col().Mul(D).Add(d.Row())), acc, tl.Mask(t.Col().Lt(L).And(on.Row())))
}

// conv2d is a convolution as a product: rows are positions of the image, K is input channels times the window.
func conv2d(p *tl.Program, x, w, out tl.Ptr, C, H, W, F int, R, STRIDE, PAD, BM, BN, BK tl.Const) {
	outH, outW := (H+2*PAD-R)/STRIDE+1, (W+2*PAD-R)/STRIDE+1
	at := tl.Arange(0, BM).Add(p.ID(0) * BM)
	f := tl.Arange(0, BN).Add(p.ID(1) * BN)
	y, z := at.FloorDiv(outW).Mul(STRIDE).Sub(PAD), at.Mod(outW).Mul(STRIDE).Sub(PAD)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(C*R*R, BK) {
		k := tl.Arange(0, BK).Add(i * BK)
		c, tap := k.FloorDiv(R*R), k.Mod(R*R)
		iy := y.Col().Add(tap.FloorDiv(R).Row())
		iz := z.Col().Add(tap.Mod(R).Row())
		inside := iy.Ge(0).And(iy.Lt(H)).And(iz.Ge(0)).And(iz.Lt(W)).And(k.Row().Lt(C * R * R))
		a := tl.Load(x.Add(c.Row().Mul(H).Add(iy).Mul(W).Add(iz)), tl.Mask(inside), tl.Other(0))
		b := tl.Load(w.Add(f.Row().Mul(C*R*R).Add(k.Col())), tl.Mask(k.Col().Lt(C*R*R).And(f.Row().Lt(F))), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b))
	}
	tl.Store(out.Add(f.Row().Mul(outH*outW).Add(at.Col())), acc, tl.Mask(at.Col().Lt(outH*outW).And(f.Row().Lt(F))))
}
