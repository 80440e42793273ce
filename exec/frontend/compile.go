package frontend

import (
	"go/ast"

	"github.com/tiler-go/tiler/exec/frontend/flow"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// An Arg is what the compiler must know of an argument, a Spec which parameters' values are
// compiled into a Func.
type (
	Arg  = value.Arg
	Spec = value.Spec
)

// Compile lowers a kernel for arguments. Every parameter after the program is a
// Param of the Func at its own place; those that the code is specialised on (see
// Spec) are there but unused, tl.DType and string parameters as an int64 without
// meaning. The error is a diag.List of all that is wrong with the kernel and the
// functions it calls.
func Compile(f *gofile.File, name string, args []Arg) (*ir.Func, *Spec, error) {
	return compile(f, name, args, gofile.Const)
}

// Open is Compile of the kernel as if its tl.Const parameters were ints: they are Fixed
// only where their values decide a shape, or something else that must be known.
func Open(f *gofile.File, name string, args []Arg) (*ir.Func, *Spec, error) {
	return compile(f, name, args, gofile.Int)
}

// compile takes tl.Const parameters for parameters of a kind.
func compile(f *gofile.File, name string, args []Arg, constants gofile.Kind) (*ir.Func, *Spec, error) {
	k, err := f.Lookup(name)
	if err != nil {
		return nil, nil, err
	}
	params, err := f.Params(name)
	if err != nil {
		return nil, nil, err
	}
	if len(args) != len(params) {
		return nil, nil, diag.List{diag.At(f.Position(k.Node.Pos()), "kernel %s: got %d arguments, want %d", name, len(args), len(params))}
	}
	s := &Spec{Params: params, Fixed: make([]bool, len(params))}
	for i := range params {
		p := &params[i]
		if p.Kind == gofile.Const {
			p.Kind = constants
		}
		s.Fixed[i] = p.Kind == gofile.Const || p.Kind == gofile.DType || p.Kind == gofile.String
	}
	unroll := map[ast.Stmt]value.ReasonToUnroll{}
	for {
		l := &lowering{flow.Control{Run: value.NewRun(f, k, s, args, unroll)}}
		if again := l.kernel(); again {
			continue
		}
		if len(l.Diags) == 0 && l.Lost.IsValid() {
			l.Error(l.Lost, "the compiler cannot follow this expression, for a reason it does not know")
		}
		if len(l.Diags) > 0 {
			return nil, nil, gofile.Sorted(l.Unexplained())
		}
		l.Func.Renumber()
		return l.Func, s, nil
	}
}
