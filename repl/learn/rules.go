package learn

import (
	"fmt"
	"reflect"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// rules is what a puzzle asks beyond right results, of a launch that a report has no error for.
func rules(p *Puzzle, k *exec.Kernel, r *exec.Report, args []any) (fs []exec.Finding) {
	if r.Failed() {
		return nil
	}
	fs = append(fs, idlePrograms(r)...)
	fs = append(fs, compiledIn(p, k, args)...)
	return append(fs, readAgain(p, r, args)...)
}

// idlePrograms is the programs that leave their work to others.
func idlePrograms(r *exec.Report) (fs []exec.Finding) {
	for _, f := range r.Of(check.DeadLanes) {
		if f.Line == 0 { // not an iteration of a loop
			f.Severity, f.Fix = check.Error, "divide the work among all programs of the grid"
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
			fs = append(fs, exec.Finding{Kind: check.NotPortable, Severity: check.Error,
				Text: fmt.Sprintf("the size of a tile depends on %s: the kernel is compiled anew for each of its values, and Triton refuses it", p.Params()[i]),
				Fix:  "make tiles of the sizes in capitals, and mask the lanes beyond the end"})
		}
	}
	return fs
}

// ReadAgain is the kind of finding of what is to be read only once.
const ReadAgain check.Kind = "read-again"

// readAgain is reading more elements than the first argument has.
func readAgain(p *Puzzle, r *exec.Report, args []any) []exec.Finding {
	if !p.once {
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
	return []exec.Finding{{Kind: ReadAgain, Severity: check.Error,
		Text: fmt.Sprintf("the results are right, but %d elements are loaded, and %s has %d", read, p.Params()[0], n),
		Fix:  "do all there is to do with a block while it is there"}}
}

// call calls a reference.
func call(fn any, args []any) {
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = reflect.ValueOf(a)
	}
	reflect.ValueOf(fn).Call(in)
}
