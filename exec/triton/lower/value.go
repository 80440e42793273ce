package lower

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A value is what an expression gives: nil (None), bool, int64, *big.Int (where int64 does
// not hold it), float64, string, or one of the types below.
type value any

type (
	// tensor is what the IR holds: a tile, a scalar or a pointer.
	tensor struct {
		v   *ir.Value
		dot bool // a product without an accumulator: adding to it extends its chain
	}
	// typeOf is a dtype, a pointer's among them; block is whether it stands for a tile's
	// type, whose element_ty is d itself.
	typeOf struct {
		d     dtype.DType
		block bool
	}
	tuple []value
	// function is a function of a file.
	function struct {
		file *File
		def  *syntax.FuncDef
	}
	// builtin is a function of the language.
	builtin struct{ *row }
	// method is a function of the language with its first argument.
	method struct {
		recv value
		row  *row
	}
	// typeQuery is a method of a dtype: is_fp16.
	typeQuery struct {
		of   typeOf
		name string
	}
	// module is an imported package, as far as the language knows it.
	module string
	// namespace is a module of the host, as far as its members are known.
	namespace map[string]value
	// class is a class that only isinstance asks for.
	class string
	// mystery is something of the host that no kernel can use, and what it is.
	mystery struct{ what string }
	// region is a block pointer or a descriptor.
	region struct {
		desc                    bool
		base                    tensor
		shape, strides, offsets []value
		block                   []int
		nan                     bool
	}
)

// isConst reports whether a value is known now.
func isConst(v value) bool {
	switch v := v.(type) {
	case tensor, *region:
		return false
	case tuple:
		for _, e := range v {
			if !isConst(e) {
				return false
			}
		}
	}
	return true
}

// truth is what a known value is as a condition.
func truth(v value) bool {
	switch v := v.(type) {
	case nil:
		return false
	case string:
		return v != ""
	case tuple:
		return len(v) > 0
	}
	x, ok := number.Float(v)
	return !ok || x != 0
}

// known is a value as a constant, if it is one: a scalar of the IR that is a constant
// counts as one, too.
func known(v value) (value, bool) {
	t, ok := v.(tensor)
	if !ok {
		return v, isConst(v)
	}
	if !isScalarConst(t.v) {
		return nil, false
	}
	switch d := t.v.Type.D; {
	case d == dtype.Bool:
		return t.v.Bits != 0, true
	case d.IsFloat():
		return dtype.ToFloat(d, t.v.Bits), true
	case d == dtype.Uint64:
		return number.Whole(new(big.Int).SetUint64(t.v.Bits)), true
	default:
		return dtype.ToInt(d, t.v.Bits), true
	}
}

// describe is a value as messages name it.
func describe(v value) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return "the constant " + constText(v)
	case int64, *big.Int, float64:
		return "the number " + constText(v)
	case string:
		return "the string " + strconv.Quote(v)
	case tensor:
		return v.v.Type.String()
	case typeOf:
		return "the dtype " + v.d.String()
	case tuple:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = describe(e)
		}
		return "a tuple of (" + strings.Join(parts, ", ") + ")"
	case function:
		return "the function " + v.def.Name
	case builtin:
		return "the function " + v.name()
	case method:
		return "the method " + v.row.name()
	case module:
		return "the module " + string(v)
	case namespace:
		return "a module of the host"
	case class:
		return "the class " + string(v)
	case mystery:
		return v.what
	case *region:
		if v.desc {
			return "a tensor descriptor"
		}
		return "a block pointer"
	}
	return fmt.Sprintf("a %T", v)
}

// constText is a constant as Python prints it.
func constText(v value) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case *big.Int:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// same reports whether two values are certainly the same.
func same(a, b value) bool {
	switch x := a.(type) {
	case tensor:
		y, ok := b.(tensor)
		return ok && x.v == y.v
	case *big.Int:
		y, ok := b.(*big.Int)
		return ok && x.Cmp(y) == 0
	case float64:
		y, ok := b.(float64)
		return ok && (x == y || x != x && y != y)
	case tuple:
		y, ok := b.(tuple)
		return ok && sameAll(x, y)
	case *region:
		y, ok := b.(*region)
		return ok && x.desc == y.desc && x.nan == y.nan && x.base.v == y.base.v && fmt.Sprint(x.block) == fmt.Sprint(y.block) &&
			sameAll(x.shape, y.shape) && sameAll(x.strides, y.strides) && sameAll(x.offsets, y.offsets)
	case method, namespace:
		return false
	}
	return a == b
}

func sameAll(a, b []value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !same(a[i], b[i]) {
			return false
		}
	}
	return true
}

// A refusal is panicked with: the message that ends a lowering.
type refusal struct{ d *diag.Diagnostic }
