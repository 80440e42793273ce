package launch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// sizes is what of a launch's arguments is a size, recognised by value: an int parameter
// that has the value of a tensor's dimension names that dimension, and all of that value.
type sizes struct {
	k       *Kernel
	args    []any
	facts   *Facts
	blocks  []int // parameters that decide shapes, above 1
	classes []*class
	derived []derived
	indices []bool  // by argument: its elements decide where the kernel goes
	whole   []bool  // by argument: the launch writes it in full, and does not load it
	written []bool  // by argument: the launch writes it
	read    []bool  // by argument: the launch loads it in full, and does not write it
	follows [3]bool // axes of the grid that follow from parameters by themselves
}

// A class is parameters and dimensions of one value, which vary together.
type class struct {
	check.Size
	params []int
	dims   dims
	given  bool  // by the caller, not recognised
	rivals []int // parameters of the same value that decide shapes
}

// dims are dimensions of tensors, by argument.
type dims map[int][]int

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
func (k *Kernel) sizes(args []any, indices []bool) (s *sizes, why string) {
	s = &sizes{k: k, args: args, facts: k.facts(args), indices: indices}
	if !s.facts.Known {
		return nil, "which of the arguments are sizes is not known of this kernel"
	}
	if why := unfit(args); why != "" {
		return nil, why
	}
	for i, a := range args {
		if v, isInt := a.(int); isInt && s.facts.Fixed[i] && v > 1 {
			s.blocks = append(s.blocks, v)
		}
	}
	if len(s.blocks) == 0 {
		s.blocks = s.facts.Tiles
	}
	for i, a := range args {
		if v, isInt := a.(int); isInt && !s.facts.Fixed[i] {
			s.recognise(i, v)
		}
	}
	var left []string
	s.classes = slices.DeleteFunc(s.classes, func(c *class) bool {
		leave := len(c.params) > 0 && (s.settle(c) || s.tied(c))
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

// unfit is why the tensors among arguments have no other sizes, "" if they may.
func unfit(args []any) string {
	xs, _ := tensors(args)
	for i, x := range xs {
		if x.IsVirtual() {
			return "a tensor is virtual"
		}
		for _, y := range xs[:i] {
			if x != y && x.Overlaps(y) {
				return "two tensors share memory"
			}
		}
	}
	return ""
}

// factor reports whether a parameter is a factor of indices and nothing else: a stride.
func (s *sizes) factor(i int) bool {
	return s.facts.Sized != nil && !s.facts.Sized[i]
}

// calledStride reports whether the kernel calls a parameter a stride.
func (s *sizes) calledStride(i int) bool {
	return strings.Contains(strings.ToLower(s.k.Labels[i]), "stride")
}

// recognise finds what the value of parameter i is: a dimension, or what follows from a
// tensor's shape. A factor follows from a stride, where there is one of its value; it
// names a dimension, too, unless the kernel calls it a stride.
func (s *sizes) recognise(i, v int) {
	if named, ok := s.k.Options.Sizes[s.k.Labels[i]]; ok {
		if named != "" {
			s.name(i, v, named)
		}
		return
	}
	if v < 2 {
		return
	}
	if s.factor(i) && s.fixedStride(i, v) {
		return
	}
	follows := s.factor(i) && s.follow(i, v, false)
	if follows && s.calledStride(i) {
		return
	}
	if c := s.class(v); c != nil {
		c.Params = append(c.Params, s.k.Labels[i])
		c.params = append(c.params, i)
		return
	}
	if !follows {
		s.follow(i, v, true)
	}
}

// fixedStride reports whether a tensor that parameter i may be a stride of has its value as one, and keeps its shape.
func (s *sizes) fixedStride(i, v int) bool {
	for arg, a := range s.args {
		if x, ok := a.(*tensor.Tensor); ok && !x.IsContiguous() && s.walks(i, arg) && slices.Contains(x.Strides(), v) {
			return true
		}
	}
	return false
}

// walks reports whether parameter i may be a stride of an argument's tensor: it is a factor in that one's addresses,
// or of no tensor's, as far as the kernel tells.
func (s *sizes) walks(i, arg int) bool {
	in := func(steps []int) bool { return slices.Contains(steps, i) }
	return arg < len(s.facts.Steps) && in(s.facts.Steps[arg]) || !slices.ContainsFunc(s.facts.Steps, in)
}

// follow makes parameter i follow from a tensor's stride, or its length, if one has the
// value: from the first that no parameter follows yet.
func (s *sizes) follow(i, v int, length bool) bool {
	var all []derived
	for arg, a := range s.args {
		x, ok := a.(*tensor.Tensor)
		if !ok || !x.IsContiguous() || !s.walks(i, arg) {
			continue
		}
		if length && x.Len() == v {
			all = append(all, derived{i, arg, -1})
		}
		if d := slices.Index(x.Strides(), v); d >= 0 {
			all = append(all, derived{i, arg, d})
		}
	}
	if len(all) == 0 {
		return false
	}
	free := slices.IndexFunc(all, func(d derived) bool {
		return !slices.ContainsFunc(s.derived, func(e derived) bool { return e.arg == d.arg && e.stride == d.stride })
	})
	s.derived = append(s.derived, all[max(0, free)])
	return true
}

// class is the dimensions of a value, nil if there are none.
func (s *sizes) class(v int) *class {
	for _, c := range s.classes {
		if c.Value == v && !c.given {
			return c
		}
	}
	c := &class{Size: check.Size{Value: v}, dims: dims{}}
	s.eachDim(v, func(arg, d int, name string) {
		c.dims[arg] = append(c.dims[arg], d)
		c.Dims = append(c.Dims, name)
	})
	if len(c.dims) == 0 {
		return nil
	}
	s.classes = append(s.classes, c)
	return c
}

// eachDim visits the dimensions of a value, of tensors that may have another shape.
func (s *sizes) eachDim(v int, visit func(arg, d int, name string)) {
	for arg, a := range s.args {
		x, ok := a.(*tensor.Tensor)
		if !ok || !x.IsContiguous() {
			continue
		}
		for d, n := range x.Shape() {
			if n == v {
				visit(arg, d, fmt.Sprintf("%s.Dim(%d)", s.k.Labels[arg], d))
			}
		}
	}
}

// name makes parameter i the name of dimensions that the caller gave: "x.Dim(0)".
func (s *sizes) name(i, v int, names string) {
	c := &class{Size: check.Size{Value: v}, dims: dims{}, given: true}
	list := strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' })
	s.eachDim(v, func(arg, d int, name string) {
		if slices.Contains(list, name) {
			c.dims[arg] = append(c.dims[arg], d)
			c.Dims = append(c.Dims, name)
		}
	})
	if len(c.dims) > 0 {
		c.params, c.Params = []int{i}, []string{s.k.Labels[i]}
		s.classes = append(s.classes, c)
	}
}

// settle decides about a class whose value parameters have that decide shapes, too. If
// its own are factors and no more, its dimensions are more likely a block's: it is left
// alone.
func (s *sizes) settle(c *class) (leave bool) {
	for i, a := range s.args {
		if v, ok := a.(int); ok && s.facts.Fixed[i] && v == c.Value {
			c.rivals = append(c.rivals, i)
		}
	}
	if len(c.rivals) == 0 || c.given || s.facts.Sized == nil {
		return false
	}
	return !slices.ContainsFunc(c.params, func(i int) bool { return s.facts.Sized[i] })
}

// tied reports whether a class has the value that a block times a constant has, and the
// kernel divides it by that constant: it is made for this size.
func (s *sizes) tied(c *class) bool {
	return !c.given && slices.ContainsFunc(s.divisors(c), func(d int) bool { return c.Value%d == 0 && slices.Contains(s.facts.Tiles, c.Value/d) })
}

// divisors is the constants, and values of other parameters, that parameters of a class
// are divided by, and that are no blocks.
func (s *sizes) divisors(c *class) (ds []int) {
	if s.facts.Divisors == nil {
		return nil
	}
	for _, i := range c.params {
		for _, d := range s.facts.Divisors[i] {
			if !slices.Contains(s.blocks, d) {
				ds = append(ds, d)
			}
		}
		for _, j := range s.facts.DividedBy[i] {
			if d, ok := s.args[j].(int); ok && d > 1 && c.Value%d == 0 {
				ds = append(ds, d)
			}
		}
	}
	return ds
}

// divides reports whether a value of a class still divides what its parameters divide.
func (s *sizes) divides(c *class, v int) bool {
	for i, by := range s.facts.DividedBy {
		for _, j := range by {
			if n, ok := s.args[i].(int); ok && slices.Contains(c.params, j) && n%c.Value == 0 && n%v != 0 {
				return false
			}
		}
	}
	return true
}

// A change is a size that is changed: parameters and dimensions of one value.
type change struct {
	params   []int
	dims     dims
	from, to int
	alone    bool          // one of several parameters of that value
	keep     bool          // indices keep their values: they are of another of these
	also     map[place]int // dimensions that may follow from the size, and int parameters: their new values
}

// A place is a dimension of an argument's tensor, or an argument itself: dimension -1.
type place struct{ arg, dim int }

// shape is the shape of an argument's tensor after the change.
func (ch change) shape(x *tensor.Tensor, arg int) []int {
	shape := x.Shape()
	for _, d := range ch.dims[arg] {
		shape[d] = ch.to
	}
	for at, n := range ch.also {
		if at.arg == arg && at.dim >= 0 {
			shape[at.dim] = n
		}
	}
	return shape
}

// changed is the arguments with a size changed: for the tensors, their shapes alone
// count; fill gives them data.
func (s *sizes) changed(base []any, ch change) []any {
	args := slices.Clone(base)
	for _, i := range ch.params {
		args[i] = ch.to
	}
	for at, n := range ch.also {
		if at.dim < 0 {
			args[at.arg] = n
		}
	}
	for _, d := range s.derived {
		if !ch.touches(d.arg) && !slices.Contains(ch.params, d.param) {
			continue
		}
		n := 1
		for _, size := range ch.shape(base[d.arg].(*tensor.Tensor), d.arg)[d.stride+1:] {
			n *= size
		}
		args[d.param] = n
	}
	return args
}

func (ch change) touches(arg int) bool {
	for at := range ch.also {
		if at.arg == arg {
			return true
		}
	}
	return len(ch.dims[arg]) > 0
}
