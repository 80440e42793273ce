package naming

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/source"
)

// Any is the type any.
var Any = types.NewInterfaceType(nil, nil)

// ConvertText is a value of one type as one of another. plain says that the text is
// a name, a literal or a call.
func (f *File) ConvertText(text string, from, to types.Type, plain bool) string {
	from, to = f.Subst(from), f.Subst(to)
	if !types.IsInterface(to) {
		return text
	}
	if types.IsInterface(from) {
		switch {
		case source.BinaryInterface(to) && !types.Identical(from, to):
			return f.Asserted(text, from, to)
		case source.BinaryInterface(from) && !source.BinaryInterface(to):
			return Host + ".Any(" + text + ")"
		}
		return text
	}
	if source.BinaryInterface(to) {
		if !source.Erased(from) {
			return f.Asserted(Host+".Any("+text+")", Any, to)
		}
		return f.Asserted(f.box(text, from), Any, to)
	}
	switch {
	case source.Erased(from):
		return f.box(text, from)
	case plain && !source.IsFunc(from):
		return text
	}
	return Host + ".Any(" + text + ")" // the interpreter loses some expressions, and keeps functions to itself
}

// box keeps the type of a value that becomes an interface value.
func (f *File) box(text string, t types.Type) string {
	f.needMethods(t)
	return fmt.Sprintf("%s.Box(%d, %s)", Host, f.ID(t), text)
}

// needMethods instantiates the methods of a generic type whose values become
// interface values, and those of what it embeds.
func (f *File) needMethods(t types.Type) {
	n := source.NamedOf(t)
	if n != nil && !source.Session(n.Obj()) {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		for field := range st.Fields() {
			if field.Embedded() {
				f.needMethods(f.Subst(field.Type()))
			}
		}
	}
	if n == nil || n.TypeArgs().Len() == 0 {
		return
	}
	key := fmt.Sprintf("methods %d", f.ID(n))
	if f.helpers[key] != "" {
		return
	}
	set(f.Table, f.helpers, key, "done")
	for m := range n.Methods() {
		recv := m.Signature().Recv().Type()
		f.RegisterMethod(m, recv)
	}
}

// Asserted is x.(t), or the conversion to an interface that x is known to be; from
// is the type of x, for messages.
func (f *File) Asserted(x string, from, t types.Type) string {
	rep := f.Spell(t)
	id, fromID := f.ID(t), f.ID(from)
	name := f.Helper(fmt.Sprintf("assert %d %d", fromID, id), "as", func(name string) string {
		return fmt.Sprintf("func %s(x interface{}) %s {\nvar t %s\n%s.Assert(&t, x, %d, %d)\nreturn t\n}\n", name, rep, rep, Host, id, fromID)
	})
	return name + "(" + x + ")"
}

// AssertOK is a function that asserts a type and has the second result.
func (f *File) AssertOK(t types.Type) string {
	rep, id := f.Spell(t), f.ID(t)
	return f.Helper(fmt.Sprintf("is %d", id), "is", func(name string) string {
		return fmt.Sprintf("func %s(x interface{}) (%s, bool) {\nvar t %s\nok := %s.Is(&t, x, %d)\nreturn t, ok\n}\n", name, rep, rep, Host, id)
	})
}

// Dispatch is a function that calls a method of an interface value.
func (f *File) Dispatch(m *types.Func) string {
	sig := f.Subst(m.Signature()).(*types.Signature)
	var params, args []string
	for i := range sig.Params().Len() {
		arg := fmt.Sprintf("a%d", i)
		params = append(params, arg+" "+f.Spell(sig.Params().At(i).Type()))
		if sig.Variadic() && i == sig.Params().Len()-1 {
			arg += "..."
		}
		args = append(args, arg)
	}
	rep := f.SpellSignature(sig)
	return f.Helper("dispatch "+m.Name()+rep, m.Name(), func(name string) string {
		ret := ""
		if sig.Results().Len() > 0 {
			ret = "return "
		}
		return fmt.Sprintf("func %s(%s) %s {\nvar f func%s\n%s.Find(&f, x, %q)\n%sf(%s)\n}\n",
			name, strings.Join(append([]string{"x interface{}"}, params...), ", "), f.SpellResults(sig), rep, Host, m.Name(), ret, strings.Join(args, ", "))
	})
}

// Receiver is a function that receives from a channel.
func (f *File) Receiver(elem, ch types.Type, ok bool) string {
	rep, chRep := f.Spell(elem), f.Spell(ch.Underlying())
	return f.Helper(fmt.Sprintf("recv %v %s", ok, chRep), "recv", func(name string) string {
		if ok {
			return fmt.Sprintf("func %s(c %s) (%s, bool) {\nvar t %s\nok := %s.Recv(&t, c)\nreturn t, ok\n}\n", name, chRep, rep, rep, Host)
		}
		return fmt.Sprintf("func %s(c %s) %s {\nvar t %s\n%s.Recv(&t, c)\nreturn t\n}\n", name, chRep, rep, rep, Host)
	})
}
