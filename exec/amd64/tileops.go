package amd64

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/amd64/tiles"

	"github.com/tiler-go/tiler/exec/amd64/aside"
	"github.com/tiler-go/tiler/exec/amd64/instance"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Operations on whole tiles that Go carries out: they are rare, or move data about in
// ways that loops over lanes do not. Each becomes a Func of its own, from memory to
// memory, that the portable engine runs.

// A Runner runs a small Func on arguments; the portable engine makes them.
type Runner func(args []ir.Arg) *ir.Failure

// throughGo carries out an op on tiles in Go.
func (g *operations) throughGo(v *ir.Value) {
	c := g.callInto(v, g.resultBuffers(v))
	g.Leave(c.what(), c.helper)
	g.scalarsOf(c)
}

// resultBuffers is memory for what an op gives, which is where it is from now on.
func (g *operations) resultBuffers(v *ir.Value) (out []*tiles.Buffer) {
	for i, t := range producedTypes(v) {
		b := g.NewBuffer(t)
		out = append(out, b)
		if t.IsTile() {
			for _, u := range g.ResultValues(v, i) {
				g.Tiles[u] = b
			}
		}
	}
	return out
}

// callInto is callOf with memory for the results at hand.
func (g *operations) callInto(v *ir.Value, out []*tiles.Buffer) *call {
	if g.o.Runner == nil {
		scalar.Refuse("%s without a runner", ir.OpName(v.Op))
	}
	run, err := g.o.Runner(aside.Of(v))
	if err != nil {
		scalar.Refuse("%s: %v", ir.OpName(v.Op), err)
	}
	c := &call{v: v, run: run, tensor: -1, out: out}
	for _, x := range v.Args {
		if x.Type.D.IsPointer() {
			if c.tensor = fuse.TensorOf(x); c.tensor < 0 {
				scalar.Refuse("a pointer that may point into several tensors")
			}
		}
		c.in = append(c.in, kept(g.Nests, x))
	}
	return c
}

// scalarsOf finds scalars among the results of a call that is done.
func (g *operations) scalarsOf(c *call) {
	for i, t := range producedTypes(c.v) {
		if !t.IsTile() {
			g.SetScalar(c.v, i, g.LoadCell(t.D, lir.Frame(c.out[i].Off)))
		}
	}
	g.Spend(1)
}

func producedTypes(v *ir.Value) []ir.Type {
	if len(v.Results) > 0 || v.Type.D == dtype.Invalid {
		return v.Results
	}
	return []ir.Type{v.Type}
}

// A call is one op carried out in Go.
type call struct {
	v       *ir.Value
	run     Runner
	tensor  int // the parameter that an atomic works on
	in, out []*tiles.Buffer
}

// what says what it does, as leave is told.
func (c *call) what() string {
	d := c.v.Type.D
	if len(c.v.Results) > 0 {
		d = c.v.Results[0].D
	}
	return fmt.Sprintf("%s of %s", ir.OpName(c.v.Op), d.Short())
}

func (c *call) helper(w *instance.Instance) *ir.Failure {
	var args []ir.Arg
	for i, b := range c.in {
		if c.v.Args[i].Type.D.IsPointer() {
			args = append(args, w.Launch.Args[c.tensor])
		}
		args = append(args, ir.Arg{Mem: lane.Elements(&w.Frame, b.D, b.Off, b.Shape.Len())})
	}
	first := len(args)
	for _, b := range c.out {
		args = append(args, ir.Arg{Mem: dtype.Alloc("a result of Go beside machine code", b.D, b.Shape.Len())})
	}
	if f := c.run(args); f != nil {
		return w.Failure(c.v, f.Lane, f.Offset)
	}
	for i, b := range c.out {
		lane.SetElements(&w.Frame, b.Off, args[first+i].Mem)
	}
	return nil
}

// kept is a value in memory, whatever it is.
func kept(g *nest.Nests, v *ir.Value) *tiles.Buffer {
	if v.Type.IsTile() && !v.Type.D.IsPointer() {
		return g.Whole(v)
	}
	return g.Spill(v)
}
