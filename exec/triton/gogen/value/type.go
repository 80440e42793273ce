package value

import (
	"slices"

	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Kind is what of Go's a value is.
type Kind uint8

const (
	None Kind = iota
	Int
	Float
	Bool
	Text
	Tile
	DType
	Block
	Desc
	Func
	Tuple
	List // a shape that Go computes: x.Shape()
)

// goTypes are the kinds that variables may have.
var goTypes = map[Kind]string{
	Int: "int", Float: "float64", Bool: "bool", Text: "string", Tile: "tl.Tile",
	DType: "tl.DType", Block: "tl.BlockPtr", Desc: "tl.Desc",
}

var kindNames = [...]string{"None", "a number", "a float", "a bool", "a string", "a tile", "a dtype", "a block pointer",
	"a tensor descriptor", "a function", "a tuple", "a shape"}

func (k Kind) String() string { return kindNames[k] }

// dtype is what a number of the kind is in Triton.
func (k Kind) dtype() dtype.DType {
	switch k {
	case Int:
		return dtype.Int32
	case Float:
		return dtype.Float32
	case Bool:
		return dtype.Bool
	}
	return dtype.Invalid
}

// A Type is what is known of a value.
type Type struct {
	Kind  Kind
	DType dtype.DType // of a tile's elements, or of the number in Triton; Invalid if not known
	Weak  bool        // a number that takes the dtype of what it meets
	Ptr   bool        // a tile of pointers
	Param string      // the parameter that it is, perhaps with something added to it
	Elems []Type
	Fn    *lower.Meaning // of a function
	Base  string         // the variable that a block pointer points into
}

// TupleOf is the type of a function's several results.
func TupleOf(elems ...Type) Type { return Type{Kind: Tuple, Elems: elems} }

// An int, a float and a bool that are known before a launch.
var (
	WeakInt   = Type{Kind: Int, Weak: true, DType: dtype.Int32}
	WeakFloat = Type{Kind: Float, Weak: true, DType: dtype.Float32}
	WeakBool  = Type{Kind: Bool, Weak: true, DType: dtype.Bool}
)

// Pointer is a tile of pointers.
var Pointer = Type{Kind: Tile, Ptr: true}

// TileOf is the type of a tile of a dtype, Invalid if it is not known.
func TileOf(d dtype.DType) Type { return Type{Kind: Tile, DType: d} }

// IsNumber reports whether it is one of Go's numbers, or a bool.
func (t Type) IsNumber() bool { return t.Kind == Int || t.Kind == Float || t.Kind == Bool }

// GoType is the type's name in Go.
func (t Type) GoType() string {
	if t.Ptr {
		return "tl.Ptr"
	}
	return goTypes[t.Kind]
}

// Same reports whether nothing that is printed differs between two types.
func (t Type) Same(u Type) bool {
	return t.Kind == u.Kind && t.DType == u.DType && t.Weak == u.Weak && t.Ptr == u.Ptr && t.Fn == u.Fn &&
		t.Base == u.Base && slices.EqualFunc(t.Elems, u.Elems, Type.Same)
}

// Join is the type of what is one of two; ok is false if Go has none.
func (t Type) Join(u Type) (z Type, ok bool) {
	switch {
	case t.Kind == None:
		return u, true
	case u.Kind == None:
		return t, true
	case t.Kind == Tuple && u.Kind == Tuple && len(t.Elems) == len(u.Elems):
		z = Type{Kind: Tuple}
		for i := range t.Elems {
			e, ok := t.Elems[i].Join(u.Elems[i])
			if !ok {
				return t, false
			}
			z.Elems = append(z.Elems, e)
		}
		return z, true
	case t.Kind == u.Kind:
		z = t
		z.Weak = t.Weak && u.Weak
		z.Ptr = t.Ptr && u.Ptr
		if t.DType != u.DType || t.Ptr != u.Ptr {
			z.DType = dtype.Invalid
		}
		if t.Base != u.Base {
			z.Base = ""
		}
		if t.Param != u.Param {
			z.Param = ""
		}
		return z, t.Kind != Func || t.Fn.Def == u.Fn.Def
	case (t.IsNumber() || t.Kind == Tile) && (u.IsNumber() || u.Kind == Tile):
		z = Type{Kind: Tile}
		if t.DType == u.DType {
			z.DType = t.DType
		}
		return z, true
	}
	return t, false
}
