package value

import (
	"go/token"
	"go/types"
	"slices"
	"sort"
)

// A Variable is one incarnation of a Go variable: inlining a function twice makes
// its variables twice.
type Variable struct {
	Name string
	Seq  int // variables are numbered as they come into being
	Val  Value
	At   token.Pos  // of the assignment that gave it val
	Type types.Type // of a result
}

// A write is an entry of the journal: what a variable held before it was assigned.
type write struct {
	v   *Variable
	old Value
	at  token.Pos
}

// Held is what a variable holds, and since where.
type Held struct {
	Val Value
	At  token.Pos
}

// State is what variables hold at some place, of those written since another.
type State map[*Variable]Held

// A Frame is the variables of a function being lowered.
type Frame struct {
	Vars    map[types.Object]*Variable
	Outer   *Frame // of a closure: the captured variables
	Results []*Variable
	Types   Types // of a generic function
	Caller  *Frame
	Reads   []Read // by the statement at hand, of what no call has taken yet
}

// A Read is of a variable, or of a part of it.
type Read struct {
	Ref
	at token.Pos
}

// Read remembers that a statement reads a variable. Inlined, it would be code at each place that reads.
//
//go:noinline
func (f *Frame) Read(r Ref, at token.Pos) {
	f.Reads = append(f.Reads, Read{r, at})
}

// ReadPart says that of the latest variable read since there were n only a part is.
func (f *Frame) ReadPart(n, i int) {
	if last := len(f.Reads) - 1; last >= n {
		r := &f.Reads[last]
		r.Path = append(slices.Clip(r.Path), i)
	}
}

// Unordered refuses an assignment in a call to what the statement with the call has read already: Go reads it before or
// after the call, as it likes.
func Unordered(l *Run, x *Variable, v Value, at token.Pos) {
	for fr := l.Frame.Caller; fr != nil; fr = fr.Caller {
		for _, r := range fr.Reads {
			if r.Var == x && !Same(x.Val.Part(r.Path), v.Part(r.Path)) {
				what := "%s is assigned by a call, in a statement that reads it, too: not possible in a compiled kernel"
				l.Error(at, what, x.Name).
					NoteAt(l.File.Position(r.at), "Go does not say whether it is read here before the call or after it").
					Fix("assign what is read, or the result of the call, to a variable in a statement of its own before")
				return
			}
		}
	}
}

// A Ref is what a pointer points to: a variable, or a part of it.
type Ref struct {
	Var  *Variable
	Path []int
}

func (r *Ref) same(o *Ref) bool {
	return r == o || r != nil && o != nil && r.Var == o.Var && slices.Equal(r.Path, o.Path)
}

// Newest is the number of the newest variable that a pointer or a function leads to.
func Newest(v Value) (seq int) {
	if v.Ref != nil {
		seq = v.Ref.Var.Seq
	}
	if v.Func != nil {
		for _, x := range v.Func.Vars {
			seq = max(seq, x.Seq)
		}
	}
	return seq
}

// Targets is variables and those that pointers in a value lead to.
func (v Value) Targets(vars []*Variable) []*Variable {
	if v.Ref != nil && !slices.Contains(vars, v.Ref.Var) {
		vars = v.Ref.Var.Val.Targets(append(vars, v.Ref.Var))
	}
	for _, x := range v.List {
		vars = x.Targets(vars)
	}
	return vars
}

// Part is the part of a value at a path, or what has no parts on the way there.
func (v Value) Part(path []int) Value {
	for _, i := range path {
		if i >= len(v.List) {
			break
		}
		v = v.List[i]
	}
	return v
}

// With is a value with another part at a path.
func (v Value) With(path []int, part Value) Value {
	switch {
	case len(path) == 0:
		return part
	case path[0] < len(v.List):
		v.List = slices.Clone(v.List)
		v.List[path[0]] = v.List[path[0]].With(path[1:], part)
	}
	return v
}

// Lookup is the variable of an object, nil if the frame has none.
func (fr *Frame) Lookup(o types.Object) *Variable {
	for ; fr != nil; fr = fr.Outer {
		if v := fr.Vars[o]; v != nil {
			return v
		}
	}
	return nil
}

// Declare makes a variable of the current function.
func (l *Emitter) Declare(o types.Object, name string, v Value, at token.Pos) *Variable {
	l.Seq++
	x := &Variable{Name: name, Seq: l.Seq, Val: v, At: at}
	if o != nil {
		l.Frame.Vars[o] = x
	}
	return x
}

// Set assigns a variable, and journals what it was.
func (r *record) Set(x *Variable, v Value, at token.Pos) {
	r.Journal = append(r.Journal, write{x, x.Val, x.At})
	x.Val, x.At = v, at
}

// Undo restores what variables held when the journal was mark long.
func (r *record) Undo(mark int) {
	for i := len(r.Journal) - 1; i >= mark; i-- {
		w := r.Journal[i]
		w.v.Val, w.v.At = w.old, w.at
	}
	r.Journal = r.Journal[:mark]
}

// Since is what variables that are older than seq hold now, of those written since
// the journal was mark long.
func (r *record) Since(mark, seq int) State {
	var s State
	for _, w := range r.Journal[mark:] {
		if w.v.Seq > seq {
			continue
		}
		if s == nil {
			s = State{}
		}
		s[w.v] = Held{w.v.Val, w.v.At}
	}
	return s
}

// Redo assigns what a state holds.
func (r *record) Redo(s State) {
	for _, x := range s.Variables() {
		r.Set(x, s[x].Val, s[x].At)
	}
}

// Variables is a state's variables in order.
func (s State) Variables() []*Variable {
	vs := make([]*Variable, 0, len(s))
	for x := range s {
		vs = append(vs, x)
	}
	sort.Slice(vs, func(i, k int) bool { return vs[i].Seq < vs[k].Seq })
	return vs
}

// At is where a variable was assigned.
func (s State) At(x *Variable, otherwise token.Pos) token.Pos {
	if h, ok := s[x]; ok {
		return h.At
	}
	return otherwise
}
