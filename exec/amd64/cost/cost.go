// Package cost says by what code operations are done, and what keeps them from better.
package cost

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
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

// Of is the place of a value's cost, -1 if none was noted.
func (c *Notes) Of(v *ir.Value) int {
	return slices.IndexFunc(c.List, func(x Cost) bool { return x.Value == v })
}

// Goes notes that what a value does is left to Go.
func (c *Notes) Goes(v *ir.Value, what string) {
	c.Note(v, ByGo, "there is no machine code for "+what)
	c.List[c.Of(v)].What = what
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
	if i := c.Of(v); i < 0 {
		c.List = append(c.List, x)
	} else if c.List[i].By < by {
		c.List[i] = x
	}
}
