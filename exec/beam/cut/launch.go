package cut

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Launch is all that a worker must know of a launch, as data.
type Launch struct {
	File   string // names the source in messages; its end says whether it is Go or Triton's Python
	Text   string
	Kernel string // empty: the only one of the file
	Grid   []int  // one to three axes
	Args   []Arg  // of the parameters, in order
}

// An Arg is an argument: the field that is set. None is set for nil.
type Arg struct {
	Tensor *Tensor  `json:",omitempty"`
	Int    *int64   `json:",omitempty"`
	Float  *float64 `json:",omitempty"`
	Bool   *bool    `json:",omitempty"`
	Text   *string  `json:",omitempty"` // a string, or the name of a dtype
}

// A Tensor is the dtype and shape of a contiguous tensor.
type Tensor struct {
	DType string
	Shape []int
}

// Len is the number of elements.
func (t *Tensor) Len() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// Row is the length of the last dimension, 1 for tensors of rank 0 and 1: these have rows of one element.
func (t *Tensor) Row() int {
	if len(t.Shape) < 2 {
		return 1
	}
	return max(1, t.Shape[len(t.Shape)-1])
}

// Type is the dtype, Invalid if there is none of the name.
func (t *Tensor) Type() dtype.DType {
	d, err := dtype.Parse(t.DType)
	if err != nil {
		return dtype.Invalid
	}
	return d
}

