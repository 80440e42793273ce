package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/call"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/show"
)

// A launchLog knows whether a launch is running, and since when.
type launchLog struct {
	mu    sync.Mutex
	began time.Time
	depth int
	cell  string         // what the cell's last launch did, if it went well
	heard []*exec.Report // of the cell's checks, that it did not show
	good  []*cell.Launch // the last of each kernel, the latest last; what could not begin is none
}

// note remembers a launch that began, whatever became of it.
func (l *launchLog) note(x *cell.Launch, err error) {
	var failed *exec.Error
	if err != nil && !errors.As(err, &failed) || x.Kernel.Err() != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.good = append(slices.DeleteFunc(l.good, func(o *cell.Launch) bool { return o.Name() == x.Name() }), x)
}

// did notes what a launch of the cell did: "" if it did not go well, or was none.
func (l *launchLog) did(text string, r *exec.Report) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cell = text
	if r != nil {
		l.heard = append(l.heard, r)
	}
}

// last is what the cell's last launch did.
func (l *launchLog) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cell
}

// shown takes a report out of those that the cell did not show.
func (l *launchLog) shown(r *exec.Report) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = slices.DeleteFunc(l.heard, func(u *exec.Report) bool { return u == r })
}

// unseen hands out the reports that the cell did not show.
func (l *launchLog) unseen() []*exec.Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.heard
	l.heard = nil
	return list
}

// forget forgets all launches.
func (l *launchLog) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.good = nil
}

// list is the launches that are remembered.
func (l *launchLog) list() []*cell.Launch {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.good)
}

func (l *launchLog) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.depth == 0 {
		l.began = time.Now()
	}
	l.depth++
}

func (l *launchLog) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.depth--
}

func (l *launchLog) running() (since time.Time, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.began, l.depth > 0
}

// launch does what a launch of the session's code does, and says so if it is asked to.
func (s *Session) launch(l *cell.Launch) error {
	s.launches.begin()
	start := time.Now()
	err := l.Run()
	took := time.Since(start)
	s.launches.end()
	s.launches.note(l, err)
	text := traced(l, took, err)
	s.view.EndProgress(text)
	if s.tracing.Load() {
		s.view.Say(show.Aside(text))
	}
	if err != nil || !strings.HasPrefix(l.Op, "Launch") {
		text = ""
	}
	s.launches.did(text, l.Report)
	return err
}

// traced is what a launch did.
func traced(l *cell.Launch, took time.Duration, err error) string {
	state := l.Kernel.State()
	engine := state.Engine
	if engine == "" {
		engine = "interpreted"
	}
	verb := map[string]string{"Check": "check of ", "CheckContext": "check of ", "Promote": "promotion of ", "PromoteContext": "promotion of "}[l.Op]
	text := fmt.Sprintf("%s%s on %s: %s, %s", verb, l.Name(), gridText(l.Grid), engine, show.Seconds(took.Seconds()))
	if err != nil {
		text += ", failed"
	} else if state.Reason != "" && !state.Promoted {
		text += " (" + state.Reason + ")"
	}
	return text
}

// tell says what the checks of a cell found, as far as it did not show it: a clean
// report in brief, a failed one in full.
func (s *Session) tell() {
	for _, r := range s.launches.unseen() {
		p := show.Report(r)
		if r.OK {
			p = show.Verdict(r)
		}
		s.view.Say(p)
	}
}

func gridText(g exec.Space) string {
	if g, ok := g.(exec.Grid); ok {
		return show.Dims(g)
	}
	return "its grid"
}

// again is a kernel with the grid and arguments of a launch.
type again struct {
	kernel *exec.Kernel
	grid   exec.Space
	args   []any
}

// fits is what is wrong with the arguments: what a launch says that may not run.
func (a again) fits() error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := a.kernel.LaunchContext(ctx, a.grid, a.args...); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// errNoLaunch is the error of a command that needs a grid and arguments.
func errNoLaunch(name string) error {
	return fmt.Errorf("%s has not been launched yet\n\tfix: launch it, or say on what: %s[grid](arguments), as in %s[4](x, out, 1000, 256)", name, name, name)
}

