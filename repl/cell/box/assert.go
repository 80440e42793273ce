package box

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"

	"github.com/tiler-go/tiler/repl/cell/builtin"
	"github.com/tiler-go/tiler/repl/symbols"
)

// assertError is a failed type assertion.
type assertError struct{ builtin.RuntimeError }

func (e assertError) Error() string { return string(e.RuntimeError) }

// Assert sets *p to x.(T), where T has number id and x's static type number from.
func (r *Registry) Assert(p, x any, id, from int) {
	t := r.Type(id)
	if r.Is(p, x, id) {
		return
	}
	if x == nil && types.IsInterface(t) && from != id && isConversion(r.Type(from), t) {
		return // a nil interface value of another interface type
	}
	panic(assertError{builtin.RuntimeError(r.mismatch(x, t, r.Type(from)))})
}

func isConversion(from, to types.Type) bool { return types.AssignableTo(from, to) }

// mismatch says why x is not a t.
func (r *Registry) mismatch(x any, t, from types.Type) string {
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
			if m := r.missing(b.T.t, i); m != nil {
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
func (r *Registry) missing(t types.Type, i *types.Interface) (m *types.Func) {
	r.read(func() { m, _ = types.MissingMethod(t, i, true) })
	return m
}

// Is sets *p to x.(T) if x is a T.
func (r *Registry) Is(p, x any, id int) bool { return x != nil && r.isType(p, x, r.Type(id)) }

// isType is Is for a type.
func (r *Registry) isType(p, x any, t types.Type) bool {
	d := reflect.ValueOf(p).Elem()
	if types.IsInterface(t) {
		v, ok := r.asInterface(x, t, d.Type())
		if ok {
			d.Set(v)
		}
		return ok
	}
	if b, ok := boxed(x); ok {
		if !types.Identical(b.T.t, t) {
			return false
		}
		builtin.Set(p, b.V)
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
func (r *Registry) Case(x any, ids ...int) int {
	for i, id := range ids {
		if id < 0 {
			if x == nil {
				return i
			}
			continue
		}
		if x != nil && r.hasType(x, id) {
			return i
		}
	}
	return -1
}

func (r *Registry) hasType(x any, id int) bool {
	t := r.Type(id)
	b, isBox := boxed(x)
	i, isInterface := t.Underlying().(*types.Interface)
	switch {
	case isInterface && isBox:
		m := r.missing(b.T.t, i)
		return m == nil
	case isInterface:
		return r.hasMethods(x, i)
	case isBox:
		return types.Identical(b.T.t, t)
	}
	return types.Identical(r.known.Of(reflect.TypeOf(x)), t)
}

// hasMethods reports whether a value of compiled Go has the methods of an interface.
func (r *Registry) hasMethods(x any, i *types.Interface) bool {
	m := r.missing(r.known.Of(reflect.TypeOf(x)), i)
	return m == nil
}

// asInterface is x as an interface of type t, which is want in lowered code.
func (r *Registry) asInterface(x any, t types.Type, want reflect.Type) (reflect.Value, bool) {
	i := t.Underlying().(*types.Interface)
	b, isBox := boxed(x)
	if !isBox {
		if want.NumMethod() > 0 {
			v := reflect.ValueOf(x)
			return v, v.Type().Implements(want)
		}
		return reflect.ValueOf(x), r.hasMethods(x, i)
	}
	if m := r.missing(b.T.t, i); m != nil {
		return reflect.Value{}, false
	}
	switch {
	case want.NumMethod() == 0:
		return reflect.ValueOf(b), true
	case want == reflect.TypeFor[error]():
		return reflect.ValueOf(boxError{b}), true
	}
	return r.dress(b, t, want)
}

// dress is a box in the wrapper of an interface of compiled Go.
func (r *Registry) dress(b Box, t types.Type, want reflect.Type) (reflect.Value, bool) {
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
		v.Field(i).Set(r.bind(b, f.Name[1:], f.Type))
	}
	return v, v.Type().Implements(want)
}

// ErrorsAs is errors.As, which finds types of the session too.
func (r *Registry) ErrorsAs(err error, target any) bool {
	b, ok := target.(Box)
	if !ok {
		return errors.As(err, target)
	}
	p, ok := b.T.t.Underlying().(*types.Pointer)
	if !ok {
		panic("errors: target must be a non-nil pointer")
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if r.isType(b.V, e, p.Elem()) {
			return true
		}
	}
	return false
}
