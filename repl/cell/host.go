package cell

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/repl/cell/box"
	"github.com/tiler-go/tiler/repl/cell/builtin"
	"github.com/tiler-go/tiler/repl/symbols"
)

// A host is what lowered code calls: compiled functions for what the interpreter does
// not do, or not right. They are documented in package lower.
type host struct {
	boxes *box.Registry
	s     *Session
	line  int // of the cell being run
	now   atomic.Pointer[run]

	mu        sync.Mutex
	deferring map[*int]*Deferred    // the deferred calls being run, by goroutine
	launches  []*Launch             // the last of each kernel
	kernels   map[string]madeKernel // the last of each function, by name
	given     []any                 // for Given
	walk      *walk                 // the kernel that is done step by step

	out, err *output
	free     func() int64         // how many bytes may still be allocated
	pipe     atomic.Pointer[pipe] // what os.Stdout is, if the program uses it
}

func newHost(s *Session) *host {
	h := &host{boxes: box.New(s.world, s.types, s.pkg, s.state.RLocker()), s: s, deferring: map[*int]*Deferred{}, kernels: map[string]madeKernel{}}
	h.free = freeMemory
	h.out, h.err = &output{w: s.opts.Out}, &output{w: s.opts.Err}
	return h
}

func (h *host) stdin() io.Reader {
	if h.s.opts.In == nil {
		return strings.NewReader("")
	}
	return h.s.opts.In
}

func (h *host) stdout() io.Writer { return h.out }

// An output is written to by many goroutines.
type output struct {
	mu sync.Mutex
	w  io.Writer
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.w.Write(b)
}

// exports is the host's functions, by name.
func (h *host) exports() map[string]reflect.Value {
	m := builtin.Table()
	maps.Copy(m, h.boxes.Table())
	m["Deferred"], m["Selection"] = reflect.ValueOf((*Deferred)(nil)), reflect.ValueOf((*Selection)(nil))
	for name, fn := range map[string]any{
		"Run": h.Run, "Go": h.Go, "Enter": h.Enter, "Deep": h.Deep,
		"NewDefers": h.NewDefers, "Recover": h.Recover,
		"Send": h.Send, "Recv": h.Recv, "Close": h.Close, "NewSelect": h.NewSelect,
		"Size": h.Size, "Print": h.Print, "Println": h.Println,
		"Show": h.Show, "Given": h.Given, "Step": h.Step, "Walk": h.Walk, "ShowAll": h.ShowAll,
		"NewKernel": h.NewKernel, "With": h.With, "Launch": h.Launch, "LaunchContext": h.LaunchContext,
		"Check": h.Check, "CheckContext": h.CheckContext, "Promote": h.Promote, "PromoteContext": h.PromoteContext,
	} {
		m[name] = reflect.ValueOf(fn)
	}
	maps.Copy(m, symbols.StandIns())
	return m
}

// Print and Println are the predeclared functions, which write to standard error.
func (h *host) Print(args ...any) {
	for _, a := range args {
		fmt.Fprint(h.err, builtin.Text(box.Bare(a)))
	}
}

// Println is println.
func (h *host) Println(args ...any) {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = builtin.Text(box.Bare(a))
	}
	fmt.Fprintln(h.err, strings.Join(texts, " "))
}

// Show hands the value of an expression to the session.
func (h *host) Show(id int, v any) {
	h.s.shows++
	h.s.answered(h.show(id, v))
}

func (h *host) show(id int, v any) Value {
	h.flush()
	var show func(Value)
	h.s.read(func() { show = h.s.show })
	val := Value{V: box.Bare(v), Box: v}
	if v != nil || id > 0 {
		val.Type = h.boxes.Type(id)
	}
	if show != nil {
		show(val)
	}
	return val
}

// ShowAll shows the results of a call: what is not an error, then an error that is
// not nil.
func (h *host) ShowAll(pairs ...any) {
	h.s.shows++
	for i := 0; i+1 < len(pairs); i += 2 {
		id := pairs[i].(int)
		if h.boxes.Type(id).String() == "error" && pairs[i+1] == nil {
			continue
		}
		if v := h.show(id, pairs[i+1]); i == 0 {
			h.s.answered(v)
		}
	}
}

// A pipe is what os.Stdout is while a program's output does not go to a file: what is
// written to it comes out in order with everything else.
type pipe struct {
	r, w *os.File
	done chan struct{}
}

func (h *host) startPipe() *os.File {
	if f, ok := h.s.opts.Out.(*os.File); ok {
		return f
	}
	if p := h.pipe.Load(); p != nil {
		return p.w
	}
	r, w, err := os.Pipe()
	if err != nil {
		return os.Stdout
	}
	p := &pipe{r: r, w: w, done: make(chan struct{}, 1)}
	go p.copy(h.out.w)
	h.pipe.Store(p)
	h.out.mu.Lock()
	h.out.w = w // all output takes the same way, and so stays in order
	h.out.mu.Unlock()
	return w
}

// copy hands on what comes out of the pipe, and says when a mark does.
func (p *pipe) copy(w io.Writer) {
	var rest []byte
	buf := make([]byte, 1<<16)
	for {
		n, err := p.r.Read(buf)
		rest = append(rest, buf[:n]...)
		for {
			i := bytes.Index(rest, []byte(pipeMark))
			if i < 0 {
				break
			}
			w.Write(rest[:i])
			rest = rest[i+len(pipeMark):]
			p.done <- struct{}{}
		}
		keep := 0 // bytes at the end that may begin a mark
		for k := min(len(rest), len(pipeMark)-1); k > 0 && keep == 0; k-- {
			if bytes.HasSuffix(rest, []byte(pipeMark[:k])) {
				keep = k
			}
		}
		w.Write(rest[:len(rest)-keep])
		rest = append(rest[:0], rest[len(rest)-keep:]...)
		if err != nil {
			return
		}
	}
}

// pipeMark is written to a pipe to learn when everything before it has come out.
const pipeMark = "\x00\xfftiler\xff\x00"

// flush waits until what was written has come out.
func (h *host) flush() {
	if p := h.pipe.Load(); p != nil {
		p.w.WriteString(pipeMark)
		<-p.done
	}
}
