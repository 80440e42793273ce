package amd64

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/tilelang/op"
)

// By says by what code does an operation.
type By uint8

// From the fastest to the slowest.
const (
	ByScalars By = iota // once a program
	ByProduct           // with the whole grid, as one matrix product
	ByVectors           // in blocks of lanes
	ByProgram           // a product of one program alone
	ByLane              // one lane after the other
	ByGo                // by Go, each time
)

var byNames = [...]string{"scalars", "one product over the grid", "vectors", "a product in each program", "one lane at a time", "Go"}

func (b By) String() string { return byNames[b] }

// A Cost says by what a value is computed, and what keeps it from better.
type Cost struct {
	Value *ir.Value
	By    By
	What  string // is left to Go: "sort of f32"
	Why   string // "" for what is done as well as can be
}

// costs notes what is slow while code is written.
type costs struct{ list []Cost }

// of is the place of a value's cost, -1 if none was noted.
func (c *costs) of(v *ir.Value) int {
	return slices.IndexFunc(c.list, func(x Cost) bool { return x.Value == v })
}

// goes notes that what a value does is left to Go.
func (c *costs) goes(v *ir.Value, what string) {
	c.note(v, ByGo, "there is no machine code for "+what)
	c.list[c.of(v)].What = what
}

// left is what goes to Go each time, in words, each once.
func (c *costs) left() (list []string) {
	for _, x := range c.list {
		if x.By == ByGo && !slices.Contains(list, x.What) {
			list = append(list, x.What)
		}
	}
	return list
}

// note adds the slowest that a value is done by; the reasons that were given first stay.
func (c *costs) note(v *ir.Value, by By, why string) {
	x := Cost{Value: v, By: by, Why: why}
	if i := c.of(v); i < 0 {
		c.list = append(c.list, x)
	} else if c.list[i].By < by {
		c.list[i] = x
	}
}

// noteLanes notes an access that no form of its address makes one of vectors.
func (g *gen) noteLanes(a *access) {
	ptr := a.v.Memory().Ptr
	if f := g.Forms.Of(ptr); a.rows == nil && (!f.Ok || f.Base < 0) {
		g.costs.note(a.v, ByLane, affine.WhyNot(ptr))
	}
}

// Costs is by what each operation on tiles is done: those of the epilogue and of single
// programs, where the code is not all one product. Index tiles and masks, which become
// addresses and bounds of loops, have none.
func (c *Code) Costs() ([]Cost, error) {
	if c.product == nil {
		r, err := c.single.Try()
		if err != nil {
			return nil, err
		}
		return r.costsOf(), nil
	}
	list := c.product.Epilogue().(*routine).costsOf()
	for _, v := range c.product.Values() {
		list = append(list, Cost{Value: v, By: ByProduct})
	}
	return list, nil
}

func (r *routine) costsOf() (list []Cost) {
	pass.Likely(r.f, func(v *ir.Value) {
		c := Cost{Value: v, By: ByVectors}
		if i := r.costs.of(v); i >= 0 {
			c = r.costs.list[i]
		} else if v.Op == op.Dot {
			c.By, c.Why = ByProgram, "operands or sums are not those of one product over the grid"
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
