package amd64

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/amd64/cost"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// WriteListing writes the machine code as text under the IR values it belongs to. The
// Code was compiled with Options.Listing. If line is not nil, it gives what is written
// above a value's code for its position: the line of its source, say.
func (c *Code) WriteListing(w io.Writer, line func(v *ir.Value) string) error {
	if p := c.product; p != nil {
		if err := p.WriteListing(w); err != nil {
			return err
		}
		fmt.Fprint(w, "\n;; what becomes of the sums, a strip of them at a time\n")
		if err := p.Epilogue().(*routine).writeListing(w, line); err != nil {
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

// LeftToGo is what the code of single instances leaves to Go each time; nothing, if launches are mostly one product.
func (c *Code) LeftToGo() []cost.Cost {
	if c.product == nil {
		if r := c.single.Get(); r != nil {
			return slices.DeleteFunc(slices.Clone(r.costs.List), func(x cost.Cost) bool { return x.By != cost.ByGo })
		}
	}
	return nil
}

func (r *routine) writeListing(w io.Writer, line func(v *ir.Value) string) error {
	if r.Lines == nil {
		return errors.New("amd64: compiled without a listing")
	}
	if left := r.costs.Left(); len(left) > 0 {
		fmt.Fprintf(w, ";; Go does: %s\n", strings.Join(left, ", "))
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
