package value

import (
	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Facts are what is found of a kernel while it is printed, and what it calls.
type Facts struct {
	Math  bool            // Go's package math is needed
	kinds map[string]Type // what parameters of the kernel turned out to be
	fixed map[string]bool // those that are certain
	uses  map[string]use  // how those that are not certain are used
}

// A use is how a parameter of unknown kind is used.
type use struct{ asInt, asFloat bool }

// Again is panicked with when a parameter turned out to be of another kind.
type Again struct{}

// FactsOf is what is known of a kernel before it is printed; values are what its parameters would get.
func FactsOf(def *syntax.FuncDef, values map[string]any) *Facts {
	f := &Facts{kinds: map[string]Type{}, fixed: map[string]bool{}}
	for _, p := range def.Params {
		t := typeOf(values[p.Name])
		if t.Kind == None {
			continue
		}
		if t.Kind == Bool && lower.IsConstexpr(p.Annotation) {
			t.Kind = Int
		}
		f.kinds[p.Name], f.fixed[p.Name] = t, true
	}
	return f
}

// typeOf is what a value tells of its parameter.
func typeOf(v any) Type {
	switch v := v.(type) {
	case int, int64:
		return Type{Kind: Int}
	case float64:
		return Type{Kind: Float}
	case bool:
		return Type{Kind: Bool}
	case string:
		return Type{Kind: Text}
	case dtype.DType:
		if v.IsPointer() {
			return Pointer
		}
		return Type{Kind: DType}
	}
	return Type{Kind: None}
}

// Restart forgets all but what the parameters are.
func (f *Facts) Restart() { f.Math, f.uses = false, map[string]use{} }

// Become makes a parameter of the kernel of another kind, and starts over.
func (f *Facts) Become(param string, t Type) {
	old, ok := f.kinds[param]
	if param == "" || f.fixed[param] || ok && old.Kind == t.Kind && old.Ptr == t.Ptr {
		return
	}
	f.kinds[param], f.fixed[param] = t, true
	panic(Again{})
}

// Decide finds what the parameters are that are used as several things, and reports whether one changed.
func (f *Facts) Decide() (changed bool) {
	for name, u := range f.uses {
		if !f.fixed[name] && f.kinds[name].Kind == Int && u.asFloat && !u.asInt {
			f.kinds[name] = Type{Kind: Float}
			changed = true
		}
	}
	return changed
}

// Params are the types of a kernel's parameters.
func (f *Facts) Params(def *syntax.FuncDef) (ts []Type) {
	for _, p := range def.Params {
		t, ok := f.kinds[p.Name]
		if !ok {
			t = defaultType(p)
			f.kinds[p.Name] = t
		}
		t.Param, t.Weak = p.Name, lower.IsConstexpr(p.Annotation)
		if t.IsNumber() {
			t.DType = t.Kind.dtype()
		}
		ts = append(ts, t)
	}
	return ts
}

// defaultType is what a parameter is as far as its default tells.
func defaultType(p syntax.Param) Type {
	switch d := p.Default.(type) {
	case *syntax.Number:
		if d.Float {
			return Type{Kind: Float}
		}
	case *syntax.String:
		return Type{Kind: Text}
	case *syntax.Constant:
		switch {
		case d.Text == "None":
			return Pointer
		case !lower.IsConstexpr(p.Annotation):
			return Type{Kind: Bool}
		}
	}
	return Type{Kind: Int}
}

// UsedBeside notes that a number meets a tile.
func (f *Facts) UsedBeside(v Value, t Type) {
	if v.Name == "" || v.Param != v.Name {
		return
	}
	u := f.uses[v.Name]
	if t.DType.IsInt() {
		u.asInt = true
	} else if !t.Ptr {
		u.asFloat = true
	}
	f.uses[v.Name] = u
}

// UsedAsInt notes that a number is used where Go wants an int.
func (f *Facts) UsedAsInt(v Value) {
	if v.Param != "" && v.Kind == Int {
		u := f.uses[v.Param]
		u.asInt = true
		f.uses[v.Param] = u
	}
}