// Hash names a launch: equal launches have equal hashes.
func (l *Launch) Hash() string {
	text, err := json.Marshal(l)
	if err != nil {
		return "" // of plain fields
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// A Program is a launch that was compiled.
type Program struct {
	Launch *Launch
	Name   string   // the kernel's
	Params []string // names of the parameters of the IR
	// Tensors says for each parameter of the IR which of the launch's arguments it is, -1 for one that is no tensor.
	Tensors []int

	lowered func() (*ir.Func, error)
	args    []any // of the IR: *tensor.Tensor, int, float64, bool, nil
	text    func(file string) string
	spell   func(d *diag.Diagnostic)
	grid    [3]int

	analysis *analysis
	kernel   *exec.Kernel // of shifted IR
	memory   *memory
}

// Compile makes a program of a launch.
func Compile(l *Launch) (*Program, error) {
	p := &Program{Launch: l, grid: [3]int{1, 1, 1}, memory: &memory{}}
	if err := p.checkGrid(); err != nil {
		return nil, err
	}
	for _, a := range l.Args {
		if a.Tensor != nil && a.Tensor.Type() == dtype.Invalid {
			return nil, fmt.Errorf("%s: no dtype %q", l.File, a.Tensor.DType)
		}
	}
	lower := p.lowerGo
	if path.Ext(l.File) == ".py" {
		lower = p.lowerPython
	}
	if err := lower(); err != nil {
		return nil, err
	}
	fn, err := p.lowered()
	if err != nil {
		return nil, err
	}
	p.Name = fn.Name
	for i, v := range fn.Params {
		p.Params = append(p.Params, v.Text)
		if x, ok := p.args[i].(*tensor.Tensor); ok && x.IsVirtual() != v.Type.D.IsPointer() {
			return nil, fmt.Errorf("%s: %s is a tensor, and the kernel takes none there", l.File, v.Text)
		}
	}
	if p.analysis, err = analyze(p); err != nil {
		return nil, err
	}
	p.kernel = exec.From(exec.Lowered{Func: p.shifted, Text: p.text, Spell: p.spell}, exec.Options{Memory: "off"})
	if err := p.kernel.Err(); err != nil {
		return nil, err
	}
	p.kernel.Compile()
	return p, nil
}

// Workers sets how many goroutines a piece's programs run on; without it, GOMAXPROCS.
func (p *Program) Workers(n int) {
	p.kernel = p.kernel.With(exec.Options{Memory: "off", Workers: n})
	p.kernel.Compile()
}

func (p *Program) checkGrid() error {
	if n := len(p.Launch.Grid); n < 1 || n > 3 {
		return fmt.Errorf("%s: a grid of %d axes: there are one to three", p.Launch.File, n)
	}
	total := 1
	for i, n := range p.Launch.Grid {
		if n < 1 || n > 1<<31-1 || total > (1<<40)/n {
			return fmt.Errorf("%s: a grid of %v programs cannot be run", p.Launch.File, p.Launch.Grid)
		}
		total *= n
		p.grid[i] = n
	}
	return nil
}

// lowerGo reads a Go file. Parameters that are compiled in stay parameters of the IR, and are not used.
func (p *Program) lowerGo() error {
	l := p.Launch
	file, err := gofile.Load(l.File, l.Text)
	if err != nil {
		return err
	}
	if l.Kernel, err = only(l.File, l.Kernel, file.Kernels()); err != nil {
		return err
	}
	params, err := file.Params(l.Kernel)
	if err != nil {
		return err
	}
	if len(params) != len(l.Args) {
		return fmt.Errorf("%s: %s takes %d arguments, got %d", l.File, l.Kernel, len(params), len(l.Args))
	}
	args := make([]frontend.Arg, len(params))
	for i, q := range params {
		a, v, err := goArg(q, l.Args[i])
		if err != nil {
			return fmt.Errorf("%s: %s of %s: %w", l.File, q.Name, l.Kernel, err)
		}
		args[i] = a
		p.add(v, i)
	}
	p.text = func(string) string { return l.Text }
	p.lowered = func() (*ir.Func, error) {
		fn, _, err := frontend.Compile(file, l.Kernel, args)
		return fn, err
	}
	return nil
}

// add is the next argument of the IR: that of a parameter, or a stand-in for one that is compiled in.
func (p *Program) add(v any, arg int) {
	p.args = append(p.args, v)
	if x, ok := v.(*tensor.Tensor); !ok || x.IsNone() {
		arg = -1
	}
	p.Tensors = append(p.Tensors, arg)
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// goArg is an argument as the front end takes it, and as a launch does.
func goArg(q gofile.Param, a Arg) (z frontend.Arg, v any, err error) {
	want := func(ok bool) {
		if !ok {
			err = fmt.Errorf("got %s, want a %s", a, q.Kind)
		}
	}
	switch q.Kind {
	case gofile.Ptr:
		if a == (Arg{}) {
			return frontend.Arg{None: true, DType: dtype.Float32}, tensor.None(), nil
		}
		if want(a.Tensor != nil); err == nil {
			z.DType, v = a.Tensor.Type(), tensor.Virtual(a.Tensor.Type(), a.Tensor.Shape...)
		}
	case gofile.Int, gofile.Const:
		if want(a.Int != nil); err == nil {
			z.Int, v = *a.Int, int(*a.Int)
		}
	case gofile.Float:
		switch {
		case a.Float != nil:
			z.Float = *a.Float
		case a.Int != nil:
			z.Float = float64(*a.Int)
		default:
			want(false)
		}
		v = z.Float
	case gofile.Bool:
		if want(a.Bool != nil); err == nil {
			z.Bool, v = *a.Bool, *a.Bool
		}
	case gofile.DType:
		if want(a.Text != nil); err == nil {
			z.DType, err = dtype.Parse(*a.Text)
		}
		v = 0
	case gofile.String:
		if want(a.Text != nil); err == nil {
			z.Str = *a.Text
		}
		v = 0
	}
	return z, v, err
}

// String is the argument in a message.
func (a Arg) String() string {
	text, err := json.Marshal(a)
	if err != nil || a == (Arg{}) {
		return "nothing"
	}
	return string(text)
}

// lowerPython reads a Python file.
func (p *Program) lowerPython() error {
	l := p.Launch
	file, err := triton.Parse(l.File, l.Text)
	if err != nil {
		return err
	}
	if l.Kernel, err = only(l.File, l.Kernel, file.Kernels()); err != nil {
		return err
	}
	k, err := file.Kernel(l.Kernel)
	if err != nil {
		return err
	}
	args := make([]any, len(l.Args))
	from := map[*tensor.Tensor]int{}
	for i, a := range l.Args {
		args[i] = pythonArg(a)
		if x, ok := args[i].(*tensor.Tensor); ok {
			from[x] = i
		}
	}
	z, rest, err := k.Specialize(args...)
	if err != nil {
		return err
	}
	for _, v := range rest {
		i := -1
		if x, ok := v.(*tensor.Tensor); ok {
			i = from[x]
		}
		p.add(v, i)
	}
	p.text, p.lowered, p.spell = file.Text, z.Lowered, nil
	return nil
}

func pythonArg(a Arg) any {
	switch {
	case a.Tensor != nil:
		return tensor.Virtual(a.Tensor.Type(), a.Tensor.Shape...)
	case a.Int != nil:
		return int(*a.Int)
	case a.Float != nil:
		return *a.Float
	case a.Bool != nil:
		return *a.Bool
	case a.Text != nil:
		if d, err := dtype.Parse(*a.Text); err == nil {
			return d
		}
		return *a.Text
	}
	return nil
}

// scalars is the arguments as the IR takes them; tensors are without memory.
func (p *Program) scalars(fn *ir.Func) []ir.Arg {
	z := make([]ir.Arg, len(p.args))
	for i, v := range p.args {
		switch v := v.(type) {
		case int:
			z[i].Bits = uint64(v)
		case float64:
			z[i].Bits = dtype.FromFloat(dtype.Float64, v)
		case bool:
			z[i].Bits = dtype.FromInt(dtype.Bool, map[bool]int64{true: 1}[v], true)
		}
	}
	return z
}

// Stores says which arguments of the launch the kernel may store into.
func (p *Program) Stores() map[int]bool {
	z := map[int]bool{}
	for _, a := range p.analysis.accesses {
		if a.v.Writes() && a.base >= 0 {
			z[p.Tensors[a.base]] = true
		}
	}
	return z
}

// Loads says which arguments of the launch the kernel may load from; atomics load, too.
func (p *Program) Loads() map[int]bool {
	z := map[int]bool{}
	for _, a := range p.analysis.accesses {
		if a.v.Op != op.Store && a.base >= 0 {
			z[p.Tensors[a.base]] = true
		}
	}
	return z
}

// Params is the names of a kernel's parameters, and its own if that is not given.
func Params(file, text, kernel string) (name string, params []string, err error) {
	if path.Ext(file) == ".py" {
		f, err := triton.Parse(file, text)
		if err != nil {
			return "", nil, err
		}
		if kernel, err = only(file, kernel, f.Kernels()); err != nil {
			return "", nil, err
		}
		k, err := f.Kernel(kernel)
		if err != nil {
			return "", nil, err
		}
		for _, p := range k.Params() {
			params = append(params, p.Name)
		}
		return kernel, params, nil
	}
	f, err := gofile.Load(file, text)
	if err != nil {
		return "", nil, err
	}
	if kernel, err = only(file, kernel, f.Kernels()); err != nil {
		return "", nil, err
	}
	ps, err := f.Params(kernel)
	for _, p := range ps {
		params = append(params, p.Name)
	}
	return kernel, params, err
}

// only is a kernel's name: the only one, if none is given.
func only(file, kernel string, names []string) (string, error) {
	if kernel != "" {
		return kernel, nil
	}
	if len(names) != 1 {
		return "", fmt.Errorf("%s: which kernel? it has %s\n\tfix: name one after the file, as in %s:NAME",
			file, listed(names), file)
	}
	return names[0], nil
}
