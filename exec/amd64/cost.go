package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/cost"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/tilelang/op"
)

// noteLanes notes an access that no form of its address makes one of vectors.
func (g *gen) noteLanes(a *access) {
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
		return r.costsOf(), nil
	}
	list := c.product.Epilogue().(*routine).costsOf()
	for _, v := range c.product.Values() {
		list = append(list, cost.Cost{Value: v, By: cost.ByProduct})
	}
	return list, nil
}

func (r *routine) costsOf() (list []cost.Cost) {
	pass.Likely(r.f, func(v *ir.Value) {
		c := cost.Cost{Value: v, By: cost.ByVectors}
		if i := r.costs.Of(v); i >= 0 {
			c = r.costs.List[i]
		} else if v.Op == op.Dot {
			c.By, c.Why = cost.ByProgram, "operands or sums are not those of one product over the grid"
		} else if !worksOnLanes(v) {
			return
		}
		list = append(list, c)
	})
	return list
}

// worksOnLanes reports whether a value is work per lane, rather than part of an address.
func worksOnLanes(v *ir.Value) bool {
	if v.IsMemory() {
		return v.Memory().Ptr.Type.IsTile()
	}
	return len(v.Args) > 0 && !v.Type.D.IsPointer() && v.Args[0].Type.IsTile() &&
		(v.Type.D.IsFloat() || affine.ComputedBy(v, func(o op.Op) bool { return o == op.Load }))
}
