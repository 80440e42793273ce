package box

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Printing of boxes, as package fmt prints values of compiled Go: with the names of
// types and fields, and with methods Error and String at every depth.

// Format implements fmt.Formatter.
func (b Box) Format(s fmt.State, verb rune) {
	p := &printer{in: b.T.in, s: s, verb: verb, plus: s.Flag('+'), sharp: s.Flag('#')}
	p.value(reflect.ValueOf(b.V), b.T.t, 0)
}

// Format implements fmt.Formatter.
func (e boxError) Format(s fmt.State, verb rune) { e.Box.Format(s, verb) }

// String is the value as %v prints it.
func (b Box) String() string { return fmt.Sprintf("%v", b) }

// PanicText is what Go prints of a box that a program panicked with.
func (b Box) PanicText() string {
	if text := b.callString("Error"); text != "" {
		return text
	}
	if text := b.callString("String"); text != "" {
		return text
	}
	if t, ok := b.T.t.Underlying().(*types.Basic); ok {
		f := "%v"
		if t.Info()&types.IsString != 0 {
			f = "%q"
		}
		return fmt.Sprintf("%s("+f+")", typeName(b.T.t), b.V)
	}
	return fmt.Sprintf("(%s) %v", typeName(b.T.t), b)
}

type printer struct {
	in          *Registry
	s           fmt.State
	verb        rune
	plus, sharp bool
	silent      bool // call no methods
}

func (p *printer) text(s string) { p.s.Write([]byte(s)) }

// leaf prints a value that fmt prints right.
func (p *printer) leaf(v any) { fmt.Fprintf(p.s, fmt.FormatString(p.s, p.verb), v) }

// value prints v, which is of type t.
func (p *printer) value(v reflect.Value, t types.Type, depth int) {
	if !v.IsValid() {
		p.text("<nil>")
		return
	}
	if p.verb == 'p' {
		p.leaf(v.Interface())
		return
	}
	if !p.silent && v.CanInterface() && p.methods(v, t, depth) {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		p.structValue(v, t, u, depth)
	case *types.Pointer:
		p.pointer(v, t, u, depth)
	case *types.Slice:
		p.list(v, t, u.Elem(), depth)
	case *types.Array:
		p.list(v, t, u.Elem(), depth)
	case *types.Map:
		p.mapValue(v, t, u, depth)
	case *types.Interface:
		p.interfaceValue(v, depth)
	case *types.Basic:
		p.basic(v, t, u)
	default:
		if p.sharp && p.verb == 'v' && v.CanInterface() {
			p.text("(" + typeName(t) + ")(")
			if v.IsNil() {
				p.text("nil)")
				return
			}
			p.text(fmt.Sprintf("0x%x)", v.Pointer()))
			return
		}
		p.leaf(v.Interface())
	}
}

func (p *printer) basic(v reflect.Value, t types.Type, u *types.Basic) {
	if p.sharp && p.verb == 'v' && u.Info()&types.IsUnsigned != 0 {
		p.text("0x" + strconv.FormatUint(v.Uint(), 16))
		return
	}
	p.leaf(v.Interface())
}

// methods lets a value print itself, as fmt does for verbs of strings.
func (p *printer) methods(v reflect.Value, t types.Type, depth int) bool {
	b := Box{&boxType{p.in, t}, v.Interface()}
	if isUser(t) {
		if p.sharp && p.verb == 'v' {
			if _, ok := b.method("GoString", reflect.TypeFor[func() string]()); ok {
				p.text(b.callString("GoString"))
				return true
			}
			return false
		}
		if !strings.ContainsRune("vsxXq", p.verb) {
			return false
		}
		for _, name := range []string{"Error", "String"} {
			if _, ok := b.method(name, reflect.TypeFor[func() string]()); ok {
				if v.Kind() == reflect.Pointer && v.IsNil() {
					p.text("<nil>")
					return true
				}
				p.leaf(b.callString(name))
				return true
			}
		}
		return false
	}
	if depth == 0 {
		return false
	}
	switch v.Interface().(type) {
	case fmt.Formatter, error, fmt.Stringer, fmt.GoStringer:
		p.leaf(v.Interface())
		return true
	}
	return false
}

// isUser reports whether t, or what it points to, is a named type of the session.
func isUser(t types.Type) bool {
	p := packageOf(t)
	return p != nil && p.Path() == "main"
}

