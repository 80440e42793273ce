package cell

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/box"
	"github.com/tiler-go/tiler/repl/cell/scan"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Step is a statement of a kernel that has been done.
type Step struct {
	Pos    diag.Pos
	Source string   // its first line
	Names  []string // the variables that it gave values to
	Values []Value
}

// A walk is a kernel that is done step by step.
type walk struct {
	args []any
	step func(Step) error
}

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
	if err := s.engine.compile(code); err != nil {
		return s.bug(code, err)
	}
	s.host.walk = &walk{args: append([]any{p}, s.pointers(d, args)...), step: step}
	defer func() { s.host.walk = nil }()
	return s.engine.run(ctx)
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

// Walk calls the kernel that is done step by step.
func (h *host) Walk(kernel any) {
	fn := reflect.ValueOf(kernel)
	in := make([]reflect.Value, len(h.walk.args))
	for i, a := range h.walk.args {
		in[i] = reflect.ValueOf(a)
		if want := fn.Type().In(i); in[i].Type() != want && in[i].CanConvert(want) {
			in[i] = in[i].Convert(want)
		}
	}
	returned := false
	defer func() {
		if p := in[0].Interface().(*tl.Program); !returned && p.Line > 0 {
			h.line = p.Line
		}
	}()
	fn.Call(in)
	returned = true
}

// Step is called after a statement: with its mark, the variables that it gave values
// to, and for each the number of its type and the value.
func (h *host) Step(mark int, names string, pairs ...any) {
	tell := h.s.opts.Step
	if h.walk != nil {
		tell = h.walk.step
	}
	pos := h.s.markPos(mark)
	st := Step{Pos: pos, Source: h.s.lineAt(pos)}
	if names != "" {
		st.Names = strings.Split(names, " ")
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		v := pairs[i+1]
		st.Values = append(st.Values, Value{V: box.Bare(v), Box: v, Type: h.boxes.Type(pairs[i].(int))})
	}
	h.flush()
	if err := tell(st); err != nil {
		h.now.Load().halt(err)
		h.leave()
	}
}

// lineAt is a line of what the session was given.
func (s *Session) lineAt(pos diag.Pos) string {
	lines := strings.Split(s.text(pos.File), "\n")
	if pos.Line < 1 || pos.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[pos.Line-1])
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
