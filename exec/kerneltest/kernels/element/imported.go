package element

import (
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/shared"
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/shared/unlike-v2"
	tl "github.com/tiler-go/tiler/tilelang"
)

// Imported does what functions of other packages say.
func Imported(p *tl.Program, x, z tl.Ptr, n int, BLOCK tl.Const, OP string) {
	i, inside := shared.Block(p, n, BLOCK)
	v := tl.Load(x.Add(i), tl.Mask(inside))
	switch OP {
	case "method":
		v = shared.Affine{By: 3, Plus: 1}.Of(v)
	case "clipped":
		v = shared.Clipped(v, 2, 9)
	case "stepped":
		v = shared.Stepped(v)
	case "through":
		v = scales.Doubled(shared.Through(v))
	case "generic":
		v = shared.Mapped(shared.Affine{By: shared.Steps}, v)
	}
	tl.Store(z.Add(i), v, tl.Mask(inside))
}
