package promote

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Flow is what a function does with its tensors.
type Flow struct {
	Stored  []bool // by parameter: what stores and atomics may write to
	loaded  []bool // what loads and atomics may read
	Atomics bool   // instances see each other
	// FloatAtomics are atomics on floats: what they leave depends on the order of instances.
	FloatAtomics bool
}

// FlowOf follows pointers from the parameters to where they are stored through.
func FlowOf(f *ir.Func) (w Flow) {
	w.Stored, w.loaded = make([]bool, len(f.Params)), make([]bool, len(f.Params))
	from := origins{}
	f.Values(func(v *ir.Value) { from.join(v) })
	written, read := map[*ir.Value]bool{}, map[*ir.Value]bool{}
	f.Values(func(v *ir.Value) {
		if !v.IsMemory() {
			return
		}
		root := from.find(v.Args[0])
		written[root] = written[root] || v.Writes()
		read[root] = read[root] || v.Op != op.Store
		if ir.Family(v.Op) == op.Atomic {
			w.Atomics = true
			w.FloatAtomics = w.FloatAtomics || v.Args[0].Type.D.Elem().IsFloat()
		}
	})
	for i, p := range f.Params {
		w.Stored[i] = p.Type.D.IsPointer() && written[from.find(p)]
		w.loaded[i] = p.Type.D.IsPointer() && read[from.find(p)]
	}
	return w
}

// reaches reports whether the kernel may write to memory of argument i, as far as it may read that.
func (w *Flow) reaches(args []any, i int) bool {
	x := args[i].(*tensor.Tensor)
	for j, a := range args {
		if y, ok := a.(*tensor.Tensor); ok && w.Stored[j] && (i == j || w.reads(x, i).Overlaps(y)) {
			return true
		}
	}
	return false
}

// Meet reports whether an access to one of two tensors may see what a store to the other leaves. Stores are to a view's
// elements; loads may read what lies between these, too.
func (w *Flow) Meet(args []any, i, j int) bool {
	x, y := args[i].(*tensor.Tensor), args[j].(*tensor.Tensor)
	return w.Stored[i] && x.Overlaps(w.reads(y, j)) || w.Stored[j] && w.reads(x, i).Overlaps(y)
}

// reads is the elements of an argument that is not loaded from, and else all that loads may read.
func (w *Flow) reads(x *tensor.Tensor, i int) *tensor.Tensor {
	if !w.loaded[i] || !x.HasGaps() {
		return x
	}
	return x.AsStrided([]int{x.Span()}, []int{1}, 0)
}

// Mixed are the arguments that are written, and read or of common memory with another.
func (w *Flow) Mixed(args []any) (list []int) {
	for i, a := range args {
		if _, ok := a.(*tensor.Tensor); !ok || !w.Stored[i] {
			continue
		}
		shared := w.loaded[i]
		for j, b := range args {
			_, ok := b.(*tensor.Tensor)
			shared = shared || ok && i != j && w.Meet(args, i, j)
		}
		if shared {
			list = append(list, i)
		}
	}
	return list
}

// Rerun reports whether a launch that has ended somewhere can be done again: nothing that it reads can have been
// written.
func (w *Flow) Rerun(args []any) bool { return !w.Atomics && len(w.Mixed(args)) == 0 }

// Define marks what a compiled launch stores to as written.
func (w *Flow) Define(args []any) {
	for i, a := range args {
		if x, ok := a.(*tensor.Tensor); ok && w.Stored[i] {
			x.MarkDefined()
		}
	}
}

// origins are sets of pointers that may be derived from the same tensors. All
// pointers that pass through one statement of control flow are taken to be such.
type origins map[*ir.Value]*ir.Value

func (o origins) find(v *ir.Value) *ir.Value {
	for o[v] != nil && o[v] != v {
		v = o[v]
	}
	return v
}

// join puts the pointers of a value and its operands into one set.
func (o origins) join(v *ir.Value) {
	pointers := o.among(nil, v)
	pointers = o.among(pointers, v.Args...)
	for _, b := range v.Blocks {
		pointers = o.leaving(pointers, b)
	}
	for _, p := range pointers {
		o[o.find(p)] = o.find(pointers[0])
	}
}

// leaving adds the pointers that enter b, or leave it or a block within it: a Break
// may leave several.
func (o origins) leaving(to []*ir.Value, b *ir.Block) []*ir.Value {
	to = o.among(to, b.Args...)
	if t := b.Term(); t != nil {
		to = o.among(to, t.Args...)
	}
	for _, v := range b.Values {
		for _, inner := range v.Blocks {
			to = o.leaving(to, inner)
		}
	}
	return to
}

// among adds those of vs that are, or have among their results, pointers.
func (o origins) among(to []*ir.Value, vs ...*ir.Value) []*ir.Value {
	for _, v := range vs {
		pointer := v.Type.D.IsPointer()
		for _, t := range v.Results {
			pointer = pointer || t.D.IsPointer()
		}
		if pointer {
			to = append(to, v)
		}
	}
	return to
}
