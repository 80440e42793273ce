// Package cell evaluates Go as it is typed at a prompt: cell by cell.
//
// A cell is declarations and statements. It passes through a pipeline before the
// interpreter sees any of it, and each stage is a package:
//
//	text ─ scan ─ sugar ─ parse ─ types (check) ─ sugar ─ types ─ lower ─ interpret (host)
//
// Package scan cuts texts into cells and cells into items. The type checker works on
// what earlier cells defined, kept as go/types objects by package check, and on the
// packages of repl/symbols. Package sugar rewrites operators on tiles to method calls
// when it has said which operands are tiles. Package lower turns the result into the
// Go that the interpreter gets right, and package host runs it. What the interpreter
// does not do is in host, builtin and box. A Session joins them; package save writes down
// what it did, and package complete finds what names could become.
//
// Functions, types and constants can be defined anew. What is made of them is then
// compiled anew too, and what no longer compiles is reported and out of force until it
// does. Variables keep their values; one that is defined again with another type is a
// new variable.
package cell

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"

	"github.com/tiler-go/tiler/repl/cell/box"
	"github.com/tiler-go/tiler/repl/cell/check"
	"github.com/tiler-go/tiler/repl/cell/complete"
	"github.com/tiler-go/tiler/repl/cell/host"
	"github.com/tiler-go/tiler/repl/cell/save"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/lower"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// Options say where a session reads and writes. The zero value discards output.
type Options struct {
	In       io.Reader
	Out, Err io.Writer
	Show     func(v Value)                                // called with the value of an expression at the top of a cell
	Note     func(text string)                            // called with what the user should know, such as what was compiled anew
	Exit     func(code int)                               // what os.Exit does
	Args     []string                                     // what os.Args is
	Progress func(kernel string, done, total int)         // called now and then during a launch
	Launch   func(l *Launch) error                        // does what the program's launches do, in place of l.Run
	Step     func(st Step) error                          // called after each statement of a kernel; an error ends the run
	Command  func(ctx context.Context, line string) error // does a line of a script that begins with a colon
	Trace    func(stage, text string)                     // called with what the pipeline makes

	AutoImport bool // packages of the standard library are imported when a cell first uses them
}

// What a session hands to its owner when programs run is of package host.
type (
	Box       = box.Box
	Value     = host.Value
	Launch    = host.Launch
	Step      = host.Step
	Failure   = host.Failure
	ExitError = host.ExitError
)

// A Candidate is a name that could stand at a place of a text.
type Candidate = complete.Candidate

// A Session is the state that cells share. Its methods may be called from one
// goroutine at a time, except Stop.
type Session struct {
	Definitions
	gate
	opts      Options
	world     *lower.World
	host      *host.Host
	log       *save.Log   // the statements of cells
	number    int         // cells so far
	shows     int         // values that the cell has shown
	ans       answer      // the value that was shown last
	capturing bool        // what is evaluated is no cell
	show      func(Value) // what shows values now
}

// New is an empty session.
func New(o Options) *Session {
	if o.Out == nil {
		o.Out = io.Discard
	}
	if o.Err == nil {
		o.Err = o.Out
	}
	s := &Session{opts: o, show: o.Show}
	s.begin()
	return s
}

// begin forgets everything.
func (s *Session) begin() {
	s.scope, s.world = check.NewScope(s.opts.note), lower.NewWorld()
	s.world.Hooks = host.Hooks
	s.host = host.New(s.env())
	s.log, s.ans = save.NewLog(s.scope), answer{}
	s.number = 0
}

// Eval evaluates a cell of its own.
func (s *Session) Eval(ctx context.Context, src string) error {
	s.number++
	return s.EvalTyped(ctx, fmt.Sprintf("cell %d", s.number), 1, src)
}

// EvalTyped evaluates a cell as EvalAt does, but one that somebody typed: what begins
// a comment may have been meant as a division.
func (s *Session) EvalTyped(ctx context.Context, name string, line int, src string) error {
	if err := s.scope.FloorDiv(check.Source{Name: name, Text: src, Line: line}); err != nil {
		return err
	}
	return s.EvalAt(ctx, name, line, src)
}

// EvalAt evaluates a cell that is part of a text of the given name, from a line on.
// The error is a diag.List, a *Failure, or the context's.
func (s *Session) EvalAt(ctx context.Context, name string, line int, src string) error {
	s.lock()
	defer s.unlock()
	cell := s.scope.Add(check.Source{Name: name, Text: src, Line: line})
	s.shows = 0
	for _, st := range scan.Stages(src) {
		if err := s.evalStage(ctx, cell, st); err != nil {
			return err
		}
	}
	s.scope.Sources[cell].Done = true
	return nil
}

