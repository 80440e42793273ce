// Package arms moves what follows a branch that picks a tensor, or a tile, into both of its arms: there every access is
// to one tensor and no tile lies in memory to be picked, as if the kernel were written twice.
package arms

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass/write"
)

// most is how many values are written a second time at most, of all branches together.
const most = 300

// Run changes f.
func Run(f *ir.Func) {
	m := &mover{f: f, left: most, pick: map[*ir.Value]bool{}}
	m.block(f.Body)
}

type mover struct {
	f    *ir.Func
	left int                // how many values may still be written a second time
	pick map[*ir.Value]bool // what picks found: branches behind others ask about these again and again
}

// block moves what follows the first branch of b that picks into its arms, and goes on there.
func (m *mover) block(b *ir.Block) {
	n := len(b.Values) - 1
	for i, v := range b.Values[:n] {
		if rest := b.Values[i+1 : n]; v.Op == ir.If && m.picks(v) && lastly(b.Values[n]) && count(rest) <= m.left {
			m.left -= count(rest)
			clear(m.pick)
			b.Values = append(slices.Clone(b.Values[:i]), m.move(v, rest, b.Values[n])...)
			break
		}
	}
	for _, v := range b.Values {
		for _, inner := range v.Blocks {
			m.block(inner)
		}
	}
}

// lastly reports whether an arm may give what a terminator takes: tiles would have to lie in memory.
func lastly(term *ir.Value) bool {
	return term.Op == ir.Return || term.Op == ir.Yield &&
		!slices.ContainsFunc(term.Args, func(a *ir.Value) bool { return a.Type.IsTile() })
}

// move gives the branch with what stands between it and the block's end in each arm, and that end.
func (m *mover) move(branch *ir.Value, rest []*ir.Value, end *ir.Value) []*ir.Value {
	branch, given := m.f.NewValue(ir.If, ir.Type{}, branch.Pos, branch.Args...), branch
	for _, arm := range given.Blocks {
		n := len(arm.Values) - 1
		c := write.Copier{Writer: write.Writer{Fn: m.f, Out: arm.Values[:n:n]}, Made: map[*ir.Value]*ir.Value{}}
		c.Instead = func(v *ir.Value) bool {
			ours := v.Op == ir.Result && v.Args[0] == given
			if ours {
				c.Made[v] = arm.Values[n].Args[v.Index]
			}
			return ours
		}
		for _, v := range rest {
			c.Value(v)
		}
		yield := c.Add(ir.Yield, ir.Type{}, c.Now(end.Args)...)
		yield.Pos = arm.Values[n].Pos
		branch.Blocks = append(branch.Blocks, &ir.Block{Args: arm.Args, Values: c.Out})
	}
	out := []*ir.Value{branch}
	for k, a := range end.Args {
		branch.Results = append(branch.Results, a.Type)
		z := m.f.NewValue(ir.Result, a.Type, a.Pos, branch)
		z.Index = k
		out, end.Args[k] = append(out, z), z
	}
	return append(out, end)
}

// picks reports whether a branch gives a tile, or a pointer into one tensor or another.
func (m *mover) picks(v *ir.Value) bool {
	is, ok := m.pick[v]
	if !ok {
		is = m.picking(v)
		m.pick[v] = is
	}
	return is
}

// picking is picks of a branch that has not been asked about.
func (m *mover) picking(v *ir.Value) bool {
	x, y := v.Blocks[0].Term(), v.Blocks[1].Term()
	if x.Op != ir.Yield || y.Op != ir.Yield {
		return false
	}
	for k, t := range v.Results {
		if t.IsTile() || t.D.IsPointer() && m.tensorOf(x.Args[k]) != m.tensorOf(y.Args[k]) {
			return true
		}
	}
	return false
}

// tensorOf is the parameter that a pointer is made of, or the value that picks one.
func (m *mover) tensorOf(v *ir.Value) *ir.Value {
	for len(v.Args) > 0 {
		if v.Op != ir.Result {
			v = v.Args[0]
			continue
		}
		branch := v.Args[0]
		if branch.Op != ir.If || m.picks(branch) {
			return v
		}
		at := slices.IndexFunc(branch.Blocks, func(b *ir.Block) bool { return b.Term().Op == ir.Yield })
		if at < 0 {
			return v
		}
		v = branch.Blocks[at].Term().Args[v.Index]
	}
	return v
}

// count is how many values there are, with those in blocks.
func count(vs []*ir.Value) (n int) {
	for _, v := range vs {
		n++
		for _, b := range v.Blocks {
			n += count(b.Values)
		}
	}
	return n
}
