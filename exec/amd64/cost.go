package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/cost"
)

// noteLanes notes an access that no form of its address makes one of vectors.
func (g *memory) noteLanes(a *access) {
	ptr := a.v.Memory().Ptr
	if f := g.Forms.Of(ptr); a.rows == nil && (!f.Ok || f.Base < 0) {
		g.costs.Note(a.v, cost.ByLane, affine.WhyNot(ptr))
	}
}

// Costs is by what each operation on tiles is done: those of the epilogue and of single
// programs, where the code is not all one product. Index tiles and masks, which become
// addresses and bounds of loops, have none.
func (c *Code) Costs() ([]cost.Cost, error) {
	if c.product == nil {
		r, err := c.single.Try()
		if err != nil {
			return nil, err
		}
		return r.costs.Of(r.f), nil
	}
	r := c.product.Epilogue().(*routine)
	list := r.costs.Of(r.f)
	for _, v := range c.product.Values() {
		list = append(list, cost.Cost{Value: v, By: cost.ByProduct})
	}
	return list, nil
}
