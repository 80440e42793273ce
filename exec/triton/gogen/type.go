package gogen

import (
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A kind is what of Go's a value is.
type kind uint8

const (
	noneKind kind = iota
	intKind
	floatKind
	boolKind
	textKind
	tileKind
	dtypeKind
	blockKind
	descKind
	funcKind
	tupleKind
	listKind // a shape that Go computes: x.Shape()
)

// goTypes are the kinds that variables may have.
var goTypes = map[kind]string{
	intKind: "int", floatKind: "float64", boolKind: "bool", textKind: "string", tileKind: "tl.Tile",
	dtypeKind: "tl.DType", blockKind: "tl.BlockPtr", descKind: "tl.Desc",
}

var kindNames = [...]string{"None", "a number", "a float", "a bool", "a string", "a tile", "a dtype", "a block pointer",
	"a tensor descriptor", "a function", "a tuple", "a shape"}

func (k kind) String() string { return kindNames[k] }

// A typ is what is known of a value.
type typ struct {
	k     kind
	d     dtype.DType // of a tile's elements, or of the number in Triton; Invalid if not known
	weak  bool        // a number that takes the dtype of what it meets
	ptr   bool        // a tile of pointers
	param string      // the parameter that it is, perhaps with something added to it
	elems []typ
	fn    *lower.Meaning // of a function
	base  string         // the variable that a block pointer points into
}

func (t typ) number() bool { return t.k == intKind || t.k == floatKind || t.k == boolKind }

// goType is the type's name in Go.
func (t typ) goType() string {
	if t.ptr {
		return "tl.Ptr"
	}
	return goTypes[t.k]
}

// same reports whether nothing that is printed differs between two types.
func (t typ) same(u typ) bool {
	return t.k == u.k && t.d == u.d && t.weak == u.weak && t.ptr == u.ptr && t.fn == u.fn && t.base == u.base &&
		slices.EqualFunc(t.elems, u.elems, typ.same)
}

// join is the type of what is one of two; ok is false if Go has none.
func (t typ) join(u typ) (z typ, ok bool) {
	switch {
	case t.k == noneKind:
		return u, true
	case u.k == noneKind:
		return t, true
	case t.k == tupleKind && u.k == tupleKind && len(t.elems) == len(u.elems):
		z = typ{k: tupleKind}
		for i := range t.elems {
			e, ok := t.elems[i].join(u.elems[i])
			if !ok {
				return t, false
			}
			z.elems = append(z.elems, e)
		}
		return z, true
	case t.k == u.k:
		z = t
		z.weak = t.weak && u.weak
		z.ptr = t.ptr && u.ptr
		if t.d != u.d || t.ptr != u.ptr {
			z.d = dtype.Invalid
		}
		if t.base != u.base {
			z.base = ""
		}
		if t.param != u.param {
			z.param = ""
		}
		return z, t.k != funcKind || t.fn.Def == u.fn.Def
	case (t.number() || t.k == tileKind) && (u.number() || u.k == tileKind):
		z = typ{k: tileKind}
		if t.d == u.d {
			z.d = t.d
		}
		return z, true
	}
	return t, false
}

// A val is an expression as it is printed.
type val struct {
	code   string
	prec   int // of its outermost operator in Go
	t      typ
	static *bool  // a condition that is known
	name   string // the variable that it is
	parts  []val  // of a tuple
}

// Precedences of Go.
const (
	orPrec = iota + 1
	andPrec
	comparePrec
	addPrec
	mulPrec
	unaryPrec
	primary
)

// at is the value's text as an operand of an operator of a precedence.
func (v val) at(prec int) string {
	if v.prec < prec {
		return "(" + v.code + ")"
	}
	return v.code
}

// call is an expression that no operator has to be kept from.
func call(code string, t typ) val { return val{code: code, prec: primary, t: t} }

// fun is a call of a function.
func fun(t typ, name string, args ...string) val {
	return call(name+"("+strings.Join(args, ", ")+")", t)
}

// method is a call of a method.
func (v val) method(t typ, name string, args ...string) val {
	return fun(t, v.at(primary)+"."+name, args...)
}

// tupleOf is the type of a function's several results.
func tupleOf(elems ...typ) typ { return typ{k: tupleKind, elems: elems} }

// An int, a float and a bool that are known before a launch.
var (
	weakInt   = typ{k: intKind, weak: true, d: dtype.Int32}
	weakFloat = typ{k: floatKind, weak: true, d: dtype.Float32}
	weakBool  = typ{k: boolKind, weak: true, d: dtype.Bool}
)

func tile(d dtype.DType) typ { return typ{k: tileKind, d: d} }

// dtypeName is a dtype in Go.
func dtypeName(d dtype.DType) string {
	for _, n := range dtypeNames {
		if n.d == d {
			return "tl." + n.name
		}
	}
	return "tl.Invalid"
}

var dtypeNames = []struct {
	d    dtype.DType
	name string
}{
	{dtype.Bool, "Bool"}, {dtype.Int8, "Int8"}, {dtype.Int16, "Int16"}, {dtype.Int32, "Int32"}, {dtype.Int64, "Int64"},
	{dtype.Uint8, "Uint8"}, {dtype.Uint16, "Uint16"}, {dtype.Uint32, "Uint32"}, {dtype.Uint64, "Uint64"},
	{dtype.Float16, "Float16"}, {dtype.BFloat16, "BFloat16"}, {dtype.Float32, "Float32"}, {dtype.Float64, "Float64"},
	{dtype.Float8E4NV, "Float8E4NV"}, {dtype.Float8E5, "Float8E5"},
}

// binds notes the names that a target binds.
func binds(e syntax.Expr, f func(n *syntax.Name)) {
	switch e := e.(type) {
	case *syntax.Name:
		f(e)
	case *syntax.Tuple:
		for _, x := range e.Elems {
			binds(x, f)
		}
	case *syntax.List:
		for _, x := range e.Elems {
			binds(x, f)
		}
	}
}
