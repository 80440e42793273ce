// Package cursor is the place in a nest of loops where code is written: in which loop, for which elements of a tile,
// and where tiles in memory have these. It knows on which loops a value depends, and computes none but indices.
package cursor

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Cursor is the place in a nest's loops where code is written, and the elements at hand there.
type Cursor struct {
	Mem    *tiles.Memory
	Shape  ir.Shape
	Dims   []int               // dimensions larger than 1, outermost first; the last is the inner one
	Levels []*lir.Seq          // code inside the first k loops, ahead of the next loop
	deps   map[Key]uint        // dimensions that a value depends on, as bits
	Index  [ir.MaxRank]lir.Reg // loop counters, in elements
	Starts map[Row]lir.Reg     // where rows begin
	Still  bool                // the inner loop is one round: what depends on it alone is computed once
	Tail   *lane.Lanes         // mask of the lanes of a partial block, nil in full ones
	Off    int                 // of the block at hand from the inner counter
	Pinned Pin                 // a dimension without a loop, of which the code at hand is for one index
	Late   bool                // what depends on it is computed where it is used; the sink writes all blocks of a round
	Tails  []*lane.Lanes       // the round's Tail of each block
	only   *int                // where the inner counter is in all code, if that is known
}

// New is a cursor in a nest over a shape, without a loop over a dimension that is pinned, if it is not negative.
func New(g *tiles.Memory, shape ir.Shape, pinned int) Cursor {
	n := Cursor{Mem: g, Shape: shape, deps: map[Key]uint{}, Starts: map[Row]lir.Reg{}, Levels: []*lir.Seq{{}}}
	for i, d := range shape.D[:shape.N] {
		switch {
		case i == pinned:
			n.Pinned.Dim = 1 << i
		case d > 1:
			n.Dims = append(n.Dims, i)
			n.Index[i] = g.NewReg(lir.GPR)
			n.Levels = append(n.Levels, &lir.Seq{})
		}
	}
	return n
}

// A Pin is a dimension, as a bit, and an index of it.
type Pin struct {
	Dim uint
	At  int
}

// A Key is a value read through a map from its dimensions to the nest's, at an index of the
// pinned one, and in one of a round's blocks.
type Key struct {
	V  *ir.Value
	M  affine.Axes
	at int
}

// KeyOf is where a nest looks for what depends on v.
func (n *Cursor) KeyOf(v *ir.Value, m affine.Axes) Key {
	key := Key{V: v, M: m}
	if n.DependsOn(v, m)&n.Pinned.Dim != 0 {
		key.at = n.Pinned.At
	}
	if (n.Still || n.Late) && n.Varies(v, m) {
		key.at |= n.Off << 16
	}
	return key
}

// Body is the number of loops, and so the level of the innermost code.
func (n *Cursor) Body() int { return len(n.Dims) }

// Inner is the dimension of the innermost loop, -1 for a single element.
func (n *Cursor) Inner() int {
	if len(n.Dims) == 0 {
		return -1
	}
	return n.Dims[len(n.Dims)-1]
}

// At writes code at a level.
func (n *Cursor) At(level int, f func()) { n.Mem.Into(n.Levels[level], f) }

// DependsOn is the nest's dimensions that v's lanes depend on.
func (n *Cursor) DependsOn(v *ir.Value, m affine.Axes) uint {
	if !v.Type.IsTile() {
		return 0
	}
	key := Key{V: v, M: m}
	if d, ok := n.deps[key]; ok {
		return d
	}
	d := n.computeDeps(v, m)
	n.deps[key] = d
	return d
}

func (n *Cursor) computeDeps(v *ir.Value, m affine.Axes) (d uint) {
	if affine.RepeatedConst(v) != nil {
		return 0
	}
	if n.Mem.Keeps(v) || v.Op == op.Load || n.Mem.Plan.Of(v).Within {
		for i := range v.Type.Shape.N {
			if m[i] >= 0 {
				d |= 1 << m[i]
			}
		}
		return d
	}
	switch {
	case v.Op == op.Arange:
		if m[0] >= 0 {
			return 1 << m[0]
		}
		return 0
	case ir.Family(v.Op) == op.Shape:
		return n.DependsOn(v.Args[0], affine.Through(v, m))
	}
	for _, a := range v.Args {
		d |= n.DependsOn(a, m)
	}
	return d
}

