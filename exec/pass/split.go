package pass

import (
	"math/bits"
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// split takes pointers apart into tensor and offset where code cannot name the tensor:
// a pointer that passes through control flow becomes its offset, and, if it may come
// from several tensors, the number of its tensor; an access to one of several tensors
// becomes an access to each, under the mask of the lanes that are its own.
func split(f *ir.Func) {
	s := &splitter{appender: appender{fn: f}, roots: map[*ir.Value]uint64{}, slots: map[slot]uint64{}, off: map[*ir.Value]*ir.Value{}, sel: map[*ir.Value]*ir.Value{}, subst: map[*ir.Value]*ir.Value{}}
	for _, p := range f.Params {
		if p.Type.D.IsPointer() {
			if p.Index >= 64 {
				return
			}
			s.roots[p] = 1 << p.Index
		}
	}
	for s.changed = true; s.changed; {
		s.changed = false
		s.flow(f.Body, nil, nil)
	}
	s.unreached()
	if s.needed() {
		s.retype()
		f.Replace(s.subst)
		clear(s.subst)
		s.rewrite(f.Body, nil, nil)
		f.Replace(s.subst)
		dce(f) // the pointers that have been taken apart
	}
}

type splitter struct {
	appender
	roots   map[*ir.Value]uint64 // the parameters that a pointer may come from, as bits
	slots   map[slot]uint64      // the same of a control value's results
	changed bool
	off     map[*ir.Value]*ir.Value // of pointers made of an offset
	sel     map[*ir.Value]*ir.Value
	subst   map[*ir.Value]*ir.Value
}

// An appender writes a block.
type appender struct {
	fn  *ir.Func
	out []*ir.Value
}

func (a *appender) append(o op.Op, t ir.Type, pos diag.Pos, args ...*ir.Value) *ir.Value {
	v := a.fn.NewValue(o, t, pos, args...)
	a.out = append(a.out, v)
	return v
}

// A slot is a result of a control value.
type slot struct {
	v *ir.Value
	k int
}

func several(set uint64) bool { return bits.OnesCount64(set) > 1 }

func (s *splitter) note(v *ir.Value, set uint64) {
	if v.Type.D.IsPointer() && s.roots[v]|set != s.roots[v] {
		s.roots[v] |= set
		s.changed = true
	}
}

func (s *splitter) noteSlot(v *ir.Value, k int, set uint64) {
	at := slot{v, k}
	if s.slots[at]|set != s.slots[at] {
		s.slots[at] |= set
		s.changed = true
	}
}

// flow carries roots from operands to results, once through the Func.
func (s *splitter) flow(b *ir.Block, owner *ir.Value, loops []*ir.Value) {
	for _, v := range b.Values {
		switch {
		case v.Op == ir.Result:
			s.note(v, s.slots[slot{v.Args[0], v.Index}])
		case v.IsTerm():
			s.leave(v, owner, loops)
		case v.IsControl():
			s.enter(v, loops)
		case v.Type.D.IsPointer():
			for _, a := range v.Args {
				s.note(v, s.roots[a])
			}
		}
	}
}

// unreached gives what no pointer comes to, such as the results of a Loop that is never
// left, some tensor.
func (s *splitter) unreached() {
	first := map[dtype.DType]uint64{}
	for _, p := range slices.Backward(s.fn.Params) {
		first[p.Type.D] = s.roots[p]
	}
	s.fn.Values(func(v *ir.Value) {
		if v.Type.D.IsPointer() && s.roots[v] == 0 {
			s.roots[v] = first[v.Type.D]
		}
	})
}

func (s *splitter) enter(v *ir.Value, loops []*ir.Value) {
	switch v.Op {
	case ir.For:
		for k, a := range v.Args[2:] {
			s.noteSlot(v, k, s.roots[a])
			s.note(v.Blocks[0].Args[1+k], s.slots[slot{v, k}])
		}
	case ir.Loop:
		for k, a := range v.Args {
			s.note(v.Blocks[0].Args[k], s.roots[a])
		}
		loops = append(slices.Clone(loops), v)
	}
	for _, b := range v.Blocks {
		s.flow(b, v, loops)
	}
}

func (s *splitter) leave(v, owner *ir.Value, loops []*ir.Value) {
	for k, a := range v.Args {
		switch v.Op {
		case ir.Yield:
			s.noteSlot(owner, k, s.roots[a])
		case ir.Break:
			s.noteSlot(left(v, loops), k, s.roots[a])
		case ir.Continue:
			s.note(left(v, loops).Blocks[0].Args[k], s.roots[a])
		}
	}
}

// left is the Loop that a Break or Continue is about.
func left(v *ir.Value, loops []*ir.Value) *ir.Value { return loops[len(loops)-1-v.Index] }

// needed reports whether there is anything to take apart.
func (s *splitter) needed() (yes bool) {
	s.fn.Values(func(v *ir.Value) {
		yes = yes || v.Op == op.None && v.Type.D.IsPointer() || v.IsMemory() && several(s.roots[v.Args[0]])
		for _, t := range v.Results {
			yes = yes || t.D.IsPointer()
		}
	})
	return yes
}

func offsets(t ir.Type) ir.Type { return t.As(dtype.Int64) }

// retype makes carried pointers offsets, with the number of the tensor behind the
// other values where there are several, and makes pointers of these for the users.
func (s *splitter) retype() {
	s.fn.Walk(func(b *ir.Block) {
		var out []*ir.Value
		for _, v := range b.Values {
			if v.Op == ir.Result && v.Type.D.IsPointer() && v.Args[0].IsControl() {
				out = append(out, s.resultOf(v)...)
				continue
			}
			if v.Op == ir.For || v.Op == ir.Loop {
				s.retypeArgs(v.Blocks[0])
			}
			out = append(out, v)
		}
		b.Values = out
	})
	s.fn.Values(func(v *ir.Value) {
		if !v.IsControl() {
			return
		}
		for k, t := range v.Results {
			if t.D.IsPointer() {
				v.Results[k] = offsets(t)
				if several(s.slots[slot{v, k}]) {
					v.Results = append(v.Results, offsets(t))
				}
			}
		}
	})
}

// retypeArgs does so with a loop's block.
func (s *splitter) retypeArgs(b *ir.Block) {
	var made []*ir.Value
	for i, a := range b.Args {
		if !a.Type.D.IsPointer() {
			continue
		}
		off := s.fn.NewValue(op.None, offsets(a.Type), a.Pos)
		b.Args[i] = off
		var sel *ir.Value
		if several(s.roots[a]) {
			sel = s.fn.NewValue(op.None, offsets(a.Type), a.Pos)
			b.Args = append(b.Args, sel)
		}
		made = append(made, s.join(a, off, sel)...)
	}
	b.Values = append(made, b.Values...)
}

// resultOf is values in the place of a Result of control flow.
func (s *splitter) resultOf(r *ir.Value) (out []*ir.Value) {
	v, k := r.Args[0], r.Index
	result := func(i int) *ir.Value {
		z := s.fn.NewValue(ir.Result, offsets(r.Type), r.Pos, v)
		z.Index = i
		out = append(out, z)
		return z
	}
	off := result(k)
	var sel *ir.Value
	if several(s.roots[r]) {
		sel = result(s.selIndex(v, k))
	}
	return append(out, s.join(r, off, sel)...)
}

// selIndex is the result that holds the tensors of result k.
func (s *splitter) selIndex(v *ir.Value, k int) int {
	n := len(v.Results)
	for i, t := range v.Results[:k] {
		if t.D.IsPointer() && several(s.slots[slot{v, i}]) {
			n++
		}
	}
	return n
}

// join is the values that make a pointer again of an offset and a tensor's number;
// the last of them takes the place of old.
func (s *splitter) join(old, off, sel *ir.Value) (made []*ir.Value) {
	set := s.roots[old]
	outer := s.out
	s.out = nil
	var ptr *ir.Value
	for rest := set; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		p := s.at(old.Pos, i, off)
		if ptr != nil {
			p = s.append(op.Where, old.Type, old.Pos, s.is(sel, i, old.Pos), p, ptr)
		}
		ptr = p
	}
	made, s.out = s.out, outer
	s.roots[ptr], s.off[ptr], s.sel[ptr] = set, off, sel
	s.subst[old] = ptr
	return made
}

