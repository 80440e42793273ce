package cell

import (
	"fmt"
	"go/types"
	"reflect"

	"github.com/tiler-go/tiler/repl/symbols"
)

// A Box is a value of a type that the session's code declares, or that is made of
// such types, as an interface value: the interpreter's types have only the structure.
type Box struct {
	T *boxType
	V any
}

// A boxType is a type of boxes. There is one for each type, so that boxes can be
// compared.
type boxType struct {
	h *host
	t types.Type
}

// Box makes a box of a value of the type with a number.
func (h *host) Box(id int, v any) any { return Box{h.boxType(id), v} }

func (h *host) boxType(id int) *boxType {
	h.mu.Lock()
	if id < len(h.boxTypes) && h.boxTypes[id] != nil {
		defer h.mu.Unlock()
		return h.boxTypes[id]
	}
	h.mu.Unlock()
	t := h.typ(id)
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.boxTypes) <= id {
		h.boxTypes = append(h.boxTypes, nil)
	}
	if h.boxTypes[id] == nil {
		h.boxTypes[id] = &boxType{h, t}
	}
	return h.boxTypes[id]
}

// typ is the type with a number.
func (h *host) typ(id int) (t types.Type) {
	h.s.read(func() { t = h.s.world.Type(id) })
	return t
}

// numbered is the number of a type, and whether it has one.
func (h *host) numbered(t types.Type) (id int, ok bool) {
	h.s.read(func() { id, ok = h.s.world.Number(t) })
	return id, ok
}

// A method is a method of a type that the session's code declares.
type method struct {
	pointer bool          // the receiver is a pointer
	fn      reflect.Value // takes the receiver first
}

// Method notes a method of the type with a number.
func (h *host) Method(id int, name string, pointer bool, fn any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.methods[id] == nil {
		h.methods[id] = map[string]*method{}
	}
	h.methods[id][name] = &method{pointer, reflect.ValueOf(fn)}
}

// boxed is an interface value as a box, if it is one, however it is dressed.
func boxed(x any) (Box, bool) {
	switch x := x.(type) {
	case Box:
		return x, true
	case boxError:
		return x.Box, true
	}
	v := reflect.ValueOf(x)
	if v.Kind() == reflect.Struct && v.NumField() > 1 && v.Type().Field(0).Name == "IValue" {
		b, ok := v.Field(0).Interface().(Box)
		return b, ok
	}
	return Box{}, false
}

// Raw is a value without its box.
func (h *host) Raw(x any) any {
	if b, ok := boxed(x); ok {
		return b.V
	}
	return x
}

// Equal is x == y.
func (h *host) Equal(x, y any) bool {
	if b, ok := boxed(x); ok {
		x = b
	}
	if b, ok := boxed(y); ok {
		y = b
	}
	b, ok := x.(Box)
	if ok && !types.Comparable(b.T.t) {
		panic(runtimeError("comparing uncomparable type " + typeName(b.T.t)))
	}
	return x == y
}

// Key is x, which is to be the key of a map.
func (h *host) Key(x any) any {
	if b, ok := boxed(x); ok && !hashable(reflect.ValueOf(b.V)) {
		panic(runtimeError("hash of unhashable type " + typeName(b.T.t)))
	} else if !ok && !hashable(reflect.ValueOf(x)) {
		panic(runtimeError(fmt.Sprintf("hash of unhashable type %T", x)))
	}
	return x
}

func hashable(v reflect.Value) bool { return !v.IsValid() || v.Comparable() }

// assertError is a failed type assertion.
type assertError struct{ runtimeError }

func (e assertError) Error() string { return string(e.runtimeError) }

// Assert sets *p to x.(T), where T has number id and x's static type number from.
func (h *host) Assert(p, x any, id, from int) {
	t := h.typ(id)
	if h.Is(p, x, id) {
		return
	}
	if x == nil && types.IsInterface(t) && from != id && isConversion(h.typ(from), t) {
		return // a nil interface value of another interface type
	}
	panic(assertError{runtimeError(h.mismatch(x, t, h.typ(from)))})
}

func isConversion(from, to types.Type) bool { return types.AssignableTo(from, to) }