func (s *Session) evalStage(ctx context.Context, cell int, st scan.Stage) error {
	if err := s.makeAns(slices.Concat(st.Decls, st.Stmts)); err != nil {
		return err
	}
	c, u, code, err := s.compile(cell, st)
	if err != nil {
		return err
	}
	if code == nil {
		return nil // nothing but imports and comments
	}
	s.opts.trace("lowered", code.Text)
	if err := s.host.Compile(code); err != nil {
		s.world.Rollback()
		return s.opts.bug(code, err)
	}
	s.log.Add(c, u)
	c.Commit()
	return s.run(func() error { return s.host.Execute(ctx) })
}

// env is what the host of the session's programs is told.
func (s *Session) env() host.Env {
	return host.Env{
		Boxes: box.New(s.world, s.scope.Types, s.scope.Pkg, s.state.RLocker()),
		In:    s.opts.In, Out: s.opts.Out, Err: s.opts.Err, Args: s.opts.Args,
		Place: s.markPos, Text: s.text, Show: s.shown,
		Source: func(code string) (k host.Source) {
			s.read(func() { k = s.sourceOf(code) })
			return k
		},
		Note: func(text string) { s.opts.note("%s", text) },
		Exit: s.opts.Exit, Progress: s.opts.Progress, Launch: s.opts.Launch, Step: s.opts.Step,
	}
}

// shown hands the result of a statement to the session's owner. It is nil for an error that is nil.
func (s *Session) shown(result int, v *Value) {
	if result == 0 {
		s.shows++
	}
	if v == nil {
		return
	}
	var show func(Value)
	s.read(func() { show = s.show })
	if show != nil {
		show(*v)
	}
	if result == 0 {
		s.answered(*v)
	}
}

func (o *Options) trace(stage, text string) {
	if o.Trace != nil {
		o.Trace(stage, text)
	}
}

func (o *Options) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(fmt.Sprintf(format, args...))
	}
}

// bug is an error of the interpreter about lowered code, which is never the user's.
func (o *Options) bug(code *lower.Code, err error) error {
	o.trace("refused", err.Error()+"\n"+code.Text)
	return diag.List{diag.At(diag.Pos{}, "this cell is valid Go, but the interpreter does not accept it: %v", err).
		Fix("rewrite it, or run it as a program with go run")}
}

// compile checks and lowers a cell, without changing the session's definitions. The
// code is nil if there is nothing to run.
func (s *Session) compile(cell int, st scan.Stage) (c *check.Check, u *lower.Unit, code *lower.Code, err error) {
	defer func() {
		if v := recover(); v != nil { // a fault of ours costs the cell, not the session
			s.world.Rollback()
			s.opts.trace("panic", fmt.Sprintf("%v\n%s", v, debug.Stack()))
			c, u, code, err = nil, nil, nil, s.opts.bug(&lower.Code{}, fmt.Errorf("%v", v))
		}
	}()
	p := s.scope.Plan(cell, st)
	p.Imports = s.opts.AutoImport
	c, err = p.Check()
	if err != nil {
		return nil, nil, nil, err
	}
	if c.Empty() {
		return c, nil, nil, nil
	}
	u = c.Unit(s.world, s.opts.Step != nil)
	if list := u.Check(); len(list) > 0 {
		return nil, nil, nil, list
	}
	code, err = s.world.Lower(u)
	if err != nil {
		return nil, nil, nil, asList(err)
	}
	return c, u, code, nil
}

func asList(err error) error {
	if d, ok := err.(*diag.Diagnostic); ok {
		return diag.List{d}
	}
	return err
}

// Complete is what the name that ends at a byte of an unfinished cell could become: the byte that the name begins at,
// and the names, sorted.
func (s *Session) Complete(src string, pos int) (start int, list []Candidate) {
	s.lock()
	defer s.unlock()
	defer func() {
		if v := recover(); v != nil { // a fault of ours costs the candidates, not the session
			s.opts.trace("panic", fmt.Sprintf("%v\n%s", v, debug.Stack()))
			start, list = pos, nil
		}
	}()
	return complete.At(s.scope, src, pos, s.opts.AutoImport)
}

// Launches is the last launch of each kernel, the latest last.
func (s *Session) Launches() []*Launch {
	return s.host.Kernels.Latest()
}

// markPos is the place that a mark of lowered code stands for.
func (s *Session) markPos(mark int) (pos diag.Pos) {
	s.read(func() { pos = s.scope.Marked(mark) })
	return pos
}
