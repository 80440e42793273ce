package symbols

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"math/big"
	pathpkg "path"
	"reflect"
	"slices"
	"strings"
)

// Types makes go/types packages out of tables. The zero value is ready; it is not
// safe for concurrent use.
//
// A parameter of a function has no name in them, and a field that is not exported no
// type but one that is comparable if the field is.
type Types struct {
	pkgs  map[string]*types.Package
	done  map[string]bool
	named map[reflect.Type]types.Type
	held  map[string][]reflect.Type // interfaces of a package with unexported methods
}

// Import implements types.Importer.
func (ts *Types) Import(path string) (*types.Package, error) {
	if ts.done[path] {
		return ts.pkgs[path], nil
	}
	p, ok := Find(path)
	if !ok {
		if q := ts.generic(path); q != nil {
			return q, nil
		}
		return nil, fmt.Errorf("package %s cannot be imported here", path)
	}
	q := ts.pkg(path)
	ts.done[path] = true
	table := p.Table()
	for _, name := range sortedNames(table) {
		if name[0] != '_' {
			ts.insert(q, name, table[name])
		}
	}
	q.MarkComplete()
	ts.insertGeneric(q)
	return q, nil
}

func sortedNames(t Table) []string {
	names := make([]string, 0, len(t))
	for name := range t {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// pkg is the package with a path, which may be one that has no table but types that
// others use.
func (ts *Types) pkg(path string) *types.Package {
	if q := ts.pkgs[path]; q != nil {
		return q
	}
	if ts.pkgs == nil {
		ts.pkgs, ts.done, ts.named, ts.held = map[string]*types.Package{}, map[string]bool{}, map[reflect.Type]types.Type{}, map[string][]reflect.Type{}
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	if p, ok := Find(path); ok {
		name = p.Name
	}
	q := types.NewPackage(path, name)
	ts.pkgs[path] = q
	return q
}

func (ts *Types) insert(q *types.Package, name string, v reflect.Value) {
	scope := q.Scope()
	t := v.Type()
	if c, ok := v.Interface().(constant.Value); ok && !v.CanAddr() {
		scope.Insert(types.NewConst(token.NoPos, q, name, untypedOf(c), c))
		return
	}
	switch isType := t.Kind() == reflect.Pointer && !v.CanAddr() && v.IsNil(); {
	case isType && at(t.Elem(), q.Path(), name):
		ts.Of(t.Elem()) // inserts itself
	case isType:
		scope.Insert(types.NewTypeName(token.NoPos, q, name, ts.Of(t.Elem())))
	case v.CanAddr():
		scope.Insert(types.NewVar(token.NoPos, q, name, ts.Of(t)))
	case t.Kind() == reflect.Func && t.Name() == "":
		scope.Insert(types.NewFunc(token.NoPos, q, name, ts.signature(t, 0)))
	default:
		scope.Insert(types.NewConst(token.NoPos, q, name, ts.Of(t), constantOf(v)))
	}
}

func untypedOf(c constant.Value) types.Type {
	switch c.Kind() {
	case constant.Bool:
		return types.Typ[types.UntypedBool]
	case constant.String:
		return types.Typ[types.UntypedString]
	case constant.Int:
		return types.Typ[types.UntypedInt]
	}
	return types.Typ[types.UntypedFloat]
}

func constantOf(v reflect.Value) constant.Value {
	switch {
	case v.Kind() == reflect.Bool:
		return constant.MakeBool(v.Bool())
	case v.Kind() == reflect.String:
		return constant.MakeString(v.String())
	case v.CanInt():
		return constant.MakeInt64(v.Int())
	case v.CanUint():
		return constant.Make(new(big.Int).SetUint64(v.Uint()))
	case v.CanFloat():
		return constant.MakeFloat64(v.Float())
	}
	return constant.MakeUnknown()
}

var basics = map[reflect.Kind]types.BasicKind{
	reflect.Bool: types.Bool, reflect.String: types.String,
	reflect.Int: types.Int, reflect.Int8: types.Int8, reflect.Int16: types.Int16, reflect.Int32: types.Int32, reflect.Int64: types.Int64,
	reflect.Uint: types.Uint, reflect.Uint8: types.Uint8, reflect.Uint16: types.Uint16, reflect.Uint32: types.Uint32, reflect.Uint64: types.Uint64,
	reflect.Uintptr: types.Uintptr, reflect.Float32: types.Float32, reflect.Float64: types.Float64,
	reflect.Complex64: types.Complex64, reflect.Complex128: types.Complex128, reflect.UnsafePointer: types.UnsafePointer,
}

var errorType = reflect.TypeFor[error]()

// Of is the go/types type of a type of compiled Go.
func (ts *Types) Of(t reflect.Type) types.Type {
	switch {
	case t == errorType:
		return types.Universe.Lookup("error").Type()
	case t.Name() != "" && t.PkgPath() != "":
		return ts.namedType(t)
	}
	return ts.underlying(t)
}

func (ts *Types) namedType(t reflect.Type) types.Type {
	if n := ts.named[t]; n != nil {
		return n
	}
	path, name := home(t)
	q := ts.pkg(path)
	tn := types.NewTypeName(token.NoPos, q, name, nil)
	n := types.NewNamed(tn, nil, nil)
	ts.named[t] = n
	if token.IsExported(t.Name()) && !strings.Contains(t.Name(), "[") {
		q.Scope().Insert(tn)
	}
	n.SetUnderlying(ts.underlying(t))
	if t.Kind() != reflect.Interface {
		ts.addMethods(n, t)
	}
	return n
}

// home is the package and name by which code at the prompt calls a type. What a package that cannot be imported has for
// others is an alias in the package above it.
func home(t reflect.Type) (path, name string) {
	path = t.PkgPath()
	for up := path; up != "."; up = pathpkg.Dir(up) {
		p, ok := Find(up)
		if !ok {
			continue
		}
		if up == path {
			break
		}
		for _, name := range sortedNames(p.Table()) {
			if v := p.Table()[name]; v.Type() == reflect.PointerTo(t) && !v.CanAddr() {
				return up, name
			}
		}
	}
	return path, t.Name()
}

// at reports whether a type's home is a package, and a name there.
func at(t reflect.Type, path, name string) bool {
	p, n := home(t)
	return p == path && n == name
}

// addMethods gives n the exported methods of t, those promoted from embedded fields
// included, and such methods that are not exported as interfaces of t's package ask
// for.
func (ts *Types) addMethods(n *types.Named, t reflect.Type) {
	q := n.Obj().Pkg()
	add := func(name string, sig *types.Signature, byValue bool) {
		var recv types.Type = n
		if !byValue {
			recv = types.NewPointer(n)
		}
		r := types.NewVar(token.NoPos, q, "", recv)
		n.AddMethod(types.NewFunc(token.NoPos, q, name, types.NewSignatureType(r, nil, nil, sig.Params(), sig.Results(), sig.Variadic())))
	}
	pt := reflect.PointerTo(t)
	for m := range pt.Methods() {
		_, byValue := t.MethodByName(m.Name)
		add(m.Name, ts.signature(m.Type, 1), byValue)
	}
	added := map[string]bool{}
	for _, i := range ts.heldInterfaces(t.PkgPath()) {
		byValue := t.Implements(i)
		if !byValue && !pt.Implements(i) {
			continue
		}
		for m := range i.Methods() {
			if m.PkgPath != "" && !added[m.Name] {
				added[m.Name] = true
				add(m.Name, ts.signature(m.Type, 0), byValue)
			}
		}
	}
}

// heldInterfaces is the interfaces in a package's table that only the package itself
// can implement. reflect does not tell the unexported methods of a type, but it
// tells whether it is such an interface.
func (ts *Types) heldInterfaces(path string) []reflect.Type {
	if held, ok := ts.held[path]; ok {
		return held
	}
	var held []reflect.Type
	if p, ok := Find(path); ok {
		table := p.Table()
		for _, name := range sortedNames(table) {
			t := table[name].Type()
			if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Interface {
				continue
			}
			for m := range t.Elem().Methods() {
				if m.PkgPath != "" {
					held = append(held, t.Elem())
					break
				}
			}
		}
	}
	ts.held[path] = held
	return held
}

func (ts *Types) signature(t reflect.Type, skip int) *types.Signature {
	var params, results []*types.Var
	for i := skip; i < t.NumIn(); i++ {
		params = append(params, types.NewParam(token.NoPos, nil, "", ts.Of(t.In(i))))
	}
	for out := range t.Outs() {
		results = append(results, types.NewParam(token.NoPos, nil, "", ts.Of(out)))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), types.NewTuple(results...), t.IsVariadic())
}

func (ts *Types) underlying(t reflect.Type) types.Type {
	if k, ok := basics[t.Kind()]; ok {
		return types.Typ[k]
	}
	switch t.Kind() {
	case reflect.Pointer:
		return types.NewPointer(ts.Of(t.Elem()))
	case reflect.Slice:
		return types.NewSlice(ts.Of(t.Elem()))
	case reflect.Array:
		return types.NewArray(ts.Of(t.Elem()), int64(t.Len()))
	case reflect.Map:
		return types.NewMap(ts.Of(t.Key()), ts.Of(t.Elem()))
	case reflect.Chan:
		dir := map[reflect.ChanDir]types.ChanDir{reflect.BothDir: types.SendRecv, reflect.SendDir: types.SendOnly, reflect.RecvDir: types.RecvOnly}
		return types.NewChan(dir[t.ChanDir()], ts.Of(t.Elem()))
	case reflect.Func:
		return ts.signature(t, 0)
	case reflect.Interface:
		return ts.interfaceType(t)
	case reflect.Struct:
		return ts.structType(t)
	}
	return types.Typ[types.Invalid]
}

func (ts *Types) interfaceType(t reflect.Type) types.Type {
	var methods []*types.Func
	for m := range t.Methods() {
		var q *types.Package
		if m.PkgPath != "" {
			q = ts.pkg(m.PkgPath)
		}
		methods = append(methods, types.NewFunc(token.NoPos, q, m.Name, ts.signature(m.Type, 0)))
	}
	return types.NewInterfaceType(methods, nil).Complete()
}

func (ts *Types) structType(t reflect.Type) types.Type {
	var fields []*types.Var
	var tags []string
	for f := range t.Fields() {
		q := ts.pkg(t.PkgPath())
		var ft types.Type
		switch {
		case f.IsExported() || f.Anonymous:
			ft = ts.Of(f.Type)
		case f.Type.Comparable():
			ft = types.NewStruct(nil, nil)
		default:
			ft = types.NewSlice(types.Typ[types.Byte])
		}
		fields = append(fields, types.NewField(token.NoPos, q, f.Name, ft, f.Anonymous))
		tags = append(tags, string(f.Tag))
	}
	return types.NewStruct(fields, tags)
}
