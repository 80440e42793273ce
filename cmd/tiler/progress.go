package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/repl/edit"
)

// progress is a line on a terminal that says how far a long run is.
type progress struct {
	w     io.Writer
	began time.Time

	mu    sync.Mutex
	shown time.Time // zero: there is no line
}

// show says how far a launch is.
func (b *progress) show(kernel string, done, total int) {
	b.say(fmt.Sprintf("%s: %d of %d programs", kernel, done, total))
}

// say shows a line in the place of the last one, but not in the first second of a run.
func (b *progress) say(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if now.Sub(b.began) < time.Second || now.Sub(b.shown) < 100*time.Millisecond || !isTerminal(b.w) {
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

// wipe takes the line away.
func (b *progress) wipe() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.shown.IsZero() {
		b.shown = time.Time{}
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}

// during begins a run of something that cannot say how far it is; the line says how long it has
// taken, until end is called.
func (b *progress) during(what string) (end func()) {
	_, end = b.busy(what)
	return end
}

// busy begins a run of something that can say what it is at: that is the line's end.
func (b *progress) busy(what string) (detail func(string), end func()) {
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
		b.wipe()
	}
}

// above is a stream whose text comes in the place of the line of progress.
type above struct {
	io.Writer
	bar *progress
}

func (a above) Write(text []byte) (int, error) {
	a.bar.wipe()
	return a.Writer.Write(text)
}

// isTerminal reports whether a stream, which is read or written, is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
