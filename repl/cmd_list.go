package repl

import (
	"context"
	"fmt"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/show"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// cmdVars lists the variables.
func (s *Session) cmdVars(context.Context, string) error {
	var rows [][]string
	for _, v := range s.cells.Vars() {
		rows = append(rows, []string{v.Name, v.Type, s.brief(v.Value)})
	}
	if len(rows) == 0 {
		s.note("there are no variables")
		return nil
	}
	s.say(show.Table([]string{"name", "type", ""}, rows))
	return nil
}

// brief is a value in a few words.
func (s *Session) brief(v cell.Value) string {
	switch x := v.V.(type) {
	case nil:
		return "nil"
	case *tensor.Tensor:
		if x != nil {
			return strings.TrimSuffix(x.DType().Short()+show.Dims(x.Shape())+", "+remarks(x), ", ")
		}
	case tl.Tile:
		if lines := strings.Split(show.Tile(x, show.Options{}).String(), "\n"); len(lines) > 0 {
			return lines[0]
		}
	case *exec.Kernel:
		if x != nil {
			return x.Name()
		}
	}
	switch rv := reflect.ValueOf(v.V); rv.Kind() {
	case reflect.Func, reflect.Chan:
		return ""
	case reflect.Slice, reflect.Map, reflect.String:
		if rv.Len() > 100 {
			return fmt.Sprintf("%d elements", rv.Len())
		}
	}
	text := fmt.Sprintf("%+v", v.Box)
	if str, ok := v.V.(string); ok {
		text = fmt.Sprintf("%q", str)
	}
	if short := []rune(firstLine(text)); len(short) > 40 {
		return string(short[:39]) + "…"
	}
	return firstLine(text)
}

// mostRecent is how much of the history is listed.
const mostRecent = 50

// remember notes what is evaluated, for :history.
func (s *Session) remember(text string) {
	if s.nested == 0 && strings.TrimSpace(text) != "" {
		s.typed = append(s.typed, strings.TrimSpace(text))
	}
}

// passing is the commands that a notebook of the session leaves out: they ask, or are about
// the session itself.
var passing = []string{":notebook", ":save", ":history", ":help", ":quit", ":reset", "?", ":doc", ":vars"}

// keep notes what did not fail, for a notebook. What was written in an editor is kept
// instead of the command that opened it.
func (s *Session) keep(text string, err error) {
	if s.nested > 0 || err != nil || strings.TrimSpace(text) == "" {
		return
	}
	if isCommand(text) && !holdsCommands(text) {
		name, _, _ := strings.Cut(cell.Spelled(s.meant(text)), " ")
		if c, err := commandNamed(name); err != nil || slices.Contains(passing, c.name) {
			return
		} else if c.name == ":edit" {
			text = s.last
		}
	}
	s.worked = append(s.worked, strings.TrimSpace(text))
}

// cmdHistory lists what was typed: in all sessions if they are kept.
func (s *Session) cmdHistory(_ context.Context, arg string) error {
	list := s.typed
	if s.editor != nil {
		list = s.editor.History()
	}
	if n := len(list); n > 0 && isCommand(list[n-1]) {
		list = list[:n-1] // this command
	}
	var rows []string
	for i, text := range list {
		if arg == "" && i < len(list)-mostRecent || !strings.Contains(text, arg) {
			continue
		}
		rows = append(rows, fmt.Sprintf("%5d  %s", i+1, strings.ReplaceAll(text, "\n", "\n       ")))
	}
	switch {
	case len(rows) == 0 && arg == "":
		s.note("nothing was typed yet")
	case len(rows) == 0:
		s.note("no cell or command contains %s", arg)
	default:
		s.say(show.Text(strings.Join(rows, "\n")))
	}
	return nil
}

// cmdTime evaluates a cell, and says how long that took.
func (s *Session) cmdTime(ctx context.Context, arg string) error {
	if arg == "" {
		return usage(":time")
	}
	start := time.Now()
	err := s.evalAt(ctx, "", 0, arg)
	if err == nil {
		s.say(show.Aside("took " + show.Seconds(time.Since(start).Seconds())))
	}
	return err
}

// isVariable reports whether a name is one of a variable.
func (s *Session) isVariable(name string) bool {
	d, ok := s.cells.Def(name)
	return ok && d.Kind == token.VAR
}