// at is pointers into tensor i.
func (s *splitter) at(pos diag.Pos, i int, off *ir.Value) *ir.Value {
	p := s.fn.Params[i]
	base := p
	if t := p.Type; off.Type.IsTile() {
		t.Shape = off.Type.Shape
		base = s.append(op.Broadcast, t, pos, p)
	}
	ptr := s.append(ir.PtrAdd, base.Type, pos, base, off)
	s.roots[ptr] = 1 << i
	return ptr
}

// is is where sel is i.
func (s *splitter) is(sel *ir.Value, i int, pos diag.Pos) *ir.Value {
	return s.append(op.Eq, sel.Type.As(dtype.Bool), pos, sel, s.constant(sel.Type, i, pos))
}

func (s *splitter) constant(t ir.Type, i int, pos diag.Pos) *ir.Value {
	c := s.append(op.Const, t.Elem(), pos)
	c.Bits = uint64(i)
	if !t.IsTile() {
		return c
	}
	return s.append(op.Broadcast, t, pos, c)
}

// rewrite gives control flow offsets for the pointers that it carried, and takes
// accesses apart.
func (s *splitter) rewrite(b *ir.Block, owner *ir.Value, loops []*ir.Value) {
	outer := s.out
	s.out = nil
	for _, v := range b.Values {
		switch {
		case v.Op == ir.For:
			v.Args = append(v.Args[:2:2], s.apart(v.Args[2:], func(k int) uint64 { return s.slots[slot{v, k}] })...)
		case v.Op == ir.Loop:
			v.Args = s.apart(v.Args, s.argRoots(v))
		case v.Op == ir.Yield:
			v.Args = s.apart(v.Args, func(k int) uint64 { return s.slots[slot{owner, k}] })
		case v.Op == ir.Break:
			v.Args = s.apart(v.Args, func(k int) uint64 { return s.slots[slot{left(v, loops), k}] })
		case v.Op == ir.Continue:
			v.Args = s.apart(v.Args, s.argRoots(left(v, loops)))
		case v.IsMemory() && several(s.roots[v.Args[0]]):
			s.accessEach(v)
			continue
		}
		if v.IsControl() {
			inner := loops
			if v.Op == ir.Loop {
				inner = append(slices.Clone(loops), v)
			}
			for _, block := range v.Blocks {
				s.rewrite(block, v, inner)
			}
		}
		s.out = append(s.out, v)
	}
	b.Values, s.out = s.out, outer
}