// mismatch says why x is not a t.
func (h *host) mismatch(x any, t, from types.Type) string {
	static := typeName(from)
	if i, ok := from.Underlying().(*types.Interface); ok && i.NumMethods() == 0 {
		static = "interface {}"
	}
	if x == nil {
		if types.IsInterface(t) {
			return "interface conversion: interface is nil, not " + typeName(t)
		}
		return fmt.Sprintf("interface conversion: %s is nil, not %s", static, typeName(t))
	}
	have := fmt.Sprintf("%T", x)
	if b, ok := boxed(x); ok {
		have = typeName(b.T.t)
	}
	if i, ok := t.Underlying().(*types.Interface); ok {
		missing := ""
		if b, ok := boxed(x); ok {
			if m := h.missing(b.T.t, i); m != nil {
				missing = m.Name()
			}
		} else {
			for m := range i.Methods() {
				if !reflect.ValueOf(x).MethodByName(m.Name()).IsValid() {
					missing = m.Name()
					break
				}
			}
		}
		return fmt.Sprintf("interface conversion: %s is not %s: missing method %s", have, typeName(t), missing)
	}
	return fmt.Sprintf("interface conversion: %s is %s, not %s", static, have, typeName(t))
}

// missing is a method of an interface that a type does not have, nil if it has all.
func (h *host) missing(t types.Type, i *types.Interface) (m *types.Func) {
	h.s.read(func() { m, _ = types.MissingMethod(t, i, true) })
	return m
}

// Is sets *p to x.(T) if x is a T.
func (h *host) Is(p, x any, id int) bool { return x != nil && h.isType(p, x, h.typ(id)) }

// isType is Is for a type.
func (h *host) isType(p, x any, t types.Type) bool {
	d := reflect.ValueOf(p).Elem()
	if types.IsInterface(t) {
		v, ok := h.asInterface(x, t, d.Type())
		if ok {
			d.Set(v)
		}
		return ok
	}
	if b, ok := boxed(x); ok {
		if !types.Identical(b.T.t, t) {
			return false
		}
		setTo(p, b.V)
		return true
	}
	v := reflect.ValueOf(x)
	if v.Type() != d.Type() {
		return false
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "main" && v.Kind() != reflect.Struct {
		return false // a value of the underlying type, not of t
	}
	d.Set(v)
	return true
}

// Case is the number of the first type that x is of, -1 if there is none. The type
// number -1 is nil.
func (h *host) Case(x any, ids ...int) int {
	for i, id := range ids {
		if id < 0 {
			if x == nil {
				return i
			}
			continue
		}
		if x != nil && h.hasType(x, id) {
			return i
		}
	}
	return -1
}

func (h *host) hasType(x any, id int) bool {
	t := h.typ(id)
	b, isBox := boxed(x)
	i, isInterface := t.Underlying().(*types.Interface)
	switch {
	case isInterface && isBox:
		m := h.missing(b.T.t, i)
		return m == nil
	case isInterface:
		return h.hasMethods(x, i)
	case isBox:
		return types.Identical(b.T.t, t)
	}
	return types.Identical(h.s.types.Of(reflect.TypeOf(x)), t)
}

// hasMethods reports whether a value of compiled Go has the methods of an interface.
func (h *host) hasMethods(x any, i *types.Interface) bool {
	m := h.missing(h.s.types.Of(reflect.TypeOf(x)), i)
	return m == nil
}

// asInterface is x as an interface of type t, which is want in lowered code.
func (h *host) asInterface(x any, t types.Type, want reflect.Type) (reflect.Value, bool) {
	i := t.Underlying().(*types.Interface)
	b, isBox := boxed(x)
	if !isBox {
		if want.NumMethod() > 0 {
			v := reflect.ValueOf(x)
			return v, v.Type().Implements(want)
		}
		return reflect.ValueOf(x), h.hasMethods(x, i)
	}
	if m := h.missing(b.T.t, i); m != nil {
		return reflect.Value{}, false
	}
	switch {
	case want.NumMethod() == 0:
		return reflect.ValueOf(b), true
	case want == reflect.TypeFor[error]():
		return reflect.ValueOf(boxError{b}), true
	}
	return h.dress(b, t, want)
}

// dress is a box in the wrapper of an interface of compiled Go.
func (h *host) dress(b Box, t types.Type, want reflect.Type) (reflect.Value, bool) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return reflect.Value{}, false
	}
	pkg, ok := symbols.Find(n.Obj().Pkg().Path())
	if !ok {
		return reflect.Value{}, false
	}
	w, ok := pkg.Table()["_"+n.Obj().Name()]
	if !ok {
		return reflect.Value{}, false
	}
	v := reflect.New(w.Type().Elem()).Elem()
	v.Field(0).Set(reflect.ValueOf(b))
	for i := 1; i < v.NumField(); i++ {
		f := v.Type().Field(i)
		v.Field(i).Set(h.bind(b, f.Name[1:], f.Type))
	}
	return v, v.Type().Implements(want)
}

