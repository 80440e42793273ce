package tilerbeam

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tiler-go/tiler/exec/beam/cut"
)

// childVariable is set in the environment of processes that run pieces for another one.
const childVariable = "TILER_BEAM_CHILD"

// IsChild reports whether this process was started to run pieces. Its main function calls Child then, and nothing else.
func IsChild() bool { return os.Getenv(childVariable) != "" }

// An order goes from a worker to a child: the job and how many pieces it has, then pieces to run.
type order struct {
	Job   string     `json:",omitempty"`
	Of    int        `json:",omitempty"`
	Piece *cut.Piece `json:",omitempty"`
}

// A report goes from a child to its worker: a piece that is done, or an error.
type report struct {
	Piece int
	Error string `json:",omitempty"`
}

// Child runs pieces for the process that started this one, until that closes standard input; it is the exit status.
func Child(in io.Reader, out io.Writer) int {
	ctx := context.Background()
	dec, enc := json.NewDecoder(in), json.NewEncoder(out)
	err := func() error {
		var first order
		if err := dec.Decode(&first); err != nil {
			return err
		}
		j, err := parseJob(first.Job)
		if err != nil {
			return err
		}
		p, err := j.compile()
		if err != nil {
			return err
		}
		p.of = first.Of
		todo := make(chan cut.Piece)
		go func() {
			defer close(todo)
			for {
				var o order
				if dec.Decode(&o) != nil || o.Piece == nil {
					return
				}
				todo <- *o.Piece
			}
		}()
		return p.run(ctx, todo, func(piece int) error { return enc.Encode(report{Piece: piece}) })
	}()
	if err != nil {
		_ = enc.Encode(report{Piece: -1, Error: err.Error()}) // to who may be gone
		return 1
	}
	return 0
}

// attempts is how often a piece is run whose process dies.
const attempts = 3

// children are processes that run the pieces of a job.
type children struct {
	plan *plan
	text string

	mu    sync.Mutex
	idle  []*child
	alive map[*child]bool
}

func newChildren(p *plan, text string) *children {
	return &children{plan: p, text: text, alive: map[*child]bool{}}
}

// run runs the pieces of a task on all processes.
func (c *children) run(ctx context.Context, t Task, done func(piece int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	q := newQueue(t, min(c.plan.Workers, t.Hi-t.Lo))
	var mu sync.Mutex
	told := func(piece int) error {
		mu.Lock()
		defer mu.Unlock()
		return done(piece)
	}
	var wg sync.WaitGroup
	for i := range q.todo {
		wg.Go(func() {
			if err := c.serve(ctx, q, i, told); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// A queue is pieces that are to be run: a row for each process, whose pieces are neighbours, which read the same.
type queue struct {
	mu   sync.Mutex
	todo [][]int
	lost map[int]int // how often a piece's process died
}

// newQueue is the pieces of a task for some processes.
func newQueue(t Task, processes int) *queue {
	q := &queue{todo: make([][]int, processes), lost: map[int]int{}}
	n := t.Hi - t.Lo
	for k := range q.todo {
		for i := k * n / processes; i < (k+1)*n/processes; i++ {
			q.todo[k] = append(q.todo[k], t.Lo+i)
		}
	}
	return q
}

// take is the next piece of a process's row; the last one of the longest row when its own is done. A process that has a
// piece to compute gets no other one to read when there are no more than processes: one of these may have computed it
// before, and the job ends with the slowest.
func (q *queue) take(process, has int) (piece int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if has >= ahead || has > 0 && q.left() <= len(q.todo) {
		return 0, false
	}
	if own := q.todo[process]; len(own) > 0 {
		q.todo[process] = own[1:]
		return own[0], true
	}
	longest := 0
	for i, row := range q.todo {
		if len(row) > len(q.todo[longest]) {
			longest = i
		}
	}
	n := len(q.todo[longest])
	if n == 0 {
		return 0, false
	}
	piece, q.todo[longest] = q.todo[longest][n-1], q.todo[longest][:n-1]
	return piece, true
}

// left is how many pieces no process has. q.mu is held.
func (q *queue) left() (n int) {
	for _, row := range q.todo {
		n += len(row)
	}
	return n
}

func (q *queue) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.left() == 0
}

// again puts pieces back whose process died; it is a piece that has had its attempts, -1 if there is none.
func (q *queue) again(process int, pieces map[int]bool) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range pieces {
		q.todo[process] = append(q.todo[process], i)
		if q.lost[i]++; q.lost[i] >= attempts {
			return i
		}
	}
	return -1
}

// serve gives pieces to one process, and to another one in its place if it dies, until there are none.
func (c *children) serve(ctx context.Context, q *queue, process int, done func(piece int) error) error {
	for ctx.Err() == nil && !q.empty() {
		k, err := c.child()
		if err != nil {
			return err
		}
		has, err := k.work(ctx, c.plan.pieces, q, process, done)
		switch {
		case err == nil:
			c.keep(k)
		case errors.Is(err, errDied):
			if i := q.again(process, has); i >= 0 {
				return c.plan.failed(i, fmt.Errorf("its worker died, %d times: %w", attempts, c.end(k)))
			}
			_ = c.end(k) // whose pieces are to be run by another one
		default:
			_ = c.end(k) // which the error is not of
			return err
		}
	}
	return nil
}

// patience is how long a process may have nothing to do.
const patience = 30 * time.Second

// keep keeps a process for the next task, which may be none of this worker.
func (c *children) keep(k *child) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, k)
	time.AfterFunc(patience, func() {
		if c.takeIdle(k) {
			c.end(k)
		}
	})
}

// takeIdle reports whether a process was free, which it is no longer.
func (c *children) takeIdle(k *child) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.idle, k)
	if i >= 0 {
		c.idle = slices.Delete(c.idle, i, i+1)
	}
	return i >= 0
}