// target is what a command such as :check works on: NAME, with the grid and arguments
// of its last launch, or NAME[grid](arguments).
func (s *Session) target(ctx context.Context, arg string) (a again, err error) {
	name, grid, args, err := call.Cut(arg)
	if err != nil {
		return a, err
	}
	if name == "" {
		if name, err = s.onlyKernel(); err != nil {
			return a, err
		}
	}
	if k, ok := s.script(name); ok {
		return s.scriptTarget(ctx, k, name, grid, args)
	}
	if err = s.find(ctx, name, &a); err != nil {
		return a, err
	}
	if args != "" || grid != "" {
		return a, s.given(ctx, name, grid, args, &a)
	}
	if a.grid == nil {
		return a, errNoLaunch(name)
	}
	return a, nil
}

// repeatable makes a launch that a command was given the kernel's last one.
func (s *Session) repeatable(a again) {
	s.launches.note(&cell.Launch{Op: "Launch", Kernel: a.kernel, Grid: a.grid, Args: a.args}, nil)
}

// onlyKernel is the kernel that was launched last, or else defined last.
func (s *Session) onlyKernel() (string, error) {
	if ls := s.launches.list(); len(ls) > 0 {
		return ls[len(ls)-1].Name(), nil
	}
	if names := s.cells.Kernels(); len(names) > 0 {
		return names[len(names)-1], nil
	}
	return "", errors.New("there is no kernel yet\n\tfix: define one: func add(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) { … }")
}

// find looks for a kernel by the name of its function or of a variable that holds it,
// and for its last launch.
func (s *Session) find(ctx context.Context, name string, a *again) error {
	if d, ok := s.cells.Def(name); ok && !d.Kernel && d.Type == "*exec.Kernel" {
		v, err := s.cells.Evaluate(ctx, name)
		if err != nil {
			return err
		}
		k, ok := v.V.(*exec.Kernel)
		if !ok || k == nil {
			return fmt.Errorf("%s holds no kernel", name)
		}
		a.kernel, name = k, k.Name()
	}
	for _, l := range s.launches.list() {
		if l.Name() == name {
			a.grid, a.args = l.Grid, l.Args
			if a.kernel == nil {
				a.kernel = l.Kernel
			}
		}
	}
	if d, ok := s.cells.Def(name); ok && d.Kernel {
		k, err := s.cells.Kernel(name)
		if err != nil {
			return err
		}
		if a.kernel == nil || a.kernel.Name() == k.Name() {
			a.kernel = k
		}
	}
	if _, ok := s.script(name); ok && a.kernel == nil {
		return errNoLaunch(name)
	}
	if a.kernel == nil {
		return s.unknown(name, "kernel: that is a function without a result whose first parameter is p *tl.Program")
	}
	return nil
}

// given evaluates the grid and arguments that a command was given.
func (s *Session) given(ctx context.Context, name, grid, args string, a *again) error {
	if grid != "" {
		v, err := s.cells.Evaluate(ctx, "exec.Grid{"+grid+"}")
		if err != nil {
			return err
		}
		a.grid = v.V.(exec.Grid)
	}
	if a.grid == nil {
		return errNoLaunch(name)
	}
	if args == "" {
		if a.args == nil {
			return errNoLaunch(name)
		}
		return nil
	}
	v, err := s.cells.Evaluate(ctx, "[]any{"+args+"}")
	if err != nil {
		return err
	}
	list := v.V.([]any)
	a.args = make([]any, len(list))
	for i, x := range list {
		if b, ok := x.(cell.Box); ok {
			x = b.V
		}
		a.args[i] = x
	}
	return nil
}

// patiently runs something that may take long, and says so after a second.
func (s *Session) patiently(what string, run func() error) error {
	s.launches.begin()
	defer s.launches.end()
	done, quiet := make(chan struct{}), make(chan struct{})
	start := time.Now()
	go func() {
		defer close(quiet)
		for s.view.Patient() {
			select {
			case <-done:
				return
			case <-time.After(200 * time.Millisecond):
			}
			if took := time.Since(start); took > time.Second {
				s.view.ShowProgress(fmt.Sprintf("%s: %v", what, took.Round(100*time.Millisecond)))
			}
		}
	}()
	err := run()
	close(done)
	<-quiet
	s.view.EndProgress(fmt.Sprintf("%s: %v", what, time.Since(start).Round(100*time.Millisecond)))
	return err
}

// watched patiently runs something that calls functions of the session's cells. What does not end
// when it is told to is left behind, without a result.
func watched[T any](ctx context.Context, s *Session, what string, run func() T) (result T, err error) {
	err = s.patiently(what, func() error {
		done := make(chan T, 1)
		if err := s.cells.Do(ctx, func() { done <- run() }); err != nil {
			return err
		}
		result = <-done
		return nil
	})
	return result, err
}
