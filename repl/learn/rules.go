package learn

import (
	"context"
	"fmt"
	"io"
	"reflect"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Kinds of findings that checks do not have.
const (
	TileSize  check.Kind = "tile-size"  // tiles that have nothing to do with the blocks of the puzzle
	ReadAgain check.Kind = "read-again" // loading what is to be loaded only once
)

// rules is what a puzzle asks beyond right results, of a launch that a report has no error for.
func rules(ctx context.Context, p *Puzzle, k *exec.Kernel, r *exec.Report, c Case) (fs []exec.Finding) {
	if r.Failed() {
		return nil
	}
	args := c.Values()
	fs = append(fs, idlePrograms(r)...)
	fs = append(fs, compiledIn(p, k, args)...)
	fs = append(fs, tileSize(ctx, p, k, c)...)
	return append(fs, readAgain(p, r, args)...)
}

// idlePrograms is the programs that leave their work to others.
func idlePrograms(r *exec.Report) (fs []exec.Finding) {
	for _, f := range r.Of(check.DeadLanes) {
		if f.Pos.Line == 0 { // not an iteration of a loop
			f.Severity, f.Fixes = check.Error, []string{"divide the work among all programs of the grid"}
			fs = append(fs, f)
		}
	}
	return fs
}

// compiledIn is the parameters that decide a shape and are not meant to. What cannot be compiled is
// for the promotion to tell.
func compiledIn(p *Puzzle, k *exec.Kernel, args []any) (fs []exec.Finding) {
	in, err := k.Inspect(args...)
	if err != nil {
		return nil
	}
	for i, fixed := range in.Fixed {
		if _, isInt := args[i].(int); fixed && isInt && !p.constant(i) {
			fs = append(fs, exec.Finding{Kind: check.NotPortable, Severity: check.Error, Diagnostic: *diag.At(diag.Pos{},
				"a tile's size depends on %s: the kernel would be compiled again for each of its values, and Triton refuses it", p.Params()[i]).
				Fix("make tiles of the sizes in capitals, and mask the lanes beyond the end")})
		}
	}
	return fs
}

// tileSize is tiles of one element, and such as hold all there is.
func tileSize(ctx context.Context, p *Puzzle, k *exec.Kernel, c Case) []exec.Finding {
	most := func(k *exec.Kernel) int {
		var l lanes
		if k.With(exec.Options{Output: io.Discard}).Observe(ctx, &l, c.Grid, c.Values()...) != nil {
			return 0
		}
		return l.most
	}
	f := exec.Finding{Kind: TileSize, Severity: check.Error}
	switch got, want := most(k), most(exec.New(p.Kernel)); {
	case got == 1 && want > 1:
		f.Msg = "the results are right, but every load and store is of a single element: let tiles do the work, not loops"
		f.Fix("load and store whole blocks: a tile of offsets such as tl.Arange(0, 4), added to a pointer, is a tile of pointers")
	case got > 4*want:
		f.Msg = fmt.Sprintf("the results are right, but a tile has %d lanes where blocks have %d: no tile may be larger", got, want)
		f.Fix("make tiles of the sizes in capitals, and go through what is longer block by block")
	default:
		return nil
	}
	return []exec.Finding{f}
}

// lanes is an observer of the largest tile that a launch loads or stores.
type lanes struct{ most int }

// Access implements tl.Observer.
func (l *lanes) Access(a *tl.Access) {
	n := 1
	for _, size := range a.Shape {
		n *= size
	}
	l.most = max(l.most, n)
}

// The rest of exec.Observer.

func (*lanes) Decide(string, diag.Pos, tl.Mark, []*tl.Origin, tl.Sources) {}
func (*lanes) Notice(tl.Notice)                                           {}
func (*lanes) Start([]string, []int)                                      {}
func (*lanes) Begin([]int, func() diag.Pos)                               {}
func (*lanes) End(*exec.Error)                                            {}

// readAgain is reading more elements than the first argument has.
func readAgain(p *Puzzle, r *exec.Report, args []any) []exec.Finding {
	if !p.Once {
		return nil
	}
	read, n := 0, args[0].(*tensor.Tensor).Len()
	for _, s := range r.Coverage.Sites {
		if s.Op == "tl.Load" {
			read += s.Active
		}
	}
	if read <= n {
		return nil
	}
	return []exec.Finding{{Kind: ReadAgain, Severity: check.Error, Diagnostic: *diag.At(diag.Pos{},
		"the results are right, but %d elements are loaded while %s has only %d", read, p.Params()[0], n).
		Fix("do all the work on a block while it is loaded")}}
}

// call calls a reference.
func call(fn any, args []any) {
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = reflect.ValueOf(a)
	}
	reflect.ValueOf(fn).Call(in)
}
