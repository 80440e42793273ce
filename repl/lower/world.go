// Package lower compiles checked Go to the Go that the interpreter gets right.
//
// The interpreter (yaegi) is good at a core of the language: numbers, strings,
// slices, maps, structs without methods, functions and closures, plain loops. In
// the rest it is wrong in places, some of them silently. Lowered code stays within
// the core; what lies outside is compiled away here, or done by functions of the
// host, which are compiled Go:
//
//   - Types are erased to their structure: a named type is its underlying type, a
//     method a function whose first parameter is the receiver, an embedded field a
//     plain one. Constants are folded, generic functions instantiated, every
//     conversion is explicit.
//   - An interface value is an interface{}. What a value loses by erasure, it keeps
//     when it becomes an interface value, in a box: the number of its type in the
//     World. Assertions, type switches and calls of methods go through the host,
//     which reads boxes.
//   - Channels, select, go, defer, panic and recover are calls of the host. So is
//     whatever could end the process: make of unknown size, recursion without end.
//   - Loop variables are per iteration, range over integers and functions are
//     loops, min, max and clear are calls.
//
// Before a statement that can fail, lowered code writes the statement's line to
// where its first parameter points to. Every user function has that parameter; in a
// kernel it points to the program's line.
//
// Positions, messages and the meaning of the source are the business of the type
// checker: what comes here has been checked. Some programs are refused all the same;
// Check says which.
package lower

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/source"
)

// Host is the import path, and the name in lowered code, of the host's functions.
const Host = "ſ"

// A World is what the cells of a session share: the names that lowered code gives
// to functions, variables, types and packages, and the types that boxes number.
type World struct {
	// Hooks are functions of imported packages whose calls the host makes itself: by
	// full name, the name of the host's function.
	Hooks map[string]string

	names   map[types.Object]string // functions, methods and variables of earlier cells
	structs map[string]string       // the text of a struct type → its name
	nodes   map[string]string       // a recursive struct type → its name
	imports map[string]string       // path → name
	helpers map[string]string       // functions that lowered code has been given, by purpose
	types   []types.Type
	ids     map[string][]int // type as text → numbers of types that read so
	serial  int

	recovers bool // some code has called recover
	undo     []func()

	generics map[*types.Func]generic
	deep     map[*types.Func]bool // functions that are recursive
}

// NewWorld is a session's world.
func NewWorld() *World {
	return &World{
		names: map[types.Object]string{}, structs: map[string]string{}, nodes: map[string]string{},
		imports: map[string]string{}, helpers: map[string]string{}, ids: map[string][]int{},
		generics: map[*types.Func]generic{}, deep: map[*types.Func]bool{},
	}
}

// Type is the type with a number.
func (w *World) Type(id int) types.Type { return w.types[id] }

// Name is what lowered code calls a function, method or variable; "" if it has not
// been lowered.
func (w *World) Name(o types.Object) string { return w.names[origin(o)] }

// origin is the declared object behind an instance of it.
func origin(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return o
}

// Alias makes lowered code use for o the variable or function that it uses for old.
func (w *World) Alias(o, old types.Object) { set(w, w.names, origin(o), w.names[origin(old)]) }

// Rollback undoes what the last Lower added, for when its code was not accepted.
func (w *World) Rollback() {
	for _, undo := range slices.Backward(w.undo) {
		undo()
	}
	w.undo = nil
}

func set[K comparable](w *World, m map[K]string, k K, v string) {
	old, had := m[k]
	m[k] = v
	w.undo = append(w.undo, func() {
		if had {
			m[k] = old
		} else {
			delete(m, k)
		}
	})
}

// fresh is a name that nothing else has.
func (w *World) fresh(base string) string {
	w.serial++
	return base + "ſ" + strconv.Itoa(w.serial)
}

// ID is the number of a type, which gets one if it has none.
func (w *World) ID(t types.Type) int {
	id, ok := w.Number(t)
	if !ok {
		t = types.Unalias(t)
		id = len(w.types)
		w.types = append(w.types, t)
		key := types.TypeString(t, nil)
		w.ids[key] = append(w.ids[key], id)
	}
	return id
}

// Number is the number of a type, if it has one.
func (w *World) Number(t types.Type) (id int, ok bool) {
	t = types.Unalias(t)
	for _, id := range w.ids[types.TypeString(t, nil)] {
		if types.Identical(w.types[id], t) {
			return id, true
		}
	}
	return 0, false
}

