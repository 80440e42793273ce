package pass

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// How long the first dimension is at least that transpose makes the inner one: a vector of float32s, or half of it
// where tiles are stored, too.
const (
	minColumns = 16
	minStored  = 8
)

// transpose exchanges the dimensions of tiles whose memory is contiguous along the first one, such as columns that are
// added up by tiles of columns by rows: what is loaded, computed lane by lane, carried by loops and reduced together
// changes as a whole. The order in which elements combine stays. What is stored may not meet itself, since the last of
// several lanes stays that store to one place.
func transpose(f *ir.Func) {
	t := &transposer{fn: f, parent: map[any]any{}, facts: map[any]*together{}}
	t.block(f.Body, nil)
	yes := false
	for _, n := range t.nodes {
		yes = yes || t.wanted(n)
	}
	if yes {
		t.rewrite()
	}
}

// A transposer finds which tiles of two dimensions change together. Its nodes are values, and slots of control flow;
// Broadcasts are none: each use has its own.
type transposer struct {
	fn     *ir.Func
	parent map[any]any // the forest of a union-find
	nodes  []any
	facts  map[any]*together // of roots
	uses   []use
}

// together is what is known of nodes that change together.
type together struct {
	fixed  bool // something keeps them as they are
	falls  bool // memory is contiguous along the first dimension
	stored bool

	columns int // how long the first dimension is of what is loaded and stored
}

// A use is an operand of what changes with a node.
type use struct {
	v    *ir.Value
	i    int
	node any
}

func twoDims(t ir.Type) bool { return t.Shape.N == 2 && t.Shape.D[0] > 1 && t.Shape.D[1] > 1 }

func (t *transposer) find(n any) any {
	p, ok := t.parent[n]
	switch {
	case !ok:
		t.parent[n], t.facts[n], t.nodes = n, &together{}, append(t.nodes, n)
		return n
	case p == n:
		return n
	}
	p = t.find(p)
	t.parent[n] = p
	return p
}

func (t *transposer) join(n, m any) {
	n, m = t.find(n), t.find(m)
	if n == m {
		return
	}
	x, y := t.facts[n], t.facts[m]
	t.parent[m] = n
	x.fixed, x.falls, x.stored = x.fixed || y.fixed, x.falls || y.falls, x.stored || y.stored
	x.columns = max(x.columns, y.columns)
}

// take joins operands of v with a node.
func (t *transposer) take(n any, v *ir.Value, first int, args ...*ir.Value) {
	for i, a := range args {
		switch {
		case !twoDims(a.Type):
		case a.Op == op.Broadcast:
			t.find(n)
			t.uses = append(t.uses, use{v, first + i, n})
		default:
			t.join(n, a)
		}
	}
}

// keep leaves values as they are.
func (t *transposer) keep(vs ...*ir.Value) {
	for _, v := range vs {
		if twoDims(v.Type) && v.Op != op.Broadcast {
			t.facts[t.find(v)].fixed = true
		}
	}
}

// block joins what changes together in a block, which is one of owner's.
func (t *transposer) block(b *ir.Block, owner *ir.Value) {
	for _, v := range b.Values {
		switch {
		case v.IsControl() || v.IsTerm() || v.Op == ir.Result:
			t.flow(v, owner)
		case v.Op == op.Load || v.Op == op.Store:
			t.access(v)
		case ir.Family(v.Op) == op.Reducing:
			if twoDims(v.Args[0].Type) {
				t.take(v, v, 0, v.Args...)
			} else {
				t.keep(v)
			}
		case affine.LaneByLane(v):
			if twoDims(v.Type) {
				t.take(v, v, 0, v.Args...)
			}
		case v.Op != op.Broadcast:
			t.keep(v)
			fallthrough
		default:
			t.keep(v.Args...)
		}
		for _, inner := range v.Blocks {
			t.block(inner, v)
		}
	}
}

