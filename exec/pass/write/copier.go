package write

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Copier writes values once more, of what has been made in place of their operands.
type Copier struct {
	Writer
	Made    map[*ir.Value]*ir.Value
	Instead func(v *ir.Value) bool // writes v in another way, or nothing for it, and reports that it did; or nil
}

// Value writes v.
func (c *Copier) Value(v *ir.Value) {
	if c.Instead != nil && c.Instead(v) {
		return
	}
	c.Pos = v.Pos
	z := c.Clone(v, v.Type, c.Now(v.Args)...)
	z.Results, c.Made[v] = slices.Clone(v.Results), z
	for _, b := range v.Blocks {
		z.Blocks = append(z.Blocks, c.block(b))
	}
}

// block writes a block of a value.
func (c *Copier) block(b *ir.Block) *ir.Block {
	around := c.Out
	c.Out = nil
	z := &ir.Block{}
	for _, a := range b.Args {
		x := c.Fn.NewValue(op.None, a.Type, a.Pos)
		c.Made[a], z.Args = x, append(z.Args, x)
	}
	for _, v := range b.Values {
		c.Value(v)
	}
	z.Values, c.Out = c.Out, around
	return z
}

// Now is what values are where they are written once more.
func (c *Copier) Now(vs []*ir.Value) []*ir.Value {
	z := slices.Clone(vs)
	for i, v := range vs {
		if c.Made[v] != nil {
			z[i] = c.Made[v]
		}
	}
	return z
}
