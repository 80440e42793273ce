package naming

import (
	"go/types"
	"slices"
	"strconv"
)

// Host is the import path, and the name in lowered code, of the host's functions.
const Host = "ſ"

// A Table is what the cells of a session share: the names that lowered code gives
// to functions, variables, types and packages, and the types that boxes number.
type Table struct {
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

	Recovers bool // some code has called recover
	undo     []func()

	generics  map[*types.Func]generic
	recursive map[*types.Func]bool
}

// NewTable is what a session begins with.
func NewTable() *Table {
	return &Table{
		names: map[types.Object]string{}, structs: map[string]string{}, nodes: map[string]string{},
		imports: map[string]string{}, helpers: map[string]string{}, ids: map[string][]int{},
		generics: map[*types.Func]generic{}, recursive: map[*types.Func]bool{},
	}
}

// Type is the type with a number.
func (n *Table) Type(id int) types.Type { return n.types[id] }

// Name is what lowered code calls a function, method or variable; "" if it has not
// been lowered.
func (n *Table) Name(o types.Object) string { return n.names[origin(o)] }

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
func (n *Table) Alias(o, old types.Object) { set(n, n.names, origin(o), n.names[origin(old)]) }

// Begin makes Rollback undo what is added from here on.
func (n *Table) Begin() { n.undo = nil }

// Rollback undoes what has been added, for when the code was not accepted.
func (n *Table) Rollback() {
	for _, undo := range slices.Backward(n.undo) {
		undo()
	}
	n.undo = nil
}

func set[K comparable](n *Table, m map[K]string, k K, v string) {
	old, had := m[k]
	m[k] = v
	n.undo = append(n.undo, func() {
		if had {
			m[k] = old
		} else {
			delete(m, k)
		}
	})
}

// Fresh is a name that nothing else has.
func (n *Table) Fresh(base string) string {
	n.serial++
	return base + "ſ" + strconv.Itoa(n.serial)
}

// Deep reports whether a function is recursive: it has a parameter for how deep it is.
func (n *Table) Deep(o *types.Func) bool { return n.recursive[o.Origin()] }

// ID is the number of a type, which gets one if it has none.
func (n *Table) ID(t types.Type) int {
	id, ok := n.Number(t)
	if !ok {
		t = types.Unalias(t)
		id = len(n.types)
		n.types = append(n.types, t)
		key := types.TypeString(t, nil)
		n.ids[key] = append(n.ids[key], id)
	}
	return id
}

// Number is the number of a type, if it has one.
func (n *Table) Number(t types.Type) (id int, ok bool) {
	t = types.Unalias(t)
	for _, id := range n.ids[types.TypeString(t, nil)] {
		if types.Identical(n.types[id], t) {
			return id, true
		}
	}
	return 0, false
}
