package host

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/tiler-go/tiler/repl/cell/box"
	"github.com/tiler-go/tiler/repl/symbols"
)

// override is a package's table, with the functions in it that a session does in its
// own way.
func (h *Host) override(p symbols.Package) map[string]reflect.Value {
	table := maps.Clone(map[string]reflect.Value(p.Table()))
	for name, fn := range h.overrides(p.Path) {
		table[name] = reflect.ValueOf(fn)
	}
	switch p.Path {
	case "os":
		stdout, stderr, stdin := h.streams.startPipe(), h.streams.startPipe(), os.Stdin
		if f, ok := h.env.Err.(*os.File); ok {
			stderr = f
		}
		table["Stdout"], table["Stderr"], table["Stdin"] = variable(&stdout), variable(&stderr), variable(&stdin)
		args := h.env.Args
		table["Args"] = variable(&args)
	}
	return table
}

func variable[T any](p *T) reflect.Value { return reflect.ValueOf(p).Elem() }

func (h *Host) overrides(path string) map[string]any {
	switch path {
	case "fmt":
		return h.fmtOverrides()
	case "log":
		return h.logOverrides()
	case "time":
		return map[string]any{"Sleep": h.sleep}
	case "os":
		return map[string]any{"Exit": h.exit}
	case "runtime":
		return map[string]any{"Goexit": func() { h.leave() }}
	case "errors":
		return map[string]any{"As": h.env.Boxes.ErrorsAs}
	case "strings":
		return map[string]any{"Repeat": func(s string, n int) string { h.Memory.room(int64(len(s)), int64(n)); return strings.Repeat(s, n) }}
	case "bytes":
		return map[string]any{"Repeat": func(b []byte, n int) []byte { h.Memory.room(int64(len(b)), int64(n)); return bytes.Repeat(b, n) }}
	case "github.com/tiler-go/tiler/tilelang/tensor":
		return h.Memory.tensorOverrides()
	}
	return nil
}

// sleep ends early when the cell is told to stop.
func (h *Host) sleep(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-h.now.Load().stopped:
		h.leave()
	}
}

func (h *Host) exit(code int) {
	h.streams.flush()
	if h.env.Exit != nil {
		h.env.Exit(code)
	}
	h.now.Load().halt(ExitError(code))
	h.leave()
}

// An ExitError is a program that ended itself.
type ExitError int

func (e ExitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// fmtOverrides prints to the session's output, reads from its input, and knows the
// names of the session's types.
func (h *Host) fmtOverrides() map[string]any {
	in := h.streams.in
	return map[string]any{
		"Print":   func(a ...any) (int, error) { return fmt.Fprint(h.streams.out, a...) },
		"Println": func(a ...any) (int, error) { return fmt.Fprintln(h.streams.out, a...) },
		"Printf": func(f string, a ...any) (int, error) {
			f, a = box.TypeVerbs(f, a)
			return fmt.Fprintf(h.streams.out, f, a...)
		},
		"Sprintf": func(f string, a ...any) string { f, a = box.TypeVerbs(f, a); return fmt.Sprintf(f, a...) },
		"Errorf":  func(f string, a ...any) error { f, a = box.TypeVerbs(f, box.ErrorArgs(a)); return fmt.Errorf(f, a...) },
		"Fprintf": func(w io.Writer, f string, a ...any) (int, error) {
			f, a = box.TypeVerbs(f, a)
			return fmt.Fprintf(w, f, a...)
		},
		"Appendf": func(b []byte, f string, a ...any) []byte { f, a = box.TypeVerbs(f, a); return fmt.Appendf(b, f, a...) },
		"Scan":    func(a ...any) (int, error) { return fmt.Fscan(in, a...) },
		"Scanln":  func(a ...any) (int, error) { return fmt.Fscanln(in, a...) },
		"Scanf":   func(f string, a ...any) (int, error) { return fmt.Fscanf(in, f, a...) },
	}
}

// logOverrides is the default logger on the session's error output.
func (h *Host) logOverrides() map[string]any {
	l := log.New(h.streams.err, "", log.LstdFlags)
	fatal := func() { h.exit(1) }
	return map[string]any{
		"Print": l.Print, "Printf": l.Printf, "Println": l.Println,
		"Panic": l.Panic, "Panicf": l.Panicf, "Panicln": l.Panicln,
		"Fatal":   func(v ...any) { l.Print(v...); fatal() },
		"Fatalf":  func(f string, v ...any) { l.Printf(f, v...); fatal() },
		"Fatalln": func(v ...any) { l.Println(v...); fatal() },
		"Flags":   l.Flags, "SetFlags": l.SetFlags, "Prefix": l.Prefix, "SetPrefix": l.SetPrefix,
		"Output": l.Output, "SetOutput": l.SetOutput, "Writer": l.Writer, "Default": func() *log.Logger { return l },
	}
}
