package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// LastRound reports whether a loop is over where the condition of a branch in it does not hold: that is a value which
// goes round, the other side leaves all such values as they are, and nothing else happens in a round. Programs that go
// on until something is found, and have no way to leave a loop, are written so.
func LastRound(loop, branch *ir.Value) bool {
	body, no := loop.Blocks[0], branch.Blocks[1]
	cond, end, still := branch.Args[0], body.Values[len(body.Values)-1], no.Values[len(no.Values)-1]
	if Complement(cond) {
		cond = cond.Args[0]
	}
	if loop.Op != ir.For || still.Op != ir.Yield || !slices.Contains(body.Values, branch) ||
		!slices.Contains(body.Args[1:], cond) {
		return false
	}
	for _, u := range slices.Concat(body.Values, no.Values) {
		if u != branch && u != end && u != still && !u.Pure() {
			return false
		}
	}
	for k, a := range end.Args {
		if a.Op == ir.Result && a.Args[0] == branch {
			a = still.Args[a.Index]
		}
		if a != body.Args[1+k] {
			return false
		}
	}
	return true
}

// Complement reports whether a value is what a bool is not.
func Complement(v *ir.Value) bool { return v.Op == op.Not && v.Type.D == dtype.Bool }
