package box

import (
	"fmt"
	"go/types"
	"reflect"
	"sync"

	"github.com/tiler-go/tiler/repl/cell/builtin"
	"github.com/tiler-go/tiler/repl/lower"
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
	in *Registry
	t  types.Type
}

// A Registry is the types of a session's code, by the numbers that lowered code has for them, with the methods
// that the code has declared so far. Goroutines of the program may use it at once.
type Registry struct {
	world *lower.World   // numbers the types
	known *symbols.Types // those of compiled Go
	home  *types.Package // of what the session declares
	lock  sync.Locker    // held while world and types are read

	mu       sync.Mutex
	methods  map[int]map[string]*method // by number of the receiver's type
	boxTypes []*boxType                 // by number
}

// New is one for code that is numbered by world. Types are read while lock is held.
func New(world *lower.World, known *symbols.Types, home *types.Package, lock sync.Locker) *Registry {
	return &Registry{world: world, known: known, home: home, lock: lock, methods: map[int]map[string]*method{}}
}

// Table is the functions that lowered code calls, by name.
func (r *Registry) Table() map[string]reflect.Value {
	m := map[string]reflect.Value{}
	for name, fn := range map[string]any{
		"Box": r.Box, "Assert": r.Assert, "Is": r.Is, "Case": r.Case, "Equal": r.Equal, "Key": r.Key, "Find": r.Find,
		"Raw": r.Raw, "Method": r.Method,
	} {
		m[name] = reflect.ValueOf(fn)
	}
	return m
}

func (r *Registry) read(what func()) {
	r.lock.Lock()
	defer r.lock.Unlock()
	what()
}

// Box makes a box of a value of the type with a number.
func (r *Registry) Box(id int, v any) any { return Box{r.boxType(id), v} }

func (r *Registry) boxType(id int) *boxType {
	r.mu.Lock()
	if id < len(r.boxTypes) && r.boxTypes[id] != nil {
		defer r.mu.Unlock()
		return r.boxTypes[id]
	}
	r.mu.Unlock()
	t := r.Type(id)
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.boxTypes) <= id {
		r.boxTypes = append(r.boxTypes, nil)
	}
	if r.boxTypes[id] == nil {
		r.boxTypes[id] = &boxType{r, t}
	}
	return r.boxTypes[id]
}

// Type is the type with a number.
func (r *Registry) Type(id int) (t types.Type) {
	r.read(func() { t = r.world.Type(id) })
	return t
}

// numbered is the number of a type, and whether it has one.
func (r *Registry) numbered(t types.Type) (id int, ok bool) {
	r.read(func() { id, ok = r.world.Number(t) })
	return id, ok
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
func (r *Registry) Raw(x any) any {
	if b, ok := boxed(x); ok {
		return b.V
	}
	return x
}

// Equal is x == y.
func (r *Registry) Equal(x, y any) bool {
	if b, ok := boxed(x); ok {
		x = b
	}
	if b, ok := boxed(y); ok {
		y = b
	}
	b, ok := x.(Box)
	if ok && !types.Comparable(b.T.t) {
		panic(builtin.RuntimeError("comparing uncomparable type " + typeName(b.T.t)))
	}
	return x == y
}

// Key is x, which is to be the key of a map.
func (r *Registry) Key(x any) any {
	if b, ok := boxed(x); ok && !hashable(reflect.ValueOf(b.V)) {
		panic(builtin.RuntimeError("hash of unhashable type " + typeName(b.T.t)))
	} else if !ok && !hashable(reflect.ValueOf(x)) {
		panic(builtin.RuntimeError(fmt.Sprintf("hash of unhashable type %T", x)))
	}
	return x
}

func hashable(v reflect.Value) bool { return !v.IsValid() || v.Comparable() }

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
	o, _, _ := types.LookupFieldOrMethod(b.T.t, false, b.T.in.homeOf(b.T.t), name)
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Params().Len() != t.NumIn() || f.Signature().Results().Len() != t.NumOut() {
		return reflect.Value{}, false
	}
	for i := range t.NumOut() {
		if typeName(f.Signature().Results().At(i).Type()) != t.Out(i).String() {
			return reflect.Value{}, false
		}
	}
	return b.T.in.bind(b, name, t), true
}

// callString calls a method without parameters that results in a string.
func (b Box) callString(name string) string {
	fn, ok := b.method(name, reflect.TypeFor[func() string]())
	if !ok {
		return ""
	}
	return fn.Call(nil)[0].String()
}

// Bare is a value without its box.
func Bare(v any) any {
	if b, ok := v.(Box); ok {
		return b.V
	}
	return v
}
