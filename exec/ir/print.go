package ir

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

var ownNames = [NumOps - op.NumOps]string{
	"param", "ptradd", "fits", "result", "swizzle", "gomath",
	"if", "for", "loop", "yield", "break", "continue", "return",
}

// OpName is an op's name in IR text.
func OpName(o op.Op) string {
	switch {
	case o < op.NumOps:
		return o.Row().Name
	case o < NumOps:
		return ownNames[o-op.NumOps]
	}
	return "invalid"
}

// opByName finds an op by its name in IR text.
func opByName(name string) (op.Op, bool) {
	for i, n := range ownNames {
		if n == name {
			return op.NumOps + op.Op(i), true
		}
	}
	o := op.ByName(name)
	return o, o != op.None
}

// Name is v as operands name it: v12.
func (v *Value) Name() string { return "v" + strconv.Itoa(v.ID) }

// String is f as text, which Parse reads back.
func (f *Func) String() string {
	p := &printer{file: f.File}
	params := make([]string, len(f.Params))
	for i, v := range f.Params {
		params[i] = v.Name() + " " + v.Type.String() + " " + strconv.Quote(v.Text)
	}
	fmt.Fprintf(&p.b, "func %s(%s) %q {\n", f.Name, strings.Join(params, ", "), f.File)
	p.block(f.Body, 1)
	p.b.WriteString("}\n")
	return p.b.String()
}

type printer struct {
	b    strings.Builder
	file string
}

func (p *printer) block(b *Block, depth int) {
	indent := strings.Repeat("  ", depth)
	if len(b.Args) > 0 {
		args := make([]string, len(b.Args))
		for i, a := range b.Args {
			args[i] = a.Name() + " " + a.Type.String()
		}
		p.b.WriteString(indent + "(" + strings.Join(args, ", ") + ")\n")
	}
	for _, v := range b.Values {
		p.b.WriteString(indent)
		p.value(v, depth)
		p.b.WriteString("\n")
	}
}

// value writes one line: result, op, operands, attributes, position; and its blocks.
func (p *printer) value(v *Value, depth int) {
	switch {
	case len(v.Results) > 0:
		types := make([]string, len(v.Results))
		for i, t := range v.Results {
			types[i] = t.String()
		}
		fmt.Fprintf(&p.b, "%s (%s) = ", v.Name(), strings.Join(types, ", "))
	case v.Type.D != dtype.Invalid:
		fmt.Fprintf(&p.b, "%s %s = ", v.Name(), v.Type)
	}
	p.b.WriteString(OpName(v.Op))
	for _, a := range v.Args {
		p.b.WriteString(" " + a.Name())
	}
	p.attrs(v)
	if v.Pos.IsValid() {
		p.b.WriteString(" @" + p.pos(v.Pos))
	}
	for _, b := range v.Blocks {
		p.b.WriteString(" {\n")
		p.block(b, depth+1)
		p.b.WriteString(strings.Repeat("  ", depth) + "}")
	}
}

func (p *printer) pos(pos diag.Pos) string {
	s := strconv.Itoa(pos.Line) + ":" + strconv.Itoa(pos.Col)
	if pos.File != p.file {
		return strconv.Quote(pos.File) + ":" + s
	}
	return s
}

// attrs writes the attributes that are set, in a fixed order.
func (p *printer) attrs(v *Value) {
	if v.Op == op.Const {
		p.b.WriteString(" " + constText(v.Type.D, v.Bits))
	}
	if v.Index != 0 {
		fmt.Fprintf(&p.b, " #%d", v.Index)
	}
	if v.Axis != 0 {
		fmt.Fprintf(&p.b, " axis=%d", v.Axis)
	}
	if len(v.Axes) > 0 {
		parts := make([]string, len(v.Axes))
		for i, a := range v.Axes {
			parts[i] = strconv.Itoa(a)
		}
		p.b.WriteString(" axes=" + strings.Join(parts, ","))
	}
	for i, name := range flagNames {
		if v.Flags>>i&1 == 1 {
			p.b.WriteString(" " + name)
		}
	}
	if v.Chain != dot.Ascending {
		p.b.WriteString(" " + v.Chain.String())
	}
	if v.Text != "" {
		p.b.WriteString(" " + strconv.Quote(v.Text))
	}
}

var flagNames = []string{"reverse", "descending", "masked", "other", "acc", "goscalar"}

// constText is a constant as text: a decimal integer, true or false, or a float's
// bits in hexadecimal with its value for the reader.
func constText(d dtype.DType, bits uint64) string {
	switch {
	case d == dtype.Bool:
		return strconv.FormatBool(bits != 0)
	case d.IsFloat():
		return fmt.Sprintf("0x%x(%v)", bits, dtype.ToFloat(d, bits))
	case d.IsSigned() || d.IsPointer():
		return strconv.FormatInt(dtype.ToInt(d, bits), 10)
	}
	return strconv.FormatUint(bits, 10)
}
