package exec

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/function"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/exec/promote"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A variant is a kernel compiled for some dtypes and compile-time values.
type variant struct {
	spec *frontend.Spec
	args []frontend.Arg
	ones []bool        // parameters that are a factor of an index: compiled in where they are 1
	text func() string // the function before optimisation: what it means
	fn   *ir.Func      // optimised
	flow promote.Flow
	err  error // why it cannot be compiled; then only spec, if at all, and args are there

	used     atomic.Int64 // the kernel's clock when it was last asked for
	strange  atomic.Bool  // no earlier process promoted it
	portable func() (*portablePool, error)

	mu       sync.Mutex
	programs atomic.Pointer[[]*program] // changed under mu
}

// A program is a variant in one engine.
type program struct {
	engine  string
	ordered bool // no load is moved past a store: for arguments that share memory it stores to
	code    code
	err     error
	pace    atomic.Int64

	mu     sync.Mutex // held while the program is on trial
	trust  atomic.Int32
	reason atomic.Pointer[string] // why it is not trusted, or what it was tried on
}

// How far a program is trusted.
const (
	untried int32 = iota
	trusted
	refused
)

// serves reports whether the variant is right for arguments: dtypes are the same, and so are
// values that are compiled in. Of a kernel that cannot be compiled all values matter.
func (v *variant) serves(args []any) bool {
	for i, a := range args {
		was, same := &v.args[i], false
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
func (v *variant) isFactor(i int) bool { return v.ones != nil && v.ones[i] }

// maxVariants is how many variants of a kernel are kept. An int that decides a shape makes one
// of each of its values, of which a process that serves may meet any number. Tests keep fewer.
var maxVariants = 256

// variant finds or compiles the kernel for arguments. That it cannot be compiled is
// remembered, too.
func (k *Kernel) variant(args []any) (*variant, error) {
	if v := k.compiled(args); v != nil {
		return v, v.err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if v := k.compiled(args); v != nil {
		return v, v.err
	}
	v := k.compile(function.Args(args))
	v.used.Store(k.clock.Add(1))
	all := append(k.room(), v)
	k.variants.Store(&all)
	return v, v.err
}

// room is a copy of the kernel's variants, without the one that was used longest ago if they are
// as many as are kept. Launches that run it have it still: its code is freed when they have
// ended, and nothing refers to it any more.
func (k *Kernel) room() (all []*variant) {
	if p := k.variants.Load(); p != nil {
		all = append(all, *p...)
	}
	if len(all) < maxVariants {
		return all
	}
	oldest := 0
	for i, v := range all {
		if v.used.Load() < all[oldest].used.Load() {
			oldest = i
		}
	}
	k.freed.Add(1)
	return slices.Delete(all, oldest, oldest+1)
}

// compiled is a variant that is there already.
func (k *Kernel) compiled(args []any) *variant {
	if p := k.variants.Load(); p != nil {
		for _, v := range *p {
			if v.serves(args) {
				if now := k.clock.Load(); v.used.Load() != now { // to store takes longer than to look
					v.used.Store(now)
				}
				return v
			}
		}
	}
	return nil
}

func (k *Kernel) compile(args []frontend.Arg) (v *variant) {
	v = &variant{args: args}
	defer function.Recover(&v.err)
	var text func() string
	if v.fn, v.spec, text, v.err = k.fn.Lower(args); v.fn != nil {
		v.text, v.ones = sync.OnceValue(text), factors(v.fn, v.spec)
	}
	if v.err == nil && !k.fn.Given() {
		v.err = k.fn.Named(k.fn.Written().AsBuilt())
	}
	if v.err != nil {
		return v
	}
	compileOnes(v.fn, v.ones, args)
	if v.err = pass.Run(v.fn, pass.Options{Verify: verifyIR}); v.err != nil {
		return v
	}
	v.flow = promote.FlowOf(v.fn)
	v.portable = sync.OnceValues(func() (*portablePool, error) { return newPortable(v.fn) })
	return v
}

// verifyIR makes the passes check their work; tests set it.
var verifyIR bool

// code is the variant's code in the engine.
func (e *engine) code(v *variant, ordered bool) (c code, err error) {
	defer function.Recover(&err)
	return e.compile(v, ordered)
}

// program is the variant in an engine, compiled when first asked for.
func (v *variant) program(e *engine, ordered bool) *program {
	if p := v.made(e.name, ordered); p != nil {
		return p
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if p := v.made(e.name, ordered); p != nil {
		return p
	}
	p := &program{engine: e.name, ordered: ordered}
	p.code, p.err = e.code(v, ordered)
	all := append(slices.Clone(v.all()), p)
	v.programs.Store(&all)
	return p
}

// made is the variant in an engine, nil if it was not asked for yet.
func (v *variant) made(engine string, ordered bool) *program {
	for _, p := range v.all() {
		if p.engine == engine && p.ordered == ordered {
			return p
		}
	}
	return nil
}

// all is the variant in the engines that were asked for.
func (v *variant) all() []*program {
	if p := v.programs.Load(); p != nil {
		return *p
	}
	return nil
}

// factors are the int parameters that something is multiplied by: strides, mostly. A
// stride of 1 is worth a variant of its own.
func factors(f *ir.Func, spec *frontend.Spec) []bool {
	ones := make([]bool, len(f.Params))
	from := map[*ir.Value]int{}
	for i, p := range f.Params {
		if spec.Params[i].Kind == frontend.Int && !spec.Fixed[i] {
			from[p] = i
		}
	}
	f.Values(func(v *ir.Value) {
		switch v.Op {
		case op.Cast, op.Broadcast, op.Reshape, ir.Fits:
			if i, ok := from[v.Args[0]]; ok {
				from[v] = i
			}
		case op.Mul:
			for _, a := range v.Args {
				if i, ok := from[a]; ok {
					ones[i] = true
				}
			}
		}
	})
	return ones
}

// compileOnes makes parameters that are factors, and 1, constants.
func compileOnes(f *ir.Func, ones []bool, args []frontend.Arg) {
	subst := map[*ir.Value]*ir.Value{}
	var consts []*ir.Value
	for i, p := range f.Params {
		if ones[i] && args[i].Int == 1 {
			c := f.NewValue(op.Const, p.Type, p.Pos)
			c.Bits = dtype.FromInt(p.Type.D, 1, true)
			subst[p] = c
			consts = append(consts, c)
		}
	}
	if len(consts) > 0 {
		f.Replace(subst)
		f.Body.Values = append(consts, f.Body.Values...)
	}
}
