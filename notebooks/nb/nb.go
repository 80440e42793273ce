package nb

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// stdout and stderr are where pictures go as text, and errors.
var stdout, stderr io.Writer = os.Stdout, os.Stderr

// width is how wide pictures are in a notebook, whose cells have room for more than a
// terminal has.
const width = 110

// Show shows values one below the other: tiles, tensors, pointer tiles, reports, programs
// and everything else as the prompt does. An error is printed with the cell and line that
// it points at, unless a report beside it says the same; nil shows nothing.
func Show(values ...any) {
	for _, v := range values {
		switch v := v.(type) {
		case nil: // a nil error
		case error:
			if !slices.ContainsFunc(values, func(r any) bool { return reports(r, v) }) {
				Fail(v)
			}
		case *exec.Report:
			Check(v)
		default:
			display(show.Value(v, options()), "")
		}
	}
}

// reports reports whether a value is a report that an error is about.
func reports(v any, err error) bool {
	rep, ok := v.(*exec.Report)
	if !ok || rep == nil {
		return false
	}
	p := rep.Problem()
	return p != nil && p.Error() == err.Error()
}

func options() show.Options {
	if inNotebook() {
		return show.Options{Width: width, Rows: 32}
	}
	return show.Options{}
}

// Fail prints an error on standard error, where gonb puts cell and line before positions
// in cells. It does not end the program. A nil error prints nothing.
func Fail(err error) {
	if err == nil {
		return
	}
	text := err.Error()
	if e := (*exec.Error)(nil); errors.As(err, &e) && !strings.Contains(text, e.Pos().String()) {
		text = e.Pos().String() + ": " + text
	}
	printError(strings.TrimSuffix(text, "\n") + "\n")
}

// printError writes to standard error in its place among what the cell shows.
func printError(text string) {
	drain()
	io.WriteString(stderr, text)
	drain()
}

// cellFile is the Go file of a notebook's cells, with a line number.
var cellFile = regexp.MustCompile(`[^\s"]*/gonb_[0-9a-f]+/main(?:_test)?\.go:(\d+)`)

// inFunctions replaces positions in the file of the cells, which nobody sees, by lines of
// functions: "add, line 3".
func inFunctions(text string) string {
	return cellFile.ReplaceAllStringFunc(text, func(m string) string {
		var line int
		fmt.Sscan(cellFile.FindStringSubmatch(m)[1], &line)
		return placeInFunction(line).String()
	})
}

// placed is a position in the file of the cells as one in a function; others stay what they are.
func placed(p diag.Pos) diag.Pos {
	if p.IsValid() && cellFile.MatchString(p.File+":1") {
		return placeInFunction(p.Line)
	}
	return p
}

// placeInFunction is a line of the cells' file as a line of the function that it is in.
func placeInFunction(line int) diag.Pos {
	if s := cells(); s != nil {
		if name, first := s.functionAt(line); name != "" {
			return diag.Pos{File: name, Line: line - first + 1}
		}
	}
	return diag.Pos{File: "cell", Line: line}
}
