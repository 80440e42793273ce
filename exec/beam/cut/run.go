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
	// Read reads a region of an argument into memory laid out as in the tensor: Span elements.
	Read(ctx context.Context, arg int, r Region, into []byte) error
	// Write writes a region from such memory.
	Write(ctx context.Context, arg int, r Region, from []byte) error
}

// Run runs a piece: its tensors are read, its programs run, and what they may have written is written.
func (p *Program) Run(ctx context.Context, q Piece, s Store) error {
	return p.run(ctx, launched(p.kernel), q, s)
}

// launched runs a kernel as ever.
func launched(k *exec.Kernel) func(context.Context, exec.Grid, []any) error {
	return func(ctx context.Context, g exec.Grid, args []any) error { return k.LaunchContext(ctx, g, args...) }
}

func (p *Program) run(ctx context.Context, do func(context.Context, exec.Grid, []any) error, q Piece, s Store) error {
	m := &memory{}
	defer m.free()
	bufs := make([][]byte, len(q.Need))
	for i, r := range q.Need {
		t := p.Launch.Args[i].Tensor
		if t == nil || r.Empty() {
			continue
		}
		var err error
		if bufs[i], err = m.alloc(r.Span() * t.Type().Size()); err != nil {
			return fmt.Errorf("%s of %s: %w", r, p.argName(i), err)
		}
		if err := s.Read(ctx, i, r, bufs[i]); err != nil {
			return err
		}
	}
	if err := do(ctx, q.N[:], p.arguments(q, bufs)); err != nil {
		return p.placed(err, q)
	}
	for i, r := range q.Write {
		if r.Empty() {
			continue
		}
		t := p.Launch.Args[i].Tensor
		at := (r.Off - q.Need[i].Off) * t.Type().Size()
		if err := s.Write(ctx, i, r, bufs[i][at:at+r.Span()*t.Type().Size()]); err != nil {
			return err
		}
	}
	return nil
}

// argName is an argument's name in the kernel.
func (p *Program) argName(arg int) string {
	for i, a := range p.Tensors {
		if a == arg {
			return p.Params[i]
		}
	}
	return fmt.Sprint("argument ", arg)
}

// ArgName is the name of an argument in the kernel.
func (p *Program) ArgName(arg int) string { return p.argName(arg) }

// arguments is those of shifted IR.
func (p *Program) arguments(q Piece, bufs [][]byte) []any {
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
			r := q.Need[arg]
			args[i], begins = r.tensor(x.DType(), bufs[arg]), -r.Off
		}
		args = append(args, begins)
	}
	return args
}

// tensor is memory with a region in it. A load finds only elements of the region's span, and so does a store: that it
// stays within the region's rows is what the region says.
func (r Region) tensor(d dtype.DType, b []byte) *tensor.Tensor {
	if r.Empty() {
		return tensor.Zeros(d, 0)
	}
	return tensor.FromBytes(d, b)
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

// Try compiles the kernel and tries it against the interpreter on the first program of a piece. What that writes is
// dropped.
func (p *Program) Try(ctx context.Context, q Piece, s Store) error {
	return p.run(ctx, launched(p.kernel), p.sample(q), sampled{s})
}

// sample is the first program of a piece.
func (p *Program) sample(q Piece) Piece {
	b := box{q.From, [3]int{1, 1, 1}}
	return p.analysis.piece(b, p.analysis.touch(b))
}

// Check runs the first program of a piece with every sanitizer on; its results are dropped. The error is the first
// finding that is one.
func (p *Program) Check(ctx context.Context, q Piece, s Store) error {
	k := exec.From(exec.Lowered{Func: p.shifted, Text: p.text, Spell: p.spell}, exec.Options{Memory: "off"})
	return p.run(ctx, func(ctx context.Context, g exec.Grid, args []any) error {
		_, err := k.CheckContext(ctx, g, args...)
		return err
	}, p.sample(q), sampled{s})
}

// sampled is a store into which nothing is written.
type sampled struct{ Store }

func (sampled) Write(context.Context, int, Region, []byte) error { return nil }

// memory is what a piece's tensors are in.
type memory struct{ maps [][]byte }