// rep is a type as lowered code spells it. Declarations that the spelling needs are
// added to c.
func (c *compiler) rep(t types.Type) string {
	switch t := types.Unalias(c.Subst(t)).(type) {
	case *types.Basic:
		return repBasic(t)
	case *types.Named:
		return c.repNamed(t)
	case *types.Pointer:
		return "*" + c.rep(t.Elem())
	case *types.Slice:
		return "[]" + c.rep(t.Elem())
	case *types.Array:
		if source.Sizes.Sizeof(t) > 1<<30 {
			source.Refuse("an array of over 1 GiB: make a slice of what is needed")
		}
		return fmt.Sprintf("[%d]%s", t.Len(), c.rep(t.Elem()))
	case *types.Map:
		return "map[" + c.rep(t.Key()) + "]" + c.rep(t.Elem())
	case *types.Chan:
		return [...]string{"chan ", "chan<- ", "<-chan "}[t.Dir()] + c.rep(t.Elem())
	case *types.Signature:
		return "func" + c.repSignature(t)
	case *types.Interface:
		return "interface{}"
	case *types.Struct:
		return c.repStruct(t, "")
	}
	source.Refuse("the type %s cannot be used here", t)
	return ""
}

func repBasic(t *types.Basic) string {
	if t.Kind() == types.UnsafePointer {
		source.Refuse("unsafe.Pointer cannot be used here")
	}
	return types.Default(t).(*types.Basic).Name()
}

func (c *compiler) repSignature(t *types.Signature) string {
	var params, results []string
	for i := range t.Params().Len() {
		text := c.rep(t.Params().At(i).Type())
		if t.Variadic() && i == t.Params().Len()-1 {
			text = "..." + strings.TrimPrefix(text, "[]")
		}
		params = append(params, text)
	}
	for v := range t.Results().Variables() {
		results = append(results, c.rep(v.Type()))
	}
	s := "(" + strings.Join(params, ", ") + ")"
	switch len(results) {
	case 0:
		return s
	case 1:
		return s + " " + results[0]
	}
	return s + " (" + strings.Join(results, ", ") + ")"
}

func (c *compiler) repNamed(t *types.Named) string {
	o := t.Obj()
	switch {
	case o.Pkg() == nil: // error, comparable
		return o.Name()
	case !source.Session(o):
		if !o.Exported() {
			source.Refuse("a value of the unexported type %s.%s cannot be kept in a variable here: use it where it is needed", o.Pkg().Name(), o.Name())
		}
		return c.pkg(o.Pkg()) + "." + o.Name()
	}
	key := types.TypeString(t, nil) + fmt.Sprintf("@%p", o)
	if st, ok := t.Underlying().(*types.Struct); ok {
		return c.repStruct(st, key)
	}
	if c.inside[key] {
		source.Refuse("the recursive type %s cannot be used here: make it a struct", o.Name())
	}
	c.inside[key] = true
	defer delete(c.inside, key)
	return c.rep(t.Underlying())
}

// repStruct is the name of a struct type. Equal struct types have one name, so that
// converting between them costs nothing; key names a type that may be recursive.
func (c *compiler) repStruct(t *types.Struct, key string) string {
	if name := c.nodes[key]; name != "" && key != "" {
		return name
	}
	if c.inside[key] && key != "" {
		set(c.World, c.nodes, key, c.fresh("N"))
		return c.nodes[key]
	}
	c.inside[key] = true
	var b strings.Builder
	for i := range t.NumFields() {
		fmt.Fprintf(&b, "\t%s %s", c.field(t, i), c.rep(t.Field(i).Type()))
		if tag := t.Tag(i); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
		b.WriteString("\n")
	}
	delete(c.inside, key)
	name := c.nodes[key]
	if name == "" || key == "" {
		if name = c.structs[b.String()]; name != "" {
			return name
		}
		name = c.fresh("S")
		set(c.World, c.structs, b.String(), name)
	}
	c.declare("type " + name + " struct {\n" + b.String() + "}\n")
	return name
}

// field is the name of a struct's field in lowered code.
func (c *compiler) field(t *types.Struct, i int) string {
	if name := t.Field(i).Name(); name != "_" {
		return name
	}
	return "B" + strconv.Itoa(i)
}

// pkg is the name of an imported package.
func (c *compiler) pkg(p *types.Package) string {
	path := strings.TrimSuffix(p.Path(), "/generic")
	if name := c.World.imports[path]; name != "" {
		return name
	}
	name := c.fresh(p.Name())
	set(c.World, c.World.imports, path, name)
	c.imported = append(c.imported, fmt.Sprintf("import %s %q\n", name, path))
	c.paths = append(c.paths, path)
	return name
}
