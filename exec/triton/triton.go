package triton

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/exec/triton/spell"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A File is a Python file with kernels.
type File struct {
	lower *lower.File
	texts map[string]string // of the file and of those that it imports
}

// Load reads a file. Modules that it imports kernels from are looked for beside it and in
// the folders around it.
func Load(path string) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := &File{texts: map[string]string{}}
	files := map[string]*lower.File{}
	var open lower.Opener
	open = func(from, name string) *lower.File {
		path := find(from, name)
		if path == "" {
			return nil
		}
		if z, ok := files[path]; ok {
			return z
		}
		files[path] = nil // until it is read: a module may import the one that imports it
		text, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		z, err := lower.Load(path, string(text), open)
		if err != nil {
			return nil
		}
		files[path], f.texts[path] = z, string(text)
		return z
	}
	return f, f.read(path, string(text), open)
}

// Parse reads the text of a file that is called name in messages.
func Parse(name, text string) (*File, error) {
	f := &File{texts: map[string]string{}}
	return f, f.read(name, text, nil)
}

func (f *File) read(name, text string, open lower.Opener) (err error) {
	f.texts[name] = text
	f.lower, err = lower.Load(name, text, open)
	return err
}

// find is the file of a module, "" if there is none: .utils is beside from, package.utils below
// a folder around it.
func find(from, module string) string {
	name := strings.TrimLeft(module, ".")
	dots := len(module) - len(name)
	dir := filepath.Dir(from)
	for range max(0, dots-1) {
		dir = filepath.Dir(dir)
	}
	rel := filepath.FromSlash(strings.ReplaceAll(name, ".", "/"))
	for {
		for _, path := range []string{filepath.Join(dir, rel+".py"), filepath.Join(dir, rel, "__init__.py")} {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path
			}
		}
		up := filepath.Dir(dir)
		if dots > 0 || up == dir {
			return ""
		}
		dir = up
	}
}

// Text is the text of the file, or of one that it imports, by the name that messages give it.
func (f *File) Text(name string) string { return f.texts[name] }

// Kernels names the file's functions that @triton.jit decorates, in order.
func (f *File) Kernels() []string { return f.lower.Kernels() }

// Kernel is a kernel of the file.
func (f *File) Kernel(name string) (*Kernel, error) { return f.KernelAt(name, 0) }

// KernelAt is the kernel of a name whose def, or first decorator, stands at a line: for a file
// that has several of that name. Line 0 is the last one.
func (f *File) KernelAt(name string, line int) (*Kernel, error) {
	def, err := f.lower.Kernel(name, line)
	if err != nil {
		return nil, err
	}
	k := &Kernel{file: f, def: def, made: map[string]*exec.Kernel{}}
	k.wide = wideParams(def)
	return k, nil
}

// A Member is a module that means something in a kernel, as triton.language does, or what has a
// name in it.
type Member = lower.Member

// With is the file with names that are known otherwise than by its text: nil for None, bool, int,
// float64, string, tl.DType, *Kernel, a Member, []any for a tuple, or map[string]any for a module.
func (f *File) With(names map[string]any) *File {
	given := map[string]any{}
	for name, v := range names {
		given[name] = constOf(v)
	}
	return &File{lower: f.lower.With(given), texts: f.texts}
}

// constOf is a value as package lower knows it.
func constOf(v any) any {
	switch v := v.(type) {
	case *Kernel:
		return lower.Function{File: v.file.lower, Def: v.def}
	case []any:
		z := make([]any, len(v))
		for i, e := range v {
			z[i] = constOf(e)
		}
		return z
	case map[string]any:
		z := map[string]any{}
		for name, e := range v {
			z[name] = constOf(e)
		}
		return z
	}
	return v
}

// A Kernel is a kernel of a Python file. Its methods may be called from many goroutines.
type Kernel struct {
	file *File
	def  *syntax.FuncDef
	wide map[string]bool // parameters that do_not_specialize names

	mu   sync.Mutex
	made map[string]*exec.Kernel // by signature
}

// Name is the kernel's name.
func (k *Kernel) Name() string { return k.def.Name }

// A Descriptor is a tensor descriptor that is made before the launch: an argument in place of a tensor.
type Descriptor struct {
	Tensor                *tensor.Tensor
	Shape, Strides, Block []int
	NaN                   bool // what lies outside of the shape is NaN, not 0
}

// A Param is a parameter of a kernel.
type Param struct {
	Name  string
	Const bool // tl.constexpr
}

// Params is the kernel's parameters in order.
func (k *Kernel) Params() (ps []Param) {
	for _, p := range k.def.Params {
		ps = append(ps, Param{p.Name, isConst(p)})
	}
	return ps
}

func isConst(p syntax.Param) bool {
	switch a := p.Annotation.(type) {
	case *syntax.Attribute:
		return a.Name == "constexpr"
	case *syntax.Name:
		return a.Name == "constexpr"
	case *syntax.String:
		return strings.HasSuffix(a.Value, "constexpr")
	}
	return false
}

// wideParams is the parameters that a decorator's do_not_specialize names.
func wideParams(def *syntax.FuncDef) map[string]bool {
	wide := map[string]bool{}
	for _, d := range def.Decorators {
		c, ok := d.(*syntax.Call)
		if !ok {
			continue
		}
		for _, a := range c.Args {
			list, ok := a.Value.(*syntax.List)
			if !ok || a.Name != "do_not_specialize" {
				continue
			}
			for _, e := range list.Elems {
				switch e := e.(type) {
				case *syntax.String:
					wide[e.Value] = true
				case *syntax.Number:
					var i int
					if _, err := fmt.Sscan(e.Text, &i); err == nil && i < len(def.Params) {
						wide[def.Params[i].Name] = true
					}
				}
			}
		}
	}
	return wide
}

