package tilerbeam

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/tiler-go/tiler/exec/beam/cut"
	"github.com/tiler-go/tiler/exec/beam/files"
)

// cores is how many this process may use.
var cores = runtime.GOMAXPROCS(0)

// Overlap lets Go run more threads than there are cores: those of a kernel take all cores, and what reads and writes
// pieces beside them would wait for one of them, 10 ms after each call to the system. The system itself shares the
// cores better. A program of its own, as tiler-beam, calls it when it begins.
func Overlap() { runtime.GOMAXPROCS(cores + files.QueueDepth) }

// try tries the kernel on the first program of the first piece that there is, whose tensors are in memory then; it
// checks that program, too, if the job says so.
func (p *plan) try(ctx context.Context, t *cut.Task) error {
	p.trial.Lock()
	defer p.trial.Unlock()
	if p.tried {
		return nil
	}
	err := t.Prove(ctx, p.Check)
	p.tried = err == nil
	return err
}

// run runs pieces as they come: while one is computed, the next is read and the last is written. done is told of each
// that is complete, from one goroutine.
func (p *plan) run(ctx context.Context, todo <-chan cut.Piece, done func(piece int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	read, computed := make(chan work), make(chan work)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(read)
		if err := p.read(ctx, todo, read); err != nil {
			cancel(err)
		}
	})
	wg.Go(func() {
		defer close(computed)
		for w := range read {
			err := p.try(ctx, w.task)
			if err == nil {
				err = w.task.Launch(ctx)
			}
			if err != nil {
				cancel(p.failed(w.piece, err))
			}
			computed <- w
		}
	})
	for w := range computed {
		if ctx.Err() == nil {
			err := w.task.Save(ctx, p.store(w.piece))
			if err != nil {
				err = p.failed(w.piece, err)
			} else {
				err = done(w.piece)
			}
			if err != nil {
				cancel(err)
			}
		}
		w.task.Free()
		<-p.places
	}
	wg.Wait()
	return context.Cause(ctx)
}

// holdFor is how long memory is held for the first piece of the next task, which may need the same.
const holdFor = time.Second

// letGo gives back what the loader holds, unless a task reads.
func (p *plan) letGo() {
	select {
	case loader := <-p.loader:
		loader.Release()
		p.loader <- loader
	default:
	}
}

// read reads pieces as they come, when no other task of the job reads.
func (p *plan) read(ctx context.Context, todo <-chan cut.Piece, read chan<- work) error {
	var loader *cut.Loader
	select {
	case loader = <-p.loader:
		defer func() {
			p.loader <- loader
			time.AfterFunc(holdFor, p.letGo)
		}()
	case <-ctx.Done():
		return nil
	}
	for q := range todo {
		select {
		case p.places <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		t, err := loader.Load(ctx, q, p.store(q.Index))
		if err != nil {
			<-p.places
			return p.failed(q.Index, err)
		}
		read <- work{q.Index, t}
	}
	return nil
}

// work is a piece whose tensors are in memory.
type work struct {
	piece int
	task  *cut.Task
}

// failed names the piece.
func (p *plan) failed(piece int, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("piece %d of %d: %w", piece+1, p.of, err)
}
