package lower

import (
	"github.com/tiler-go/tiler/exec/triton/lower/builtin"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/syntax"
)

// A Meaning is what an expression of a file stands for before any launch.
type Meaning struct {
	Row    string          // a function of the language: "load", "builtins.min"
	Params []string        // the function's
	Def    *syntax.FuncDef // a function of a file
	In     *File           // where Def stands
	Known  bool            // a constant:
	Const  any             // as an Arg's
}

// Prelude reports whether a function is one of the language's own that are written in it.
func (m Meaning) Prelude() bool { return m.In != nil && m.In.Name() == value.Prelude }

// Meaning is what an expression of the file stands for; ok is false if it is not known, as of
// what is the host's.
func (f *File) Meaning(e syntax.Expr) (m Meaning, ok bool) {
	looking.Lock()
	defer looking.Unlock()
	v, ok := f.evaluate(binding{expr: e})
	if !ok {
		return m, false
	}
	switch v := v.(type) {
	case value.Builtin:
		return Meaning{Row: v.Names[0], Params: v.Params}, true
	case value.Function:
		return Meaning{Def: v.Def, In: v.Scope.(*File)}, true
	case value.Class:
		return Meaning{Row: string(v), Params: []string{"x"}}, true
	}
	c, ok := exported(v)
	return Meaning{Known: true, Const: c}, ok
}

// MethodOf is what a method of a tile, or of a block pointer or descriptor, stands for.
func MethodOf(name string, region bool) (m Meaning, ok bool) {
	if b, ok := builtin.Find("region." + name); ok && region {
		return Meaning{Row: b.Names[0], Params: b.Params}, true
	}
	if r := builtin.Method(name); r != nil {
		return Meaning{Row: r.Names[0], Params: r.Params}, true
	}
	if v, ok := prelude().Lookup(name); ok {
		if f, ok := v.(value.Function); ok {
			return Meaning{Def: f.Def, In: f.Scope.(*File)}, true
		}
	}
	return m, false
}

// IsHint reports whether an argument of any function changes nothing here.
func IsHint(name string) bool { return builtin.IsHint(name) }

// IsConstexpr reports whether a parameter or variable is annotated as a compile-time value.
func IsConstexpr(annotation syntax.Expr) bool {
	return annotation != nil && isConstexpr(annotation)
}

// Syntax is the file as it was read.
func (f *File) Syntax() *syntax.File { return f.syntax }
