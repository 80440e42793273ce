package host

import (
	"io"
	"maps"
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/tiler-go/tiler/repl/cell/box"
	"github.com/tiler-go/tiler/repl/cell/builtin"
	"github.com/tiler-go/tiler/repl/symbols"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Host is what lowered code calls: compiled functions for what the interpreter does
// not do, or not right. They are documented in package lower.
type Host struct {
	env    Env
	engine *engine
	now    atomic.Pointer[run]

	given []any // for Given
	walk  *walk // the kernel that is done step by step

	Kernels Kernels
	Memory  Memory
	streams streams
	defers  defers
}

// An Env is what a host is told when it is made. Programs run on many goroutines, and so its functions are called
// on them.
type Env struct {
	Boxes    *box.Registry
	In       io.Reader
	Out, Err io.Writer
	Args     []string // what os.Args is

	Place    func(mark int) diag.Pos              // what a mark of lowered code stands for
	Text     func(name string) string             // what positions in a file of a name are in
	Source   func(code string) Source             // the function that lowered code has a name for
	Note     func(text string)                    // called with what the user should know
	Show     func(result int, v *Value)           // called with each result of a statement that shows them; nil for no error
	Exit     func(code int)                       // what os.Exit does; may be nil, as what follows
	Progress func(kernel string, done, total int) // called now and then during a launch
	Launch   func(l *Launch) error                // does what the program's launches do, in place of l.Run
	Step     func(st Step) error                  // called after each statement of a kernel; an error ends the run
}

// New is a host of a program that has nothing yet.
func New(e Env) *Host {
	h := &Host{env: e, Memory: Memory{Free: freeMemory}}
	h.streams.in, h.streams.out, h.streams.err = e.In, &output{w: e.Out}, &output{w: e.Err}
	if e.In == nil {
		h.streams.in = strings.NewReader("")
	}
	h.Kernels = Kernels{host: h, made: map[string]madeKernel{}}
	h.defers.running = map[*int]*Deferred{}
	h.engine = newEngine(h)
	return h
}

// exports is the host's functions, by name.
func (h *Host) exports() map[string]reflect.Value {
	m := builtin.Table()
	maps.Copy(m, h.env.Boxes.Table())
	m["Deferred"], m["Selection"] = reflect.ValueOf((*Deferred)(nil)), reflect.ValueOf((*Selection)(nil))
	for name, fn := range map[string]any{
		"Run": h.Run, "Go": h.Go, "Enter": h.Enter, "Deep": h.Deep,
		"NewDefers": h.defers.NewDefers, "Recover": h.defers.Recover,
		"Send": h.Send, "Recv": h.Recv, "Close": h.Close, "NewSelect": h.NewSelect,
		"Size": h.Memory.Size, "Print": h.streams.Print, "Println": h.streams.Println,
		"Show": h.Show, "Given": h.Given, "Step": h.Step, "Walk": h.Walk, "ShowAll": h.ShowAll,
		"NewKernel": h.Kernels.NewKernel, "With": h.Kernels.With,
		"Launch": h.Kernels.Launch, "LaunchContext": h.Kernels.LaunchContext,
		"Check": h.Kernels.Check, "CheckContext": h.Kernels.CheckContext,
		"Promote": h.Kernels.Promote, "PromoteContext": h.Kernels.PromoteContext,
	} {
		m[name] = reflect.ValueOf(fn)
	}
	maps.Copy(m, symbols.StandIns())
	return m
}

// Show shows the value of an expression of the cell whose line that is.
func (h *Host) Show(line *int, id int, v any) { h.show(line, 0, id, v) }

func (h *Host) show(line *int, result, id int, v any) {
	val := Value{V: box.Bare(v), Box: v, of: h.now.Load()}
	if h.past(line) {
		return
	}
	h.streams.flush()
	if v != nil || id > 0 {
		val.Type = h.env.Boxes.Type(id)
	}
	h.env.Show(result, &val)
}

// past reports whether the cell whose line that is was told to stop. The prompt may be at another one.
func (h *Host) past(line *int) bool {
	r := h.now.Load()
	return line != &r.line || r.cause() != nil
}

// ShowAll shows the results of a call: what is not an error, then an error that is
// not nil.
func (h *Host) ShowAll(line *int, pairs ...any) {
	if h.past(line) {
		return
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		id := pairs[i].(int)
		if h.env.Boxes.Type(id).String() == "error" && pairs[i+1] == nil {
			h.env.Show(i/2, nil)
			continue
		}
		h.show(line, i/2, id, pairs[i+1])
	}
}
