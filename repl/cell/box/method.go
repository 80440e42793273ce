package box

import (
	"fmt"
	"go/types"
	"reflect"

	"github.com/tiler-go/tiler/repl/cell/builtin"
)

// A method is a method of a type that the session's code declares.
type method struct {
	pointer bool          // the receiver is a pointer
	fn      reflect.Value // takes the receiver first
}

// Method notes a method of the type with a number.
func (r *Registry) Method(id int, name string, pointer bool, fn any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.methods[id] == nil {
		r.methods[id] = map[string]*method{}
	}
	r.methods[id][name] = &method{pointer, reflect.ValueOf(fn)}
}

// Find sets *f to the method of x with a name.
func (r *Registry) Find(f, x any, name string) {
	d := reflect.ValueOf(f).Elem()
	if x == nil {
		panic(builtin.RuntimeError("invalid memory address or nil pointer dereference"))
	}
	if b, ok := boxed(x); ok {
		d.Set(r.bind(b, name, d.Type()))
		return
	}
	m := reflect.ValueOf(x).MethodByName(name)
	if m.Type() != d.Type() {
		m = adapt(m, d.Type())
	}
	d.Set(m)
}

// adapt is a function as one of another type, whose parameters and results differ
// only in names.
func adapt(fn reflect.Value, t reflect.Type) reflect.Value {
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		for i := range args {
			if want := fn.Type().In(i); args[i].Type() != want {
				args[i] = args[i].Convert(want)
			}
		}
		call := fn.Call
		if t.IsVariadic() {
			call = fn.CallSlice
		}
		out := call(args)
		for i := range out {
			if want := t.Out(i); out[i].Type() != want {
				out[i] = out[i].Convert(want)
			}
		}
		return out
	})
}

// bind is the method of a box with a name, as a function of type t.
func (r *Registry) bind(b Box, name string, t reflect.Type) reflect.Value {
	recv, m, ok := r.lookup(reflect.ValueOf(b.V), b.T.t, name)
	if !ok {
		panic(builtin.RuntimeError(fmt.Sprintf("the method %s of %s is not defined", name, typeName(b.T.t))))
	}
	if m == nil { // the receiver is of compiled Go
		fn := recv.MethodByName(name)
		if fn.Type() != t {
			fn = adapt(fn, t)
		}
		return fn
	}
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		in := append([]reflect.Value{recv}, args...)
		if t.IsVariadic() {
			return m.fn.CallSlice(in)
		}
		return m.fn.Call(in)
	})
}

// lookup finds a method of a value of type t: the receiver, and the method, which is
// nil if the receiver is a value of compiled Go.
func (r *Registry) lookup(v reflect.Value, t types.Type, name string) (recv reflect.Value, m *method, ok bool) {
	o, index, _ := types.LookupFieldOrMethod(t, true, r.homeOf(t), name)
	f, isFunc := o.(*types.Func)
	if !isFunc {
		return recv, nil, false
	}
	for _, i := range index[:len(index)-1] {
		v, t = field(v, t, i)
	}
	if types.IsInterface(t) {
		x := v.Interface()
		if b, ok := boxed(x); ok {
			return r.lookup(reflect.ValueOf(b.V), b.T.t, name)
		}
		if x == nil {
			panic(builtin.RuntimeError("invalid memory address or nil pointer dereference"))
		}
		return reflect.ValueOf(x), nil, true
	}
	base := f.Signature().Recv().Type()
	if p, ok := base.(*types.Pointer); ok {
		base = p.Elem()
	}
	if n, ok := base.(*types.Named); !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "main" {
		if v.CanAddr() {
			v = v.Addr()
		}
		return v, nil, true
	}
	if id, ok := r.numbered(base); ok {
		r.mu.Lock()
		m = r.methods[id][name]
		r.mu.Unlock()
	}
	if m == nil {
		return recv, nil, false
	}
	_, isPointer := t.Underlying().(*types.Pointer)
	switch {
	case m.pointer && !isPointer:
		if !v.CanAddr() {
			p := reflect.New(v.Type())
			p.Elem().Set(v)
			v = p.Elem()
		}
		v = v.Addr()
	case !m.pointer && isPointer:
		if v.IsNil() {
			panic(builtin.RuntimeError("invalid memory address or nil pointer dereference"))
		}
		v = v.Elem()
	}
	return v, m, true
}

func packageOf(t types.Type) *types.Package {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Pkg()
	}
	return nil
}

// homeOf is the package whose unexported names a type has: that of the session for
// types without a name.
func (r *Registry) homeOf(t types.Type) *types.Package {
	if p := packageOf(t); p != nil {
		return p
	}
	return r.home
}

// field is field i of a struct, or of what a pointer points to.
func field(v reflect.Value, t types.Type, i int) (reflect.Value, types.Type) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		v, t = v.Elem(), p.Elem()
	}
	return v.Field(i), t.Underlying().(*types.Struct).Field(i).Type()
}