// flow joins what a For or an If carries. What goes through a Loop stays as it is.
func (t *transposer) flow(v, owner *ir.Value) {
	switch {
	case v.Op == ir.For:
		for k, a := range v.Args[2:] {
			if twoDims(a.Type) {
				t.take(slot{v, k}, v, 2+k, a)
				t.join(slot{v, k}, v.Blocks[0].Args[1+k])
			}
		}
	case v.Op == ir.Yield && owner.IsControl():
		for k, a := range v.Args {
			if twoDims(a.Type) {
				t.take(slot{owner, k}, v, k, a)
			}
		}
	case v.Op == ir.Result && v.Args[0].IsControl() && v.Args[0].Op != ir.Loop:
		if twoDims(v.Type) {
			t.join(slot{v.Args[0], v.Index}, v)
		}
	default:
		t.keep(v)
		t.keep(v.Args...)
		for _, b := range v.Blocks {
			if v.Op == ir.Loop {
				t.keep(b.Args...)
			}
		}
	}
}

// access joins the operands of a load or store, whose memory says whether they should change.
func (t *transposer) access(v *ir.Value) {
	ptr := v.Args[0]
	if !twoDims(ptr.Type) {
		return
	}
	t.take(v, v, 0, v.Args...)
	facts := t.facts[t.find(v)]
	falls := affine.Step(ptr, 0, true) == 1 && affine.Step(ptr, 1, true) != 1
	facts.falls = facts.falls || falls
	facts.stored = facts.stored || v.Op == op.Store
	facts.fixed = facts.fixed || !falls || v.Op == op.Store && !apart(ptr)
	facts.columns = ptr.Type.Shape.D[0]
}

// apart reports whether no two elements of a tile of pointers, contiguous along the first dimension, are the same.
func apart(ptr *ir.Value) bool {
	const far = 1 << 30 // what lies closer is not the same by a wrap
	x, y := affine.Step(ptr, 0, false), affine.Step(ptr, 1, false)
	s := ptr.Type.Shape
	return x == 1 && y >= int64(s.D[0]) && y < far/int64(s.D[1])
}

func (t *transposer) wanted(n any) bool {
	facts, least := t.facts[t.find(n)], minColumns
	if facts.stored {
		least = minStored
	}
	return facts.falls && !facts.fixed && facts.columns >= least
}

// rewrite changes the tiles that should.
func (t *transposer) rewrite() {
	for _, n := range t.nodes {
		if !t.wanted(n) {
			continue
		}
		switch n := n.(type) {
		case slot:
			n.v.Results[n.k] = exchanged(n.v.Results[n.k])
		case *ir.Value:
			if ir.Family(n.Op) == op.Reducing {
				n.Axis = 1 - n.Axis
			} else {
				n.Type = exchanged(n.Type)
			}
		}
	}
	made := map[*ir.Value]*ir.Value{}
	behind := map[*ir.Value][]*ir.Value{}
	for _, u := range t.uses {
		if b := u.v.Args[u.i]; t.wanted(u.node) {
			if made[b] == nil {
				made[b] = t.repeated(b, behind)
			}
			u.v.Args[u.i] = made[b]
		}
	}
	t.fn.Walk(func(b *ir.Block) {
		var out []*ir.Value
		for _, v := range b.Values {
			out = append(append(out, v), behind[v]...)
		}
		b.Values = out
	})
}

func exchanged(t ir.Type) ir.Type {
	t.Shape.D[0], t.Shape.D[1] = t.Shape.D[1], t.Shape.D[0]
	return t
}

// repeated is a Broadcast with its dimensions exchanged, behind it.
func (t *transposer) repeated(b *ir.Value, behind map[*ir.Value][]*ir.Value) *ir.Value {
	x := b.Args[0]
	if x.Type.IsTile() {
		z := t.fn.NewValue(op.Reshape, x.Type, b.Pos, x)
		z.Type.Shape = ir.ShapeOf(x.Type.Shape.D[x.Type.Shape.N-1], 1)
		if x.Type.Shape.N == 2 {
			z.Type.Shape.D[1] = x.Type.Shape.D[0]
		}
		behind[b], x = append(behind[b], z), z
	}
	z := t.fn.NewValue(op.Broadcast, exchanged(b.Type), b.Pos, x)
	behind[b] = append(behind[b], z)
	return z
}