// Launch runs the kernel once per program instance of a grid. args are its parameters in
// order: *tensor.Tensor, int, float64, bool, string, tl.DType, *Kernel for a function, nil for
// None, []any for a tuple. Those that are left out at the end have defaults. A GridFn is given all that are
// ints, tl.constexpr parameters among them.
func (k *Kernel) Launch(g exec.Space, args ...any) error {
	z, rest, err := k.Specialize(args...)
	if err != nil {
		return err
	}
	if fn, ok := g.(exec.GridFn); ok {
		g = fn(k.meta(args))
	}
	return z.Launch(g, rest...)
}

// meta is the int arguments by name.
func (k *Kernel) meta(args []any) exec.Meta {
	m := exec.Meta{}
	for i, p := range k.def.Params {
		if i >= len(args) {
			break
		}
		if n, ok := args[i].(int); ok {
			m[p.Name] = n
		}
	}
	return m
}

// Specialize is the kernel for the dtypes of tensors and the values that are compiled in, and
// the arguments that are left for a launch of it. It is the same for arguments that differ in
// run-time values alone.
func (k *Kernel) Specialize(args ...any) (*exec.Kernel, []any, error) {
	as, rest, err := k.arguments(args)
	if err != nil {
		return nil, nil, err
	}
	key := fmt.Sprint(as)
	k.mu.Lock()
	defer k.mu.Unlock()
	z := k.made[key]
	if z == nil {
		z = exec.From(exec.Lowered{
			Func:  func() (*ir.Func, error) { return k.file.lower.Lower(k.def, as) },
			Text:  func(file string) string { return k.file.texts[file] },
			Spell: spell.Diagnostic,
		})
		if z.Err() != nil {
			return nil, nil, z.Err()
		}
		k.made[key] = z
	}
	return z, rest, nil
}

// arguments sorts arguments into what the kernel is specialised for and what is left.
func (k *Kernel) arguments(args []any) (as []lower.Arg, rest []any, err error) {
	ps := k.def.Params
	if len(args) > len(ps) {
		return nil, nil, fmt.Errorf("%s: got %d arguments, want %d", k.def.Name, len(args), len(ps))
	}
	for i, p := range ps {
		if i >= len(args) {
			c, ok := k.file.lower.Default(p)
			if !ok {
				return nil, nil, fmt.Errorf("%s: no argument for %s", k.def.Name, p.Name)
			}
			args = append(args[:i:i], c)
		}
		a, runtime, err := k.argument(p, args[i])
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %s: %w", k.def.Name, p.Name, err)
		}
		as = append(as, a)
		if d, ok := args[i].(Descriptor); ok {
			rest = append(rest, d.Tensor)
		} else if runtime {
			rest = append(rest, args[i])
		}
	}
	return as, rest, nil
}

// argument is an argument as Triton specialises for it; runtime is whether a launch gets it.
func (k *Kernel) argument(p syntax.Param, v any) (a lower.Arg, runtime bool, err error) {
	if n, ok := v.(int64); ok {
		v = int(n)
	}
	if isConst(p) {
		if _, ok := v.(*tensor.Tensor); ok {
			return a, false, fmt.Errorf("a tensor for a tl.constexpr")
		}
		return lower.Arg{Const: constOf(v)}, false, nil
	}
	switch v := v.(type) {
	case *tensor.Tensor:
		return lower.Arg{Type: dtype.PointerTo(v.DType())}, true, nil
	case Descriptor:
		d := lower.Descriptor{Shape: v.Shape, Strides: v.Strides, Block: v.Block, NaN: v.NaN}
		return lower.Arg{Type: dtype.PointerTo(v.Tensor.DType()), Desc: d}, true, nil
	case bool:
		return lower.Arg{Type: tl.Bool}, true, nil
	case int:
		if d := annotated(p); d.IsInt() && d != tl.Bool {
			return lower.Arg{Type: d}, true, nil
		}
		return intArgument(v, k.wide[p.Name])
	case float64:
		if d := annotated(p); d.IsFloat() {
			return lower.Arg{Type: d}, true, nil
		}
		return lower.Arg{Type: tl.Float32}, true, nil
	case nil, string, tl.DType, []any, *Kernel, Member, lower.Function:
		return lower.Arg{Const: constOf(v)}, false, nil
	}
	return a, false, fmt.Errorf("got a %T; a kernel takes *tensor.Tensor, int, float64, bool, string, tl.DType, nil and []any", v)
}

// annotated is the dtype that a parameter's annotation names: n: tl.int64. Invalid if it names
// none.
func annotated(p syntax.Param) tl.DType {
	a, ok := p.Annotation.(*syntax.Attribute)
	if !ok {
		return tl.Invalid
	}
	d, _ := spell.Type(a.Name)
	return d
}

// intArgument is an int: 32 bits if it fits, and a constant if it is 1.
func intArgument(n int, wide bool) (lower.Arg, bool, error) {
	switch {
	case n == 1 && !wide:
		return lower.Arg{Const: n}, false, nil
	case n == int(int32(n)):
		return lower.Arg{Type: tl.Int32}, true, nil
	}
	return lower.Arg{Type: tl.Int64}, true, nil
}
