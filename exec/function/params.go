package function

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Kind is what a kernel parameter takes.
type Kind uint8

const (
	_ Kind = iota
	Ptr
	Int
	Float
	Bool
	DType
	String
)

var kinds = [...]string{"", "tl.Ptr", "int", "float64", "bool", "tl.DType", "string"}

func (k Kind) String() string { return kinds[k] }

// A Param is one parameter after the program.
type Param struct {
	Kind  Kind
	i     int
	names func() []string // of the kernel's, with the program first; read from the source when asked for
	elem  tl.DType        // what a tensor must hold, if only that will do
}

// Name is "" if the source is not at hand.
func (p Param) Name() string {
	if names := p.names(); p.i+1 < len(names) {
		return names[p.i+1]
	}
	return ""
}

func kindOfType(t reflect.Type) Kind {
	switch {
	case t == tileType:
		return Ptr
	case t == dtypeType:
		return DType
	}
	switch t.Kind() {
	case reflect.Int:
		return Int
	case reflect.Float64:
		return Float
	case reflect.Bool:
		return Bool
	case reflect.String:
		return String
	}
	return 0
}

// Params is the parameters after the program.
func (f *Function) Params() []Param {
	f.once.Do(func() {
		t := f.Go.Type()
		names := sync.OnceValue(func() []string {
			if names := f.names(); len(names) == t.NumIn() {
				return names
			}
			return nil
		})
		for i := 1; i < t.NumIn(); i++ {
			f.params = append(f.params, Param{Kind: kindOfType(t.In(i)), i: i - 1, names: names})
		}
	})
	return f.params
}

// Labels is the parameters as messages name them.
func (f *Function) Labels() []string {
	labels := make([]string, len(f.Params()))
	for i, p := range f.Params() {
		labels[i] = p.Label()
	}
	return labels
}

// Label is a parameter as messages name it.
func (p Param) Label() string {
	if name := p.Name(); name != "" && name != "_" {
		return name
	}
	return fmt.Sprintf("argument %d", p.i+1)
}

// Signature is add(x, y, out tl.Ptr, n int) as a reminder in messages.
func (f *Function) Signature() string {
	var b strings.Builder
	for i, p := range f.Params() {
		if i > 0 {
			b.WriteString(", ")
		}
		if name := p.Name(); name != "" {
			b.WriteString(name + " ")
		}
		b.WriteString(p.Kind.String())
	}
	return fmt.Sprintf("%s(%s)", f.Name, b.String())
}

// Accept checks args against the parameters, without running anything, and appends each to out, brought to its
// parameter's type: *tensor.Tensor, int, float64, bool, tl.DType or string.
func (f *Function) Accept(args, out []any) ([]any, error) {
	ps := f.Params()
	if len(args) != len(ps) {
		return nil, fmt.Errorf("%s: got %d arguments, want %d\n\tthe kernel is %s", f.Name, len(args), len(ps), f.Signature())
	}
	out = slices.Grow(out, len(args))
	for i, a := range args {
		v, problem := ps[i].accept(a)
		if problem != "" {
			return nil, fmt.Errorf("%s: %s: %s\n\tthe kernel is %s", f.Name, ps[i].Label(), problem, f.Signature())
		}
		out = append(out, v)
	}
	return out, nil
}

// accept is an argument as the parameter's type, or what is wrong with it.
func (p *Param) accept(a any) (v any, problem string) {
	switch p.Kind {
	case Ptr:
		x, ok := a.(*tensor.Tensor)
		if a == nil || ok && x == nil {
			return tensor.None(), ""
		}
		if !ok {
			return nil, fmt.Sprintf("got %s, want a tensor%s", typeName(a), tensorAdvice(a))
		}
		if !x.Made() {
			return nil, "got an uninitialized tensor.Tensor: make one with tensor.Zeros, From, Rand, ..."
		}
		if problem := p.wants(x.DType()); problem != "" {
			return nil, problem
		}
		return x, ""
	case Float:
		if n, ok := a.(int); ok { // an untyped constant
			return float64(n), ""
		}
	}
	ok := false
	switch p.Kind {
	case Int:
		_, ok = a.(int)
	case Float:
		_, ok = a.(float64)
	case Bool:
		_, ok = a.(bool)
	case DType:
		var d tl.DType
		if d, ok = a.(tl.DType); ok && !d.Valid() {
			return nil, "got an invalid dtype"
		}
	case String:
		_, ok = a.(string)
	}
	if !ok {
		return nil, fmt.Sprintf("got %s, want %s%s", typeName(a), p.Kind, numberAdvice(p.Kind, a))
	}
	return a, ""
}

func typeName(a any) string {
	switch a := a.(type) {
	case nil:
		return "nil"
	case int, float64, bool, string:
		return fmt.Sprintf("the %T %v", a, a)
	}
	t := reflect.TypeOf(a).String()
	if strings.HasPrefix(t, "[]") || strings.HasPrefix(t, "func") {
		return "a " + t
	}
	return t
}

func tensorAdvice(a any) string {
	if a != nil && reflect.TypeOf(a).Kind() == reflect.Slice {
		return ": tensor.From(x, shape...) makes one from a slice without copying it"
	}
	return ""
}

func numberAdvice(want Kind, a any) string {
	if a == nil {
		return ""
	}
	switch k := reflect.TypeOf(a).Kind(); {
	case want == Int && k >= reflect.Int && k <= reflect.Uintptr:
		return ": write int(x)"
	case want == Float && k >= reflect.Int && k <= reflect.Float64:
		return ": write float64(x)"
	case want == Int && (k == reflect.Float32 || k == reflect.Float64):
		return ": the parameter is an integer"
	}
	return ""
}

// Meta is the int parameters by name: what a grid function is given.
func (f *Function) Meta(args []any) map[string]int {
	m := map[string]int{}
	for i, p := range f.Params() {
		if v, ok := args[i].(int); ok && p.Name() != "" {
			m[p.Name()] = v
		}
	}
	return m
}
