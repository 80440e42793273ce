// Package blocks observes a launch, and keeps where one of its programs reads and writes.
package blocks

import (
	"context"
	"fmt"
	"slices"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// What is kept has limits: lanes of the program's accesses, and programs whose stores are
// outlined.
const (
	mostLanes    = 1 << 18
	mostOutlines = 256
)

// Of is a picture of the blocks that a program of a launch reads and writes: the first, if none
// is named. The launch runs on copies of its tensors, as far as it is needed. If it fails at
// that program, there is a picture all the same, with the error.
func Of(ctx context.Context, k *exec.Kernel, program []int, grid exec.Space, args []any, o show.Options) (picture.Picture, error) {
	args = copies(args)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r := &recorder{stop: stop, args: args, launch: show.Launch{Kernel: k.Name(), Program: slices.Clone(program)}}
	err := k.Observe(ctx, r, grid, args...)
	if r.drawn && !r.failed {
		err = nil // what becomes of other programs is not asked
	}
	switch {
	case r.outOfGrid():
		return picture.Picture{}, fmt.Errorf("there is no program %s in a grid of %s", show.Dims(r.launch.Program), show.Dims(r.launch.Grid))
	case len(r.launch.Visits) == 0 && err != nil:
		return picture.Picture{}, err
	}
	return show.Blocks(&r.launch, o), err
}

// copies is arguments with copies of their tensors.
func copies(args []any) []any {
	out := slices.Clone(args)
	var list []*tensor.Tensor
	var at []int
	for i, a := range args {
		if x, ok := a.(*tensor.Tensor); ok && x != nil {
			list, at = append(list, x), append(at, i)
		}
	}
	for i, x := range tensor.Copies(list...) {
		out[at[i]] = x
	}
	return out
}

// A recorder observes a launch.
type recorder struct {
	stop   func()
	args   []any
	launch show.Launch
	params []string
	now    []int // the program that runs
	where  func() diag.Pos
	ours   bool // it is the one to draw
	drawn  bool // that one has ended
	failed bool // in an error
	ran    int
	lanes  int
	times  map[site]int
}

// A site is a load, store or atomic of the kernel.
type site struct {
	line int
	kind tl.AccessKind
	name string
}

// Start implements exec.Observer.
func (r *recorder) Start(params []string, grid []int) {
	r.params, r.launch.Grid = params, grid
	for len(r.launch.Program) < len(grid) {
		r.launch.Program = append(r.launch.Program, 0)
	}
	for len(r.launch.Program) > len(grid) && r.launch.Program[len(r.launch.Program)-1] == 0 {
		r.launch.Program = r.launch.Program[:len(r.launch.Program)-1]
	}
	if r.outOfGrid() {
		r.stop()
	}
}

// outOfGrid reports whether there is no such program.
func (r *recorder) outOfGrid() bool {
	if len(r.launch.Program) > len(r.launch.Grid) {
		return r.launch.Grid != nil
	}
	for i, n := range r.launch.Program {
		if i < len(r.launch.Grid) && (n < 0 || n >= r.launch.Grid[i]) {
			return true
		}
	}
	return false
}

// Begin implements exec.Observer.
func (r *recorder) Begin(id []int, where func() diag.Pos) {
	r.now, r.where, r.ours = slices.Clone(id), where, slices.Equal(id, r.launch.Program)
	if r.ours {
		r.times = map[site]int{}
	}
}

// End implements exec.Observer.
func (r *recorder) End(err *exec.Error) {
	r.ran++
	if r.ours {
		r.drawn, r.failed = true, err != nil
	}
	if r.drawn && r.ran >= mostOutlines {
		r.stop()
	}
}

// Access implements tl.Observer.
func (r *recorder) Access(a *tl.Access) {
	if !r.ours {
		if a.Kind != tl.Loads && r.ran < mostOutlines {
			r.launch.Others = append(r.launch.Others, show.Stored{Tensor: r.tensor(a), Offsets: ends(a)})
		}
		return
	}
	line := a.Pos.Line
	if p := r.where(); p.IsValid() {
		line = p.Line
	}
	s := site{line, a.Kind, a.Base.Name}
	nth := r.times[s]
	r.times[s]++
	if r.lanes += len(a.Offsets); r.lanes > mostLanes {
		r.launch.LeftOut++
		return
	}
	v := show.Visit{Name: a.Base.Name, Tensor: r.tensor(a), Order: slices.Index(r.params, a.Base.Name), Op: a.Op, Line: line, Nth: nth,
		Shape: slices.Clone(a.Shape), Offsets: slices.Clone(a.Offsets), Verb: verbs[a.Kind]}
	if a.Active != nil {
		v.Active = slices.Clone(a.Active)
	}
	r.launch.Visits = append(r.launch.Visits, v)
}

var verbs = map[tl.AccessKind]string{tl.Loads: "reads", tl.Stores: "writes", tl.Updates: "updates"}

// tensor is the argument that an access is to.
func (r *recorder) tensor(a *tl.Access) *tensor.Tensor {
	if i := slices.Index(r.params, a.Base.Name); i >= 0 && i < len(r.args) {
		if x, ok := r.args[i].(*tensor.Tensor); ok {
			return x
		}
	}
	return a.Base.Tensor
}

// ends is the first and the last active lane of a store.
func ends(a *tl.Access) (list []int64) {
	for i, off := range a.Offsets {
		if a.Active == nil || a.Active[i] != 0 {
			if list = append(list, off); len(list) > 2 {
				list = append(list[:1], off)
			}
		}
	}
	return list
}

// Decide implements tl.Observer.
func (r *recorder) Decide(string, diag.Pos, tl.Mark, []*tl.Origin, tl.Sources) {}

// Notice implements tl.Observer.
func (r *recorder) Notice(tl.Notice) {}
