package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Where values of branches and rounds meet.

// PassedOn reports whether result i of a value in a block is passed on by the block's end, and is for nothing else: as
// its argument j.
func (p *Schedule) PassedOn(b *ir.Block, v *ir.Value, i int) (end *ir.Value, j int, ok bool) {
	end = b.Values[len(b.Values)-1]
	var result *ir.Value
	for _, u := range p.Of(v).Users {
		if u.Op == ir.Result && u.Index == i {
			if result != nil {
				return nil, 0, false
			}
			result = u
		}
	}
	if result == nil || end.Op != ir.Yield && end.Op != ir.Continue {
		return nil, 0, false
	}
	users := p.Of(result).Users
	return end, slices.Index(end.Args, result), len(users) == 1 && users[0] == end
}

// Over reports whether nothing behind a value in a block needs x, or what is computed from it when that is needed. What
// is loaded, or comes out of control flow, has been computed.
func (p *Schedule) Over(b *ir.Block, at, x *ir.Value) bool {
	next := p.Of(b.Values[slices.Index(b.Values, at)+1]).order
	behind := func(v *ir.Value) bool {
		for in := p.Of(v).Block; in != nil && p.Of(v).order >= next; in = p.around(in) {
			if in == b {
				return true
			}
		}
		return false
	}
	seen := map[*ir.Value]bool{}
	for todo := []*ir.Value{x}; len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, u := range p.Of(v).Users {
			switch {
			case behind(u):
				return false
			case seen[u], u.IsControl(), u.Op == op.Load && !u.Type.IsTile():
			default:
				seen[u] = true
				todo = append(todo, u)
			}
		}
	}
	return true
}

// around is the block that another's control flow stands in.
func (p *Schedule) around(b *ir.Block) *ir.Block {
	if v := p.Parent[b]; v != nil {
		return p.Of(v).Block
	}
	return nil
}

// mostChosen is how many integers a branch computes at most that is no branch.
const mostChosen = 2

// Chosen reports whether both sides of an If are computed, and its results chosen: they are integers that cost little,
// so that a branch that goes one way as often as the other would cost more.
func Chosen(v *ir.Value) bool {
	for _, t := range v.Results {
		if t.IsTile() || !t.D.IsInt() {
			return false
		}
	}
	for _, b := range v.Blocks {
		if len(b.Values) > mostChosen+1 || b.Values[len(b.Values)-1].Op != ir.Yield {
			return false
		}
		for _, u := range b.Values[:len(b.Values)-1] {
			switch u.Op {
			case op.Const, op.Add, op.Sub, op.And, op.Or, op.Xor, op.Neg, op.Not, op.Maximum, op.Minimum:
			default:
				return false
			}
			if u.Type.IsTile() || !u.Type.D.IsInt() {
				return false
			}
		}
	}
	return len(v.Results) > 0
}

// Recurs reports whether what decides an If is loaded, in a later round, from an address that is made of what the If
// gives: a round's load would wait for the choice of the round before, where a processor guesses a branch, and goes on.
func Recurs(p *Schedule, v *ir.Value) bool {
	type place struct {
		v      *ir.Value
		loaded bool // by way of a load
	}
	seen := map[place]bool{}
	todo := []place{{v, false}}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at.loaded && at.v == v.Args[0] {
			return true
		}
		for _, u := range p.Of(at.v).Users {
			for _, to := range takers(p, u, at.v) {
				if next := (place{to, at.loaded || to.Op == op.Load}); !seen[next] {
					seen[next] = true
					todo = append(todo, next)
				}
			}
		}
	}
	return false
}

// takers is what a value is known as behind one of its users: this itself, or what a branch gives or goes round a loop.
func takers(p *Schedule, u, x *ir.Value) (to []*ir.Value) {
	b := p.Of(u).Block
	switch {
	case u.Op == ir.Continue:
		for n := u.Index; n >= 0; b = p.around(b) {
			if b == nil || p.Parent[b] == nil {
				return nil
			}
			if p.Parent[b].Op == ir.Loop {
				if n == 0 {
					break
				}
				n--
			}
		}
	case u.Op != ir.Yield:
		return []*ir.Value{u}
	}
	for i, a := range u.Args {
		if a != x {
			continue
		}
		switch owner := p.Parent[b]; owner.Op {
		case ir.Loop:
			to = append(to, b.Args[i])
		case ir.For:
			to = append(to, b.Args[1+i])
		default:
			for _, r := range p.Of(owner).Users {
				if r.Op == ir.Result && r.Index == i {
					to = append(to, r)
				}
			}
		}
	}
	return to
}
