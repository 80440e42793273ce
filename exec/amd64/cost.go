package amd64

import "github.com/tiler-go/tiler/exec/amd64/cost"

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
