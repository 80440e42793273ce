package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/triton"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Verdict is what became of a launch.
type Verdict string

// The verdicts.
const (
	Right   Verdict = "right"   // what the GPU left, within the tolerance
	Flagged Verdict = "flagged" // an access out of bounds or a race was found instead
	Refused Verdict = "refused" // the kernel is outside the language
	Wrong   Verdict = "wrong"   // another result, or engines that differ
)

// A Result is a launch and what became of it.
type Result struct {
	Launch  string  `json:"launch"`
	Kernel  string  `json:"kernel"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"` // short, for the table
	Text    string  `json:"text,omitempty"`   // the whole message
	// Findings are the kinds of errors that a check found, whatever the verdict.
	Findings []check.Kind `json:"findings,omitempty"`
	Took     float64      `json:"seconds"`
}

// patience is how long a launch may take in one engine: one that waits for programs that begin
// only when it has ended does not end.
const patience = 20 * time.Second

// A Runner replays launches.
type Runner struct {
	Archive *Archive
	Engines []string // to compare with the interpreter; nil: all
	files   map[string]*triton.File
}

// Run replays one launch.
func (r *Runner) Run(l Launch) (z Result) {
	start := time.Now()
	z = Result{Launch: l.ID, Kernel: l.Kernel, Verdict: Right}
	defer func() {
		if v := recover(); v != nil {
			z.Verdict, z.Reason, z.Text = Wrong, "a panic", fmt.Sprint(v)
		}
		z.Took = time.Since(start).Seconds()
	}()
	r.replay(l, &z)
	return z
}

func (z *Result) set(v Verdict, reason, format string, args ...any) {
	z.Verdict, z.Reason, z.Text = v, reason, fmt.Sprintf(format, args...)
}

func (r *Runner) replay(l Launch, z *Result) {
	k, err := r.kernel(l)
	if err != nil {
		z.set(Refused, reasonOf(err), "%v", err)
		return
	}
	args, err := r.Archive.arguments(l, "before")
	if err != nil {
		z.set(Refused, "an argument", "%v", err)
		return
	}
	s, rest, err := k.Specialize(args...)
	if err != nil {
		z.set(Refused, reasonOf(err), "%v", err)
		return
	}
	given := clones(rest)
	failure := s.With(exec.Options{Engine: "interpreted", Timeout: patience}).Launch(exec.Grid(l.Grid), rest...)
	if errors.Is(failure, context.DeadlineExceeded) {
		z.set(Refused, "it does not end", "it does not end within %v: a program may wait for one that begins later", patience)
		return
	}
	if differ := r.engines(l, s, given, rest, failure); differ != "" {
		z.set(Wrong, "engines differ", "%s", differ)
		return
	}
	after, err := r.Archive.arguments(l, "after")
	if err != nil {
		z.set(Refused, "an argument", "%v", err)
		return
	}
	_, want, err := k.Specialize(after...)
	if err != nil {
		z.set(Refused, "an argument", "%v", err)
		return
	}
	wrong := ""
	if failure != nil {
		wrong = failure.Error()
	} else {
		wrong = r.compare(l, s, given, rest, want)
	}
	r.check(l, s, given, wrong, z)
}

// kernel is the kernel of a launch.
func (r *Runner) kernel(l Launch) (*triton.Kernel, error) {
	if r.files == nil {
		r.files = map[string]*triton.File{}
	}
	f := r.files[l.File]
	if f == nil {
		text, err := r.Archive.read(l.File)
		if err != nil {
			return nil, err
		}
		if f, err = triton.Parse(l.File, string(text)); err != nil {
			return nil, err
		}
		r.files[l.File] = f
	}
	return f.KernelAt(l.Kernel, l.Line)
}

// clones is arguments with tensors of their own, which share memory as the originals do.
func clones(args []any) []any {
	out := slices.Clone(args)
	var xs []*tensor.Tensor
	var at []int
	for i, a := range args {
		if x, ok := a.(*tensor.Tensor); ok {
			xs, at = append(xs, x), append(at, i)
		}
	}
	for i, y := range tensor.Copies(xs...) {
		out[at[i]] = y
	}
	return out
}

// engines runs the launch in every engine, which must fail as the interpreter did or leave the
// same bits.
func (r *Runner) engines(l Launch, k *exec.Kernel, given, want []any, failure error) (differ string) {
	names := r.Engines
	if names == nil {
		names = exec.Engines()
	}
	for _, name := range names {
		if name == "interpreted" {
			continue
		}
		got := clones(given)
		err := k.With(exec.Options{Engine: name, Verify: exec.Never, Memory: "off", Timeout: patience}).Launch(exec.Grid(l.Grid), got...)
		if fmt.Sprint(err) != fmt.Sprint(failure) {
			return fmt.Sprintf("%s: %v, interpreted: %v", name, err, failure)
		}
		if engine := k.State().Engine; err == nil && engine != name {
			return fmt.Sprintf("%s: it ran %s: %s", name, engine, k.State().Reason)
		}
		if failure != nil {
			continue
		}
		for i := range got {
			if at := unequal(got[i], want[i]); at >= 0 {
				g, w := got[i].(*tensor.Tensor), want[i].(*tensor.Tensor)
				return fmt.Sprintf("%s: argument %d, element %d is %v, interpreted it is %v", name, i, at, element(g, at), element(w, at))
			}
		}
	}
	return ""
}

func element(x *tensor.Tensor, at int) any {
	b := x.Buf()
	if d := b.DType(); d.IsFloat() {
		return dtype.ToFloat(d, b.Bits(at))
	}
	return dtype.ToInt(b.DType(), b.Bits(at))
}

// unequal is the first element in which two arguments differ, -1 if none does.
func unequal(a, b any) int {
	x, ok := a.(*tensor.Tensor)
	if !ok {
		return -1
	}
	p, q := x.Buf(), b.(*tensor.Tensor).Buf()
	for i := range p.Len() {
		if !dtype.SameBits(p.DType(), p.Bits(i), q.Bits(i)) {
			return i
		}
	}
	return -1
}

// explaining are findings after which a GPU may leave anything.
var explaining = []check.Kind{check.OutOfBounds, check.WrongRow, check.Race, check.DuplicateStore, check.DivByZero}

// check checks a launch; where it failed, or is not what the GPU left, wrong says so, and a
// finding may explain it.
func (r *Runner) check(l Launch, k *exec.Kernel, given []any, wrong string, z *Result) {
	report, err := k.With(exec.Options{Check: exec.CheckOptions{NoVariations: true, Commit: exec.CommitNever}}).Check(exec.Grid(l.Grid), given...)
	if report == nil {
		z.set(Wrong, "not checked", "%v", err)
		return
	}
	if wrong != "" {
		reason, _, _ := strings.Cut(wrong, ":")
		z.set(Wrong, reason, "%s", wrong)
	}
	for _, f := range report.Findings {
		if f.Severity != check.Error {
			continue
		}
		if !slices.Contains(z.Findings, f.Kind) {
			z.Findings = append(z.Findings, f.Kind)
		}
		if wrong != "" && z.Verdict == Wrong && slices.Contains(explaining, f.Kind) {
			z.set(Flagged, string(f.Kind), "%s", f.Error())
		}
	}
}

// reasonOf is what a refusal is about, without places and names.
func reasonOf(err error) string {
	var d *diag.Diagnostic
	if !errors.As(err, &d) {
		return err.Error()
	}
	return d.Msg
}