// child is a process that is free, or a new one.
func (c *children) child() (*child, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.idle); n > 0 {
		k := c.idle[n-1]
		c.idle = c.idle[:n-1]
		return k, nil
	}
	k, err := startChild(order{Job: c.text, Of: c.plan.of}, c.plan.Workers)
	if err == nil {
		c.alive[k] = true
	}
	return k, err
}

// end ends a process, and is why it ended.
func (c *children) end(k *child) error {
	c.mu.Lock()
	delete(c.alive, k)
	c.mu.Unlock()
	return k.end()
}

// A child is a process.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *json.Decoder
	errors *tail
}

// startChild starts one of several processes, which share the machine's cores.
func startChild(job order, of int) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	k := &child{cmd: exec.Command(self), errors: &tail{}}
	k.cmd.Env = append(os.Environ(), childVariable+"=1", fmt.Sprint("GOMAXPROCS=", max(1, cores/of)))
	k.cmd.Stderr = k.errors
	if k.in, err = k.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := k.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := k.cmd.Start(); err != nil {
		return nil, fmt.Errorf("a worker does not start: %w", err)
	}
	k.out = json.NewDecoder(bufio.NewReader(out))
	if err := json.NewEncoder(k.in).Encode(job); err != nil {
		return nil, errors.Join(fmt.Errorf("a worker does not take the job: %w", err), k.end())
	}
	return k, nil
}

// errDied is a process that is gone.
var errDied = errors.New("a worker died")

// ahead is how many pieces a process has: one to compute, and one to read.
const ahead = 2

// work has a process run pieces, a few at a time, until there are none. has is those that it was given and has not
// done.
func (k *child) work(
	ctx context.Context, pieces []cut.Piece, q *queue, process int, done func(piece int) error,
) (has map[int]bool, err error) {
	has = map[int]bool{}
	enc := json.NewEncoder(k.in)
	stop := context.AfterFunc(ctx, func() { _ = k.cmd.Process.Kill() }) // it may have ended
	defer stop()
	for {
		for {
			i, ok := q.take(process, len(has))
			if !ok {
				break
			}
			has[i] = true
			if enc.Encode(order{Piece: &pieces[i]}) != nil {
				return has, errDied
			}
		}
		if len(has) == 0 {
			return nil, nil
		}
		var m report
		if k.out.Decode(&m) != nil {
			return has, errors.Join(ctx.Err(), errDied)
		}
		if m.Error != "" {
			return has, errors.New(m.Error)
		}
		delete(has, m.Piece)
		if err := done(m.Piece); err != nil {
			return has, err
		}
	}
}

// end ends the process, and is why it ended.
func (k *child) end() error {
	_ = k.in.Close()
	_ = k.cmd.Process.Kill() // it may have ended
	err := k.cmd.Wait()
	if text := k.errors.String(); text != "" {
		return fmt.Errorf("%w: %s", err, text)
	}
	return err
}

// tail keeps the end of what a process says.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text = append(t.text, b...); len(t.text) > 1000 {
		t.text = t.text[len(t.text)-1000:]
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
