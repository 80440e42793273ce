package exec

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A paramKind is what a kernel parameter takes.
type paramKind uint8

const (
	_ paramKind = iota
	ptrParam
	intParam
	floatParam
	boolParam
	dtypeParam
	stringParam
)

var paramKinds = [...]string{"", "tl.Ptr", "int", "float64", "bool", "tl.DType", "string"}

func (k paramKind) String() string { return paramKinds[k] }

// param is one parameter after the program.
type param struct {
	kind  paramKind
	i     int
	names func() []string // of the kernel's, with the program first; read from the source when asked for
	elem  tl.DType        // what a tensor must hold, if only that will do
}

// name is "" if the source is not at hand.
func (p param) name() string {
	if names := p.names(); p.i+1 < len(names) {
		return names[p.i+1]
	}
	return ""
}

func kindOfType(t reflect.Type) paramKind {
	switch {
	case t == tileType:
		return ptrParam
	case t == dtypeType:
		return dtypeParam
	}
	switch t.Kind() {
	case reflect.Int:
		return intParam
	case reflect.Float64:
		return floatParam
	case reflect.Bool:
		return boolParam
	case reflect.String:
		return stringParam
	}
	return 0
}

// parameters is the kernel's parameters after the program.
func (k *Kernel) parameters() []param {
	k.paramsOnce.Do(func() {
		t := k.fn.Type()
		names := sync.OnceValue(func() []string {
			if names := k.paramNames(); len(names) == t.NumIn() {
				return names
			}
			return nil
		})
		for i := 1; i < t.NumIn(); i++ {
			k.params = append(k.params, param{kind: kindOfType(t.In(i)), i: i - 1, names: names})
		}
	})
	return k.params
}

// label is a parameter as messages name it.
func (p param) label() string {
	if name := p.name(); name != "" && name != "_" {
		return name
	}
	return fmt.Sprintf("argument %d", p.i+1)
}

// signature is add(x, y, out tl.Ptr, n int) as a reminder in messages.
func (k *Kernel) signature() string {
	var b strings.Builder
	for i, p := range k.parameters() {
		if i > 0 {
			b.WriteString(", ")
		}
		if name := p.name(); name != "" {
			b.WriteString(name + " ")
		}
		b.WriteString(p.kind.String())
	}
	return fmt.Sprintf("%s(%s)", k.name, b.String())
}

// arguments checks args against the parameters, without running anything, and
// brings each to its parameter's type: *tensor.Tensor, int, float64, bool, tl.DType
// or string.
func (k *Kernel) arguments(args []any) ([]any, error) { return k.accept(args, nil) }

// accept is arguments, appended to out.
func (k *Kernel) accept(args, out []any) ([]any, error) {
	ps := k.parameters()
	if len(args) != len(ps) {
		return nil, fmt.Errorf("%s: got %d arguments, want %d\n\tthe kernel is %s", k.name, len(args), len(ps), k.signature())
	}
	out = slices.Grow(out, len(args))
	for i, a := range args {
		v, problem := ps[i].accept(a)
		if problem != "" {
			return nil, fmt.Errorf("%s: %s: %s\n\tthe kernel is %s", k.name, ps[i].label(), problem, k.signature())
		}
		out = append(out, v)
	}
	return out, nil
}

// accept is an argument as the parameter's type, or what is wrong with it.
func (p *param) accept(a any) (v any, problem string) {
	switch p.kind {
	case ptrParam:
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
	case floatParam:
		if n, ok := a.(int); ok { // an untyped constant
			return float64(n), ""
		}
	}
	ok := false
	switch p.kind {
	case intParam:
		_, ok = a.(int)
	case floatParam:
		_, ok = a.(float64)
	case boolParam:
		_, ok = a.(bool)
	case dtypeParam:
		var d tl.DType
		if d, ok = a.(tl.DType); ok && !d.Valid() {
			return nil, "got an invalid dtype"
		}
	case stringParam:
		_, ok = a.(string)
	}
	if !ok {
		return nil, fmt.Sprintf("got %s, want %s%s", typeName(a), p.kind, numberAdvice(p.kind, a))
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

func numberAdvice(want paramKind, a any) string {
	if a == nil {
		return ""
	}
	switch k := reflect.TypeOf(a).Kind(); {
	case want == intParam && k >= reflect.Int && k <= reflect.Uintptr:
		return ": write int(x)"
	case want == floatParam && k >= reflect.Int && k <= reflect.Float64:
		return ": write float64(x)"
	case want == intParam && (k == reflect.Float32 || k == reflect.Float64):
		return ": the parameter is an integer"
	}
	return ""
}

// meta is the int parameters by name: what a grid function is given.
func (k *Kernel) meta(args []any) Meta {
	m := Meta{}
	for i, p := range k.parameters() {
		if v, ok := args[i].(int); ok && p.name() != "" {
			m[p.name()] = v
		}
	}
	return m
}
