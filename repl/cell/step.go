package cell

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/check"
	"github.com/tiler-go/tiler/repl/cell/scan"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Step runs an instance of a kernel, and calls step after each of its statements. An
// error of step ends the kernel and is Step's. Tensors are the arguments of pointers.
func (s *Session) Step(ctx context.Context, kernel string, p *tl.Program, args []any, step func(Step) error) error {
	s.lock()
	defer s.unlock()
	d := s.scope.Def(kernel)
	if d == nil || !isKernel(d) {
		return fmt.Errorf("%s is not a kernel", kernel)
	}
	if d.Broken != nil {
		return fmt.Errorf("%s no longer compiles: %w", kernel, d.Broken)
	}
	if got, want := len(args), d.Obj.(*types.Func).Signature().Params().Len()-1; got != want {
		return fmt.Errorf("%s takes %d arguments, got %d", kernel, want, got)
	}
	c, err := s.scope.Alone(d).Check()
	if err != nil {
		return err
	}
	u := c.Unit(s.world, false)
	u.Step = c.Function(kernel)
	u.Told = map[*types.Func]bool{u.Step: true}
	code, err := s.world.Lower(u)
	if err != nil {
		return asList(err)
	}
	s.world.Rollback() // nothing else is to call this version
	if err := s.host.Compile(code); err != nil {
		return s.opts.bug(code, err)
	}
	return s.run(func() error { return s.host.WalkThrough(ctx, append([]any{p}, pointers(d, args)...), step) })
}

// pointers is arguments of a launch as the kernel takes them.
func pointers(d *check.Def, args []any) []any {
	params := d.Obj.(*types.Func).Signature().Params()
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = a
		if x, ok := a.(*tensor.Tensor); ok {
			out[i] = tl.PointerTo(x, params.At(i+1).Name(), nil)
		}
	}
	return out
}

// Mark is a place between cells, for KernelText.
func (s *Session) Mark() int { return len(s.scope.Sources) }

// evaluated reports whether a source is a cell that ran to its end.
func evaluated(src check.Source) bool {
	return src.Done && src.Name != check.Argument && !src.Program
}

// KernelText is a kernel made of the statements of the cells since a mark. Variables of
// before become its parameters: tensors pointers, integers in capitals compile-time
// constants. Expressions that were only looked at are left out.
func (s *Session) KernelText(name string, from int) (string, error) {
	if !token.IsIdentifier(name) {
		return "", fmt.Errorf("%s cannot be the name of a function", name)
	}
	b := &kernelBuilder{s: s, name: name}
	for _, src := range s.scope.Sources[min(max(from, 0), len(s.scope.Sources)):] {
		if !evaluated(src) {
			continue
		}
		for _, it := range scan.Items(src.Text) {
			if !it.Decl {
				b.stmts = append(b.stmts, strings.TrimSuffix(strings.TrimSpace(src.Text[it.Start:it.End]), ";"))
			}
		}
	}
	if len(b.stmts) == 0 {
		return "", fmt.Errorf("there are no statements to make a kernel from: type them after :begin")
	}
	return b.build()
}
