package kernel

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
)

const (
	flushTime   = 40 * time.Millisecond  // what is printed is sent as often
	holdTime    = 300 * time.Millisecond // a value is a cell's result if nothing follows it as long
	redrawTime  = 250 * time.Millisecond // progress is shown as often
	mostPending = 32 << 10               // bytes that are printed and not sent
	mostPrinted = 10 << 20               // bytes of one cell
)

// An output gathers what cells print and show, and publishes it in order: a message for
// every line would cost more than most cells. The value that a cell shows last is its
// result, so that a value waits a moment for what follows it.
type output struct {
	publish func(parent json.RawMessage, kind string, content any)

	mu     sync.Mutex
	parent json.RawMessage  // the cell that is evaluated, or was last
	silent bool             // nothing of it is published
	name   string           // of the stream that was printed to last
	text   []byte           // what was printed and not sent
	left   int              // bytes that the cell may still print
	lost   int              // bytes that it printed beyond
	value  *picture.Picture // what waits
	since  time.Time        // how long it has
	bar    string           // the display that shows progress; "" for none
	drawn  time.Time        // when it was shown last
}

func newOutput(publish func(json.RawMessage, string, any)) *output {
	return &output{publish: publish, left: mostPrinted}
}

// begin begins a cell.
func (o *output) begin(parent json.RawMessage, silent bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.send(true)
	o.parent, o.silent, o.left, o.lost, o.bar = parent, silent, mostPrinted, 0, ""
}

// finish ends a cell, and is the value that is its result, if there is one.
func (o *output) finish() *picture.Picture {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.send(true)
	if o.lost > 0 {
		o.stream("stderr", fmt.Sprintf("\n%d more bytes were printed, and are left out: a cell shows at most %d\n", o.lost, mostPrinted))
	}
	v := o.value
	o.value = nil
	return v
}

// A stream is standard output or standard error of cells.
type stream struct {
	o    *output
	name string
}

func (o *output) stdout() io.Writer { return stream{o, "stdout"} }
func (o *output) stderr() io.Writer { return stream{o, "stderr"} }

// Write implements io.Writer.
func (s stream) Write(b []byte) (int, error) {
	o := s.o
	o.mu.Lock()
	defer o.mu.Unlock()
	o.release()
	if o.name != s.name {
		o.send(true)
	}
	o.name = s.name
	kept := b[:min(len(b), o.left)]
	o.left -= len(kept)
	o.lost += len(b) - len(kept)
	o.text = append(o.text, kept...)
	if len(o.text) >= mostPending {
		o.send(false)
	}
	return len(b), nil
}

// flush publishes what was printed.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.send(false)
}

// tick is called now and then.
func (o *output) tick() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.send(false)
	if o.value != nil && time.Since(o.since) > holdTime {
		o.release()
	}
}

// send publishes what was printed. Unless it ends there, the beginning of a letter at its
// end waits for the rest.
func (o *output) send(ends bool) {
	n := len(o.text)
	for i := 1; !ends && i < utf8.UTFMax && i <= n; i++ {
		if utf8.RuneStart(o.text[n-i]) {
			if !utf8.FullRune(o.text[n-i:]) {
				n -= i
			}
			break
		}
	}
	if n > 0 {
		o.stream(o.name, string(o.text[:n]))
		o.text = append(o.text[:0], o.text[n:]...)
	}
}

func (o *output) stream(name, text string) {
	o.say("stream", map[string]string{"name": name, "text": text})
}

func (o *output) say(kind string, content any) {
	if !o.silent {
		o.publish(o.parent, kind, content)
	}
}

// A display is a picture as a message.
type display struct {
	Data      map[string]string `json:"data"`
	Metadata  map[string]any    `json:"metadata"`
	Transient map[string]string `json:"transient"`
	Count     int               `json:"execution_count,omitempty"` // of a result
}

func displayed(p picture.Picture) display {
	return display{Data: bundle(p), Metadata: map[string]any{}, Transient: map[string]string{}}
}

// bundle is a picture in all its forms.
func bundle(p picture.Picture) map[string]string {
	return map[string]string{"text/plain": p.String(), "text/html": p.HTML()}
}

// display shows a picture. Remarks are no values.
func (o *output) display(p picture.Picture, remark bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.send(true)
	o.release()
	if remark {
		o.say("display_data", displayed(p))
		return
	}
	o.value, o.since = &p, time.Now()
}

// release shows the value that waits: something follows it.
func (o *output) release() {
	if o.value != nil {
		o.say("display_data", displayed(*o.value))
		o.value = nil
	}
}

// progress shows how far something is that takes long, in one place until it ends.
func (o *output) progress(text string, ended bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	d, kind := displayed(show.Aside(text)), "update_display_data"
	switch {
	case o.bar == "":
		o.send(true)
		o.release()
		o.bar, kind = newID(), "display_data"
	case !ended && time.Since(o.drawn) < redrawTime:
		return
	}
	o.drawn = time.Now()
	d.Transient["display_id"] = o.bar
	o.say(kind, d)
	if ended {
		o.bar = ""
	}
}
