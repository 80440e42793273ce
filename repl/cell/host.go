package cell

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/tiler-go/tiler/repl/symbols"
)

// A host is what lowered code calls: compiled functions for what the interpreter does
// not do, or not right. They are documented in package lower.
type host struct {
	s    *Session
	line int // of the cell being run
	now  atomic.Pointer[run]

	mu        sync.Mutex
	deferring map[*int]*Deferred         // the deferred calls being run, by goroutine
	methods   map[int]map[string]*method // by number of the receiver's type
	boxTypes  []*boxType                 // by number
	launches  []*Launch                  // the last of each kernel
	kernels   map[string]madeKernel      // the last of each function, by name
	given     []any                      // for Given
	walk      *walk                      // the kernel that is done step by step

	out, err *output
	free     func() int64         // how many bytes may still be allocated
	pipe     atomic.Pointer[pipe] // what os.Stdout is, if the program uses it
}

func newHost(s *Session) *host {
	h := &host{s: s, deferring: map[*int]*Deferred{}, methods: map[int]map[string]*method{}, kernels: map[string]madeKernel{}}
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
	m := map[string]reflect.Value{
		"Deferred":  reflect.ValueOf((*Deferred)(nil)),
		"Selection": reflect.ValueOf((*Selection)(nil)),
	}
	for name, fn := range map[string]any{
		"Run": h.Run, "Go": h.Go, "Enter": h.Enter, "Deep": h.Deep,
		"Panic": h.Panic, "NewDefers": h.NewDefers, "Recover": h.Recover,
		"Send": h.Send, "Recv": h.Recv, "Close": h.Close, "NewSelect": h.NewSelect,
		"Box": h.Box, "Any": func(v any) any { return v }, "Assert": h.Assert, "Is": h.Is, "Case": h.Case,
		"Equal": h.Equal, "Key": h.Key, "Find": h.Find, "Raw": h.Raw, "Set": setTo, "Method": h.Method,
		"Shift": shift, "Rune": decodeRune, "Index": index, "Slice": sliceLow, "IntString": intString, "NonNil": nonNil, "Size": h.Size, "Clear": clearAny,
		"MinInt": fold(func(x, y int64) int64 { return min(x, y) }), "MaxInt": fold(func(x, y int64) int64 { return max(x, y) }),
		"MinUint": fold(func(x, y uint64) uint64 { return min(x, y) }), "MaxUint": fold(func(x, y uint64) uint64 { return max(x, y) }),
		"MinFloat": fold(func(x, y float64) float64 { return min(x, y) }), "MaxFloat": fold(func(x, y float64) float64 { return max(x, y) }),
		"MinString": fold(func(x, y string) string { return min(x, y) }), "MaxString": fold(func(x, y string) string { return max(x, y) }),
		"Int8": func(x float64) int8 { return int8(x) }, "Int16": func(x float64) int16 { return int16(x) }, "Int32": func(x float64) int32 { return int32(x) },
		"Uint8": func(x float64) uint8 { return uint8(x) }, "Uint16": func(x float64) uint16 { return uint16(x) }, "Uint32": func(x float64) uint32 { return uint32(x) },
		"Print": h.Print, "Println": h.Println,
		"Show": h.Show, "Given": h.Given, "Step": h.Step, "Walk": h.Walk, "ShowAll": h.ShowAll, "Ignore": func(any) {},
		"NewKernel": h.NewKernel, "With": h.With, "Launch": h.Launch, "LaunchContext": h.LaunchContext,
		"Check": h.Check, "CheckContext": h.CheckContext, "Promote": h.Promote, "PromoteContext": h.PromoteContext,
	} {
		m[name] = reflect.ValueOf(fn)
	}
	for name, fn := range symbols.StandIns() {
		m[name] = fn
	}
	return m
}

func fold[T any](fn func(x, y T) T) func(xs ...T) T {
	return func(xs ...T) T {
		z := xs[0]
		for _, x := range xs[1:] {
			z = fn(z, x)
		}
		return z
	}
}

func shift(n int64) uint {
	if n < 0 {
		panic(runtimeError("negative shift amount"))
	}
	return uint(n)
}

func clearAny(x any) { reflect.ValueOf(x).Clear() }

// setTo assigns v to what p points to.
func setTo(p, v any) {
	d := reflect.ValueOf(p).Elem()
	if v == nil {
		d.SetZero()
		return
	}
	rv := reflect.ValueOf(v)
	if !rv.Type().AssignableTo(d.Type()) && rv.Type().ConvertibleTo(d.Type()) {
		rv = rv.Convert(d.Type())
	}
	d.Set(rv)
}

// Print and Println are the predeclared functions, which write to standard error.
func (h *host) Print(args ...any) {
	for _, a := range args {
		fmt.Fprint(h.err, builtinText(a))
	}
}

// Println is println.
func (h *host) Println(args ...any) {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = builtinText(a)
	}
	fmt.Fprintln(h.err, strings.Join(texts, " "))
}

// builtinText is a value as print prints it.
func builtinText(v any) string {
	if b, ok := v.(Box); ok {
		v = b.V
	}
	switch x := v.(type) {
	case nil:
		return "(0x0,0x0)"
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case float32:
		return strconv.FormatFloat(float64(x), 'g', -1, 32)
	case complex64:
		return strconv.FormatComplex(complex128(x), 'g', -1, 64)
	case complex128:
		return strconv.FormatComplex(x, 'g', -1, 128)
	}
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Slice:
		return fmt.Sprintf("[%d/%d]0x%x", rv.Len(), rv.Cap(), rv.Pointer())
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func:
		return fmt.Sprintf("0x%x", rv.Pointer())
	}
	return fmt.Sprint(v)
}

// decodeRune is the rune at byte k of s, and how many bytes it takes.
func decodeRune(s string, k int) (rune, int) { return utf8.DecodeRuneInString(s[k:]) }

// intString is string(n).
func intString(n int64) string {
	if n < 0 || n > utf8.MaxRune {
		return string(utf8.RuneError)
	}
	return string(rune(n))
}

// nonNil is the receiver of a method whose value is taken, which must not be nil.
func nonNil(x any) any {
	if x == nil {
		panic(runtimeError("invalid memory address or nil pointer dereference"))
	}
	return x
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
	val := Value{V: v, Box: v}
	if v != nil || id > 0 {
		val.Type = h.typ(id)
	}
	if b, ok := v.(Box); ok {
		val.V = b.V
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
		if h.typ(id).String() == "error" && pairs[i+1] == nil {
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
