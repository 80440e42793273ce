package builtin

import (
	"strings"

	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/tilelang/op"
)

// rows are the functions of the language by name.
var rows = map[string]*entry{}

// An entry is a row, and what lowers a call of it.
type entry struct {
	value.Row
	lower func(c *Call) value.Value
}

// Find is the function that a file finds by a name.
func Find(name string) (b value.Builtin, ok bool) {
	e, ok := rows[name]
	if !ok {
		return b, false
	}
	return value.Builtin{Row: &e.Row}, true
}

// Method is the method of tensors that has a name, nil if there is none.
func Method(name string) *value.Row {
	if e := rows[name]; e != nil && e.Member {
		return &e.Row
	}
	return nil
}

// A line of a table: names, parameters, what lowers it. A name that begins with a dot
// is a method of tensors, too; * stands for any number of arguments.
type line struct {
	names, params string
	lower         func(c *Call) value.Value
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
	r := &entry{Row: value.Row{Params: strings.Fields(t.params)}, lower: t.lower}
	for _, n := range strings.Fields(t.names) {
		if n[0] == '.' {
			n, r.Member = n[1:], true
		}
		r.Names = append(r.Names, n)
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
		params := strings.Split(strings.TrimSuffix(args, ")"), ", ")
		rows[short] = &entry{
			Row:   value.Row{Names: []string{short}, Params: params, Member: r.Arity == 1},
			lower: func(c *Call) value.Value { return lowerFunction(c, o, params) },
		}
	}
}
