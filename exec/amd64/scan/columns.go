package scan

import (
	"slices"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Columns scans columns, each lane of a block one, in somebody's loop down the rows: what the rows before are combined
// to stays in registers, of each block that the loop does in a round. Several blocks do not wait for each other.
type Columns struct {
	Builder *elementwise.Builder
	Needed  []bool // of the streams that are scanned together
	Combine func(prev, cur []lane.Lanes) []lane.Lanes
	carried map[int][]lane.Lanes // by block
}

// Blocks is how many blocks a round is best to have of so many in a row: as many as there are registers for what is
// carried.
func Blocks(most int, d dtype.DType, streams int) int {
	const registers = 8
	n := 4
	for n > 1 && (n > most || n*streams*lane.Halves(d) > registers) {
		n /= 2
	}
	return n
}

// Begin is what stands ahead of the loop down the rows for a block of lanes of these streams.
func (c *Columns) Begin(block int, like []lane.Lanes) {
	if c.carried == nil {
		c.carried = map[int][]lane.Lanes{}
	}
	for i, x := range like {
		var z lane.Lanes
		if c.Needed[i] {
			z = c.Builder.Variable(lane.Const(x.D, 0))
		}
		c.carried[block] = append(c.carried[block], z)
	}
}

// Row scans a row's elements in a block. They are the first of their columns where a register, the row's number, says
// so. What it gives is there until the block's next row.
func (c *Columns) Row(block int, x []lane.Lanes, row lir.Reg, first int) []lane.Lanes {
	g := c.Builder
	carried := c.carried[block]
	z := c.Combine(carried, x)
	for i := range z {
		if c.Needed[i] && c.carries(carried, i, z[i]) {
			z[i] = g.Variable(z[i])
		}
	}
	c.assign(carried, z)
	later := g.NewLabel()
	g.Use(asm.CMP, g.R64(row), lir.Imm(int64(first)))
	g.Jump(asm.JNE, later)
	c.assign(carried, x)
	g.Bind(later)
	return carried
}

// carries reports whether lanes are what another stream than i carries, which is about to change.
func (c *Columns) carries(carried []lane.Lanes, i int, z lane.Lanes) bool {
	return !z.Known && slices.ContainsFunc(carried, func(x lane.Lanes) bool { return x.R == z.R && x.R != carried[i].R })
}

func (c *Columns) assign(to, from []lane.Lanes) {
	for i := range to {
		if c.Needed[i] {
			c.Builder.Assign(to[i], from[i])
		}
	}
}
