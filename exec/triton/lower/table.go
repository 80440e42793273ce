package lower

import (
	"strings"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// rows are the functions of the language by name.
var rows = map[string]*row{}

// A line of the tables below: names, parameters, what lowers it. A name that begins with a dot
// is a method of tensors, too; * stands for any number of arguments.
type line struct {
	names, params string
	lower         func(c *call) value
}

func init() {
	for _, table := range [][]line{creation, arithmetic, shapes, reductions, memory, program, host} {
		for _, t := range table {
			add(t)
		}
	}
	for o := op.None + 1; o < op.NumOps; o++ {
		addOp(o)
	}
}

func add(t line) {
	r := &row{params: strings.Fields(t.params), lower: t.lower}
	for _, n := range strings.Fields(t.names) {
		if n[0] == '.' {
			n, r.member = n[1:], true
		}
		r.names = append(r.names, n)
		rows[n] = r
	}
}

// addOp adds an elementwise op that Triton calls as a function of its operands, by the op
// table's own spelling: tl.exp(x), libdevice.pow(x, y).
func addOp(o op.Op) {
	r := o.Row()
	name, args, ok := strings.Cut(r.Triton, "(")
	if r.Family != op.Elementwise || !ok {
		return
	}
	for _, prefix := range []string{"tl.", "libdevice."} {
		short, cut := strings.CutPrefix(name, prefix)
		if !cut || rows[short] != nil {
			continue
		}
		z := &row{names: []string{short}, params: strings.Split(strings.TrimSuffix(args, ")"), ", "), member: r.Arity == 1}
		z.lower = func(c *call) value { return lowerFunction(c, o, z.params) }
		rows[short] = z
	}
}

// lowerFunction is an elementwise op of the arguments.
func lowerFunction(c *call, o op.Op, params []string) value {
	vs := make([]value, len(params))
	for i, p := range params {
		v, ok := c.args[p]
		if !ok {
			fail(c.refuse("%s: no argument for %s", c.what, p))
		}
		vs[i] = c.numeric(c.what, v)
	}
	if o.Row().In&op.IntsB == 0 {
		for i, v := range vs {
			if t := v.(tensor); !t.v.Type.D.IsFloat() {
				vs[i] = tensor{v: c.cast(t.v, dtype.Float32)}
			}
		}
	}
	return c.elementwise(o, c.what, vs...)
}
