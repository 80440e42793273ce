package exec

import (
	"github.com/tiler-go/tiler/exec/function"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/promote"
)

// A Lowered is a kernel that is no Go function: the IR that the front end of another
// language made of it, for some dtypes and compile-time values.
type Lowered = function.Lowered

// From makes a kernel of IR. It runs, checks, promotes and traces as one of Go; interpreted,
// each value of the IR is a call of the language's function. What is wrong with the IR is
// Err, and the error of every call.
func From(l Lowered, o ...Option) *Kernel { return made(function.From(l), o) }

// Lowered is the IR of a kernel that From made.
func (k *Kernel) Lowered() (*ir.Func, error) {
	if err := k.usable(); err != nil {
		return nil, err
	}
	return k.fn.IR()
}

// Stores says which parameters of a kernel that From made it may store into; nil if it cannot be
// told.
func (k *Kernel) Stores() []bool {
	fn, err := k.Lowered()
	if err != nil {
		return nil
	}
	return promote.FlowOf(fn).Stored
}

// Params is the names of the parameters after the program, "argument 1" and so on where they
// are not known.
func (k *Kernel) Params() (names []string) {
	if k.usable() != nil {
		return nil
	}
	return k.fn.Labels()
}
