package launch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// sizes is what of a launch's arguments is a size, recognised by value: an int parameter
// that has the value of a tensor's dimension names that dimension, and all of that value.
type sizes struct {
	k       *Kernel
	args    []any
	blocks  []int // compile-time parameters above 1
	classes []*class
	derived []derived
}

// A class is parameters and dimensions of one value, which vary together.
type class struct {
	check.Size
	params []int
	dims   map[int][]int // by argument: dimensions of its tensor
	given  bool          // by the caller, not recognised
	rivals []int         // compile-time parameters of the same value
	doubt  bool          // some of the dimensions may be those parameters'
}

func (c *class) label() string {
	return strings.Join(append(slices.Clone(c.Params), c.Dims...)[:max(1, len(c.Params))], " = ")
}

// A derived parameter follows from the shape of a tensor: its length, or a stride.
type derived struct {
	param, arg int
	stride     int // dimension, or -1 for the length
}

// sizes recognises the sizes among arguments. s is nil if there are none; why says why
// there are none, or no more.
func (k *Kernel) sizes(args []any) (s *sizes, why string) {
	facts := k.facts(args)
	fixed := facts.Fixed
	if !facts.Known {
		return nil, "the kernel's source is not available, so its constants are not known"
	}
	xs, _ := tensors(args)
	for i, x := range xs {
		if x.IsVirtual() {
			return nil, "a tensor is virtual"
		}
		for _, y := range xs[:i] {
			if x != y && x.Overlaps(y) {
				return nil, "two tensors share memory"
			}
		}
	}
	s = &sizes{k: k, args: args}
	for i, a := range args {
		if v, isInt := a.(int); isInt && fixed[i] {
			if v > 1 {
				s.blocks = append(s.blocks, v)
			}
		}
	}
	for i, a := range args {
		if v, isInt := a.(int); isInt && !fixed[i] {
			s.recognise(i, v)
		}
	}
	var left []string
	s.classes = slices.DeleteFunc(s.classes, func(c *class) bool {
		leave := len(c.params) > 0 && s.settle(c, fixed, facts.Sized)
		if leave {
			left = append(left, fmt.Sprintf("%s = %d may be a block size", c.label(), c.Value))
		}
		return leave || len(c.params) == 0
	})
	if len(s.classes) == 0 && len(left) == 0 {
		return nil, "no int parameter has the value of a tensor's dimension"
	}
	return s, strings.Join(left, ", ")
}

// recognise finds what the value of parameter i is: a dimension, or what follows from a
// tensor's shape.
func (s *sizes) recognise(i, v int) {
	name := s.k.Labels[i]
	if named, ok := s.k.Options.Sizes[name]; ok {
		if named != "" {
			s.named(i, v, named)
		}
		return
	}
	if v < 2 {
		return
	}
	if c := s.class(v); c != nil {
		c.add(i, name)
		return
	}
	for arg, a := range s.args {
		x, ok := a.(*tensor.Tensor)
		if !ok || !x.IsContiguous() {
			continue
		}
		if x.Len() == v {
			s.derived = append(s.derived, derived{i, arg, -1})
			return
		}
		if d := slices.Index(x.Strides(), v); d >= 0 {
			s.derived = append(s.derived, derived{i, arg, d})
			return
		}
	}
}

func (c *class) add(i int, name string) {
	c.params = append(c.params, i)
	c.Params = append(c.Params, name)
}

// class is the dimensions of a value, nil if there are none.
func (s *sizes) class(v int) *class {
	for _, c := range s.classes {
		if c.Value == v && !c.given {
			return c
		}
	}
	c := &class{Size: check.Size{Value: v}, dims: map[int][]int{}}
	for arg, a := range s.args {
		x, ok := a.(*tensor.Tensor)
		if !ok || !x.IsContiguous() {
			continue
		}
		for d, n := range x.Shape() {
			if n == v {
				c.dims[arg] = append(c.dims[arg], d)
				c.Dims = append(c.Dims, fmt.Sprintf("%s.Dim(%d)", s.k.Labels[arg], d))
			}
		}
	}
	if len(c.dims) == 0 {
		return nil
	}
	s.classes = append(s.classes, c)
	return c
}

