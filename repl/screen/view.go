package screen

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

// ErrSaid is the error of what has shown what is wrong.
var ErrSaid = errors.New("failed")

// A View shows the values and errors of a session's cells on a screen.
type View struct {
	*Screen
	Cells *cell.Session
	Plain bool // values are printed as PyTorch does
}

// Report shows an error.
func (v *View) Report(err error) {
	if p, ok := v.Problem(err); ok {
		v.Remark(p)
	}
}

// Problem is an error as a picture; ok is false if it is shown already, or if there is none.
func (v *View) Problem(err error) (p picture.Picture, ok bool) {
	if err == nil || errors.Is(err, ErrSaid) {
		return p, false
	}
	return show.ErrorText(v.render(err)), true
}

// Picture is a value as the session shows it.
func (v *View) Picture(x cell.Value) picture.Picture {
	switch y := x.V.(type) {
	case *exec.Kernel:
		if y != nil {
			return show.Text(y.State().String())
		}
	case error:
		return show.ErrorText(v.render(y))
	}
	if v.Plain {
		return show.Text(show.AsPlain(x.Box))
	}
	if p, ok := long(x.V); ok {
		return p
	}
	if rv := reflect.ValueOf(x.V); rv.Kind() == reflect.Func && x.Type != nil {
		return show.Text(types.TypeString(x.Type, shortPackage))
	}
	return show.Value(x.Box, v.Options())
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
func long(v any) (p picture.Picture, ok bool) {
	rv := reflect.ValueOf(v)
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
		return show.Text(fmt.Sprintf("%T with %d entries", v, n)), true
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
func (v *View) render(err error) string {
	var e *exec.Error
	if errors.As(err, &e) && e.Diag != nil && e.Diag.Pos.IsValid() {
		text := err.Error()
		head, rest, _ := strings.Cut(text, "\n")
		source := v.Cells.Render(diag.List{diag.At(e.Diag.Pos, "x")})
		if _, line, ok := strings.Cut(source, "\n"); ok {
			return head + "\n" + line + "\n" + rest
		}
		return text
	}
	return v.Cells.Render(err)
}
