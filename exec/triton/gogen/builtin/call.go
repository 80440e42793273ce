package builtin

import (
	"strings"

	"github.com/tiler-go/tiler/exec/triton/gogen/value"
	"github.com/tiler-go/tiler/exec/triton/lower"
)

// A Call is a call of a function of the language with its arguments.
type Call struct {
	*value.Printer
	Fn      Function
	Meaning lower.Meaning
	Args    map[string]value.Value
	Rest    []value.Value
}

// A Function is the function of Go that a call is printed in.
type Function interface {
	// Instance is the name of the program.
	Instance() string
	// Masks notes that a variable is used as a mask.
	Masks(name string)
	// First prints a call of two results before the statement, and is a name of the first of them.
	First(code string) string
	// Helper prints a function of a file for arguments of some types, and is its name in Go and what it returns.
	Helper(m *lower.Meaning, args []value.Type) (name string, results []value.Type)
}

// Arg is an argument; nothing, if there is none.
func (c *Call) Arg(name string) value.Value { return c.Args[name] }

// Given reports whether an argument is there and not None.
func (c *Call) Given(name string) bool {
	v, ok := c.Args[name]
	return ok && v.Kind != value.None
}

// is reports whether an argument is True.
func (c *Call) is(name string) bool {
	v, ok := c.Args[name]
	if ok && v.Kind != value.None && v.Static == nil {
		c.Refuse("%s of tl.%s must be True or False", name, c.Meaning.Row)
	}
	return ok && v.Static != nil && *v.Static
}

// text is an argument that is a string.
func (c *Call) text(name string) string { return strings.Trim(c.Args[name].Code, `"`) }

// dtype is an argument that is a dtype; a parameter that is one becomes it.
func (c *Call) dtype(v value.Value) value.Value {
	if v.Kind != value.DType {
		c.Become(v.Param, value.Type{Kind: value.DType})
		c.Refuse("%s where a dtype is wanted", v.Kind)
	}
	return v
}

// shape is the sizes of a shape.
func (c *Call) shape(v value.Value) string {
	if v.Kind == value.List {
		return v.Code + "..."
	}
	return strings.Join(c.ints(v), ", ")
}

// ints are the numbers of a tuple, or one.
func (c *Call) ints(v value.Value) (codes []string) {
	vs := v.Parts
	if v.Kind != value.Tuple {
		vs = []value.Value{v}
	}
	for _, p := range vs {
		codes = append(codes, c.Count(p).Code)
	}
	return codes
}

// list is an argument that is a shape, as a slice of Go's.
func (c *Call) list(name string) string {
	v := c.Arg(name)
	if v.Kind == value.List {
		return v.Code
	}
	return "[]int{" + strings.Join(c.ints(v), ", ") + "}"
}

// tile is an argument as a tile.
func (c *Call) tile(name string) value.Value {
	v, ok := c.Args[name]
	if !ok {
		c.Refuse("tl.%s: no argument for %s", c.Meaning.Row, name)
	}
	return c.Lifted(v)
}

// count is an argument as Go's int.
func (c *Call) count(name string) string { return c.Count(c.Arg(name)).Code }

// axis is the option that names an axis.
func (c *Call) axis() (options []string) {
	if c.Given("axis") {
		return []string{"tl.Axis(" + c.count("axis") + ")"}
	}
	return nil
}
