package lower

import (
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/syntax"
)

// A Function is a function of a file, as a value that a name is given or a parameter gets.
type Function struct {
	File *File
	Def  *syntax.FuncDef
}

// A Member is a module that means something in a kernel, or what has a name in it.
type Member struct{ Module, Name string }

// Known reports whether there is such a member.
func (m Member) Known() bool {
	of, ok := modules[m.Module]
	if !ok || m.Name == "" {
		return ok
	}
	_, ok = memberOf(of, m.Name)
	return ok
}

func (m Member) value() value.Value {
	of := modules[m.Module]
	if m.Name == "" {
		return of
	}
	if v, ok := memberOf(of, m.Name); ok {
		return v
	}
	return value.Mystery(m.Module + "." + m.Name)
}

// With is the file with names that are known otherwise: a running Python knows what they are,
// where the text alone may not. Each value is one that Arg.Const may be, a Member, or a map of
// such values for a module.
func (f *File) With(names map[string]any) *File {
	z := newFile(f.syntax, f.open)
	z.names, z.given = f.names, map[string]value.Value{}
	for name, v := range names {
		z.given[name] = constant(v)
	}
	return z
}
