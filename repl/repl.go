// Package repl is the prompt: cells of Go, and commands that begin with a colon.
//
// Package cell evaluates what is typed, edit reads the terminal, and screen shows what there is to see. Launches are
// found and run by launch; what commands do with them is in kernels, and explain and lesson answer questions and judge
// puzzles. This package joins them. Each command is a row of one table: help, completion and README come from the rows.
// Everything it prints is a Picture, so that a session can as well be that of a notebook.
package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/edit"
	"github.com/tiler-go/tiler/repl/explain"
	"github.com/tiler-go/tiler/repl/kernels"
	"github.com/tiler-go/tiler/repl/launch"
	"github.com/tiler-go/tiler/repl/lesson"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/screen"
	"github.com/tiler-go/tiler/repl/show"
)

// Options say what a session works with. The zero value reads nothing and writes
// nowhere.
type Options struct {
	In       io.Reader // what cells read
	Out, Err io.Writer
	Args     []string // what os.Args is
	Colour   bool
	Light    bool // the colours are those for a light ground
	Live     bool // Err is a terminal, on which progress may be shown
	// Size is the terminal's; nil means 80 by 24.
	Size func() (width, height int)
	// Display, if set, gets the pictures instead of Out and Err. A remark is what the
	// session says beside what it was asked for.
	Display func(p picture.Picture, remark bool)
	// Shown, if set, is told each value that a cell shows, before its picture is displayed.
	Shown func(value any)
	// Progress, if set, is told how far a launch is that takes long, and at last how it ended.
	Progress func(text string, ended bool)
	// History is the file of what was typed; "" keeps none.
	History string
	// Learned is the file of what puzzles are solved; "" keeps none.
	Learned string
	// Startup is a script that Interact evaluates first, if there is one.
	Startup string
	// Edit opens a file in an editor of the user's, and returns when it is closed.
	Edit func(file string) error
}

// A Session evaluates cells and commands. Its methods may be called from one goroutine
// at a time.
type Session struct {
	o       Options
	cells   *cell.Session
	view    *screen.View
	kernels *launch.Kernels
	bench   kernels.Bench
	names   explain.Names
	lessons *lesson.Lessons

	history history
	called  string // what positions in the cell begin with; "" counts cells
	line    int    // of the cell, where what is evaluated begins
	begun   int    // where :kernel begins
	shown   any    // the last value that the cell showed
	loading int    // how many files are being loaded, one by the other
	quit    bool
	status  int
}

// New is a session with the packages of a prompt.
func New(o Options) *Session {
	if o.Out == nil {
		o.Out = io.Discard
	}
	if o.Err == nil {
		o.Err = o.Out
	}
	if o.In == nil {
		o.In = strings.NewReader("")
	}
	if o.Size == nil {
		o.Size = func() (int, int) { return 80, 24 }
	}
	view := &screen.View{Screen: screen.New(screen.Options{
		Out: o.Out, Err: o.Err, Colour: o.Colour, Light: o.Light, Live: o.Live,
		Size: o.Size, Display: o.Display, Progress: o.Progress,
	})}
	log := launch.NewLog(view.Screen)
	kernels := launch.New(view, log)
	s := &Session{o: o, view: view, kernels: kernels, lessons: lesson.New(kernels, o.Learned)}
	s.cells = cell.New(cell.Options{
		In: o.In, Out: view.Out(), Err: view.Err(), Args: o.Args,
		Show:     s.showValue,
		Note:     func(text string) { s.view.Note("%s", text) },
		Progress: log.Progress,
		Launch:   log.Run,
		Command:  s.Eval,
		Trace:    log.TraceCell,

		AutoImport: true,
	})
	view.Cells = s.cells
	s.names = explain.Names{View: view, Command: helpOn, Example: runExample}
	s.cells.ImportUsual()
	return s
}

// Eval evaluates a cell or a command. The error is what is wrong with it, not printed
// yet: see Report.
//
// A text with lines that begin with a colon is several cells and commands, done one
// after the other until one fails.
func (s *Session) Eval(ctx context.Context, text string) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("an internal error in tiler: %v\n%s", v, firstFrames(debug.Stack()))
		}
	}()
	s.history.remember(text)
	s.history.nested++
	defer func() {
		s.history.nested--
		s.history.keep(s.cells, text, err)
	}()
	cells := []scan.Cell{{Text: text, Line: 1}}
	if holdsCommands(text) {
		cells = scan.Split(text)
	}
	first := max(s.line, 1)
	defer func(line int) { s.line = line }(s.line)
	for _, c := range cells {
		s.line = first + c.Line - 1
		if text := meant(s.cells, c.Text); isCommand(text) {
			err = s.command(ctx, strings.TrimSpace(text))
		} else {
			err = s.evalAt(ctx, "", 0, c.Text)
		}
		if err != nil || s.quit {
			return err
		}
	}
	return nil
}

// firstFrames is where a panic came from: the stack's first lines below the panic
// itself.
func firstFrames(stack []byte) string {
	_, text, ok := strings.Cut(string(stack), "panic(")
	if !ok {
		text = string(stack)
	}
	lines := strings.Split(text, "\n")
	return "\t" + strings.Join(lines[min(2, len(lines)):min(8, len(lines))], "\n\t")
}

