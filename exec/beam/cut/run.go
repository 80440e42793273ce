package cut

import (
	"context"
	"errors"
	"fmt"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Store is where the tensors of a launch are.
type Store interface {
	// Read reads a region of an argument into memory laid out as in the tensor: Span elements, which may be anything
	// before if they are one row, and are zeros otherwise. All of the region is set: to zeros if there is nothing to read.
	Read(ctx context.Context, arg int, r Region, into []byte) error
	// Write writes a region from such memory.
	Write(ctx context.Context, arg int, r Region, from []byte) error
}

// Run runs a piece: its tensors are read, its programs run, and what they may have written is written.
func (p *Program) Run(ctx context.Context, q Piece, s Store) error {
	return p.run(ctx, p.kernel.LaunchContext, p.Loader(), q, s)
}

func (p *Program) run(ctx context.Context, launch launcher, l *Loader, q Piece, s Store) error {
	t, err := l.Load(ctx, q, s)
	if err != nil {
		return err
	}
	l.Release()
	defer t.Free()
	if err := t.launch(ctx, launch); err != nil {
		return err
	}
	return t.Save(ctx, s)
}

// launcher is how a kernel is run.
type launcher func(ctx context.Context, g exec.Space, args ...any) error

// A Task is a piece whose tensors are in memory.
type Task struct {
	p     *Program
	piece Piece
	bufs  []*shared // by argument of the launch
}

// Launch runs the programs, once.
func (t *Task) Launch(ctx context.Context) error { return t.launch(ctx, t.p.kernel.LaunchContext) }

func (t *Task) launch(ctx context.Context, launch launcher) error {
	defer t.freeRead()
	return t.p.placed(launch(ctx, exec.Grid(t.piece.N[:]), t.p.arguments(t.piece, t.bufs)...), t.piece)
}

// freeRead gives back what was only read: there may be no room for the next piece otherwise.
func (t *Task) freeRead() {
	for i, x := range t.bufs {
		if t.piece.Write[i].Empty() {
			t.p.memory.drop(x)
			t.bufs[i] = nil
		}
	}
}

// Save writes what the programs may have written.
func (t *Task) Save(ctx context.Context, s Store) error {
	for i, r := range t.piece.Write {
		if r.Empty() {
			continue
		}
		size := t.p.Launch.Args[i].Tensor.Type().Size()
		at := (r.Off - t.piece.Need[i].Off) * size
		if err := s.Write(ctx, i, r, t.bufs[i].bytes[at:at+r.Span()*size]); err != nil {
			return err
		}
	}
	return nil
}

// Free gives the memory of the tensors back.
func (t *Task) Free() {
	for _, x := range t.bufs {
		t.p.memory.drop(x)
	}
	t.bufs = nil
}

// ArgName is the name of an argument in the kernel.
func (p *Program) ArgName(arg int) string {
	for i, a := range p.Tensors {
		if a == arg {
			return p.Params[i]
		}
	}
	return fmt.Sprint("argument ", arg)
}

// arguments is those of shifted IR.
func (p *Program) arguments(q Piece, bufs []*shared) []any {
	args := append([]any(nil), p.args...)
	for axis := range 3 {
		args = append(args, q.From[axis], p.grid[axis])
	}
	for i, arg := range p.Tensors {
		x, isTensor := p.args[i].(*tensor.Tensor)
		if !isTensor {
			continue
		}
		begins := 0
		if !x.IsNone() {
			args[i], begins = bufs[arg].tensor(x.DType()), -q.Need[arg].Off
		}
		args = append(args, begins)
	}
	return args
}

// tensor is the memory as a tensor, an empty one if there is none. An access finds only elements of the region's span:
// that it stays within the region's columns is what the region says.
func (x *shared) tensor(d dtype.DType) *tensor.Tensor {
	if x == nil {
		return tensor.Zeros(d, 0)
	}
	return tensor.FromBytes(d, x.bytes)
}

// placed is an error whose programs are numbered as in the whole launch.
func (p *Program) placed(err error, q Piece) error {
	if e := (*exec.Error)(nil); errors.As(err, &e) {
		z := *e
		z.Kernel, z.Grid = p.Name, p.Launch.Grid
		z.Program = append([]int(nil), e.Program...)[:min(len(e.Program), len(p.Launch.Grid))]
		for i := range z.Program {
			z.Program[i] += q.From[i]
		}
		return &z
	}
	return err
}

// Try compiles the kernel and tries it against the interpreter on the first program of a task that is not launched yet,
// with a copy of its part of the task's memory. What that writes is dropped.
func (t *Task) Try(ctx context.Context) error { return t.sample(ctx, t.p.kernel.LaunchContext) }

// Check runs that program with every sanitizer on. The error is the first finding that is one.
func (t *Task) Check(ctx context.Context) error {
	k := exec.From(exec.Lowered{Func: t.p.shifted, Text: t.p.text, Spell: t.p.spell}, exec.Options{Memory: "off"})
	return t.sample(ctx, func(ctx context.Context, g exec.Space, args ...any) error {
		_, err := k.CheckContext(ctx, g, args...)
		return err
	})
}

// Prove is Check, if that is wanted, and Try.
func (t *Task) Prove(ctx context.Context, check bool) error {
	if check {
		if err := t.Check(ctx); err != nil {
			return fmt.Errorf("the check of a program: %w", err)
		}
	}
	if err := t.Try(ctx); err != nil {
		return fmt.Errorf("the trial of a program: %w", err)
	}
	return nil
}

// sample launches the first program of a task: on the task's memory of what no program stores to, and on copies of the
// rest, which are not counted.
func (t *Task) sample(ctx context.Context, launch launcher) error {
	p := *t.p
	p.memory = &memory{}
	defer p.memory.empty()
	first := box{t.piece.From, [3]int{1, 1, 1}}
	q, l := p.analysis.piece(first, p.analysis.touch(first)), p.Loader()
	l.held = make([]*shared, len(t.bufs))
	for i, x := range t.bufs {
		if x != nil && !l.stores[i] {
			q.Need[i], l.held[i] = x.region, x
			x.users.Add(1)
		}
	}
	return p.run(ctx, launch, l, q, sampled{t})
}

// sampled is the memory of a task as a store into which nothing is written.
type sampled struct{ *Task }

// Read implements Store.
func (s sampled) Read(_ context.Context, arg int, r Region, into []byte) error {
	size := s.p.Launch.Args[arg].Tensor.Type().Size()
	from := s.bufs[arg].bytes[(r.Off-s.piece.Need[arg].Off)*size:]
	for i := range r.Rows {
		copy(into[i*r.Stride*size:][:r.Cols*size], from[i*r.Stride*size:])
	}
	return nil
}

// Write implements Store.
func (sampled) Write(context.Context, int, Region, []byte) error { return nil }