// argRoots is the roots of what a Loop's block takes: those of the pointers that were
// made of its arguments.
func (s *splitter) argRoots(v *ir.Value) func(k int) uint64 {
	made := map[*ir.Value]uint64{}
	for ptr, off := range s.off {
		made[off] = s.roots[ptr]
	}
	return func(k int) uint64 { return made[v.Blocks[0].Args[k]] }
}

// apart is operands with offsets for pointers, and behind them the tensors' numbers
// for those slots that may hold several.
func (s *splitter) apart(args []*ir.Value, roots func(k int) uint64) []*ir.Value {
	out := slices.Clone(args)
	for k, a := range args {
		if !a.Type.D.IsPointer() {
			continue
		}
		out[k] = s.offsetOf(a)
		if several(roots(k)) {
			out = append(out, s.tensorOf(a))
		}
	}
	return out
}

// offsetOf is a pointer's offset from its tensor.
func (s *splitter) offsetOf(v *ir.Value) *ir.Value {
	if off := s.off[v]; off != nil {
		return off
	}
	switch v.Op {
	case ir.Param:
		return s.constant(offsets(v.Type), 0, v.Pos)
	case ir.PtrAdd:
		return s.append(op.Add, offsets(v.Type), v.Pos, s.offsetOf(v.Args[0]), v.Args[1])
	}
	return s.like(v, s.offsetOf)
}

// tensorOf is the number of a pointer's tensor.
func (s *splitter) tensorOf(v *ir.Value) *ir.Value {
	if sel := s.sel[v]; sel != nil {
		return sel
	}
	if set := s.roots[v]; !several(set) {
		return s.constant(offsets(v.Type), bits.TrailingZeros64(set), v.Pos)
	}
	if v.Op == ir.PtrAdd {
		return s.tensorOf(v.Args[0])
	}
	return s.like(v, s.tensorOf)
}

// like is v, which moves or chooses pointers, of what part says of its operands.
func (s *splitter) like(v *ir.Value, part func(*ir.Value) *ir.Value) *ir.Value {
	args := slices.Clone(v.Args)
	for i, a := range args {
		if a.Type.D.IsPointer() {
			args[i] = part(a)
		}
	}
	z := s.append(v.Op, offsets(v.Type), v.Pos, args...)
	z.Attr = v.Attr
	return z
}

// accessEach makes of an access one for each tensor.
func (s *splitter) accessEach(v *ir.Value) {
	mem := v.Memory()
	off, sel := s.offsetOf(mem.Ptr), s.tensorOf(mem.Ptr)
	var result *ir.Value
	for rest := s.roots[mem.Ptr]; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		own := s.is(sel, i, v.Pos)
		mask := own
		if mem.Mask != nil {
			mask = s.append(op.And, own.Type, v.Pos, mem.Mask, own)
		}
		args := []*ir.Value{s.at(v.Pos, i, off)}
		for _, a := range []*ir.Value{mem.Cmp, mem.Val, mask, mem.Other} {
			if a != nil {
				args = append(args, a)
			}
		}
		z := s.append(v.Op, v.Type, v.Pos, args...)
		z.Attr = v.Attr
		z.Flags |= ir.Masked
		if result != nil && v.Type.D.Valid() {
			z = s.append(op.Where, v.Type, v.Pos, own, z, result)
		}
		result = z
	}
	if v.Type.D.Valid() {
		s.subst[v] = result
	}
}
