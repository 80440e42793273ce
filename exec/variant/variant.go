package variant

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/engine"
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/function"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/exec/promote"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Variant is a kernel compiled for some dtypes and compile-time values.
type Variant struct {
	Args []frontend.Arg
	Ones []bool        // parameters that are a factor of an index: compiled in where they are 1
	Text func() string // the function before optimisation: what it means
	Flow promote.Flow
	Err  error // why it cannot be compiled; then only spec, if at all, and Args are there

	Strange atomic.Bool // no earlier process promoted it

	spec *frontend.Spec
	fn   *engine.Func // optimised
	used atomic.Int64 // the clock of its Set when it was last asked for

	mu       sync.Mutex
	programs atomic.Pointer[[]*Program] // changed under mu
}

// compile makes a variant of a kernel's function.
func compile(kernel *function.Function, args []frontend.Arg) (v *Variant) {
	v = &Variant{Args: args}
	defer function.Recover(&v.Err)
	var fn *ir.Func
	var text func() string
	if fn, v.spec, text, v.Err = kernel.Lower(args); fn != nil {
		v.Text, v.Ones = sync.OnceValue(text), Factors(fn, v.spec)
	}
	if v.Err == nil && !kernel.Given() {
		v.Err = kernel.Named(kernel.Written().AsBuilt())
	}
	if v.Err != nil {
		return v
	}
	FixOnes(fn, v.Ones, args)
	if v.Err = pass.Run(fn, pass.Options{}); v.Err != nil {
		return v
	}
	v.Flow, v.fn = promote.FlowOf(fn), engine.NewFunc(fn)
	return v
}

// serves reports whether the variant is right for arguments: dtypes are the same, and so are
// values that are compiled in. Of a kernel that cannot be compiled all values matter.
func (v *Variant) serves(args []any) bool {
	for i, a := range args {
		was, same := &v.Args[i], false
		free := v.spec != nil && !v.spec.Fixed[i]
		switch a := a.(type) {
		case *tensor.Tensor:
			same = a.DType() == was.DType && a.IsNone() == was.None
		case int:
			same = int64(a) == was.Int || free && !(v.isFactor(i) && (a == 1 || was.Int == 1))
		case float64:
			same = free || math.Float64bits(a) == math.Float64bits(was.Float)
		case bool:
			same = free || a == was.Bool
		case tl.DType:
			same = a == was.DType
		case string:
			same = a == was.Str
		}
		if !same {
			return false
		}
	}
	return true
}

// isFactor reports whether an int is compiled in where it is 1.
func (v *Variant) isFactor(i int) bool { return v.Ones != nil && v.Ones[i] }
