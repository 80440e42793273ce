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

	watching chan struct{} // closed when a message that is looked at is there; nil: nobody looks
}

// A frame is a message.
type frame struct {
	kind byte
	text []byte
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
		f, err := s.read()
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

// read is the next message, nil if the process has ended, in whatever way.
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
	f := &frame{head[4], make([]byte, n)}
	if _, err := io.ReadFull(s.in, f.text); err != nil {
		return nil, err
	}
	return f, nil
}

// patience is how long a launch runs before somebody looks whether it is cancelled.
const patience = 2 * time.Millisecond

// watch ends a launch when the next message says so, or the process ends, until the function that it
// returns is called. Nothing else is read meanwhile, and read waits for the message that is looked at.
func (s *server) watch(cancel context.CancelFunc) (end func()) {
	over := make(chan struct{})
	seen := make(chan struct{})
	t := time.AfterFunc(patience, func() {
		defer close(seen)
		head, err := s.in.Peek(headSize)
		select {
		case <-over: // it is about something else
		default:
			if err != nil || head[4] == ofCancel {
				cancel()
			}
		}
	})
	return func() {
		close(over)
		if !t.Stop() {
			s.watching = seen
		}
	}
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
	clear(s.regions)
}

// take does what a message asks for. An error is the end of the connection.
func (s *server) take(ctx context.Context, f frame) error {
	switch f.kind {
	case ofRegion:
		return s.region(f.text)
	case ofCancel:
		return nil // of a launch that has ended
	case ofDrop:
		return s.drop(f.text)
	case ofKernel:
		return s.kernel(f.text)
	case ofLaunch, ofTiming:
		return s.answer(s.launch(ctx, f))
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

// answer sends what came of a launch.
func (s *server) answer(done []byte, err error) error {
	kind := byte(isDone)
	if err != nil {
		kind = isFailure
		done, err = json.Marshal([]string{kindOf(err), s.render(err)})
		if err != nil {
			return err
		}
	}
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, headSize+len(done)), uint32(len(done)))
	b = append(append(b, kind), done...)
	_, _ = s.link.Write(b) // if the process has ended, reading says so
	return nil
}
