package amd64

import (
	"runtime"

	"github.com/tiler-go/tiler/exec/amd64/cost"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/gemm"
	"github.com/tiler-go/tiler/exec/amd64/instance"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/exec/pass/carried"
	"github.com/tiler-go/tiler/exec/pass/pairs"
	"github.com/tiler-go/tiler/exec/pass/runs"
	"github.com/tiler-go/tiler/exec/pass/woven"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Code is a Func as machine code: for its instances one by one, and where it is a matrix
// product for the grid as a whole. Of the latter a launch makes what it needs, and the code
// of single instances only if the launch is not one product.
type Code struct {
	f       *ir.Func
	product *gemm.Product // nil if the Func is not one
	single  frame.Part[*routine]
}

// Options say how to compile.
type Options struct {
	Tier    cpu.Tier // AVX2 or AVX512
	Ordered bool     // arguments may overlap: no load is moved past a store
	Listing bool     // keep what WriteListing needs
	// Unchecked leaves out that the accesses of an instance are checked, to measure what
	// that costs. Code for anything else is never compiled so.
	Unchecked bool
	// NoTiles keeps products out of tile registers, to test the other way on
	// machines that have them.
	NoTiles bool
	// Runner makes small Funcs runnable in Go: the portable engine.
	Runner func(f *ir.Func) (Runner, error)

	pairs gemm.Pairs
}

// Compile translates a verified Func. What the engine cannot translate is an error; of a
// matrix product, that its instances cannot be translated one by one is none: they are
// left to the portable engine.
func Compile(f *ir.Func, o Options) (*Code, error) {
	if o.Tier != cpu.AVX2 && o.Tier != cpu.AVX512 {
		return nil, scalar.Unsupported{What: "code for " + o.Tier.String()}
	}
	f = pass.Halves(woven.Run(f))
	c, p := &Code{f: f}, fuse.Plan(f, o.Ordered)
	c.single.Make = func() (*routine, error) { return compileRoutine(newGen(c.f, p, o), o.Listing) }
	if !o.Ordered {
		if m := product.Find(f, p, o.Tier == cpu.AVX512 && gemm.ByteProducts()); m != nil {
			if p := gemm.New(m, o.multiply()); p.Takes() {
				if c.product = p; !m.Makes() { // of which instances run where there is one block of rows
					return c, nil
				}
			}
		}
		want := runs.Want{Lanes: tierOf(o.Tier).Lanes}
		if c.f = pass.Runs(f, want); c.f != f && keptInRuns(c.f) {
			want.Long = true
			c.f = pass.Runs(f, want)
		}
	}
	if c.f = carried.Run(pass.Rounded(pass.Once(c.f))); c.f != f {
		p = fuse.Plan(c.f, o.Ordered)
	}
	if !gather.Slow() && p.SumsAlone() { // no vectors of 64 bytes beside additions that wait for each other
		o.Tier = cpu.AVX2
	}
	if s := pairs.Run(c.f, tierOf(o.Tier).Lanes); s != c.f {
		c.f, p = s, fuse.Plan(s, o.Ordered)
	}
	_, err := c.single.Try()
	return c, err
}

// keptInRuns reports whether tiles are kept where a block is taken run by run: in each they are computed for all of it.
func keptInRuns(f *ir.Func) (kept bool) {
	p := fuse.Plan(f, false)
	f.Walk(func(b *ir.Block) {
		loop := p.Parent[b]
		for loop != nil && loop.Op == ir.If && loop.Text != runs.By {
			loop = p.Parent[p.Of(loop).Block]
		}
		if loop == nil || loop.Op != ir.Loop {
			return
		}
		if in := p.Parent[p.Of(loop).Block]; in == nil || in.Text != runs.By {
			return
		}
		for _, v := range b.Values {
			kept = kept || v.Type.IsTile() && v.Op != op.Load && p.Kept(v)
		}
	})
	return kept
}

// Free gives the code's memory back; no worker may run any more. Code that nothing refers to is
// freed by the garbage collector. The pieces of products stay for others.
func (c *Code) Free() {
	made := []*routine{c.single.End()}
	if p := c.product; p != nil {
		for _, e := range p.EndRoutines() {
			made = append(made, e.(*routine))
		}
	}
	for _, r := range made {
		if r != nil {
			r.unused.Stop()
			r.Piece.Free()
		}
	}
}

// A routine runs a Func's instances one by one.
type routine struct {
	*frame.Piece
	f       *ir.Func
	helpers []instance.Helper
	costs   cost.Notes
	// exchanges says that there are atomics.
	exchanges bool
	values    map[int64]*ir.Value // by ID
	data      []elementwise.Data
	exact     Runner // what its machine code gives up, nil if it never does
	workers   frame.Spares[Worker]
	unused    runtime.Cleanup // frees the piece
}

var Checked func(f *ir.Func) // sees what code is written for: tests verify it

// compileRoutine writes the code of g's Func.
func compileRoutine(g *gen, listing bool) (r *routine, err error) {
	defer func() {
		if v := recover(); v != nil {
			u, ok := v.(scalar.Unsupported)
			if !ok {
				panic(v)
			}
			r, err = nil, u
		}
	}()
	if Checked != nil {
		Checked(g.F)
	}
	g.function()
	p, err := frame.NewPiece(g.Unit, listing)
	if err != nil {
		return nil, err
	}
	r = &routine{Piece: p, f: g.F, helpers: g.Helpers, costs: g.Costs, exchanges: g.exchanges, data: g.Data}
	r.values = map[int64]*ir.Value{}
	r.unused = runtime.AddCleanup(r, (*frame.Piece).Free, p)
	g.F.Values(func(v *ir.Value) { r.values[int64(v.ID)] = v })
	return r, nil
}
