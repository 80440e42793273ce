// Package pass improves tile IR: each pass is a function from a Func to the same Func,
// in a table that says what runs, in which order, and why. A pass changes how a
// result is computed and never what it is: not its bits, not whether or where an
// instance fails.
package pass

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass/arms"
	"github.com/tiler-go/tiler/exec/pass/either"
	"github.com/tiler-go/tiler/exec/pass/once"
	"github.com/tiler-go/tiler/exec/pass/onehot"
	"github.com/tiler-go/tiler/exec/pass/runs"
	"github.com/tiler-go/tiler/exec/pass/under"
	"github.com/tiler-go/tiler/exec/pass/units"
)

// A Pass is a row of the table.
type Pass struct {
	Name string
	Run  func(f *ir.Func)
	Doc  string
}

// Table is the passes in order.
var Table = []Pass{
	{"fold", fold, "computes what is constant, moves work from tiles of equal elements to scalars, merges shape changes"},
	{"upward", upward, "makes loops that count down count up"},
	{"cse", cse, "computes equal values once"},
	{"unroll", unroll, "writes short loops that carry tiles of numbers round by round"},
	{"carry", carry, "turns tiles that a loop moves on by a scalar into the tile before the loop plus a carried scalar"},
	{"arms", arms.Run, "moves what follows a branch that picks a tensor or a tile into its arms"},
	{"split", split, "makes pointers that pass through control flow offsets, and of an access to one of several tensors one to each"},
	{"units", unitDims, "makes blocks of tiles of one row whose elements are numbered through rows"},
	{"aligned", aligned, "divides what begins at a multiple of a power of two apart from what is added to it"},
	{"fold", fold, "simplifies what those wrote"},
	{"under", underMasks, "loads once what a block repeats, and makes addresses of what they are under their masks"},
	{"onehot", onehot.Run, "counts by a histogram what is compared with many numbers"},
	{"sums", sums, "adds up in each round what a loop adds to tiles of which only the sum is used"},
	{"transpose", transpose, "exchanges the dimensions of tiles whose memory is contiguous along the first one"},
	{"narrow", narrow, "reduces along short rows across them"},
	{"hoist", hoist, "takes what a loop does not change out of it"},
	{"cse", cse, "finds what has become equal"},
	{"dce", dce, "drops what nobody uses"},
}

// Options of Run; the zero value runs everything.
type Options struct {
	Verify  bool                          // check the Func after every pass
	Disable map[string]bool               // passes to leave out, for finding the one at fault
	Trace   func(pass string, f *ir.Func) // called after every pass
}

// Run applies the table to f.
func Run(f *ir.Func, o Options) error {
	for _, p := range Table {
		if o.Disable[p.Name] {
			continue
		}
		p.Run(f)
		if o.Trace != nil {
			o.Trace(p.Name, f)
		}
		if o.Verify {
			if err := ir.Verify(f); err != nil {
				return fmt.Errorf("pass %s broke %s: %w\n%s", p.Name, f.Name, err, f)
			}
		}
	}
	return nil
}

// underMasks simplifies what under has changed.
func underMasks(f *ir.Func) {
	if under.Run(f) {
		fold(f)
	}
}

// unitDims simplifies what units has changed.
func unitDims(f *ir.Func) {
	if units.Run(f) {
		fold(f)
		cse(f)
	}
}

// Runs is f, or f with its flat blocks run by run: see runs.Of.
func Runs(f *ir.Func, want runs.Want) *ir.Func {
	c := runs.Of(f, want)
	if c != f {
		Tidy(c)
	}
	return c
}

// Once is f, or f with code of its own for rows of one block, and for what flags are: see once.Of, either.Of.
func Once(f *ir.Func) *ir.Func {
	c := either.Of(once.Of(f), runs.By)
	if c != f {
		Tidy(c)
	}
	return c
}

// Tidy simplifies what was made of a Func that had been through the table.
func Tidy(f *ir.Func) {
	for _, p := range []func(*ir.Func){fold, hoist, cse, dce} {
		p(f)
	}
}