// LevelOf is the level at which lanes that depend on dimensions d are computed.
func (n *Cursor) LevelOf(d uint) int {
	if n.Late && d&n.Pinned.Dim != 0 {
		return n.Body()
	}
	for k := len(n.Dims) - 1; k >= 0; k-- {
		if d>>n.Dims[k]&1 == 1 && !(n.Still && k == len(n.Dims)-1) {
			return k + 1
		}
	}
	return 0
}

// Varies reports whether v's lanes differ within a block.
func (n *Cursor) Varies(v *ir.Value, m affine.Axes) bool {
	return len(n.Dims) > 0 && n.DependsOn(v, m)>>n.Inner()&1 == 1
}

// GoTo makes a block of the round the one at hand.
func (n *Cursor) GoTo(block int) { n.Off, n.Tail = block*n.Mem.Lanes, n.Tails[block] }

// Starting says where the one inner loop begins if that is a constant, and whether it is one round.
func (n *Cursor) Starting(at lir.Arg, round bool) {
	if first, ok := at.IsImm(); ok && round && len(n.Dims) == 1 {
		i := int(first)
		n.only = &i
	}
}

// TailsOf is the masks of a partial round's blocks.
func (n *Cursor) TailsOf(masks []lane.Lanes) (tails []*lane.Lanes) {
	for i := range masks {
		masks[i].Most = n.Shape.D[n.Inner()]
		tails = append(tails, &masks[i])
	}
	return tails
}

// FewTails is the masks, of those of a round, that some elements need: none of whole blocks, and no blocks of nothing.
func (n *Cursor) FewTails(masks []*lane.Lanes, elements int) []*lane.Lanes {
	masks = masks[:(elements+n.Mem.Lanes-1)/n.Mem.Lanes]
	clear(masks[:elements/n.Mem.Lanes])
	return masks
}

// InLoop reports whether the code at hand is part of a loop of the nest.
func (n *Cursor) InLoop() bool {
	for _, s := range n.Levels[1:] {
		if n.Mem.Cur == s {
			return true
		}
	}
	return false
}

// WithTail restricts a mask to the lanes of a partial block.
func (n *Cursor) WithTail(mask lane.Lanes) *lane.Lanes {
	all := mask.Known && mask.Bits != 0
	switch {
	case n.Tail == nil && all:
		return nil
	case n.Tail == nil || mask.Known && !all:
		return &mask
	case all:
		return n.Tail
	}
	z := n.Mem.PrimBool(op.And, []lane.Lanes{mask, *n.Tail})
	return &z
}

// Arange is lo plus the index along one dimension, in all lanes or ascending.
func (n *Cursor) Arange(v *ir.Value, m affine.Axes, level int) lane.Lanes {
	d := v.Type.D
	if m[0] < 0 {
		return lane.Const(d, uint64(uint32(v.Index)))
	}
	x := n.IndexLanes(int(m[0]), level)
	if v.Index == 0 {
		return x
	}
	return n.Mem.Prim(op.Add, d, x, lane.Const(d, uint64(uint32(v.Index))))
}

// IndexLanes is the index along a dimension as int32 lanes.
func (n *Cursor) IndexLanes(dim, level int) lane.Lanes {
	g := n.Mem
	if n.Pinned.Dim == 1<<dim {
		return lane.Const(dtype.Int32, uint64(n.Pinned.At))
	}
	if dim == n.Inner() && n.only != nil {
		return g.Iota(*n.only + n.Off)
	}
	x := g.SplatInt(dtype.Int32, n.Index[dim])
	if dim != n.Inner() {
		return x
	}
	return g.Prim(op.Add, dtype.Int32, x, g.Iota(n.Off))
}
