package source

import "go/types"

// Args are the types that stand for the type parameters of the generic function that is
// being instantiated.
type Args map[*types.TypeParam]types.Type

// Subst puts concrete types in the place of type parameters.
func (a Args) Subst(t types.Type) types.Type {
	if len(a) == 0 || t == nil {
		return t
	}
	switch t := t.(type) {
	case *types.Alias:
		return a.Subst(types.Unalias(t))
	case *types.TypeParam:
		if u := a[t]; u != nil {
			return u
		}
	case *types.Pointer:
		return types.NewPointer(a.Subst(t.Elem()))
	case *types.Slice:
		return types.NewSlice(a.Subst(t.Elem()))
	case *types.Array:
		return types.NewArray(a.Subst(t.Elem()), t.Len())
	case *types.Map:
		return types.NewMap(a.Subst(t.Key()), a.Subst(t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), a.Subst(t.Elem()))
	case *types.Tuple:
		return a.substTuple(t)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, a.substTuple(t.Params()), a.substTuple(t.Results()), t.Variadic())
	case *types.Struct:
		return a.substStruct(t)
	case *types.Named:
		return a.substNamed(t)
	}
	return t
}

func (a Args) substTuple(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), v.Name(), a.Subst(v.Type())))
	}
	return types.NewTuple(vars...)
}

func (a Args) substStruct(t *types.Struct) types.Type {
	var fields []*types.Var
	var tags []string
	for i := range t.NumFields() {
		f := t.Field(i)
		fields = append(fields, types.NewField(f.Pos(), f.Pkg(), f.Name(), a.Subst(f.Type()), f.Embedded()))
		tags = append(tags, t.Tag(i))
	}
	return types.NewStruct(fields, tags)
}

func (a Args) substNamed(t *types.Named) types.Type {
	if t.TypeArgs() == nil {
		return t
	}
	var args []types.Type
	for t := range t.TypeArgs().Types() {
		args = append(args, a.Subst(t))
	}
	u, err := types.Instantiate(nil, t.Origin(), args, false)
	if err != nil {
		Refuse("%v", err)
	}
	return u
}
