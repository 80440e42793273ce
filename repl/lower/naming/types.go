package naming

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/source"
)

// Spell is a type as lowered code spells it. Declarations that the spelling needs are
// added to f.
func (f *File) Spell(t types.Type) string {
	switch t := types.Unalias(f.Subst(t)).(type) {
	case *types.Basic:
		return spellBasic(t)
	case *types.Named:
		return f.spellNamed(t)
	case *types.Pointer:
		return "*" + f.Spell(t.Elem())
	case *types.Slice:
		return "[]" + f.Spell(t.Elem())
	case *types.Array:
		if source.Sizes.Sizeof(t) > 1<<30 {
			source.Refuse("an array of over 1 GiB: make a slice of what is needed")
		}
		return fmt.Sprintf("[%d]%s", t.Len(), f.Spell(t.Elem()))
	case *types.Map:
		return "map[" + f.Spell(t.Key()) + "]" + f.Spell(t.Elem())
	case *types.Chan:
		return [...]string{"chan ", "chan<- ", "<-chan "}[t.Dir()] + f.Spell(t.Elem())
	case *types.Signature:
		return "func" + f.SpellSignature(t)
	case *types.Interface:
		return "interface{}"
	case *types.Struct:
		return f.spellStruct(t, "")
	}
	source.Refuse("the type %s cannot be used here", t)
	return ""
}

// SpellSignature is a function type as lowered code spells it, without func.
func (f *File) SpellSignature(t *types.Signature) string {
	var params, results []string
	for i := range t.Params().Len() {
		params = append(params, f.SpellParam(t, i))
	}
	for v := range t.Results().Variables() {
		results = append(results, f.Spell(v.Type()))
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

func (f *File) spellNamed(t *types.Named) string {
	o := t.Obj()
	switch {
	case o.Pkg() == nil: // error, comparable
		return o.Name()
	case !source.Session(o):
		if !o.Exported() {
			source.Refuse("a value of the unexported type %s.%s cannot be kept in a variable here: use it where it is needed", o.Pkg().Name(), o.Name())
		}
		return f.Pkg(o.Pkg()) + "." + o.Name()
	}
	key := types.TypeString(t, nil) + fmt.Sprintf("@%p", o)
	if st, ok := t.Underlying().(*types.Struct); ok {
		return f.spellStruct(st, key)
	}
	if f.inside[key] {
		source.Refuse("the recursive type %s cannot be used here: make it a struct", o.Name())
	}
	f.inside[key] = true
	defer delete(f.inside, key)
	return f.Spell(t.Underlying())
}

// spellStruct is the name of a struct type. Equal struct types have one name, so that
// converting between them costs nothing; key names a type that may be recursive.
func (f *File) spellStruct(t *types.Struct, key string) string {
	if name := f.nodes[key]; name != "" && key != "" {
		return name
	}
	if f.inside[key] && key != "" {
		set(f.Table, f.nodes, key, f.Fresh("N"))
		return f.nodes[key]
	}
	f.inside[key] = true
	var b strings.Builder
	for i := range t.NumFields() {
		fmt.Fprintf(&b, "\t%s %s", f.Field(t, i), f.Spell(t.Field(i).Type()))
		if tag := t.Tag(i); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
		b.WriteString("\n")
	}
	delete(f.inside, key)
	name := f.nodes[key]
	if name == "" || key == "" {
		if name = f.structs[b.String()]; name != "" {
			return name
		}
		name = f.Fresh("S")
		set(f.Table, f.structs, b.String(), name)
	}
	f.Declare("type " + name + " struct {\n" + b.String() + "}\n")
	return name
}

// Field is the name of a struct's field in lowered code.
func (f *File) Field(t *types.Struct, i int) string {
	if name := t.Field(i).Name(); name != "_" {
		return name
	}
	return "B" + strconv.Itoa(i)
}

// SpellParam is the type of a function's i-th parameter as lowered code spells it.
func (f *File) SpellParam(t *types.Signature, i int) string {
	text := f.Spell(t.Params().At(i).Type())
	if t.Variadic() && i == t.Params().Len()-1 {
		return "..." + strings.TrimPrefix(text, "[]")
	}
	return text
}

// SpellResults is the types of a function's results as lowered code spells them.
func (f *File) SpellResults(sig *types.Signature) string {
	var ts []string
	for v := range sig.Results().Variables() {
		ts = append(ts, f.Spell(v.Type()))
	}
	if len(ts) < 2 {
		return strings.Join(ts, "")
	}
	return "(" + strings.Join(ts, ", ") + ")"
}

// Zero is the zero value of a type.
func (f *File) Zero(t types.Type) string {
	switch u := f.Subst(t).Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false"
		case u.Info()&types.IsString != 0:
			return `""`
		}
		return f.Spell(u) + "(0)"
	case *types.Struct, *types.Array:
		return f.Spell(t) + "{}"
	case *types.Interface:
		return "nil"
	}
	return "nil"
}

// Path follows fields by their indices. Within types of compiled Go, the last name is
// enough.
func (f *File) Path(x string, t types.Type, index []int, last string) string {
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok && !source.Session(n.Obj()) {
			return x + "." + last
		}
		st := t.Underlying().(*types.Struct)
		x += "." + f.Field(st, i)
		t = f.Subst(st.Field(i).Type())
	}
	return x
}

// FieldOf is a field of x, with the embedded fields on the way spelled out.
func (f *File) FieldOf(x string, s *types.Selection) string {
	return f.Path(x, f.Subst(s.Recv()), s.Index(), s.Obj().Name())
}

// Holder is the type at the end of a path: that of the value whose method is called.
func (f *File) Holder(t types.Type, index []int) types.Type {
	for _, i := range index[:len(index)-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		t = f.Subst(t.Underlying().(*types.Struct).Field(i).Type())
	}
	return t
}

func spellBasic(t *types.Basic) string {
	if t.Kind() == types.UnsafePointer {
		source.Refuse("unsafe.Pointer cannot be used here")
	}
	return types.Default(t).(*types.Basic).Name()
}
