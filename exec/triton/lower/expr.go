package lower

import (
	"maps"
	"math/big"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/exec/triton/spell"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// expr is what an expression gives.
func (l *lowering) expr(e syntax.Expr) value {
	l.at = e.Pos()
	switch e := e.(type) {
	case *syntax.Name:
		return l.name(e.Name)
	case *syntax.Number:
		return l.number(e)
	case *syntax.String:
		if e.Format {
			return mystery{"an f-string"}
		}
		return e.Value
	case *syntax.Constant:
		switch e.Text {
		case "True", "False":
			return e.Text == "True"
		case "None":
			return nil
		}
	case *syntax.Tuple:
		return l.tuple(e.Elems)
	case *syntax.List:
		return l.tuple(e.Elems)
	case *syntax.Unary:
		return l.unary(e)
	case *syntax.Binary:
		return l.binaryExpr(e)
	case *syntax.Compare:
		return l.compareExpr(e)
	case *syntax.IfExp:
		return l.choose(e)
	case *syntax.Call:
		return l.call(e)
	case *syntax.Attribute:
		x := l.expr(e.X)
		l.at = e.At
		return l.attribute(x, e.Name)
	case *syntax.Subscript:
		return l.subscript(e)
	case *syntax.Walrus:
		return l.walrus(e)
	case *syntax.Comprehension:
		if e.Kind == "[" && len(e.Clauses) == 1 && l.fn != nil {
			return l.comprehension(e)
		}
	}
	return l.foreign(e)
}

// comprehension is [f(x) for x in a tuple], element by element.
func (l *lowering) comprehension(e *syntax.Comprehension) value {
	c := e.Clauses[0]
	list := l.staticList(c.Iter)
	outer := l.frame.vars
	l.frame.vars = maps.Clone(outer)
	z := tuple{}
next:
	for _, v := range list {
		l.assign(c.Target, v)
		for _, cond := range c.Conds {
			keep, ok := known(l.expr(cond))
			if !ok {
				l.at = cond.Pos()
				fail(l.refuse("the condition of a comprehension must be known before the kernel runs"))
			}
			if !truth(keep) {
				continue next
			}
		}
		z = append(z, l.expr(e.Elem))
	}
	l.frame.vars, l.at = outer, e.At
	return z
}

// staticList is a tuple, or the numbers of a range that are known.
func (l *lowering) staticList(e syntax.Expr) tuple {
	if call, ok := e.(*syntax.Call); ok {
		if b, ok := l.expr(call.Func).(builtin); ok && (b.name() == "range" || b.name() == "static_range") {
			return l.staticNumbers(l.bind(b.row, nil, call))
		}
	}
	return l.elements(l.expr(e))
}

// foreign refuses what no kernel can have.
func (l *emitter) foreign(e syntax.Expr) value {
	what := "this expression"
	switch e.(type) {
	case *syntax.Lambda:
		what = "a lambda"
	case *syntax.Dict, *syntax.Set:
		what = "a dictionary or set"
	case *syntax.Comprehension:
		what = "a comprehension"
	}
	if l.fn == nil {
		return mystery{what}
	}
	fail(l.refuse("%s: not possible in a kernel", what).Fix("write a function with @triton.jit, or compute it before the launch"))
	return nil
}

func (l *lowering) walrus(e *syntax.Walrus) value {
	n, ok := e.Target.(*syntax.Name)
	if !ok {
		fail(l.refuse(":= needs a name on its left"))
	}
	v := l.assigned(l.expr(e.Value))
	l.frame.vars[n.Name] = v
	return v
}

func (l *lowering) tuple(es []syntax.Expr) value {
	t := make(tuple, 0, len(es))
	for _, e := range es {
		if s, ok := e.(*syntax.Starred); ok {
			t = append(t, l.elements(l.expr(s.X))...)
			continue
		}
		t = append(t, l.expr(e))
	}
	return t
}

// elements are those of a tuple.
func (l *place) elements(v value) tuple {
	t, ok := v.(tuple)
	if !ok {
		fail(l.refuse("%s is not a tuple", describe(v)))
	}
	return t
}

func (l *place) number(e *syntax.Number) value {
	if e.Imag {
		fail(l.refuse("complex numbers: not possible in a kernel").Fix("keep the real and the imaginary part in two tiles"))
	}
	if e.Float {
		x, err := strconv.ParseFloat(e.Text, 64)
		if err != nil && x == 0 {
			fail(l.refuse("%s is not a number", e.Text))
		}
		return x
	}
	n, ok := new(big.Int).SetString(strings.ToLower(e.Text), 0)
	if !ok {
		if n, ok = new(big.Int).SetString(e.Text, 10); !ok {
			fail(l.refuse("%s is not a number", e.Text))
		}
	}
	return number.Whole(n)
}

// name is what a variable holds: one of the function, of its file or of Python.
func (l *place) name(name string) value {
	if v, ok := l.frame.vars[name]; ok {
		if gone, isGone := v.(lost); isGone {
			fail(gone.refuse(l, name))
		}
		return v
	}
	if v, ok := l.frame.file.lookup(name); ok {
		return v
	}
	if r, ok := rows["builtins."+name]; ok {
		return builtin{r}
	}
	switch name {
	case "int", "float", "bool", "tuple", "list", "str":
		return class(name)
	}
	fail(l.refuse("%s is not defined here", name).
		Note("a kernel sees its parameters, its own variables, functions and constants of its file, and triton.language"))
	return nil
}

// attribute is x.name.
func (l *emitter) attribute(x value, name string) value {
	switch x := x.(type) {
	case module:
		return l.member(x, name)
	case namespace:
		if v, ok := x[name]; ok {
			return v
		}
		return mystery{"something of the host"}
	case tensor:
		return l.tensorAttribute(x, name)
	case typeOf:
		return l.typeAttribute(x, name)
	case *region:
		switch name {
		case "dtype", "type":
			return typeOf{d: x.base.v.Type.D}
		case "block_shape", "shape":
			return x.shapeOf(name)
		}
		if r := rows["region."+name]; r != nil {
			return method{x, r}
		}
	}
	if number.Is(x) {
		if name == "value" {
			return x
		}
		if r := rows[name]; r != nil && r.member {
			return method{x, r}
		}
	}
	if _, host := x.(mystery); host && l.fn == nil {
		return x
	}
	fail(l.refuse("%s has no %s", describe(x), name))
	return nil
}

func (l *emitter) member(m module, name string) value {
	if m == "PropagateNan" {
		return name
	}
	if v, ok := memberOf(m, name); ok {
		return v
	}
	if l.fn == nil || m == "torch" {
		return mystery{string(m) + "." + name}
	}
	prefix := string(m)
	if m == "libdevice" {
		prefix = "tl.math"
	}
	d := l.refuse("%s.%s: the language has nothing of this name", prefix, name)
	if name == "inline_asm_elementwise" {
		d = l.refuse("tl.inline_asm_elementwise: instructions of a GPU mean nothing here").
			Fix("write what they compute with operators and tl functions")
	}
	fail(d)
	return nil
}

func (l *emitter) tensorAttribute(x tensor, name string) value {
	t := x.v.Type
	switch name {
	case "dtype":
		return typeOf{d: t.D}
	case "type":
		return typeOf{d: t.D, block: t.IsTile()}
	case "shape":
		s := tuple{}
		for _, n := range t.Shape.Dims() {
			s = append(s, int64(n))
		}
		return s
	case "numel":
		return int64(t.Shape.Len())
	case "T":
		return l.transposed(x)
	case "value":
		return x
	}
	if r := rows[name]; r != nil && r.member {
		return method{x, r}
	}
	if v, ok := prelude().lookup(name); ok {
		if f, ok := v.(function); ok {
			return bound{f, x}
		}
	}
	fail(l.refuse("%s has no %s", describe(x), name))
	return nil
}

func (r *region) shapeOf(name string) value {
	if name == "shape" && r.desc {
		return tuple(r.shape)
	}
	s := tuple{}
	for _, n := range r.block {
		s = append(s, int64(n))
	}
	return s
}

// bound is a function of the prelude with its first argument.
type bound struct {
	f    function
	recv value
}

func (l *place) typeAttribute(t typeOf, name string) value {
	switch name {
	case "element_ty":
		if t.block {
			return typeOf{d: t.d}
		}
		return typeOf{d: t.d.Elem()}
	case "scalar":
		return typeOf{d: t.d}
	case "primitive_bitwidth", "int_bitwidth", "itemsize":
		bits := t.d.Bits()
		if t.d.IsPointer() {
			bits = 64
		}
		if name == "itemsize" {
			return int64(max(8, bits) / 8)
		}
		return int64(bits)
	case "name":
		return spell.Signature(t.d)
	case "fp_mantissa_width":
		return map[dtype.DType]value{dtype.Float16: int64(10), dtype.BFloat16: int64(7), dtype.Float32: int64(23), dtype.Float64: int64(52), dtype.Float8E5: int64(2), dtype.Float8E4NV: int64(3)}[t.d]
	}
	if strings.HasPrefix(name, "is_") || name == "to" {
		return typeQuery{t, name}
	}
	fail(l.refuse("%s has no %s", describe(t), name))
	return nil
}

// is answers a question about a dtype.
func (l *place) is(q typeQuery) value {
	d := q.of.d
	switch q.name {
	case "is_ptr":
		return d.IsPointer()
	case "is_block":
		return q.of.block
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
	fail(l.refuse("%s has no %s", describe(q.of), q.name))
	return nil
}

// subscript is x[index]: an element of a tuple, or a tile with axes inserted.
func (l *lowering) subscript(e *syntax.Subscript) value {
	x := l.expr(e.X)
	switch x := x.(type) {
	case tuple:
		return l.element(x, e)
	case tensor:
		return l.expanded(x, e)
	case *region:
		l.at = e.At
		fail(l.refuse("%s cannot be indexed", describe(x)))
	}
	l.at = e.At
	if l.fn == nil {
		return mystery{"an element"}
	}
	// A launch within a kernel, a dictionary: both are the host's.
	fail(l.refuse("%s cannot be indexed", describe(x)))
	return nil
}

func (l *lowering) element(t tuple, e *syntax.Subscript) value {
	if s, ok := e.Index.(*syntax.Slice); ok && s.Step == nil {
		return l.slice(t, s)
	}
	i, ok := known(l.expr(e.Index))
	n, isInt := i.(int64)
	l.at = e.At
	if !ok || !isInt {
		fail(l.refuse("the index of a tuple must be known before the kernel runs"))
	}
	if n < 0 {
		n += int64(len(t))
	}
	if n < 0 || n >= int64(len(t)) {
		fail(l.refuse("index %d of a tuple of %d", n, len(t)))
	}
	return t[n]
}

func (l *lowering) slice(t tuple, s *syntax.Slice) value {
	bound := func(e syntax.Expr, without int) int {
		if e == nil {
			return without
		}
		n := l.staticInt(l.expr(e), "the bound of a slice")
		if n < 0 {
			n += len(t)
		}
		return max(0, min(n, len(t)))
	}
	lo, hi := bound(s.Lo, 0), bound(s.Hi, len(t))
	return append(tuple{}, t[lo:max(lo, hi)]...)
}

// expanded is x[:, None] and the like.
func (l *lowering) expanded(x tensor, e *syntax.Subscript) value {
	index := []syntax.Expr{e.Index}
	if t, ok := e.Index.(*syntax.Tuple); ok {
		index = t.Elems
	}
	l.at = e.At
	s := ir.Shape{}
	axis := 0
	for _, i := range index {
		size := 1
		if isColon(i) {
			if axis == x.v.Type.Shape.N {
				fail(l.refuse("%s has %d dimensions", describe(x), axis))
			}
			size = x.v.Type.Shape.D[axis]
			axis++
		} else if !l.isNone(i) {
			fail(l.refuse("a tile is indexed with : and None only").
				Fix("load the elements that are wanted, or choose them with tl.where, tl.gather or tl.sum"))
		}
		if s.N == ir.MaxRank {
			fail(l.refuse("a tile has at most %d dimensions", ir.MaxRank))
		}
		s.D[s.N] = size
		s.N++
	}
	for ; axis < x.v.Type.Shape.N; axis++ {
		if s.N == ir.MaxRank {
			fail(l.refuse("a tile has at most %d dimensions", ir.MaxRank))
		}
		s.D[s.N] = x.v.Type.Shape.D[axis]
		s.N++
	}
	return tensor{v: emit.Reshape(&l.emitter, x.v, s)}
}

func isColon(e syntax.Expr) bool {
	s, ok := e.(*syntax.Slice)
	return ok && s.Lo == nil && s.Hi == nil && s.Step == nil
}

func (l *lowering) isNone(e syntax.Expr) bool {
	at := l.at
	v := l.expr(e)
	l.at = at
	return v == nil
}

// choose is x if cond else y.
func (l *lowering) choose(e *syntax.IfExp) value {
	cond := l.expr(e.Cond)
	if c, ok := known(cond); ok {
		if truth(c) {
			return l.expr(e.Then)
		}
		return l.expr(e.Else)
	}
	l.at = e.At
	c := l.condition(cond)
	if l.lanes != nil {
		return l.where(tensor{v: c}, l.expr(e.Then), l.expr(e.Else))
	}
	var x, y value
	one := func(e syntax.Expr, to *value) func() flow {
		return func() flow { *to = l.expr(e); return falls }
	}
	return l.branch(c, one(e.Then, &x), one(e.Else, &y), nil, func() (value, value) { return x, y })
}

// condition is a scalar as a bool.
func (l *emitter) condition(v value) *ir.Value {
	t, ok := v.(tensor)
	if !ok {
		fail(l.refuse("%s as a condition", describe(v)))
	}
	if t.v.Type.IsTile() {
		fail(l.refuse("a condition must be a single bool, not %s", describe(v)).
			Fix("choose lane by lane with tl.where, or reduce first, for example with tl.max"))
	}
	return l.asBool(t.v)
}

// asBool is x != 0.
func (l *emitter) asBool(x *ir.Value) *ir.Value {
	if x.Type.D == dtype.Bool {
		return x
	}
	if x.Type.D.IsPointer() {
		fail(l.refuse("a pointer as a condition").Fix("compare it with None"))
	}
	zero := l.broadcast(l.Constant(x.Type.D, 0), x.Type.Shape)
	return l.Emit(op.Ne, x.Type.As(dtype.Bool), x, zero)
}
