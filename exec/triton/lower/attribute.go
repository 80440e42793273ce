package lower

import (
	"strings"

	"github.com/tiler-go/tiler/exec/triton/lower/builtin"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/exec/triton/spell"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// attribute is x.name.
func attribute(l *value.Emitter, x value.Value, name string) value.Value {
	switch x := x.(type) {
	case value.Module:
		return member(l, x, name)
	case value.Namespace:
		if v, ok := x[name]; ok {
			return v
		}
		return value.Mystery("something of the host")
	case *value.Library:
		if v, ok := x.Member(name); ok {
			return v
		}
	case value.Tensor:
		return tensorAttribute(l, x, name)
	case value.Type:
		return typeAttribute(&l.Place, x, name)
	case *value.Region:
		switch name {
		case "dtype", "type":
			return value.Type{D: x.Base.IR.Type.D}
		case "block_shape", "shape":
			if name == "shape" && x.Desc {
				return value.Tuple(x.Shape)
			}
			return value.Ints(x.Block)
		}
		if b, ok := builtin.Find("region." + name); ok {
			return value.Method{Recv: x, Row: b.Row}
		}
	}
	if number.Is(x) {
		if name == "value" {
			return x
		}
		if r := builtin.Method(name); r != nil {
			return value.Method{Recv: x, Row: r}
		}
	}
	if _, host := x.(value.Mystery); host && l.Func == nil {
		return x
	}
	value.Fail(l.Refuse("%s has no %s", value.Describe(x), name))
	return nil
}

func member(l *value.Emitter, m value.Module, name string) value.Value {
	if m == "PropagateNan" {
		return name
	}
	if v, ok := memberOf(m, name); ok {
		return v
	}
	if l.Func == nil || m == "torch" {
		return value.Mystery(string(m) + "." + name)
	}
	prefix := string(m)
	if m == "libdevice" {
		prefix = "tl.math"
	}
	d := l.Refuse("%s.%s: the language has nothing of this name", prefix, name)
	if name == "inline_asm_elementwise" {
		d = l.Refuse("tl.inline_asm_elementwise: instructions of a GPU mean nothing here").
			Fix("write what they compute with operators and tl functions")
	}
	value.Fail(d)
	return nil
}

func tensorAttribute(l *value.Emitter, x value.Tensor, name string) value.Value {
	t := x.IR.Type
	switch name {
	case "dtype":
		return value.Type{D: t.D}
	case "type":
		return value.Type{D: t.D, Block: t.IsTile()}
	case "shape":
		return value.Ints(t.Shape.Dims())
	case "numel":
		return int64(t.Shape.Len())
	case "T":
		return l.Transposed(x)
	case "value":
		return x
	}
	if r := builtin.Method(name); r != nil {
		return value.Method{Recv: x, Row: r}
	}
	if v, ok := prelude().Lookup(name); ok {
		if f, ok := v.(value.Function); ok {
			return bound{f, x}
		}
	}
	value.Fail(l.Refuse("%s has no %s", value.Describe(x), name))
	return nil
}

// typeQuery is a method of a dtype: is_fp16.
type typeQuery struct {
	of   value.Type
	name string
}

// bound is a function of the prelude with its first argument.
type bound struct {
	f    value.Function
	recv value.Value
}

var mantissas = map[dtype.DType]value.Value{
	dtype.Float16: int64(10), dtype.BFloat16: int64(7), dtype.Float32: int64(23), dtype.Float64: int64(52),
	dtype.Float8E5: int64(2), dtype.Float8E4NV: int64(3),
}

func typeAttribute(l *value.Place, t value.Type, name string) value.Value {
	switch name {
	case "element_ty":
		if t.Block {
			return value.Type{D: t.D}
		}
		return value.Type{D: t.D.Elem()}
	case "scalar":
		return value.Type{D: t.D}
	case "primitive_bitwidth", "int_bitwidth", "itemsize":
		bits := t.D.Bits()
		if t.D.IsPointer() {
			bits = 64
		}
		if name == "itemsize" {
			return int64(max(8, bits) / 8)
		}
		return int64(bits)
	case "name":
		return spell.Signature(t.D)
	case "fp_mantissa_width":
		return mantissas[t.D]
	}
	if strings.HasPrefix(name, "is_") || name == "to" {
		return typeQuery{t, name}
	}
	value.Fail(l.Refuse("%s has no %s", value.Describe(t), name))
	return nil
}

// answer is what the dtype answers.
func (q typeQuery) answer(l *value.Place) value.Value {
	d := q.of.D
	switch q.name {
	case "is_ptr":
		return d.IsPointer()
	case "is_block":
		return q.of.Block
	case "is_floating":
		return d.IsFloat()
	case "is_int":
		return d.IsInt()
	case "is_int_signed":
		return d.IsInt() && d.IsSigned()
	case "is_int_unsigned":
		return d.IsInt() && !d.IsSigned()
	case "is_bool":
		return d == dtype.Bool
	case "is_fp8":
		return d.IsFP8()
	case "is_standard_floating":
		return d.IsFloat() && !d.IsFP8()
	}
	name := strings.TrimPrefix(q.name, "is_")
	t, ok := spell.SignatureType(name)
	if !ok {
		t, ok = spell.TritonType(name)
	}
	if ok {
		return t == d
	}
	value.Fail(l.Refuse("%s has no %s", value.Describe(q.of), q.name))
	return nil
}
