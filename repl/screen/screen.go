package screen

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/repl/edit"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
)

// What stands before the lines that are typed: the first of a cell, and the others.
const (
	Prompt = "tiler> "
	More   = "     . "
)

// Options are a session's options about what it shows: see there. None may be missing but the last two.
type Options struct {
	Out, Err            io.Writer
	Colour, Light, Live bool
	Size                func() (width, height int)
	Display             func(p picture.Picture, remark bool)
	Progress            func(text string, ended bool)
}

// A Screen is where a session shows things.
type Screen struct {
	Starting bool // nobody is there yet

	o      Options
	set    settings
	editor *edit.Editor          // nil if nobody types; what is printed while a text is typed is written above it
	lost   atomic.Pointer[error] // why something that was to be seen is lost

	mu       sync.Mutex
	progress bool // is shown
	within   bool // the last line written has no end
}

// New is a screen on which nobody types.
func New(o Options) *Screen { return &Screen{o: o, set: newSettings(o)} }

// Edited says that texts are typed on the terminal from now on.
func (x *Screen) Edited(e *edit.Editor) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.editor = e
}

// Editor is where texts are typed, nil if nobody types.
func (x *Screen) Editor() *edit.Editor { return x.editor }

// Lost is why something that was to be seen is lost, nil if nothing is.
func (x *Screen) Lost() error {
	if err := x.lost.Load(); err != nil {
		return *err
	}
	return nil
}

// A stream is one of the two ways out.
type stream struct {
	x *Screen
	w io.Writer
}

// Out is where programs write, and Err where they write what is wrong.
func (x *Screen) Out() io.Writer { return x.stream(x.o.Out) }
func (x *Screen) Err() io.Writer { return x.stream(x.o.Err) }

// stream is a way out that one writes to at a time, and that first wipes progress away.
// Where none is shown a file is itself: a program's os.Stdout is then what it would be.
func (x *Screen) stream(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok && !x.o.Live {
		return f
	}
	return stream{x, w}
}

// Write implements io.Writer.
func (s stream) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	s.x.mu.Lock()
	defer s.x.mu.Unlock()
	s.x.wipe()
	if s.x.editor != nil && s.x.editor.Above(b) {
		return len(b), nil
	}
	s.x.within = b[len(b)-1] != '\n'
	return s.w.Write(b)
}

// FreshLine ends a line that has no end, before the session itself says something.
func (x *Screen) FreshLine() {
	x.mu.Lock()
	within := x.within
	x.mu.Unlock()
	if within && x.o.Live {
		fmt.Fprintln(x.Out())
	}
}

// wipe takes the line of progress away.
func (x *Screen) wipe() {
	if x.progress && x.o.Progress == nil {
		x.progress = false
		fmt.Fprint(x.o.Err, "\r\x1b[K")
	}
}

// EndProgress says how what took long ended.
func (x *Screen) EndProgress(text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.wipe()
	if x.progress {
		x.progress = false
		x.o.Progress(text, true)
	}
}

// ShowProgress puts a line of progress in the place of the last one.
func (x *Screen) ShowProgress(text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.progress = true
	if x.o.Progress != nil {
		x.o.Progress(text, false)
		return
	}
	fmt.Fprint(x.o.Err, "\r\x1b[K"+text)
}

// Patient reports whether somebody watches to whom progress can be shown.
func (x *Screen) Patient() bool { return x.o.Live || x.o.Progress != nil }

// Say shows a picture as what a cell or command has to say.
func (x *Screen) Say(p picture.Picture) { x.display(p, false) }

// Remark shows a picture as what the session says beside what it was asked for.
func (x *Screen) Remark(p picture.Picture) { x.display(p, true) }

// Note is a remark of the session itself.
func (x *Screen) Note(format string, args ...any) {
	x.Remark(show.Aside(fmt.Sprintf(format, args...)))
}

func (x *Screen) display(p picture.Picture, remark bool) {
	if x.o.Display != nil {
		x.o.Display(p, remark)
		return
	}
	if x.o.Live {
		columns, _ := x.Size()
		p = p.Wrapped(columns)
	}
	text := p.String()
	if x.Colour() {
		text = p.ANSI(x.Light())
	}
	x.FreshLine()
	w := x.Out()
	switch {
	case remark:
		w = x.Err()
	case x.longer(text):
		x.editor.Page(text)
		return
	}
	if _, err := fmt.Fprintln(w, text); err != nil {
		x.lost.CompareAndSwap(nil, &err)
	}
}

// longer reports whether a text is shown a screen at a time: not if more was pasted, which
// would then be keys.
func (x *Screen) longer(text string) bool {
	if x.editor == nil || !x.o.Live || !x.set.pager || x.Starting || x.editor.Follows() {
		return false
	}
	w, h := x.o.Size()
	return edit.Rows(text, w) >= h
}

// Options bound the pictures of values.
func (x *Screen) Options() show.Options {
	w, h := x.Size()
	return show.Options{Width: w, Rows: min(max(h-8, 8), 40)}
}

// Colour reports whether there are colours: never where nobody sees them.
func (x *Screen) Colour() bool { return x.set.theme != "none" && (x.o.Colour || x.o.Live) }

// Light reports whether they are for a light ground.
func (x *Screen) Light() bool { return x.set.theme == "light" }

// Size is how much room there is.
func (x *Screen) Size() (width, height int) {
	width, height = x.o.Size()
	if x.set.width > 0 {
		width = x.set.width
	}
	return width, height
}
