package repl

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// showValue shows the value of an expression at the top of a cell.
func (s *Session) showValue(v cell.Value) {
	if r, ok := s.shown.(*exec.Report); ok && r != nil {
		if err, ok := v.V.(error); ok && sameProblem(r, err) {
			return // the report has said it
		}
	}
	s.shown = v.V
	if r, ok := v.V.(*exec.Report); ok {
		s.launches.shown(r)
	}
	if v.V == nil && s.launches.last() != "" && (v.Type == nil || v.Type.String() == "error") {
		if !s.tracing.Load() {
			s.say(show.Aside(s.launches.last())) // of a launch one wants to know more than that it did not fail
		}
		return
	}
	if s.o.Shown != nil {
		s.o.Shown(v.V)
	}
	s.say(s.picture(v))
}

func sameProblem(r *exec.Report, err error) bool {
	p := r.Problem()
	return p != nil && p.Error() == err.Error()
}

// picture is a value as the session shows it.
func (s *Session) picture(v cell.Value) picture.Picture {
	switch x := v.V.(type) {
	case *exec.Kernel:
		if x != nil {
			return show.Text(x.State().String())
		}
	case error:
		return show.ErrorText(s.render(x))
	}
	if s.plain {
		return show.Text(show.AsPlain(v.Box))
	}
	if p, ok := s.long(v); ok {
		return p
	}
	if rv := reflect.ValueOf(v.V); rv.Kind() == reflect.Func && v.Type != nil {
		return show.Text(types.TypeString(v.Type, shortPackage))
	}
	return show.Value(v.Box, s.options())
}

// shortPackage is a package as the session's code calls it.
func shortPackage(p *types.Package) string {
	switch p.Name() {
	case "main":
		return ""
	case "tilelang":
		return "tl"
	}
	return p.Name()
}

// mostShown is how many elements or bytes of a Go value are shown.
const mostShown = 2000

// long shows the beginning and the end of what is too long to be shown: slices, arrays
// and strings; of a map only how long it is.
func (s *Session) long(v cell.Value) (p picture.Picture, ok bool) {
	rv := reflect.ValueOf(v.V)
	switch rv.Kind() {
	case reflect.Slice, reflect.Array, reflect.String, reflect.Map:
		if rv.Len() <= mostShown {
			return p, false
		}
	default:
		return p, false
	}
	n := rv.Len()
	switch rv.Kind() {
	case reflect.String:
		text := rv.String()
		return show.Text(fmt.Sprintf("%q… and %d more bytes", text[:mostShown/4], n-mostShown/4)), true
	case reflect.Map:
		return show.Text(fmt.Sprintf("%T with %d entries", v.V, n)), true
	}
	part := func(lo, hi int) string {
		out := make([]string, hi-lo)
		for i := range out {
			out[i] = fmt.Sprintf("%+v", rv.Index(lo+i))
		}
		return strings.Join(out, " ")
	}
	return show.Text(fmt.Sprintf("%d elements: [%s … %s]", n, part(0, 8), part(n-3, n))), true
}

// render is an error with the line of the session's text that it is about.
func (s *Session) render(err error) string {
	var e *exec.Error
	if errors.As(err, &e) && e.Diag != nil && e.Diag.Pos.IsValid() {
		text := err.Error()
		head, rest, _ := strings.Cut(text, "\n")
		source := s.cells.Render(diag.List{diag.At(e.Diag.Pos, "x")})
		if _, line, ok := strings.Cut(source, "\n"); ok {
			return head + "\n" + line + "\n" + rest
		}
		return text
	}
	return s.cells.Render(err)
}
