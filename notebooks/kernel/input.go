package kernel

import (
	"context"
	"errors"
	"sync"

	"github.com/tiler-go/tiler/notebooks/kernel/zmtp"
)

// An input is standard input of cells: each line is asked of the client whose cell reads.
type input struct {
	socket  *zmtp.Socket
	flush   func() // what was printed is the question
	answers chan string

	mu      sync.Mutex
	ctx     context.Context // of the cell that runs, nil if none does
	codec   *codec
	request request
	allowed bool
	rest    []byte // of a line
}

// begin says which cell reads.
func (in *input) begin(ctx context.Context, c *codec, m request, allowed bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ctx, in.codec, in.request, in.allowed = ctx, c, m, allowed
}

// end says that none does.
func (in *input) end() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ctx, in.rest = nil, nil
}

var errNoInput = errors.New("nobody can be asked for input here")

// Read implements io.Reader.
func (in *input) Read(b []byte) (int, error) {
	if n := in.take(b); n > 0 || len(b) == 0 {
		return n, nil
	}
	in.mu.Lock()
	ctx, c, m, allowed := in.ctx, in.codec, in.request, in.allowed
	in.mu.Unlock()
	if ctx == nil || !allowed {
		return 0, errNoInput
	}
	in.flush()
	in.forget()
	question := c.reply(m, "input_request", map[string]any{"prompt": "", "password": false})
	if !in.socket.SendTo(m.from.Identity(), question) {
		return 0, errNoInput
	}
	select {
	case line := <-in.answers:
		in.mu.Lock()
		in.rest = []byte(line + "\n")
		in.mu.Unlock()
		return in.take(b), nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// take is what is left of a line.
func (in *input) take(b []byte) int {
	in.mu.Lock()
	defer in.mu.Unlock()
	n := copy(b, in.rest)
	in.rest = in.rest[n:]
	return n
}

// forget drops an answer that nobody waited for.
func (in *input) forget() {
	select {
	case <-in.answers:
	default:
	}
}

type inputReply struct {
	Value string `json:"value"`
}

// answered is told what was typed.
func (k *kernel) answered(_ request, r inputReply) any {
	select {
	case k.in.answers <- r.Value:
	default: // nobody asked
	}
	return nil
}