// named makes parameter i the name of dimensions that the caller gave: "x.Dim(0)".
func (s *sizes) named(i, v int, names string) {
	c := &class{Size: check.Size{Value: v}, dims: map[int][]int{}, given: true}
	for arg, a := range s.args {
		x, ok := a.(*tensor.Tensor)
		if !ok || !x.IsContiguous() {
			continue
		}
		for d, n := range x.Shape() {
			dim := fmt.Sprintf("%s.Dim(%d)", s.k.Labels[arg], d)
			if n == v && slices.Contains(strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' }), dim) {
				c.dims[arg] = append(c.dims[arg], d)
				c.Dims = append(c.Dims, dim)
			}
		}
	}
	if len(c.dims) > 0 {
		c.add(i, s.k.Labels[i])
		s.classes = append(s.classes, c)
	}
}

// settle decides about a class whose value compile-time parameters have, too. If its
// parameters are strides and no more, its dimensions are more likely a block's: it is left
// alone. If it may have both among the dimensions of one tensor, it is in doubt.
func (s *sizes) settle(c *class, fixed, sized []bool) (leave bool) {
	for i, a := range s.args {
		if v, ok := a.(int); ok && fixed[i] && v == c.Value {
			c.rivals = append(c.rivals, i)
		}
	}
	if len(c.rivals) == 0 || c.given {
		return false
	}
	if sized == nil {
		c.doubt = true
		return false
	}
	for _, dims := range c.dims {
		c.doubt = c.doubt || len(dims) > 1
	}
	return !slices.ContainsFunc(c.params, func(i int) bool { return sized[i] })
}

// changed is the arguments with a size changed: for the tensors, their shapes alone
// count; fill gives them data.
func (s *sizes) changed(c *class, to int) []any {
	args := slices.Clone(s.args)
	for _, i := range c.params {
		args[i] = to
	}
	for _, d := range s.derived {
		shape := c.shape(s.args[d.arg].(*tensor.Tensor), d.arg, to)
		n := 1
		for _, size := range shape[d.stride+1:] {
			n *= size
		}
		args[d.param] = n
	}
	return args
}

// shape is the shape of an argument's tensor with the size changed.
func (c *class) shape(x *tensor.Tensor, arg, to int) []int {
	shape := x.Shape()
	for _, d := range c.dims[arg] {
		shape[d] = to
	}
	return shape
}

// resized is x in a new shape, with x's elements, repeated where it is larger. Integers
// that may be indices of the size stay such.
func (c *class) resized(x *tensor.Tensor, arg, to int) *tensor.Tensor {
	limit := c.indexLimit(x.Buf(), to)
	if len(c.dims[arg]) == 0 && (limit == 0 || !x.IsContiguous()) {
		return x
	}
	shape, old := c.shape(x, arg, to), x.Shape()
	y := tensor.Empty(x.DType(), shape...)
	if x.Undefined() || x.Len() == 0 {
		return y
	}
	src, dst := x.Buf(), y.Buf()
	at := make([]int, len(shape))
	for i := range dst.Len() {
		j := 0
		for d, k := range at {
			j = j*old[d] + k%old[d]
		}
		bits := src.Bits(j)
		if limit > 0 {
			bits %= limit
		}
		dst.SetBits(i, bits)
		for d := len(at) - 1; d >= 0; d-- {
			if at[d]++; at[d] < shape[d] {
				break
			}
			at[d] = 0
		}
	}
	y.MarkDefined()
	return y
}

// indexLimit is what integers must stay below if they are indices of the size: to if all
// of them are below the size now, 0 if they are none.
func (c *class) indexLimit(b dtype.Buf, to int) uint64 {
	d := b.DType()
	if !d.IsInt() || d == dtype.Bool || to >= c.Value {
		return 0
	}
	for i := range b.Len() {
		if v := dtype.ToInt(d, b.Bits(i)); v < 0 || v >= int64(c.Value) {
			return 0
		}
	}
	return uint64(to)
}
