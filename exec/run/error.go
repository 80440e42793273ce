package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/tiler-go/tiler/exec/grid"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// An Error is a program instance that failed.
type Error struct {
	Kernel  string
	Program []int  // the instance's id, one number per axis of the grid
	Grid    []int  // the grid's sizes
	Op      string // as the kernel spells it: "tl.Load"; "panic" for a Go panic
	Diag    *diag.Diagnostic

	lost  bool  // the memory of an argument could not be accessed
	cause error // what the kernel panicked with, if it was an error
}

func (r *Interpretation) newError(i int, f *tl.Fault, v any) *Error {
	id := r.extent.ID(i)
	e := &Error{
		Kernel:  r.setup.Fn.Name,
		Program: id[:r.extent.Axes:r.extent.Axes],
		Grid:    append([]int(nil), r.extent.Num[:r.extent.Axes]...),
		Op:      f.Op,
		Diag:    f.Diag,
	}
	if f.Op == "panic" {
		e.cause, _ = v.(error)
		if !e.Diag.Pos.IsValid() {
			e.Diag.Pos = PanicPos()
		}
	}
	return e
}

// Lost reports whether err is of a program that met memory of an argument that is not there.
func Lost(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.lost
}

// Pos is the line of the kernel that failed, if it is known.
func (e *Error) Pos() diag.Pos { return e.Diag.Pos }

// Unwrap is the error that the kernel's own Go code panicked with.
func (e *Error) Unwrap() error { return e.cause }

// Error is the place and what is wrong there, then the program instance, facts and
// what to do, a line each.
func (e *Error) Error() string {
	var b strings.Builder
	pos := e.Diag.Pos
	pos.File = diag.ShortPath(pos.File)
	if pos.IsValid() {
		b.WriteString(pos.String() + ": ")
	}
	b.WriteString(e.Diag.Msg)
	fmt.Fprintf(&b, "\n\tin program %s of grid %s of kernel %s", grid.Tuple(e.Program), grid.Tuple(e.Grid), e.Kernel)
	b.WriteString(e.Diag.Details())
	return b.String()
}

// ErrGoexit is the failure of a kernel that neither returned nor panicked.
var ErrGoexit = errors.New("the kernel ended its goroutine (runtime.Goexit)")

// PanicPos is where the panic, or end of the goroutine, that is being handled came
// from: the innermost frame below the runtime's that is the user's own. Frames of Go's
// library and of tilelang are passed over.
func PanicPos() diag.Pos {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	below, library := false, ""
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		inRuntime := strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "internal/runtime/")
		switch {
		case inRuntime:
			if dir, ok := strings.CutSuffix(filepath.ToSlash(filepath.Dir(f.File)), "/runtime"); ok {
				library = dir + "/"
			}
			below = below || f.Function == "runtime.Goexit" || strings.Contains(strings.ToLower(f.Function), "panic")
		case !below || library != "" && strings.HasPrefix(filepath.ToSlash(f.File), library) && !strings.HasPrefix(f.Function, "reflect."):
		case strings.HasPrefix(f.Function, languagePath+".") || strings.HasPrefix(f.Function, languagePath+"/"):
		case strings.HasPrefix(f.Function, "reflect."):
			return diag.Pos{} // called by an interpreter of Go, which knows its own lines
		default:
			return diag.Pos{File: f.File, Line: f.Line}
		}
	}
	return diag.Pos{}
}

const languagePath = "github.com/tiler-go/tiler/tilelang"
