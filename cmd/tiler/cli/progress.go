package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/repl/edit"
)

// A Bar is a line on a terminal that says how far a long run is, which began when it was made or, of
// During and Busy, when they were called.
type Bar struct {
	w     io.Writer
	began time.Time

	mu    sync.Mutex
	shown time.Time // zero: there is no line
}

// NewBar is a bar on a stream; where that is no terminal there is nothing to see.
func NewBar(w io.Writer) *Bar { return &Bar{w: w, began: time.Now()} }

// Show says how far a launch is.
func (b *Bar) Show(kernel string, done, total int) {
	b.say(fmt.Sprintf("%s: %d of %d programs", kernel, done, total))
}

// say shows a line in the place of the last one, but not in the first second of a run.
func (b *Bar) say(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if now.Sub(b.began) < time.Second || now.Sub(b.shown) < 100*time.Millisecond || !IsTerminal(b.w) {
		return
	}
	b.shown = now
	fmt.Fprintf(b.w, "\r\x1b[K%s", oneLine(text))
}

// oneLine is a text cut to the width of the terminal, since a line that wraps cannot be taken away.
func oneLine(text string) string {
	w, _ := edit.Size()
	runes := []rune(text)
	if w < 2 || len(runes) < w {
		return text
	}
	return string(runes[:w-2]) + "…"
}

// Wipe takes the line away.
func (b *Bar) Wipe() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.shown.IsZero() {
		b.shown = time.Time{}
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}

// During begins a run of something that cannot say how far it is; the line says how long it has
// taken, until end is called.
func (b *Bar) During(what string) (end func()) {
	_, end = b.Busy(what)
	return end
}

// Busy begins a run of something that can say what it is at: that is the line's end.
func (b *Bar) Busy(what string) (detail func(string), end func()) {
	b.began = time.Now()
	var at atomic.Pointer[string]
	detail = func(text string) {
		text = ", " + text
		at.Store(&text)
	}
	at.Store(new(string))
	done, quiet := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(quiet)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case now := <-tick.C:
				b.say(fmt.Sprintf("%s: %v%s", what, now.Sub(b.began).Round(100*time.Millisecond), *at.Load()))
			}
		}
	}()
	return detail, func() {
		close(done)
		<-quiet
		b.Wipe()
	}
}

// Above is a stream whose text comes in the place of the bar.
func (b *Bar) Above(w io.Writer) io.Writer { return above{w, b} }

type above struct {
	io.Writer
	bar *Bar
}

func (a above) Write(text []byte) (int, error) {
	a.bar.Wipe()
	return a.Writer.Write(text)
}

// IsTerminal reports whether a stream, which is read or written, is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
