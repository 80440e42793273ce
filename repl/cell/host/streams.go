package host

import (
	"bytes"
	"fmt"
	"go/types"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/repl/cell/box"
	"github.com/tiler-go/tiler/repl/cell/builtin"
)

// A streams is what a program reads and writes.
type streams struct {
	in       io.Reader
	out, err *output
	pipe     atomic.Pointer[pipe] // what os.Stdout is, if the program uses it
}

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

// Print and Println are the predeclared functions, which write to standard error.
func (s *streams) Print(args ...any) {
	for _, a := range args {
		fmt.Fprint(s.err, builtin.Text(box.Bare(a)))
	}
}

// Println is println.
func (s *streams) Println(args ...any) {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = builtin.Text(box.Bare(a))
	}
	fmt.Fprintln(s.err, strings.Join(texts, " "))
}

// A pipe is what os.Stdout is while a program's output does not go to a file: what is
// written to it comes out in order with everything else.
type pipe struct {
	r, w *os.File
	done chan struct{}
}

func (s *streams) startPipe() *os.File {
	if f, ok := s.out.w.(*os.File); ok {
		return f
	}
	if p := s.pipe.Load(); p != nil {
		return p.w
	}
	r, w, err := os.Pipe()
	if err != nil {
		return os.Stdout
	}
	p := &pipe{r: r, w: w, done: make(chan struct{}, 1)}
	go p.copy(s.out.w)
	s.pipe.Store(p)
	s.out.mu.Lock()
	s.out.w = w // all output takes the same way, and so stays in order
	s.out.mu.Unlock()
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
func (s *streams) flush() {
	if p := s.pipe.Load(); p != nil {
		p.w.WriteString(pipeMark)
		<-p.done
	}
}

// A Value is what an expression at the top of a cell evaluated to.
type Value struct {
	V    any        // without box
	Type types.Type // its static type, nil for the value nil
	Box  any        // V with its type, for printing
	of   *run       // that shows it, if one does
}

// Stopped reports whether the cell that shows the value was told to stop: a call that it is in, and what only computes
// when somebody looks, go on to their end.
func (v Value) Stopped() bool { return v.of != nil && v.of.cause() != nil }
