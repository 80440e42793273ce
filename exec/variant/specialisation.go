package variant

import (
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/exec/engine"
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/function"
)

// A Specialisation is a kernel compiled for dtypes and compile-time values, in one
// engine.
type Specialisation struct {
	Args    string // "x f32, n int, BLOCK=1024"
	Engine  string // "" if it could not be compiled
	Ordered bool   // code for arguments that share memory the kernel stores to
	Trusted bool   // it has given the interpreter's bits
	Reason  string // what it was tried on, or why it is not used
}

// Specialisations is the variant of a kernel's function in each of some engines.
func (v *Variant) Specialisations(kernel *function.Function, table []engine.Engine) (list []Specialisation) {
	args := v.describe(kernel)
	if v.Err != nil {
		return []Specialisation{{Args: args, Reason: v.Err.Error()}}
	}
	for _, e := range table {
		for _, ordered := range []bool{false, true} {
			p := v.made(e.Name, ordered)
			if p == nil {
				continue
			}
			trust, reason := p.Standing()
			list = append(list, Specialisation{args, e.Name, ordered, trust == Trusted, reason})
		}
	}
	return list
}

// describe is what a variant was compiled for.
func (v *Variant) describe(kernel *function.Function) string {
	var parts []string
	for i, p := range kernel.Params() {
		a := v.Args[i]
		name := p.Label()
		fixed := v.spec != nil && (v.spec.Fixed[i] || v.Ones[i] && a.Int == 1)
		switch {
		case p.Kind == function.Ptr && a.None:
			parts = append(parts, name+" nil")
		case p.Kind == function.Ptr:
			parts = append(parts, fmt.Sprintf("%s %v", name, a.DType))
		case fixed:
			parts = append(parts, fmt.Sprintf("%s=%s", name, valueText(p.Kind, a)))
		}
	}
	return strings.Join(parts, ", ")
}

func valueText(kind function.Kind, a frontend.Arg) string {
	switch kind {
	case function.Float:
		return fmt.Sprint(a.Float)
	case function.Bool:
		return fmt.Sprint(a.Bool)
	case function.DType:
		return fmt.Sprint(a.DType)
	case function.String:
		return fmt.Sprintf("%q", a.Str)
	}
	return fmt.Sprint(a.Int)
}
