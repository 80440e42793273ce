// Package cost says by what code operations are done, and what keeps them from better.
package cost

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass/runs"
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

// Notes are of what is slow, while code is written.
type Notes struct{ List []Cost }

// place is that of a value's cost, -1 if none was noted.
func (c *Notes) place(v *ir.Value) int {
	return slices.IndexFunc(c.List, func(x Cost) bool { return x.Value == v })
}

// Goes notes that what a value does is left to Go.
func (c *Notes) Goes(v *ir.Value, what string) {
	c.Note(v, ByGo, "there is no machine code for "+what)
	c.List[c.place(v)].What = what
}

// Left is what goes to Go each time, in words, each once.
func (c *Notes) Left() (list []string) {
	for _, x := range c.List {
		if x.By == ByGo && !slices.Contains(list, x.What) {
			list = append(list, x.What)
		}
	}
	return list
}

// Note adds the slowest that a value is done by; the reasons that were given first stay.
func (c *Notes) Note(v *ir.Value, by By, why string) {
	x := Cost{Value: v, By: by, Why: why}
	if i := c.place(v); i < 0 {
		c.List = append(c.List, x)
	} else if c.List[i].By < by {
		c.List[i] = x
	}
}

// Forget drops what was noted of a value for which there is better code after all.
func (c *Notes) Forget(v *ir.Value) {
	c.List = slices.DeleteFunc(c.List, func(x Cost) bool { return x.Value == v })
}

// Of is the costs of a Func's operations on tiles.
func (c *Notes) Of(f *ir.Func) (list []Cost) {
	runs.Likely(f, func(v *ir.Value) {
		x := Cost{Value: v, By: ByVectors}
		if i := c.place(v); i >= 0 {
			x = c.List[i]
		} else if v.Op == op.Dot {
			x.By, x.Why = ByProgram, "operands or sums are not those of one product over the grid"
		} else if !worksOnLanes(v) {
			return
		}
		list = append(list, x)
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
