//go:build !tiler_page

package inspect

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tiler-go/tiler/exec/amd64"
	"github.com/tiler-go/tiler/exec/amd64/cost"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/engine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/widen"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// Costs says for each line of the kernel by what a tier's machine code does the work on its
// tiles; of a line with several operations, for the slowest. Lines that only make
// addresses and masks are not listed: they become bounds of loops.
func (i *Inspection) Costs(tier cpu.Tier) ([]Cost, error) {
	if tier == cpu.Auto {
		tier = cpu.Best()
	}
	if tier == cpu.Portable {
		return nil, errors.New("the portable engine makes no machine code: every line is done in Go")
	}
	fn, programs := many(i.fn)
	c, err := amd64.Compile(fn, amd64.Options{Tier: tier, Runner: engine.Aside})
	if err != nil {
		return nil, err
	}
	defer c.Free()
	found, err := c.Costs()
	if err != nil {
		return nil, err
	}
	return i.byLine(found, programs), nil
}

// many is f with several programs in one, and how many, where launches of the usual kind run so.
func many(f *ir.Func) (*ir.Func, int) {
	if w := widen.Of(f); w != nil {
		return w.Func, w.Lanes
	}
	return f, 1
}

// byLine keeps the slowest of each line, in the source's order, of so many programs at once.
func (i *Inspection) byLine(found []cost.Cost, programs int) (list []Cost) {
	slices.SortStableFunc(found, func(a, b cost.Cost) int {
		p, q := a.Value.Pos, b.Value.Pos
		return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(b.By, a.By))
	})
	var last *ir.Value
	for _, c := range found {
		v := c.Value
		if !v.Pos.IsValid() || last != nil && last.Pos.File == v.Pos.File && last.Pos.Line == v.Pos.Line {
			continue
		}
		last = v
		list = append(list, Cost{
			File: diag.ShortPath(v.Pos.File), Line: v.Pos.Line, Text: i.lineText(v.Pos), By: c.By.String(), Why: c.Why,
			Slow: c.By >= cost.ByLane, Programs: programs,
		})
	}
	return list
}

// listMachineCode writes the machine code of a function as text, with the source line of
// each value.
func listMachineCode(w io.Writer, f *ir.Func, tier cpu.Tier, line func(*ir.Value) string) error {
	f, programs := many(f)
	if programs > 1 {
		fmt.Fprintf(w, "; %s\n", atOnce(programs))
	}
	c, err := amd64.Compile(f, amd64.Options{Tier: tier, Listing: true, Runner: engine.Aside})
	if err != nil {
		return err
	}
	defer c.Free()
	return c.WriteListing(w, line)
}