func (p *printer) structValue(v reflect.Value, t types.Type, u *types.Struct, depth int) {
	if p.sharp && p.verb == 'v' {
		p.text(typeName(t))
	}
	p.text("{")
	for i := range u.NumFields() {
		if i > 0 {
			if p.sharp && p.verb == 'v' {
				p.text(", ")
			} else {
				p.text(" ")
			}
		}
		if p.plus || p.sharp {
			p.text(u.Field(i).Name() + ":")
		}
		f := v.Field(i)
		if !u.Field(i).Exported() && f.CanInterface() {
			p.hidden(f, u.Field(i).Type(), depth+1)
			continue
		}
		p.value(f, u.Field(i).Type(), depth+1)
	}
	p.text("}")
}

// hidden prints a field that is not exported: fmt calls no methods of its value.
func (p *printer) hidden(v reflect.Value, t types.Type, depth int) {
	q := *p
	q.silent = true
	q.value(v, t, depth)
}

func (p *printer) pointer(v reflect.Value, t types.Type, u *types.Pointer, depth int) {
	if v.IsNil() {
		if p.sharp && p.verb == 'v' {
			p.text("(" + typeName(t) + ")(nil)")
			return
		}
		p.text("<nil>")
		return
	}
	if depth == 0 {
		switch u.Elem().Underlying().(type) {
		case *types.Struct, *types.Slice, *types.Array, *types.Map:
			p.text("&")
			p.value(v.Elem(), u.Elem(), depth+1)
			return
		}
	}
	if p.sharp && p.verb == 'v' {
		p.text(fmt.Sprintf("(%s)(0x%x)", typeName(t), v.Pointer()))
		return
	}
	p.text(fmt.Sprintf("0x%x", v.Pointer()))
}

func (p *printer) list(v reflect.Value, t, elem types.Type, depth int) {
	b, isByte := elem.Underlying().(*types.Basic)
	if isByte && b.Kind() == types.Uint8 && p.verb != 'v' && p.verb != 'd' {
		p.leaf(v.Interface())
		return
	}
	sharp := p.sharp && p.verb == 'v'
	switch {
	case sharp && v.Kind() == reflect.Slice && v.IsNil():
		p.text(typeName(t) + "(nil)")
		return
	case sharp:
		p.text(typeName(t) + "{")
	default:
		p.text("[")
	}
	for i := range v.Len() {
		if i > 0 {
			if sharp {
				p.text(", ")
			} else {
				p.text(" ")
			}
		}
		p.value(v.Index(i), elem, depth+1)
	}
	if sharp {
		p.text("}")
	} else {
		p.text("]")
	}
}

func (p *printer) mapValue(v reflect.Value, t types.Type, u *types.Map, depth int) {
	sharp := p.sharp && p.verb == 'v'
	switch {
	case sharp && v.IsNil():
		p.text(typeName(t) + "(nil)")
		return
	case sharp:
		p.text(typeName(t) + "{")
	default:
		p.text("map[")
	}
	for i, k := range sortedKeys(v) {
		if i > 0 {
			if sharp {
				p.text(", ")
			} else {
				p.text(" ")
			}
		}
		p.value(k, u.Key(), depth+1)
		p.text(":")
		p.value(v.MapIndex(k), u.Elem(), depth+1)
	}
	if sharp {
		p.text("}")
	} else {
		p.text("]")
	}
}

// sortedKeys is a map's keys in the order in which fmt prints them.
func sortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	slices.SortStableFunc(keys, compareKeys)
	return keys
}

func compareKeys(x, y reflect.Value) int {
	switch x.Kind() {
	case reflect.Interface:
		return compareKeys(reflect.ValueOf(fmt.Sprint(x)), reflect.ValueOf(fmt.Sprint(y)))
	case reflect.Struct, reflect.Array:
		return strings.Compare(fmt.Sprint(x), fmt.Sprint(y))
	case reflect.Bool:
		return cmp.Compare(btoi(x.Bool()), btoi(y.Bool()))
	case reflect.String:
		return strings.Compare(x.String(), y.String())
	}
	switch {
	case x.CanInt():
		return cmp.Compare(x.Int(), y.Int())
	case x.CanUint():
		return cmp.Compare(x.Uint(), y.Uint())
	case x.CanFloat():
		return cmp.Compare(x.Float(), y.Float())
	}
	return cmp.Compare(fmt.Sprint(x), fmt.Sprint(y))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (p *printer) interfaceValue(v reflect.Value, depth int) {
	if v.IsNil() {
		p.text("<nil>")
		return
	}
	if b, ok := boxed(v.Interface()); ok {
		p.value(reflect.ValueOf(b.V), b.T.t, depth)
		return
	}
	if p.silent {
		v = v.Elem()
		p.value(v, p.in.known.Of(v.Type()), depth)
		return
	}
	p.leaf(v.Interface())
}
