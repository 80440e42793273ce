package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// facts are what is known of values before any of them has a place. Slices go by
// value ID.
type facts struct {
	users [][]*ir.Value // values that have it as an operand
	index []bool        // it has the form of an index, at least at times
	splat []bool        // it is copies of one register
	base  []int         // of a pointer: the parameter it points into; or one of:
}

const (
	anyBase  = -1 // nothing is known yet
	someBase = -2 // it depends
)

// analyse finds the facts. What a loop carries depends on itself, so they are found
// by assuming the best and taking back what does not hold, until all does.
func analyse(f *ir.Func) *facts {
	n := f.NumIDs()
	a := &facts{users: make([][]*ir.Value, n), index: make([]bool, n), splat: make([]bool, n), base: make([]int, n)}
	m := &merging{facts: a, from: make([][]*ir.Value, n), results: make([][]*ir.Value, n)}
	f.Values(func(v *ir.Value) {
		a.index[v.ID], a.splat[v.ID], a.base[v.ID] = indexable(v.Type.D), true, anyBase
		for _, x := range v.Args {
			a.users[x.ID] = append(a.users[x.ID], v)
		}
	})
	for _, p := range f.Params {
		a.base[p.ID] = p.Index
	}
	m.block(f.Body, nil)
	for m.changed = true; m.changed; {
		m.changed = false
		f.Walk(func(b *ir.Block) {
			for _, v := range b.Args {
				m.update(v, m.splat(v), m.index(v), m.base(v))
			}
			for _, v := range b.Values {
				m.update(v, m.splat(v), m.index(v), m.base(v))
			}
		})
	}
	return a
}

// merging is the search for facts.
type merging struct {
	*facts
	from    [][]*ir.Value // of a block's argument: what it can be
	results [][]*ir.Value // of a value with results: what they can be, the first of each, then the second ...
	loops   []*ir.Value
	changed bool
}

// block collects what merges in b, which v holds.
func (m *merging) block(b *ir.Block, v *ir.Value) {
	for _, u := range b.Values {
		switch u.Op {
		case ir.If, ir.For, ir.Loop:
			m.control(u)
		case ir.Yield:
			if v != nil && v.IsControl() {
				m.results[v.ID] = append(m.results[v.ID], u.Args...)
				if v.Op == ir.For {
					m.carry(v.Blocks[0].Args[1:], u.Args)
				}
			}
		case ir.Break:
			loop := m.loops[len(m.loops)-1-u.Index]
			m.results[loop.ID] = append(m.results[loop.ID], u.Args...)
		case ir.Continue:
			m.carry(m.loops[len(m.loops)-1-u.Index].Blocks[0].Args, u.Args)
		}
	}
}

func (m *merging) control(v *ir.Value) {
	switch v.Op {
	case ir.For:
		m.results[v.ID] = append(m.results[v.ID], v.Args[2:]...)
		m.carry(v.Blocks[0].Args[1:], v.Args[2:])
	case ir.Loop:
		m.carry(v.Blocks[0].Args, v.Args)
		m.loops = append(m.loops, v)
		defer func() { m.loops = m.loops[:len(m.loops)-1] }()
	}
	for _, b := range v.Blocks {
		m.block(b, v)
	}
}

func (m *merging) carry(args, values []*ir.Value) {
	for i, a := range args {
		m.from[a.ID] = append(m.from[a.ID], values[i])
	}
}

// merged is what v can be, if it is an argument of a block or a result of control
// flow.
func (m *merging) merged(v *ir.Value) (vs []*ir.Value, ok bool) {
	switch {
	case v.Op == op.None:
		return m.from[v.ID], true
	case v.Op == ir.Result && v.Args[0].IsControl():
		of := v.Args[0]
		for i := v.Index; i < len(m.results[of.ID]); i += len(of.Results) {
			vs = append(vs, m.results[of.ID][i])
		}
		return vs, true
	}
	return nil, false
}

func (m *merging) update(v *ir.Value, splat, index bool, base int) {
	if m.facts.splat[v.ID] != splat || m.facts.index[v.ID] != index || m.facts.base[v.ID] != base {
		m.facts.splat[v.ID], m.facts.index[v.ID], m.facts.base[v.ID] = splat, index, base
		m.changed = true
	}
}

// splat reports whether v is a scalar, or copies of one: also what is computed from
// such. A tile that a loop carries has elements.
func (m *merging) splat(v *ir.Value) bool {
	switch {
	case !v.Type.IsTile():
		return true
	case v.Op == op.Broadcast || v.Op == op.Reshape || v.Op == op.Permute || isElementwise(v.Op):
		for _, x := range v.Args {
			if !m.facts.splat[x.ID] {
				return false
			}
		}
		return len(v.Args) > 0
	}
	return false
}

// isElementwise reports whether o computes each lane by itself.
func isElementwise(o op.Op) bool {
	switch ir.Family(o) {
	case op.Elementwise, op.Change, op.Primitive:
		return true
	}
	return o == ir.PtrAdd
}

// index reports whether v is an index, given that operands are or are not.
func (m *merging) index(v *ir.Value) bool {
	if !m.facts.index[v.ID] || !v.Type.IsTile() {
		return m.facts.index[v.ID]
	}
	if vs, ok := m.merged(v); ok {
		for _, x := range vs {
			if !m.facts.index[x.ID] {
				return false
			}
		}
		return len(vs) > 0
	}
	switch v.Op {
	case op.Arange:
		return true
	case op.Broadcast, op.Permute:
		return m.facts.index[v.Args[0].ID]
	case op.Reshape:
		_, same := sameAxes(v.Args[0].Type.Shape, v.Type.Shape)
		return m.facts.index[v.Args[0].ID] && (same || m.facts.splat[v.Args[0].ID])
	case op.Add, op.Sub, ir.PtrAdd:
		return m.facts.index[v.Args[0].ID] && m.facts.index[v.Args[1].ID]
	case op.Mul:
		x, y := v.Args[0].ID, v.Args[1].ID
		return m.facts.index[x] && m.facts.index[y] && (m.facts.splat[x] || m.facts.splat[y])
	case op.Cast:
		from := v.Args[0].Type.D
		return (from == dtype.Int32 || from == dtype.Int64) && m.facts.index[v.Args[0].ID]
	}
	return false
}

// base is the parameter that the pointer v points into.
func (m *merging) base(v *ir.Value) int {
	if !v.Type.D.IsPointer() || v.Op == ir.Param {
		return m.facts.base[v.ID]
	}
	vs, ok := m.merged(v)
	if !ok {
		vs = v.Args
	}
	base := anyBase
	for _, x := range vs {
		switch b := m.facts.base[x.ID]; {
		case !x.Type.D.IsPointer() || b == anyBase:
		case base == anyBase:
			base = b
		case base != b:
			base = someBase
		}
	}
	return base
}
