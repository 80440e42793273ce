package exec

import (
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/function"
	"github.com/tiler-go/tiler/exec/inspect"
)

// An Inspection is what the compiler makes of a kernel for some arguments, to be read.
type Inspection = inspect.Inspection

// A Stage is a kernel's IR after one of the compiler's steps.
type Stage = inspect.Stage

// A Cost says by what machine code does a line of a kernel, and what keeps it from better.
type Cost = inspect.Cost

// A MissingError is arguments that have no usual value: those whose value decides what
// is compiled.
type MissingError = inspect.MissingError

// CostText is costs as a table, one line of source each.
func CostText(costs []Cost) string { return inspect.CostText(costs) }

// InspectFile compiles a kernel of a file for arguments by name, each NAME=VALUE.
// Tensors that are not named are of float32, and other values unknown; a value that
// must be known, and has not been given, is a *MissingError. An empty kernel name means
// the only one of the file.
func InspectFile(name, text, kernel string, args ...string) (*Inspection, error) {
	return inspect.File(name, text, kernel, args...)
}

// Inspect compiles the kernel for arguments as a launch would. Without arguments it is
// for those of the last launch that was compiled.
func (k *Kernel) Inspect(args ...any) (*Inspection, error) {
	if err := k.usable(); err != nil {
		return nil, err
	}
	fa, err := k.inspected(args)
	if err != nil {
		return nil, err
	}
	fn, spec, _, err := k.fn.Lower(fa)
	if err != nil {
		return nil, err
	}
	return inspect.New(fn, spec, fa, k.fn.Texts(), k.fn.Text.File)
}

// inspected is what the compiler must know of args, or of the last variant.
func (k *Kernel) inspected(args []any) ([]frontend.Arg, error) {
	if len(args) > 0 || len(k.fn.Params()) == 0 {
		as, err := k.fn.Accept(args, nil)
		return function.Args(as), err
	}
	all := k.variants.All()
	if len(all) == 0 {
		return nil, k.fn.Errorf("not compiled yet: launch it first, or give its arguments\n\tthe kernel is %s", k.fn.Signature())
	}
	return all[len(all)-1].Args, nil
}
