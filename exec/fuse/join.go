package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// JoinedStrides is the order of a Join's elements in memory: that in which all of its users have its dimensions.
func (p *Schedule) JoinedStrides(v *ir.Value) [ir.MaxRank]int {
	s, users := v.Type.Shape, p.Of(v).Users
	if len(users) == 0 || slices.ContainsFunc(users, func(u *ir.Value) bool {
		return u.Op != op.Permute || !slices.Equal(u.Axes, users[0].Axes)
	}) {
		return s.Dense().D
	}
	var z [ir.MaxRank]int
	for i, n := range users[0].Type.Shape.Dense().D {
		if i < s.N {
			z[users[0].Axes[i]] = n
		}
	}
	return z
}
