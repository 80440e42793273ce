package ir

import (
	"fmt"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Verify reports the first broken rule of f. It is run after every pass in tests.
func Verify(f *Func) error {
	c := &checker{f: f, seen: make([]bool, f.NumIDs())}
	scope := map[*Value]bool{}
	for i, p := range f.Params {
		if p.Op != Param || p.Index != i || p.Type.D == dtype.Invalid || p.Type.IsTile() {
			return fmt.Errorf("parameter %d is %s %s #%d", i, OpName(p.Op), p.Type, p.Index)
		}
		if err := c.fresh(p); err != nil {
			return err
		}
		scope[p] = true
	}
	return c.block(f.Body, scope, nil)
}

type checker struct {
	f     *Func
	seen  []bool
	loops []enclosing // Loops, innermost last
	fors  int         // enclosing Fors
	lanes int         // enclosing functions of reductions and scans
}

// enclosing is a Loop around a value, and how many Fors are around the Loop.
type enclosing struct {
	loop *Value
	fors int
}

func (c *checker) fresh(v *Value) error {
	if v.ID <= 0 || v.ID >= len(c.seen) || c.seen[v.ID] {
		return fmt.Errorf("%s: its number is out of range or used twice", v.Name())
	}
	c.seen[v.ID] = true
	return nil
}

// block checks b, whose values may use scope; owner is the value that holds b, nil
// for the body.
func (c *checker) block(b *Block, outer map[*Value]bool, owner *Value) error {
	scope := make(map[*Value]bool, len(outer)+len(b.Values))
	for v := range outer {
		scope[v] = true
	}
	for _, a := range b.Args {
		if err := c.fresh(a); err != nil {
			return err
		}
		scope[a] = true
	}
	if len(b.Values) == 0 || b.Term() == nil {
		return fmt.Errorf("a block without a terminator%s", in(owner))
	}
	for i, v := range b.Values {
		if err := c.fresh(v); err != nil {
			return err
		}
		for k, a := range v.Args {
			if a == nil || !scope[a] {
				return fmt.Errorf("%s (%s): operand %d is not defined here", v.Name(), OpName(v.Op), k)
			}
		}
		if v.IsTerm() && i != len(b.Values)-1 {
			return fmt.Errorf("%s (%s): values after a terminator", v.Name(), OpName(v.Op))
		}
		if err := c.value(v, scope, owner); err != nil {
			return fmt.Errorf("%s (%s): %w", v.Name(), OpName(v.Op), err)
		}
		scope[v] = true
	}
	return nil
}

func in(owner *Value) string {
	if owner == nil {
		return ""
	}
	return " in " + owner.Name()
}

func (c *checker) value(v *Value, scope map[*Value]bool, owner *Value) error {
	if err := checkShape(v.Type); err != nil {
		return err
	}
	for _, t := range v.Results {
		if err := checkShape(t); err != nil {
			return err
		}
	}
	switch {
	case v.IsTerm():
		return c.term(v, owner)
	case v.IsControl():
		return c.control(v, scope)
	case v.Op == op.Reduce || v.Op == op.Scan:
		return c.function(v, scope)
	}
	if len(v.Blocks) > 0 {
		return fmt.Errorf("it holds blocks")
	}
	return checkTypes(v)
}

func checkShape(t Type) error {
	for _, d := range t.Shape.D[:t.Shape.N] {
		if d < 1 {
			return fmt.Errorf("type %s has an empty dimension", t)
		}
	}
	return nil
}

// args checks that operands have the given types.
func args(v *Value, want ...Type) error {
	if len(v.Args) != len(want) {
		return fmt.Errorf("%d operands, want %d", len(v.Args), len(want))
	}
	for i, t := range want {
		if v.Args[i].Type != t {
			return fmt.Errorf("operand %d is %s, want %s", i, v.Args[i].Type, t)
		}
	}
	return nil
}

// same checks that values have the given types in order.
func same(what string, vs []*Value, want []Type) error {
	if len(vs) != len(want) {
		return fmt.Errorf("%s: %d, want %d", what, len(vs), len(want))
	}
	for i, t := range want {
		if vs[i].Type != t {
			return fmt.Errorf("%s: number %d is %s, want %s", what, i, vs[i].Type, t)
		}
	}
	return nil
}

func types(vs []*Value) []Type {
	ts := make([]Type, len(vs))
	for i, v := range vs {
		ts[i] = v.Type
	}
	return ts
}

// term checks a terminator against what it ends. Yield goes to the If, For or lane
// function that holds the block; the others may stand in Ifs below a Loop.
func (c *checker) term(v *Value, owner *Value) error {
	if v.Type.D != dtype.Invalid || len(v.Results) > 0 {
		return fmt.Errorf("a terminator with a result")
	}
	if c.lanes > 0 && v.Op != Yield {
		return fmt.Errorf("inside a lane function")
	}
	switch v.Op {
	case Return:
		if c.fors > 0 {
			return fmt.Errorf("inside a For")
		}
		return same("operands", v.Args, nil)
	case Yield:
		if owner == nil || owner.Op == Loop {
			return fmt.Errorf("in a block that does not yield")
		}
		return same("yielded values", v.Args, owner.Results)
	}
	if v.Index < 0 || v.Index >= len(c.loops) || c.loops[len(c.loops)-1-v.Index].fors != c.fors {
		return fmt.Errorf("no Loop number %d around it that it may leave", v.Index)
	}
	loop := c.loops[len(c.loops)-1-v.Index].loop
	if v.Op == Break {
		return same("results", v.Args, loop.Results)
	}
	return same("carried values", v.Args, types(loop.Blocks[0].Args))
}

var int64Type, boolType = Scalar(dtype.Int64), Scalar(dtype.Bool)

func (c *checker) control(v *Value, scope map[*Value]bool) error {
	if v.Type.D != dtype.Invalid {
		return fmt.Errorf("control flow has Results, not a Type")
	}
	if v.Op == If {
		if len(v.Blocks) != 2 || len(v.Blocks[0].Args)+len(v.Blocks[1].Args) > 0 {
			return fmt.Errorf("want two blocks without arguments")
		}
		if err := args(v, boolType); err != nil {
			return err
		}
	} else if len(v.Blocks) != 1 {
		return fmt.Errorf("want one block")
	}
	switch v.Op {
	case For:
		if v.Index == 0 {
			return fmt.Errorf("a step of 0")
		}
		if len(v.Args) < 2 || v.Args[0].Type != int64Type || v.Args[1].Type != int64Type {
			return fmt.Errorf("bounds must be int64")
		}
		carried := types(v.Args[2:])
		if err := same("block arguments", v.Blocks[0].Args, append([]Type{int64Type}, carried...)); err != nil {
			return err
		}
		if err := same("carried values", v.Args[2:], v.Results); err != nil {
			return err
		}
		c.fors++
		defer func() { c.fors-- }()
	case Loop:
		if err := same("block arguments", v.Blocks[0].Args, types(v.Args)); err != nil {
			return err
		}
		c.loops = append(c.loops, enclosing{v, c.fors})
		defer func() { c.loops = c.loops[:len(c.loops)-1] }()
	}
	for _, b := range v.Blocks {
		if err := c.block(b, scope, v); err != nil {
			return err
		}
	}
	return nil
}

// function checks a reduction or scan by a function of the kernel's own: k tiles in,
// a block of 2k scalars that yields k.
func (c *checker) function(v *Value, scope map[*Value]bool) error {
	k := len(v.Args)
	if k == 0 || len(v.Results) != k || len(v.Blocks) != 1 || v.Type.D != dtype.Invalid {
		return fmt.Errorf("want as many Results as operands, and one block")
	}
	shape := v.Args[0].Type.Shape
	if v.Axis < 0 || v.Axis >= shape.N {
		return fmt.Errorf("axis %d of %s", v.Axis, shape)
	}
	result := shape
	if v.Op == op.Reduce {
		result = shape.Drop(v.Axis)
	}
	var lanes []Type
	for i, a := range v.Args {
		if a.Type.Shape != shape || v.Results[i] != (Type{D: a.Type.D, Shape: result}) {
			return fmt.Errorf("operand %s with result %s", a.Type, v.Results[i])
		}
		lanes = append(lanes, a.Type.Elem())
	}
	b := v.Blocks[0]
	if err := same("block arguments", b.Args, append(lanes, lanes...)); err != nil {
		return err
	}
	// The block yields lanes although Results are tiles.
	owner := &Value{ID: v.ID, Op: v.Op, Results: lanes}
	c.lanes++
	defer func() { c.lanes-- }()
	for _, w := range b.Values {
		if !w.IsTerm() && (hasTile(w) || !w.Pure()) {
			return fmt.Errorf("%s in its function: only arithmetic of lanes", OpName(w.Op))
		}
	}
	return c.block(b, scope, owner)
}

// hasTile reports whether a tile is v's result or an operand.
func hasTile(v *Value) bool {
	for _, a := range v.Args {
		if a.Type.IsTile() {
			return true
		}
	}
	return v.Type.IsTile()
}
