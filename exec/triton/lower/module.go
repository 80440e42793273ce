package lower

import (
	"strings"

	"github.com/tiler-go/tiler/exec/triton/lower/builtin"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/spell"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A File is a file with kernels.
type File struct {
	syntax *syntax.File
	names  map[string][]binding   // in the order in which they are bound
	values map[string]value.Value // of names that were looked up
	inside map[string]bool        // names that are being looked up
	open   Opener
	given  map[string]value.Value // what names are, whatever the text says
}

// An Opener finds the file of a module that another one imports, nil if it is not to be had:
// from is that file's name, name the module as it is written there, with its dots.
type Opener func(from, name string) *File

// A binding is what a statement of the file binds a name to: a function, an import or an
// expression.
type binding struct {
	def    *syntax.FuncDef
	module string // imported
	member string // of the module: from module import member
	within string // what of the module is imported: import module.within
	expr   syntax.Expr
	at     syntax.Pos
	opaque string // what it is, if it is of no use to a kernel
}

// Load reads a file. open may be nil. The error is a *diag.Diagnostic.
func Load(name, text string, open Opener) (*File, error) {
	s, err := syntax.Parse(name, text)
	if err != nil {
		return nil, err
	}
	f := newFile(s, open)
	f.bind(s.Body)
	return f, nil
}

func newFile(s *syntax.File, open Opener) *File {
	return &File{syntax: s, names: map[string][]binding{}, values: map[string]value.Value{}, inside: map[string]bool{}, open: open}
}

// Name is the file's name, Text what stands in it.
func (f *File) Name() string { return f.syntax.Name }

// Text is what stands in the file.
func (f *File) Text() string { return f.syntax.Text }

// bind notes what statements bind. Of a try the handlers come first, since what succeeds
// is bound last.
func (f *File) bind(list []syntax.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.FuncDef:
			f.add(s.Name, binding{def: s, at: s.At})
		case *syntax.ClassDef:
			f.add(s.Name, binding{at: s.At, opaque: "a class of the host"})
		case *syntax.Import:
			f.imports(s)
		case *syntax.Assign:
			for _, t := range s.Targets {
				f.bindTarget(t, s.Value)
			}
		case *syntax.AnnAssign:
			if s.Value != nil {
				f.bindTarget(s.Target, s.Value)
			}
		case *syntax.If:
			f.bind(s.Else)
			f.bind(s.Then)
		case *syntax.Try:
			for _, h := range s.Handlers {
				f.bind(h)
			}
			f.bind(s.Body)
			f.bind(s.Else)
			f.bind(s.Finally)
		case *syntax.With:
			f.bind(s.Body)
		}
	}
}

func (f *File) add(name string, b binding) { f.names[name] = append(f.names[name], b) }

func (f *File) imports(s *syntax.Import) {
	for _, a := range s.Names {
		b := binding{at: a.At, module: a.Name}
		switch {
		case s.IsFrom:
			b.module, b.member = s.From, a.Name
		case a.As != a.Name && strings.HasPrefix(a.Name, a.As+"."):
			b.module, b.within = a.As, a.Name // import a.b binds a
		}
		f.add(a.As, b)
	}
}

func (f *File) bindTarget(target, x syntax.Expr) {
	if n, ok := target.(*syntax.Name); ok {
		f.add(n.Name, binding{expr: x, at: n.At})
		return
	}
	names, ok := target.(*syntax.Tuple)
	values, both := x.(*syntax.Tuple)
	if ok && both && len(names.Elems) == len(values.Elems) {
		for i := range names.Elems {
			f.bindTarget(names.Elems[i], values.Elems[i])
		}
	}
}

// Lookup is what a name of the file is, ok is false if there is none. It is for who holds looking.
func (f *File) Lookup(name string) (v value.Value, ok bool) {
	if v, ok := f.given[name]; ok {
		return v, true
	}
	if v, ok := f.values[name]; ok {
		return v, true
	}
	bs := f.names[name]
	if len(bs) == 0 || f.inside[name] {
		return nil, false
	}
	f.inside[name] = true
	defer delete(f.inside, name)
	for i := len(bs) - 1; i >= 0; i-- {
		if v, ok = f.evaluate(bs[i]); ok {
			break
		}
	}
	if !ok {
		v = value.Mystery("something of the host")
	}
	f.values[name] = v
	return v, true
}

// evaluate is what a binding binds to; ok is false if that is nothing a kernel can use.
func (f *File) evaluate(b binding) (v value.Value, ok bool) {
	switch {
	case b.def != nil:
		return value.Function{Scope: f, Def: b.def}, true
	case b.module != "":
		return f.imported(b)
	case b.expr == nil:
		return nil, false
	}
	defer func() {
		if r := recover(); r != nil {
			if _, refused := r.(value.Refusal); !refused {
				panic(r)
			}
			v, ok = nil, false
		}
	}()
	l := &lowering{}
	l.Frame = &value.Frame{Scope: f, Vars: map[string]value.Value{}}
	v = l.expr(b.expr)
	_, host := v.(value.Mystery)
	return v, value.IsConst(v) && !host
}

