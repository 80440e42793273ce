package cell

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/scan"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Step runs an instance of a kernel, and calls step after each of its statements. An
// error of step ends the kernel and is Step's. Tensors are the arguments of pointers.
func (s *Session) Step(ctx context.Context, kernel string, p *tl.Program, args []any, step func(Step) error) error {
	s.lock()
	defer s.unlock()
	d := s.def(kernel)
	if d == nil || !isKernel(d) {
		return fmt.Errorf("%s is not a kernel", kernel)
	}
	if d.broken != nil {
		return fmt.Errorf("%s no longer compiles: %w", kernel, d.broken)
	}
	if got, want := len(args), d.obj.(*types.Func).Signature().Params().Len()-1; got != want {
		return fmt.Errorf("%s takes %d arguments, got %d", kernel, want, got)
	}
	pl := &plan{s: s, cell: d.at.cell, decls: []span{d.at}, broken: map[*def]error{}, stands: map[string]*types.Var{}, alone: true}
	c, err := pl.check()
	if err != nil {
		return err
	}
	u := c.unit()
	u.Step = c.function(kernel)
	u.Told = map[*types.Func]bool{u.Step: true}
	code, err := s.world.Lower(u)
	if err != nil {
		return asList(err)
	}
	s.world.Rollback() // nothing else is to call this version
	if err := s.host.Compile(code); err != nil {
		return s.bug(code, err)
	}
	return s.run(func() error { return s.host.WalkThrough(ctx, append([]any{p}, s.pointers(d, args)...), step) })
}

// pointers is arguments of a launch as the kernel takes them.
func (s *Session) pointers(d *def, args []any) []any {
	params := d.obj.(*types.Func).Signature().Params()
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = a
		if x, ok := a.(*tensor.Tensor); ok {
			out[i] = tl.PointerTo(x, params.At(i+1).Name(), nil)
		}
	}
	return out
}

// function is a function that the check's own text declares.
func (c *check) function(name string) *types.Func {
	for id, o := range c.info.Defs {
		if f, ok := o.(*types.Func); ok && id.Name == name && f.Signature().Recv() == nil {
			return f
		}
	}
	return nil
}

// Mark is a place between cells, for KernelText.
func (s *Session) Mark() int { return len(s.sources) }

// evaluated reports whether a source is a cell that ran to its end.
func (src source) evaluated() bool { return src.done && src.name != argument && !src.program }

// KernelText is a kernel made of the statements of the cells since a mark. Variables of
// before become its parameters: tensors pointers, integers in capitals compile-time
// constants. Expressions that were only looked at are left out.
func (s *Session) KernelText(name string, from int) (string, error) {
	if !token.IsIdentifier(name) {
		return "", fmt.Errorf("%s cannot be the name of a function", name)
	}
	b := &kernelBuilder{s: s, name: name}
	for _, src := range s.sources[min(max(from, 0), len(s.sources)):] {
		if !src.evaluated() {
			continue
		}
		for _, it := range scan.Items(src.text) {
			if !it.Decl {
				b.stmts = append(b.stmts, strings.TrimSuffix(strings.TrimSpace(src.text[it.Start:it.End]), ";"))
			}
		}
	}
	if len(b.stmts) == 0 {
		return "", fmt.Errorf("there are no statements to make a kernel from: type them after :begin")
	}
	return b.build()
}