// Find sets *f to the method of x with a name.
func (h *host) Find(f, x any, name string) {
	d := reflect.ValueOf(f).Elem()
	if x == nil {
		panic(runtimeError("invalid memory address or nil pointer dereference"))
	}
	if b, ok := boxed(x); ok {
		d.Set(h.bind(b, name, d.Type()))
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
func (h *host) bind(b Box, name string, t reflect.Type) reflect.Value {
	recv, m, ok := h.lookup(reflect.ValueOf(b.V), b.T.t, name)
	if !ok {
		panic(runtimeError(fmt.Sprintf("the method %s of %s is not defined", name, typeName(b.T.t))))
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
func (h *host) lookup(v reflect.Value, t types.Type, name string) (recv reflect.Value, m *method, ok bool) {
	o, index, _ := types.LookupFieldOrMethod(t, true, h.s.homeOf(t), name)
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
			return h.lookup(reflect.ValueOf(b.V), b.T.t, name)
		}
		if x == nil {
			panic(runtimeError("invalid memory address or nil pointer dereference"))
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
	if id, ok := h.numbered(base); ok {
		h.mu.Lock()
		m = h.methods[id][name]
		h.mu.Unlock()
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
			panic(runtimeError("invalid memory address or nil pointer dereference"))
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
func (s *Session) homeOf(t types.Type) *types.Package {
	if p := packageOf(t); p != nil {
		return p
	}
	return s.pkg
}

// field is field i of a struct, or of what a pointer points to.
func field(v reflect.Value, t types.Type, i int) (reflect.Value, types.Type) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		v, t = v.Elem(), p.Elem()
	}
	return v.Field(i), t.Underlying().(*types.Struct).Field(i).Type()
}

// A boxError is a box whose type is an error.
type boxError struct{ Box }

// Error implements error.
func (e boxError) Error() string { return e.callString("Error") }

// Unwrap is the type's method, if it has one.
func (e boxError) Unwrap() error {
	if fn, ok := e.method("Unwrap", reflect.TypeFor[func() error]()); ok {
		err, _ := fn.Call(nil)[0].Interface().(error)
		return err
	}
	return nil
}

// Is is the type's method, if it has one.
func (e boxError) Is(target error) bool {
	if fn, ok := e.method("Is", reflect.TypeFor[func(error) bool]()); ok {
		return fn.Call([]reflect.Value{reflect.ValueOf(&target).Elem()})[0].Bool()
	}
	return false
}

// method is a method of a box's type with a signature, if it has one.
func (b Box) method(name string, t reflect.Type) (reflect.Value, bool) {
	o, _, _ := types.LookupFieldOrMethod(b.T.t, false, b.T.h.s.homeOf(b.T.t), name)
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Params().Len() != t.NumIn() || f.Signature().Results().Len() != t.NumOut() {
		return reflect.Value{}, false
	}
	for i := range t.NumOut() {
		if typeName(f.Signature().Results().At(i).Type()) != t.Out(i).String() {
			return reflect.Value{}, false
		}
	}
	return b.T.h.bind(b, name, t), true
}

// callString calls a method without parameters that results in a string.
func (b Box) callString(name string) string {
	fn, ok := b.method(name, reflect.TypeFor[func() string]())
	if !ok {
		return ""
	}
	return fn.Call(nil)[0].String()
}