// evalAt evaluates a cell that is part of a named text, or of its own.
func (s *Session) evalAt(ctx context.Context, name string, line int, text string) error {
	s.shown = nil
	s.kernels.Log.NewCell()
	defer s.kernels.Log.Tell()
	if strings.TrimSpace(text) == "" {
		return nil
	}
	s.history.last = text
	done, err := s.kernels.Lines(ctx, text, func(from int, text string) error {
		defer func(line int) { s.line = line }(s.line)
		s.line += from
		return s.evalAt(ctx, name, line+from, text)
	})
	if done {
		return err
	}
	switch {
	case name != "":
		err = s.cells.EvalAt(ctx, name, line, text)
	case s.called != "":
		err = s.cells.EvalTyped(ctx, s.called, s.line, text)
	default:
		err = s.cells.Eval(ctx, text)
	}
	var exit cell.ExitError
	if errors.As(err, &exit) {
		s.quit, s.status = true, int(exit)
		return nil
	}
	if err == nil {
		err = s.lessons.JudgeNew(ctx)
	}
	return err
}

// words are what is typed at other prompts for commands of this one.
var words = regexp.MustCompile(`^(?:(exit|quit)(?:\(\))?|(help)(?:\(\))?|help\((.+)\))$`)

// meant is the command that a text stands for that names nothing, such as exit or help(tl.Load);
// else the text.
func meant(cells *cell.Session, text string) string {
	m := words.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return text
	}
	for name, command := range map[string]string{m[1]: ":quit", m[2]: ":help"} {
		if _, defined := cells.Def(name); name != "" && !defined {
			return command
		}
	}
	if _, defined := cells.Def("help"); m[3] != "" && !defined {
		return ":doc " + m[3]
	}
	return text
}

func isCommand(text string) bool { return scan.IsCommand(text) }

// holdsCommands reports whether a text of several lines has one that is a command.
func holdsCommands(text string) bool {
	text = strings.TrimSpace(text)
	return strings.Contains(text, "\n") && slices.ContainsFunc(strings.Split(text, "\n"), isCommand)
}

// Incomplete reports whether a text needs more lines.
func Incomplete(text string) bool {
	if isCommand(text) {
		return scan.CommandIncomplete(text)
	}
	return scan.Incomplete(text)
}

// Report prints an error of Eval.
func (s *Session) Report(err error) { s.view.Report(err) }

// Done reports whether the session was told to end, and with which status.
func (s *Session) Done() (status int, done bool) { return s.status, s.quit }

// Stream evaluates what comes in, cell by cell, and goes on after errors. It is the
// process's exit status: 1 if anything failed.
func (s *Session) Stream(ctx context.Context, in io.Reader, name string) int {
	failed := false
	run := func(c scan.Cell) {
		var err error
		if isCommand(meant(s.cells, c.Text)) {
			err = s.Eval(ctx, c.Text)
		} else {
			s.history.remember(c.Text)
			err = s.evalAt(ctx, name, c.Line, c.Text)
			s.history.keep(s.cells, c.Text, err)
		}
		if err != nil {
			failed = true
			s.Report(err)
		}
	}
	r := newCellReader(in)
	for c, ok := r.next(); ok && !s.quit; c, ok = r.next() {
		run(c)
	}
	lost := s.view.Lost()
	if lost != nil {
		failed = true
		s.Report(lost)
	}
	if failed && s.status == 0 && (!s.quit || lost != nil) {
		return 1
	}
	return s.status
}

// Interact is the loop at a terminal, which begins with the cells and commands given. It is the process's exit status.
func (s *Session) Interact(begin ...string) int {
	e, err := edit.New(edit.Config{
		History: s.o.History, Colour: s.view.Colour(), Light: s.view.Light(),
		Incomplete: Incomplete, Cells: transcript, Complete: s.Complete,
		Edit: func(text string) (string, error) { return editText(s.o.Edit, text) },
	})
	if err != nil {
		s.Report(err)
		return 1
	}
	defer e.Close()
	s.view.Edited(e)
	s.view.Say(banner())
	s.startup()
	for _, text := range begin {
		s.interruptible(text)
	}
	for !s.quit {
		s.view.FreshLine()
		text, err := e.Read(screen.Prompt, screen.More)
		switch {
		case errors.Is(err, edit.ErrInterrupt):
			continue
		case errors.Is(err, io.EOF):
			return s.status
		case err != nil:
			s.Report(err)
			return 1
		}
		if !s.interruptible(text) {
			e.Drop()
		}
	}
	return s.status
}

func banner() picture.Picture {
	return show.Aside("tile kernels in Go: type Go or :help. Tab completes, Ctrl-D leaves.")
}

// interruptible evaluates a text; Ctrl-C ends it. It reports whether nobody pressed that.
func (s *Session) interruptible(text string) bool {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := s.Eval(ctx, text)
	if err != nil && ctx.Err() != nil {
		err = errInterrupted
	}
	s.Report(err)
	return ctx.Err() == nil
}

var errInterrupted = errors.New("interrupted")

// showValue shows the value of an expression at the top of a cell.
func (s *Session) showValue(v cell.Value) {
	if r, ok := s.shown.(*exec.Report); ok && r != nil {
		if err, ok := v.V.(error); ok && launch.Said(r, err) {
			return // the report has said it
		}
	}
	s.shown = v.V
	if r, ok := v.V.(*exec.Report); ok {
		s.kernels.Log.Shown(r)
	}
	if v.V == nil && (v.Type == nil || v.Type.String() == "error") && s.kernels.Log.TellLast() {
		return // of a launch one wants to know more than that it did not fail
	}
	if s.o.Shown != nil {
		s.o.Shown(v.V)
	}
	if text := s.view.Picture(v); !v.Stopped() {
		s.view.Say(text)
	}
}
