package eager

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/ir"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Statement is a statement of the source that an instance has carried out.
type Statement struct {
	Pos  diag.Pos
	Vars []Var // that it gave values to
}

// A Var is a variable and what it holds: a tl.Tile, or what was known before the kernel ran.
type Var struct {
	Name  string
	Value any
}

// notes are a Func's, by where they stand.
type notes struct {
	behind map[*ir.Value][]*ir.Note
	first  map[*ir.Block][]*ir.Note // at the beginning of a block
}

func notesOf(f *ir.Func) notes {
	z := notes{map[*ir.Value][]*ir.Note{}, map[*ir.Block][]*ir.Note{}}
	for i := range f.Notes {
		if n := &f.Notes[i]; n.After != nil {
			z.behind[n.After] = append(z.behind[n.After], n)
		} else {
			z.first[n.Block] = append(z.first[n.Block], n)
		}
	}
	return z
}

// watchers are who wants to know what instances do, by the instance.
type watchers struct {
	count atomic.Int32
	by    sync.Map // *tl.Program: func(Statement)
}

// Watch has the next run of p tell of each statement. What tell panics with ends the instance.
func (f *Func) Watch(p *tl.Program, tell func(Statement)) {
	f.watchers.by.Store(p, tell)
	f.watchers.count.Add(1)
}

// take is who watches p, nil if nobody does.
func (w *watchers) take(p *tl.Program) func(Statement) {
	if w.count.Load() == 0 {
		return nil
	}
	tell, ok := w.by.LoadAndDelete(p)
	if !ok {
		return nil
	}
	w.count.Add(-1)
	return tell.(func(Statement))
}

// told tells of the statements that notes are about.
func (r *run) told(notes []*ir.Note) {
	for _, n := range notes {
		s := Statement{Pos: n.Pos}
		for _, v := range n.Vars {
			z := Var{v.Name, v.Const}
			if v.Value != nil {
				x := r.env[v.Value.ID]
				if reflect.ValueOf(x).IsZero() {
					continue // of a block that this one is not in
				}
				z.Value = x
			}
			s.Vars = append(s.Vars, z)
		}
		r.tell(s)
	}
}