func (f *File) imported(b binding) (value.Value, bool) {
	if m, ok := modules[b.module]; ok {
		if b.member == "" {
			return m, true
		}
		return memberOf(m, b.member)
	}
	if f.open == nil {
		return nil, false
	}
	whole := b.within // the longest name that is known to have a file
	if b.member != "" {
		whole = within(b.module, b.member)
	}
	if whole != "" && f.open(f.Name(), whole) == nil {
		whole = ""
	}
	lib := f.library(b.module, whole)
	if lib != nil && b.member != "" {
		return lib.Member(b.member)
	}
	return lib, lib != nil
}

// library is a module by its name in the file, nil if there is none. One without a file is a folder that another module
// is in.
func (f *File) library(name, whole string) *value.Library {
	file := f.open(f.Name(), name)
	if file == nil && !strings.HasPrefix(whole, within(name, "")) {
		return nil
	}
	lib := &value.Library{Name: strings.TrimLeft(name, "."), Part: func(part string) *value.Library {
		return f.library(within(name, part), whole)
	}}
	if file != nil {
		lib.Scope = file
	}
	return lib
}

// within is the name of a module in another one.
func within(module, part string) string {
	if strings.HasSuffix(module, ".") {
		return module + part // from . import part
	}
	return module + "." + part
}

// modules are those that mean something in a kernel. All parts of Triton's language are one,
// but for the mathematical ones, whose max and min take two operands.
var modules = map[string]value.Module{
	"triton": "triton", "triton.language": "tl", "triton.language.math": "libdevice", "triton.language.extra": "libdevice",
	"triton.language.extra.cuda": "libdevice", "triton.language.extra.libdevice": "libdevice",
	"triton.language.extra.cuda.libdevice": "libdevice", "triton.language.libdevice": "libdevice",
	"triton.language.standard": "tl", "triton.language.core": "tl", "triton.language.random": "tl", "math": "math", "torch": "torch",
	"numpy": "math",
}

// otherNames are functions of libdevice that the language calls otherwise: here none is less exact for
// being fast.
var otherNames = map[string]string{
	"max": "maximum", "min": "minimum", "fast_sinf": "sin", "fast_cosf": "cos", "fast_tanf": "tan", "fast_log2f": "log2",
	"fast_log10f": "log10", "fast_exp10f": "exp10", "lround": "llround", "lrint": "llrint", "scalbn": "ldexp",
	"rsqrt_rn": "rsqrt", "rsqrt_rd": "rsqrt", "fma_rn": "fma",
}

// memberOf is an attribute of a module.
func memberOf(m value.Module, name string) (value.Value, bool) {
	switch m {
	case "triton":
		if name == "language" {
			return value.Module("tl"), true
		}
		if b, ok := builtin.Find("triton." + name); ok {
			return b, true
		}
	case "libdevice":
		if other, ok := otherNames[name]; ok {
			name = other
		}
		return languageMember(name)
	case "tl":
		return languageMember(name)
	case "math":
		v, ok := mathConstants[name]
		if b, found := builtin.Find("math." + name); found && !ok {
			return b, true
		}
		return v, ok
	case "torch":
		if b, ok := builtin.Find("torch." + name); ok {
			return b, true
		}
		d, ok := spell.TorchType(name)
		return value.Type{D: d}, ok
	}
	return nil, false
}

func languageMember(name string) (value.Value, bool) {
	switch name {
	case "standard", "core", "random":
		return value.Module("tl"), true
	case "math", "extra", "cuda", "hip", "libdevice":
		return value.Module("libdevice"), true
	case "float8e4b15", "float8e4b15x4", "float8e4b8", "float8e5b16":
		return value.Mystery("the dtype " + name + ", which no processor here has,"), true // it may be compared with others
	case "tensor", "block_type", "pointer_type", "void":
		return value.Class(name), true
	}
	if d, ok := spell.TritonType(name); ok {
		return value.Type{D: d}, true
	}
	if v, ok := enums[name]; ok {
		return v, true
	}
	if b, ok := builtin.Find(name); ok {
		return b, true
	}
	v, ok := prelude().Lookup(name)
	return v, ok
}

// Kernel finds a function by its name and, where several have it, by the line of its def or
// of its first decorator; line may be 0.
func (f *File) Kernel(name string, line int) (*syntax.FuncDef, error) {
	var found *syntax.FuncDef
	for _, b := range f.names[name] {
		if b.def == nil {
			continue
		}
		first := b.def.At.Line
		for _, d := range b.def.Decorators {
			first = min(first, d.Pos().Line)
		}
		if found == nil || line == 0 || first <= int32(line) && int32(line) <= b.def.At.Line {
			found = b.def
		}
	}
	if found == nil {
		found = syntax.Function(f.syntax.Body, name)
	}
	if found == nil {
		d := diag.At(diag.Pos{File: f.Name()}, "no function %s in this file", name)
		if names := f.Kernels(); len(names) > 0 {
			d.Note("its kernels are %s", strings.Join(names, ", "))
		}
		return nil, d
	}
	return found, nil
}

// Kernels names the file's functions that @triton.jit decorates, in order.
func (f *File) Kernels() (names []string) {
	seen := map[string]bool{}
	for _, s := range f.syntax.Body {
		d, ok := s.(*syntax.FuncDef)
		if ok && d.Decorated("jit") && !seen[d.Name] {
			seen[d.Name] = true
			names = append(names, d.Name)
		}
	}
	return names
}
