package amd64

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// WriteListing writes the machine code as text under the IR values it belongs to. The
// Code was compiled with Options.Listing. If line is not nil, it gives what is written
// above a value's code for its position: the line of its source, say.
func (c *Code) WriteListing(w io.Writer, line func(v *ir.Value) string) error {
	if p := c.product; p != nil {
		if err := p.writeListing(w, line); err != nil {
			return err
		}
		fmt.Fprint(w, "\n;; the instances one by one, where a launch is no such product\n")
	}
	r, err := c.single.Try()
	if err != nil {
		return err
	}
	return r.writeListing(w, line)
}

// LeftToGo is what the code of single instances leaves to Go each time that it comes to it.
func (c *Code) LeftToGo() []string { return c.single.Get().left }

func (r *routine) writeListing(w io.Writer, line func(v *ir.Value) string) error {
	if r.Lines == nil {
		return errors.New("amd64: compiled without a listing")
	}
	if len(r.left) > 0 {
		fmt.Fprintf(w, ";; Go does: %s\n", strings.Join(r.left, ", "))
	}
	return r.Lines.WriteUnder(w, r.heading(line), nil)
}

// heading gives what stands above the instructions of a value: its line where that is
// another than before, and its IR.
func (r *routine) heading(line func(v *ir.Value) string) func(tag int32) string {
	last := ""
	return func(tag int32) string {
		v := r.values[int64(tag)]
		if v == nil {
			return ";"
		}
		text := "; "
		if v.Type.D != dtype.Invalid {
			text += fmt.Sprintf("%s %s = ", v.Name(), v.Type)
		}
		text += ir.OpName(v.Op)
		for _, a := range v.Args {
			text += " " + a.Name()
		}
		if line == nil {
			return text + fmt.Sprintf(" @%s", v.Pos)
		}
		if s := line(v); s != "" && s != last {
			last = s
			text = "; " + s + "\n" + text
		}
		return text
	}
}

// writeListing writes the parts of a matrix product.
func (p *Product) writeListing(w io.Writer, line func(v *ir.Value) string) error {
	fmt.Fprintln(w, ";; the whole grid as one matrix product, where a launch's arguments allow it")
	for _, part := range []struct {
		name string
		p    *frame.Part[frame.Piece]
	}{
		{fmt.Sprintf("sums of a block of %d × %d", p.t.rows, p.t.cols), &p.kernel.Part},
		{"the same for the first rows, which puts the second operand into panels on its way", &p.first.Part},
		{"the same where the chain ends, which makes results of the sums", &p.ends.Part},
		{"the second operand into panels, contiguous along its rows", &p.packs.straight},
		{"the second operand into panels, contiguous along the chain", &p.packs.turned},
		{"the second operand into panels, any strides", &p.packs.gather},
		{"the first operand into strips, contiguous along its rows", &p.strips.straight},
		{"the first operand into strips, any strides", &p.strips.gather},
		{"sums, where rows of the first operand lie side by side", &p.kernel.across},
		{"the first operand into strips, where its rows lie side by side", &p.strips.turned},
	} {
		if part.p.Make == nil {
			continue
		}
		if err := writePart(w, part.name, part.p.Get().Lines); err != nil {
			return err
		}
	}
	fmt.Fprint(w, "\n;; what becomes of the sums, a strip of them at a time\n")
	return p.unitEpilogue.Get().writeListing(w, line)
}

func writePart(w io.Writer, name string, lines *asm.Assembler) error {
	fmt.Fprintf(w, "\n;; %s\n", name)
	return lines.WriteListing(w, nil)
}
