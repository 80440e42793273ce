package cell

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/cell/check"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/cell/sugar"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// What the owner of a session asks of it: values and types of expressions, variables
// and kernels.

// Evaluate is the value of an expression, which is not shown.
func (s *Session) Evaluate(ctx context.Context, expr string) (Value, error) {
	if err := oneExpression(expr); err != nil {
		return Value{}, err
	}
	values, err := s.capture(ctx, expr)
	if err != nil {
		return Value{}, err
	}
	if len(values) == 0 {
		return Value{}, diag.List{diag.At(diag.Pos{}, "%s has no value", expr)}
	}
	return values[0], nil
}

func oneExpression(expr string) error {
	list := scan.Items(expr)
	if _, err := parser.ParseExpr(sugar.PlainSyntax(expr)); err != nil || len(list) != 1 {
		return diag.List{diag.At(diag.Pos{}, "%s is not an expression", expr)}
	}
	return nil
}

// capture evaluates text that is no cell, and is what it would show.
func (s *Session) capture(ctx context.Context, text string) (values []Value, err error) {
	s.lock()
	defer s.unlock()
	s.show, s.capturing = func(v Value) { values = append(values, v) }, true
	defer func() { s.show, s.capturing = s.opts.Show, false }()
	cell := s.scope.Add(check.Source{Name: check.Argument, Text: text, Line: 1})
	return values, s.evalStage(ctx, cell, scan.Stage{Stmts: scan.Items(text)})
}

// Do calls fn, which calls functions of the session's code: what they do is ended when
// ctx is done, or when it takes too much memory, as in a cell. If it does not end at once
// Do returns before fn does.
func (s *Session) Do(ctx context.Context, fn func()) error {
	s.lock()
	defer s.unlock()
	return s.run(func() error { return s.host.Do(ctx, fn) })
}

// TypeOf is the type of an expression, nil if it has none.
func (s *Session) TypeOf(expr string) types.Type {
	if oneExpression(expr) != nil {
		return nil
	}
	s.lock()
	defer s.unlock()
	if s.makeAns(scan.Items(expr)) != nil {
		return nil
	}
	cell := s.scope.Add(check.Source{Name: check.Argument, Text: expr, Line: 1})
	defer s.scope.Drop()
	c, err := s.scope.Plan(cell, scan.Stage{Stmts: scan.Items(expr)}).Check()
	if err != nil {
		return nil
	}
	return c.Value()
}

// A Var is a variable with its value.
type Var struct {
	Name  string
	Type  string
	Value Value
}

// Vars is the variables, in the order in which they were defined.
func (s *Session) Vars() []Var {
	s.refreshAns()
	var vars []Var
	var names []string
	for _, d := range s.scope.Sorted() {
		if d.Kind == token.VAR && d.Broken == nil {
			vars = append(vars, Var{Name: d.Name, Type: s.scope.TypeText(d.Obj.Type())})
			names = append(names, d.Name)
		}
	}
	values, err := s.capture(context.Background(), strings.Join(names, "\n"))
	if err != nil || len(values) != len(vars) {
		return nil
	}
	for i := range vars {
		vars[i].Value = values[i]
	}
	return vars
}

// Set defines a variable, or gives it another value. The value's type must be one
// that the session's code can name.
func (s *Session) Set(name string, v any) error {
	if !token.IsIdentifier(name) {
		return fmt.Errorf("%s cannot be the name of a variable", name)
	}
	if v == nil {
		return fmt.Errorf("%s cannot be nil", name)
	}
	t := s.scope.Types.Of(reflect.TypeOf(v))
	if t == types.Typ[types.Invalid] {
		return fmt.Errorf("%s cannot be a %T", name, v)
	}
	s.lock()
	defer s.unlock()
	_, _, err := s.give(name, t, v)
	return err
}

// newKernel is exec.New of a function.
func (s *Session) newKernel(name string) (*exec.Kernel, error) {
	d := s.scope.Def(name)
	switch {
	case d == nil:
		return nil, diag.List{diag.At(diag.Pos{}, "there is no function %s", name)}
	case d.Broken != nil:
		return nil, diag.List{diag.At(diag.Pos{}, "%s no longer compiles", name).Note("%v", d.Broken)}
	case !isKernel(d):
		return nil, diag.List{diag.At(diag.Pos{}, "%s is not a kernel", name).Note("a kernel is a function without a result whose first parameter is p *tl.Program")}
	}
	s.lock()
	pkg := s.ensure(sugar.PathExec)
	s.unlock()
	v, err := s.Evaluate(context.Background(), pkg+".New("+name+")")
	if err != nil {
		return nil, err
	}
	return v.V.(*exec.Kernel), nil
}

// Reset forgets everything but the packages of the start.
func (s *Session) Reset() {
	s.lock()
	defer s.unlock()
	s.begin()
	s.ImportUsual()
}
