// Package kernel is tiler's prompt behind Jupyter's protocol: a notebook's cells are
// those of a repl.Session, Go and commands, interpreted.
//
// Messages are rows of one table, messages: who answers one, with what, and whether it
// waits for the cell that runs. A kernel has one goroutine on which the session works, in
// the order in which requests came, and one for each client's connection, which answers
// what does not wait: interrupts, the end, and what is asked on the control channel.
//
// It listens on this machine alone, and does nothing for who does not know the key.
// Whatever is sent, it neither ends nor waits for somebody who may never answer.
package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/tiler-go/tiler/notebooks/kernel/zmtp"
	"github.com/tiler-go/tiler/repl"
)

// Options say what a kernel's session works with.
type Options struct {
	Version string    // of the program
	Learned string    // the file of what puzzles are solved; "" keeps none
	Log     io.Writer // where messages that are refused are reported; nil nowhere
}

// A kernel is what serves one notebook.
type kernel struct {
	o Options
	channels

	session *repl.Session
	out     *output
	in      *input
	history history
	count   int // of cells
	abort   int // of what waits: it was sent when a cell before it was not known to fail

	waiting chan request // in the order in which they came
	end     chan struct{}
	ended   sync.Once

	mu   sync.Mutex
	stop context.CancelFunc // ends the cell that runs; nil if none does
}

// channels lead to the front end.
type channels struct {
	c       Connection
	codec   *codec
	iopub   *zmtp.Socket
	sockets []io.Closer
}

// mostWaiting is how many requests may wait; a client that sends more is not read.
const mostWaiting = 1 << 12

// Serve is a kernel, until it is told to end or ctx is done. What comes on interrupt ends
// the cell that runs.
func Serve(ctx context.Context, c Connection, o Options, interrupt <-chan struct{}) error {
	if err := c.check(); err != nil {
		return err
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	k := &kernel{o: o, channels: channels{c: c, codec: newCodec(c.Key)}, waiting: make(chan request, mostWaiting), end: make(chan struct{})}
	k.out = newOutput(k.publish)
	k.in = &input{flush: k.out.flush, answers: make(chan string, 1)}
	defer k.close()
	if err := k.listen(); err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		k.work()
	}()
	flush := time.NewTicker(flushTime)
	defer flush.Stop()
	for {
		select {
		case <-ctx.Done():
			k.finish()
		case <-k.end:
			k.interrupt()
			select {
			case <-done:
			case <-time.After(time.Second): // what does not stop ends with the process
			}
			return nil
		case <-interrupt:
			k.interrupt()
		case <-flush.C:
			k.out.tick()
		}
	}
}

// listen opens the five sockets.
func (k *kernel) listen() (err error) {
	open := func(kind zmtp.Kind, port int, h zmtp.Handler) *zmtp.Socket {
		if err != nil {
			return nil
		}
		s, failed := zmtp.Listen(kind, k.c.address(port), h)
		if err = failed; err == nil {
			k.sockets = append(k.sockets, s)
		}
		return s
	}
	k.iopub = open(zmtp.Publish, k.c.IOPub, zmtp.Handler{Subscribed: k.welcome})
	k.in.socket = open(zmtp.Router, k.c.Stdin, zmtp.Handler{Message: k.receive(stdinChannel)})
	open(zmtp.Reply, k.c.HB, zmtp.Handler{Message: func(p *zmtp.Peer, frames [][]byte) { _ = p.Send(frames) }})
	open(zmtp.Router, k.c.Control, zmtp.Handler{Message: k.receive(controlChannel)})
	open(zmtp.Router, k.c.Shell, zmtp.Handler{Message: k.receive(shellChannel)})
	return err
}

func (k *kernel) close() {
	for _, s := range k.sockets {
		_ = s.Close() // nobody is left to be told
	}
}

// finish ends the kernel.
func (k *kernel) finish() { k.ended.Do(func() { close(k.end) }) }

// interrupt ends the cell that runs.
func (k *kernel) interrupt() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stop != nil {
		k.stop()
	}
}

// running says how the cell that runs is ended, nil if there is none any more.
func (k *kernel) running(stop context.CancelFunc) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stop = stop
}

// receive is what a channel does with a message: answers it, or makes it wait.
func (k *kernel) receive(ch channel) func(p *zmtp.Peer, frames [][]byte) {
	return func(p *zmtp.Peer, frames [][]byte) {
		m, err := k.codec.decode(p, frames)
		if err != nil {
			fmt.Fprintf(k.o.Log, "tiler kernel: left out %v\n", err)
			return
		}
		switch row := rowOf(m.kind); {
		case row.on != ch && (row.on != shellChannel || ch != controlChannel):
			fmt.Fprintf(k.o.Log, "tiler kernel: left out %s on %s\n", m.kind, ch)
		case row.now || ch == controlChannel && row.control:
			k.handle(m)
		default:
			select {
			case k.waiting <- m:
			case <-k.end:
			}
		}
	}
}

// work does what waits, one after the other.
func (k *kernel) work() {
	k.session = k.newSession()
	for {
		select {
		case m := <-k.waiting:
			k.handle(m)
			k.abortCells()
			if _, done := k.session.Done(); done {
				k.finish()
			}
		case <-k.end:
			return
		}
	}
}

// handle answers a request. A mistake of the kernel's own costs that answer.
func (k *kernel) handle(m request) {
	row := rowOf(m.kind)
	if row.quiet {
		k.answer(row, m)
		return
	}
	if row.ends {
		defer k.finish()
	}
	k.publish(m.header, "status", status{"busy"})
	defer k.publish(m.header, "status", status{"idle"})
	content := k.answer(row, m)
	if asks, ok := strings.CutSuffix(m.kind, "_request"); ok {
		k.reply(m, asks+"_reply", content)
	}
}

func (k *kernel) answer(row message, m request) (content any) {
	defer func() {
		if v := recover(); v != nil {
			content = failure("Internal", fmt.Sprintf("an internal error in tiler: %v", v))
		}
	}()
	return row.do(k, m)
}

func (k *kernel) reply(m request, kind string, content any) {
	_ = m.from.Send(k.codec.reply(m, kind, content)) // who left needs none
}

// publish tells everybody.
func (k *kernel) publish(parent json.RawMessage, kind string, content any) {
	k.iopub.Send(append([][]byte{[]byte("kernel." + k.codec.session + "." + kind)}, k.codec.encode(kind, parent, content)...))
}

// welcome tells a client that what is published from now on reaches it.
func (k *kernel) welcome(p *zmtp.Peer, topic string) {
	frames := k.codec.encode("iopub_welcome", nil, map[string]string{"subscription": topic})
	_ = p.Send(append([][]byte{[]byte(topic)}, frames...))
}

// abortCells answers the cells that were sent before it was known that one before them
// fails. What else was sent is done.
func (k *kernel) abortCells() {
	for ; k.abort > 0; k.abort-- {
		m := <-k.waiting // nobody else takes one
		if m.kind != "execute_request" {
			k.handle(m)
			continue
		}
		k.publish(m.header, "status", status{"busy"})
		k.reply(m, "execute_reply", executeReply{Status: "aborted", Count: k.count})
		k.publish(m.header, "status", status{"idle"})
	}
}
