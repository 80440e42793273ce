package frontend

import (
	"go/token"
	"go/types"
	"sort"
)

// A variable is one incarnation of a Go variable: inlining a function twice makes
// its variables twice.
type variable struct {
	name string
	seq  int // variables are numbered as they come into being
	val  value
	at   token.Pos  // of the assignment that gave it val
	typ  types.Type // of a result
}

// A write is an entry of the journal: what a variable held before it was assigned.
type write struct {
	v   *variable
	old value
	at  token.Pos
}

// held is what a variable holds, and since where.
type held struct {
	val value
	at  token.Pos
}

// state is what variables hold at some place, of those written since another.
type state map[*variable]held

// A frame is the variables of a function being lowered.
type frame struct {
	vars    map[types.Object]*variable
	outer   *frame // of a closure: the captured variables
	results []*variable
}

func (fr *frame) lookup(o types.Object) *variable {
	for ; fr != nil; fr = fr.outer {
		if v := fr.vars[o]; v != nil {
			return v
		}
	}
	return nil
}

// declare makes a variable of the current function.
func (l *emitter) declare(o types.Object, name string, v value, at token.Pos) *variable {
	l.seq++
	x := &variable{name: name, seq: l.seq, val: v, at: at}
	if o != nil {
		l.frame.vars[o] = x
	}
	return x
}

// set assigns a variable, and journals what it was.
func (r *record) set(x *variable, v value, at token.Pos) {
	r.journal = append(r.journal, write{x, x.val, x.at})
	x.val, x.at = v, at
}

// undo restores what variables held when the journal was mark long.
func (r *record) undo(mark int) {
	for i := len(r.journal) - 1; i >= mark; i-- {
		w := r.journal[i]
		w.v.val, w.v.at = w.old, w.at
	}
	r.journal = r.journal[:mark]
}

// since is what variables that are older than seq hold now, of those written since
// the journal was mark long.
func (r *record) since(mark, seq int) state {
	var s state
	for _, w := range r.journal[mark:] {
		if w.v.seq > seq {
			continue
		}
		if s == nil {
			s = state{}
		}
		s[w.v] = held{w.v.val, w.v.at}
	}
	return s
}

// redo assigns what a state holds.
func (r *record) redo(s state) {
	for _, x := range s.variables() {
		r.set(x, s[x].val, s[x].at)
	}
}

// variables is a state's variables in order.
func (s state) variables() []*variable {
	vs := make([]*variable, 0, len(s))
	for x := range s {
		vs = append(vs, x)
	}
	sort.Slice(vs, func(i, k int) bool { return vs[i].seq < vs[k].seq })
	return vs
}
