package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/triton"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Launch is a launch that a script asks for.
type Launch struct {
	Kernel *exec.Kernel // specialised for the arguments
	Grid   exec.Grid
	Args   []any
}

// A Handler makes a launch. An error is raised where the script launches.
type Handler func(ctx context.Context, l *Launch) error

// Plain makes a launch as a program does: compiled, once the first launch of a specialisation has
// shown on some programs that compiled code does what the interpreter does.
func Plain(ctx context.Context, l *Launch) error {
	l.Kernel.Compile()
	return l.Kernel.LaunchContext(ctx, l.Grid, l.Args...)
}

// A Finding is an error of a launch that a check found: CheckError in the script.
type Finding struct{ Text string }

func (f *Finding) Error() string { return f.Text }

// A request is a launch whose message is read.
type request struct {
	Launch
	written []byte // the arguments that the kernel stores into, behind their number
}

// ready bounds how many launches are kept.
const mostReady = 1024

// launch makes a launch, or times it. Whatever goes wrong is the answer.
func (s *server) launch(ctx context.Context, f frame) (done []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	r := s.ready[string(f.text)]
	if r == nil {
		if r, err = s.request(f.text); err != nil {
			return nil, err
		}
		if len(s.ready) >= mostReady {
			clear(s.ready)
		}
		s.ready[string(f.text)] = r
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer s.watch(cancel)()
	if f.kind == ofTiming {
		took, err := timing(ctx, &r.Launch)
		return strconv.AppendFloat(nil, took.Seconds(), 'g', -1, 64), err
	}
	s.printed.Reset()
	err = s.handle(ctx, &r.Launch)
	if s.printed.Len() == 0 {
		return r.written, err
	}
	return append(r.written[:len(r.written):len(r.written)], s.printed.Bytes()...), err
}

// request reads the message of a launch.
func (s *server) request(text []byte) (*request, error) {
	var parts, raw []json.RawMessage
	var id int
	var grid []int
	if err := json.Unmarshal(text, &parts); err != nil {
		return nil, err
	}
	if err := fields(parts, &id, &grid, &raw); err != nil {
		return nil, err
	}
	z := s.kernels[id]
	switch {
	case z == nil:
		return nil, fmt.Errorf("no kernel %d", id)
	case z.err != nil:
		return nil, &refused{z.err}
	}
	args := make([]any, len(raw))
	for i := range raw {
		var err error
		if args[i], err = s.value(raw[i]); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", z.Name, z.kernel.Params()[i].Name, err)
		}
	}
	return s.specialized(z.kernel, grid, args)
}

// specialized is a launch of the kernel that a function is for arguments.
func (s *server) specialized(k *triton.Kernel, grid exec.Grid, args []any) (*request, error) {
	z, rest, err := k.Specialize(args...)
	if err != nil {
		return nil, &refused{err}
	}
	r := &request{Launch: Launch{Kernel: z.With(exec.Options{Output: &s.printed}), Grid: grid, Args: rest}, written: []byte{0}}
	stores := z.Stores()
	for i, a := range args {
		if d, ok := a.(triton.Descriptor); ok {
			a = d.Tensor
		}
		for j, b := range rest {
			x, ok := a.(*tensor.Tensor)
			if y, _ := b.(*tensor.Tensor); ok && x == y && stores[j] {
				r.written = append(r.written, byte(i))
				r.written[0]++
			}
		}
	}
	return r, nil
}

// A refused kernel is outside of the language.
type refused struct{ error }

func (r *refused) Unwrap() error { return r.error }

// kindOf is the kind of an error, for which Python has classes.
func kindOf(err error) string {
	var f *Finding
	var r *refused
	switch {
	case errors.As(err, &f):
		return "check"
	case errors.As(err, &r):
		return "compile"
	}
	return "run"
}

// render is an error as the script prints it: with the line that it is about.
func (s *server) render(err error) string {
	var d *diag.Diagnostic
	var failure *exec.Error
	var list diag.List
	switch {
	case errors.As(err, &failure):
		d = &diag.Diagnostic{Pos: failure.Diag.Pos}
		return failure.Error() + excerpt(s.rendered(d))
	case errors.As(err, &d):
		return s.rendered(d)
	case errors.As(err, &list) && len(list) > 0:
		return s.rendered(list[0])
	}
	return err.Error()
}

func (s *server) rendered(d *diag.Diagnostic) string { return diag.Render(d, s.textOf) }

// excerpt is what Render gives below a message: the line of the source.
func excerpt(text string) string {
	if at := strings.IndexByte(text, '\n'); at >= 0 {
		return strings.TrimRight(text[at:], "\n")
	}
	return ""
}

// textOf is the text of a file of the script.
func (s *server) textOf(file string) string {
	for _, k := range s.kernels {
		if k.File == file {
			return k.Text
		}
	}
	return ""
}

// timings is how long a configuration may be timed, unless one launch takes longer.
const timings = 20 * time.Millisecond

// timing is how long a launch takes, on copies of its tensors: the fastest of several.
func timing(ctx context.Context, l *Launch) (time.Duration, error) {
	c := *l
	c.Args = copies(l.Args)
	if err := Plain(ctx, &c); err != nil { // compiles, and tries the code
		return 0, err
	}
	best, total := time.Duration(math.MaxInt64), time.Duration(0)
	for range 20 {
		start := time.Now()
		if err := Plain(ctx, &c); err != nil {
			return 0, err
		}
		took := time.Since(start)
		best = min(best, took)
		if total += took; total > timings {
			break
		}
	}
	return best, nil
}

// copies is arguments with tensors of their own, which share memory as the originals do.
func copies(args []any) []any {
	out := append([]any(nil), args...)
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
