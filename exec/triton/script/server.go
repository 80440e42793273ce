package script

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/exec/triton"
)

// Messages begin with their length and a byte that says what they are.
const (
	ofRegion  = 'R' // memory that both map: [id, bytes], and a file
	ofDrop    = 'D' // regions that are gone: [id...]
	ofKernel  = 'K' // a function: see source
	ofLaunch  = 'L' // [kernel, grid, arguments]; answered
	ofTiming  = 'T' // the same, to be timed on copies; answered
	ofCancel  = 'C' // the launch that runs is to end
	ofMailbox = 'M' // a mailbox, and its file
	ofBell    = 'B' // look into the mailbox, either way
	isDone    = 'O' // how many tensors were written, which, and what was printed
	isFailure = 'E' // [kind, text]
)

const headSize = 5

// most is the largest message: the text of a file is in one.
const most = 1 << 28

// A server answers one Python process.
type server struct {
	link    *link
	in      *bufio.Reader
	handle  Handler
	regions map[int][]byte
	kernels map[int]*source
	files   map[string]*triton.File // by text
	ready   map[string]*request     // launches as they came, for when they come again
	printed bytes.Buffer            // by the launch that runs
	mail    *mailbox                // nil: Python made none
	frames  atomic.Uint64           // that were read

	mu       sync.Mutex         // guards cancel
	cancel   context.CancelFunc // ends the launch that runs; nil: none does
	watching chan struct{}      // closed when a message that is looked at is there; nil: nobody looks
}

// A frame is a message.
type frame struct {
	kind   byte
	text   []byte
	mailed bool // it came through the mailbox
}

// Serve answers a Python process over a socket until that ends. handle makes the launches, Plain if
// it is nil.
func Serve(ctx context.Context, socket *os.File, handle Handler) error {
	l, err := newLink(socket)
	if err != nil {
		return err
	}
	defer l.Close()
	if handle == nil {
		handle = Plain
	}
	s := &server{
		link: l, in: bufio.NewReaderSize(l, 1<<16), handle: handle, regions: map[int][]byte{}, kernels: map[int]*source{},
		files: map[string]*triton.File{}, ready: map[string]*request{},
	}
	defer s.unmapAll()
	for ctx.Err() == nil {
		f, err := s.next()
		if err != nil {
			return err
		}
		if f == nil {
			return nil
		}
		if err := s.take(ctx, *f); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// next is the next message. Requests in the mailbox come after the frames that were sent before them.
func (s *server) next() (*frame, error) {
	if s.mail == nil {
		return s.read()
	}
	for limit := s.mail.patience(); ; {
		if s.mail.look(limit) {
			if frames, _ := s.mail.asked(); frames <= s.frames.Load() {
				return s.mail.take()
			}
		}
		f, err := s.read()
		if f == nil || err != nil || f.kind != ofBell {
			return f, err
		}
		limit = 0 // the request is there, or comes with another bell
	}
}

// read is the next message of the socket, nil if the process has ended, in whatever way.
func (s *server) read() (*frame, error) {
	if s.watching != nil {
		<-s.watching
		s.watching = nil
	}
	var head [headSize]byte
	if _, err := io.ReadFull(s.in, head[:]); err != nil {
		return nil, nil
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > most {
		return nil, fmt.Errorf("a message of %d bytes", n)
	}
	s.frames.Add(1)
	f := &frame{kind: head[4], text: make([]byte, n)}
	if _, err := io.ReadFull(s.in, f.text); err != nil {
		return nil, err
	}
	return f, nil
}

// patience is how long a launch runs before somebody looks whether it is cancelled.
const patience = 2 * time.Millisecond

// watch ends a launch when the next message says so, or the process ends, until the function that it
// returns is called. Nothing else is read meanwhile, and read waits for the message that is looked at;
// who looks goes on with the next launch, if that comes through the mailbox.
func (s *server) watch(cancel context.CancelFunc) (end func()) {
	s.running(cancel)
	if s.watching != nil {
		select {
		case <-s.watching: // a message that is not about this launch
		default:
			return func() { s.running(nil) }
		}
	}
	seen := make(chan struct{})
	t := time.AfterFunc(patience, func() {
		defer close(seen)
		for s.seen(s.in.Peek(headSize)) {
			s.frames.Add(1)
			_, _ = s.in.Discard(headSize) // which Peek has seen
		}
	})
	return func() {
		s.running(nil)
		if !t.Stop() {
			s.watching = seen
		}
	}
}

// running says which launch runs.
func (s *server) running(cancel context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel = cancel
}

// seen acts on the head of a message that came while a launch ran, and reports whether it is to be
// passed over: a bell is about the launch that runs.
func (s *server) seen(head []byte, err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.cancel == nil: // the launch has ended
	case err != nil, head[4] == ofCancel:
		s.cancel()
	default:
		return head[4] == ofBell
	}
	return false
}

// region maps a region: files come in the order of their messages.
func (s *server) region(text []byte) error {
	var z [2]int
	if err := json.Unmarshal(text, &z); err != nil || z[1] <= 0 {
		return fmt.Errorf("a region %s", text)
	}
	b, err := s.link.mapFile(z[1])
	if err != nil {
		return err
	}
	s.regions[z[0]] = b
	return nil
}

func (s *server) unmapAll() {
	clear(s.ready)
	for _, b := range s.regions {
		unmap(b)
	}
	if s.mail != nil {
		unmap(s.mail.bytes)
	}
	clear(s.regions)
}

// take does what a message asks for. An error is the end of the connection.
func (s *server) take(ctx context.Context, f frame) error {
	switch f.kind {
	case ofRegion:
		return s.region(f.text)
	case ofMailbox:
		b, err := s.link.mapFile(mailboxSize)
		if err == nil {
			s.mail, err = newMailbox(b)
		}
		return err
	case ofCancel, ofBell:
		return nil // of a launch that has ended
	case ofDrop:
		return s.drop(f.text)
	case ofKernel:
		return s.kernel(f.text)
	case ofLaunch, ofTiming:
		done, err := s.launch(ctx, f)
		return s.answer(f.mailed, done, err)
	}
	return fmt.Errorf("a message of kind %q", f.kind)
}

// drop forgets regions, and all launches that were ready: they may name them.
func (s *server) drop(text []byte) error {
	var ids []int
	if err := json.Unmarshal(text, &ids); err != nil {
		return err
	}
	clear(s.ready)
	for _, id := range ids {
		unmap(s.regions[id])
		delete(s.regions, id)
	}
	return nil
}

// answer sends what came of a launch, the way it was asked for.
func (s *server) answer(mailed bool, done []byte, err error) error {
	kind := byte(isDone)
	if err != nil {
		kind = isFailure
		done, err = json.Marshal([]string{kindOf(err), s.render(err)})
		if err != nil {
			return err
		}
	}
	if mailed {
		over, wake := s.mail.answer(kind, done)
		if wake {
			kind, done = ofBell, nil
		}
		if !over && !wake {
			return nil
		}
	}
	_, _ = s.link.Write(append(header(kind, len(done)), done...)) // if the process has ended, reading says so
	return nil
}
