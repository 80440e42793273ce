package builtin

import (
	"strings"

	"github.com/tiler-go/tiler/exec/triton/gogen/value"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// rows print the functions of the language that the op table does not spell as functions of
// their operands, by the name that lower has for them.
var rows = func() map[string]func(c *Call) value.Value {
	rows := map[string]func(c *Call) value.Value{}
	for _, table := range []map[string]func(c *Call) value.Value{
		creation, numbers, shapes, reductions, memory, program,
	} {
		for names, row := range table {
			for _, n := range strings.Fields(names) {
				rows[n] = row
			}
		}
	}
	return rows
}()

// Row prints the calls of a function of the language, by its name in lower; it is nil if there is none.
func Row(name string) func(c *Call) value.Value {
	if row, ok := rows[name]; ok {
		return row
	}
	if o, goCall := elementwiseOp(name); o != op.None {
		return func(c *Call) value.Value { return c.elementwise(o, goCall, c.Meaning.Params) }
	}
	return nil
}

// elementwiseOp is the op that Triton calls by a name, and the function of Go for it.
func elementwiseOp(name string) (o op.Op, goCall string) {
	for o := op.None + 1; o < op.NumOps; o++ {
		r := o.Row()
		triton, _, ok := strings.Cut(r.Triton, "(")
		goCall, _, both := strings.Cut(r.Go, "(")
		if !ok || !both || r.Family != op.Elementwise || strings.Contains(r.Go, "PropagateNaN") {
			continue
		}
		if triton == "tl."+name || triton == "libdevice."+name {
			return o, goCall
		}
	}
	return op.None, ""
}

// elementwise is a call of an op's function, whose operands are tiles, or numbers beside one.
func (c *Call) elementwise(o op.Op, goCall string, params []string) value.Value {
	vs := make([]value.Value, len(params))
	var with value.Type
	for i, p := range params {
		v, ok := c.Args[p]
		if !ok {
			c.Refuse("tl.%s: no argument for %s", c.Meaning.Row, p)
		}
		if v.Kind == value.Tile && with.Kind != value.Tile {
			with = v.Type
		}
		vs[i] = v
	}
	floats := o.Row().In&op.IntsB == 0
	if with.Kind != value.Tile {
		if floats && vs[0].Kind == value.Int {
			vs[0] = value.Call(value.TileOf(dtype.Float32), "tl.Full", "tl.Float32", vs[0].Code)
		}
		vs[0] = c.Lifted(vs[0])
		with = vs[0].Type
	}
	codes := make([]string, len(vs))
	d := with.DType
	for i, v := range vs {
		if v.Kind == value.Tile && floats && v.DType.IsInt() {
			v = v.Method(value.TileOf(dtype.Float32), "To", "tl.Float32")
			d = dtype.Float32
		}
		if v.DType != with.DType {
			d = dtype.Invalid
		}
		codes[i] = c.Operand(v, with, o).Code
	}
	return value.Call(value.TileOf(d), goCall, codes...)
}
