package widen

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// varying finds what differs between the programs of one: what depends on their number along the axis.
type varying struct {
	axis, n int
	first   bool // programs are the first dimension of tiles, not the last
	values  map[*ir.Value]bool
	results map[*ir.Value][]bool // of control flow
	by      params               // that are divisors
	loops   []*ir.Value          // around, innermost last
	changed bool
}

func newVarying(f *ir.Func, axis, n int) *varying {
	a := &varying{axis: axis, n: n, values: map[*ir.Value]bool{}, results: map[*ir.Value][]bool{}, by: params{}}
	for a.changed = true; a.changed; {
		a.changed = false
		a.block(f.Body, nil)
	}
	return a
}

// of reports whether a value differs.
func (a *varying) of(v *ir.Value) bool { return a.values[v] }

// any reports whether one of them does.
func (a *varying) any(vs []*ir.Value) bool {
	for _, v := range vs {
		if a.values[v] {
			return true
		}
	}
	return false
}

func (a *varying) set(v *ir.Value) {
	if !a.values[v] {
		a.values[v], a.changed = true, true
	}
}

func (a *varying) block(b *ir.Block, owner *ir.Value) {
	for _, v := range b.Values {
		switch {
		case v.IsControl():
			a.control(v)
		case v.IsTerm():
			a.term(v, owner)
		case v.Op == op.ProgramID && v.Index == a.axis:
			a.set(v)
		case v.Op == ir.Result && v.Args[0].IsControl():
			if a.results[v.Args[0]][v.Index] {
				a.set(v)
			}
		case a.digit(v) && v.Op == op.FloorDiv:
		case a.any(v.Args):
			a.set(v)
		}
	}
}

func (a *varying) control(v *ir.Value) {
	if a.results[v] == nil {
		a.results[v] = make([]bool, len(v.Results))
	}
	switch v.Op {
	case ir.For:
		a.enter(v.Blocks[0].Args[1:], v.Args[2:])
	case ir.Loop:
		a.enter(v.Blocks[0].Args, v.Args)
		a.loops = append(a.loops, v)
		defer func() { a.loops = a.loops[:len(a.loops)-1] }()
	}
	for _, b := range v.Blocks {
		a.block(b, v)
	}
}

// enter makes carried values differ where what goes into them does.
func (a *varying) enter(carried, from []*ir.Value) {
	for i, v := range from {
		if a.values[v] {
			a.set(carried[i])
		}
	}
}

// leave makes results differ likewise.
func (a *varying) leave(v *ir.Value, from []*ir.Value) {
	for i, x := range from {
		if a.values[x] && !a.results[v][i] {
			a.results[v][i], a.changed = true, true
		}
	}
}

func (a *varying) term(v, owner *ir.Value) {
	switch v.Op {
	case ir.Yield:
		a.leave(owner, v.Args)
		if owner.Op == ir.For {
			a.enter(owner.Blocks[0].Args[1:], v.Args)
			a.carry(owner)
		}
	case ir.Break:
		a.leave(a.left(v), v.Args)
	case ir.Continue:
		a.enter(a.left(v).Blocks[0].Args, v.Args)
	}
}

// carry makes what a For yields differ where what it carries does: without a round the one is the other.
func (a *varying) carry(v *ir.Value) { a.leave(v, v.Blocks[0].Args[1:]) }

// left is the loop that a Break leaves, or a Continue goes on with.
func (a *varying) left(v *ir.Value) *ir.Value { return a.loops[len(a.loops)-1-v.Index] }

// digit reports whether v is a quotient or remainder of a program's number, by what n divides: programs of one have the
// same quotient, and remainders that follow each other.
func (a *varying) digit(v *ir.Value) bool {
	if v.Op != op.FloorDiv && v.Op != op.Mod {
		return false
	}
	if id := number(v.Args[0]); id.Op != op.ProgramID || id.Index != a.axis {
		return false
	}
	switch by := number(v.Args[1]); by.Op {
	case op.Const:
		n := dtype.ToInt(by.Type.D, by.Bits)
		return n > 0 && n%int64(a.n) == 0
	case ir.Param:
		if by.Type.D.IsInt() {
			a.by[by.Index] = true
			return true
		}
	}
	return false
}

// number is what v is, but for its type. The number of a program fits into 32 bits.
func number(v *ir.Value) *ir.Value {
	for (v.Op == op.Cast || v.Op == ir.Fits) && (v.Type.D == dtype.Int32 || v.Type.D == dtype.Int64) {
		v = v.Args[0]
	}
	return v
}
