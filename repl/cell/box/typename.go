package box

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
)

// typeName is a type as Go's runtime writes it, which is not quite how the checker
// does.
func typeName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return namedName(t)
	case *types.Pointer:
		return "*" + typeName(t.Elem())
	case *types.Slice:
		return "[]" + typeName(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), typeName(t.Elem()))
	case *types.Map:
		return "map[" + typeName(t.Key()) + "]" + typeName(t.Elem())
	case *types.Chan:
		return [...]string{"chan ", "chan<- ", "<-chan "}[t.Dir()] + typeName(t.Elem())
	case *types.Signature:
		return "func" + signatureName(t)
	case *types.Struct:
		var fields []string
		for i := range t.NumFields() {
			f := t.Field(i)
			text := f.Name() + " " + typeName(f.Type())
			if f.Embedded() {
				text = typeName(f.Type())
			}
			if tag := t.Tag(i); tag != "" {
				text += " " + strconv.Quote(tag)
			}
			fields = append(fields, text)
		}
		return braces("struct", fields)
	case *types.Interface:
		var methods []string
		for m := range t.Methods() {
			methods = append(methods, m.Name()+signatureName(m.Signature()))
		}
		return braces("interface", methods)
	}
	return t.String()
}

func braces(word string, parts []string) string {
	if len(parts) == 0 {
		return word + " {}"
	}
	return word + " { " + strings.Join(parts, "; ") + " }"
}

func namedName(t *types.Named) string {
	name := t.Obj().Name()
	if p := t.Obj().Pkg(); p != nil {
		name = p.Name() + "." + name
	}
	if t.TypeArgs().Len() == 0 {
		return name
	}
	var args []string
	for a := range t.TypeArgs().Types() {
		args = append(args, typeName(a))
	}
	return name + "[" + strings.Join(args, ",") + "]"
}

func signatureName(t *types.Signature) string {
	var params, results []string
	for i := range t.Params().Len() {
		text := typeName(t.Params().At(i).Type())
		if t.Variadic() && i == t.Params().Len()-1 {
			text = "..." + strings.TrimPrefix(text, "[]")
		}
		params = append(params, text)
	}
	for v := range t.Results().Variables() {
		results = append(results, typeName(v.Type()))
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
