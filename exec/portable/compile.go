package portable

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/run"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Program is what Compile makes, a Worker runs it, and a Launch is what the instances that it runs have
// in common.
type (
	Program = run.Program
	Worker  = run.Worker
	Launch  = run.Launch
)

// maxTileBytes bounds one tile, as in the language.
const maxTileBytes = 1 << 30

// Compile plans the execution of f, which must be verified. The error says what of f
// this engine does not execute: a tile that is too large, or pointers into several
// tensors in one tile.
func Compile(f *ir.Func) (*Program, error) {
	c := &compiler{
		f:       f,
		Builder: run.NewBuilder(),
		users:   make([][]*ir.Value, f.NumIDs()),
		places:  make([]*place, f.NumIDs()),
		results: make([][]*place, f.NumIDs()),
		exit:    &run.Label{},
	}
	c.scalars = newScalars(c)
	f.Values(func(v *ir.Value) {
		for _, x := range v.Args {
			c.users[x.ID] = append(c.users[x.ID], v)
		}
	})
	for _, p := range f.Params {
		c.Parameter(c.inReg(p).Reg, p.Type.D)
	}
	c.block(f.Body)
	c.Here(c.exit)
	if c.err != nil {
		return nil, c.err
	}
	return c.Finish(), nil
}

// compiler is the state of one Compile.
type compiler struct {
	*run.Builder
	f     *ir.Func
	users [][]*ir.Value // by value ID: values that have it as an operand

	scalars *scalars
	places  []*place   // by value ID
	results [][]*place // of values with several results, by value ID

	open   []*group // elementwise ops that are not yet steps
	scopes scopes
	exit   *run.Label // the end of the program
	err    error
}

// refuse records why f is not executed.
func (c *compiler) refuse(v *ir.Value, format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("portable: %s at %s: %s", ir.OpName(v.Op), v.Pos, fmt.Sprintf(format, args...))
	}
}

func (c *compiler) block(b *ir.Block) {
	defer c.scalars.forget(len(c.scalars.held), len(c.scalars.conds))
	for _, v := range b.Values {
		if c.err != nil {
			return
		}
		lower[v.Op](c, v)
	}
}

// lower has a row for every op that a verified Func can hold.
var lower [ir.NumOps]func(c *compiler, v *ir.Value)

func init() {
	for o := op.None + 1; o < op.NumOps; o++ {
		if o.Row().Family == op.Elementwise {
			lower[o] = lowerElementwise
		}
	}
	for o, fn := range map[op.Op]func(c *compiler, v *ir.Value){
		op.Const: lowerConst, op.Scale: lowerElementwise,
		op.Cast: lowerElementwise, op.CastRTZ: lowerElementwise, op.Bitcast: lowerElementwise,
		ir.PtrAdd: lowerElementwise, op.Arange: func(c *compiler, v *ir.Value) { lowerIndex(c, v) },
		op.Broadcast: lowerBroadcast, op.Reshape: lowerReshape, op.Permute: lowerPermute,
		op.Join: lowerJoin, op.Split: lowerSplit, op.Cat: lowerCat, op.Flip: lowerFlip,
		op.Sum: lowerReduce, op.Max: lowerReduce, op.Min: lowerReduce, op.XorSum: lowerReduce, op.OrSum: lowerReduce,
		op.ArgMax: lowerReduce, op.ArgMin: lowerReduce, op.MaxIndex: lowerReduce, op.MinIndex: lowerReduce,
		op.Reduce: lowerReduce,
		op.CumSum: lowerScan, op.CumProd: lowerScan, op.Scan: lowerScan,
		op.Sort: lowerSort, op.ArgSort: lowerSort, op.TopK: lowerSort,
		op.Histogram: lowerHistogram, op.Gather: lowerGather,
		op.Dot:       lowerDot,
		op.AtomicAdd: lowerAtomic, op.AtomicMax: lowerAtomic, op.AtomicMin: lowerAtomic, op.AtomicAnd: lowerAtomic,
		op.AtomicOr: lowerAtomic, op.AtomicXor: lowerAtomic, op.AtomicXchg: lowerAtomic, op.AtomicCAS: lowerAtomic,
		op.Load: lowerLoad, op.Store: lowerStore,
		op.ProgramID: lowerProgram, op.NumPrograms: lowerProgram, op.Print: lowerPrint, op.Assert: lowerAssert,
		ir.Fits: lowerFits, ir.Result: lowerResult, ir.GoMath: lowerScalar,
		ir.If: lowerIf, ir.For: lowerFor, ir.Loop: lowerLoop,
		ir.Yield: lowerYield, ir.Break: lowerBreak, ir.Continue: lowerContinue, ir.Return: lowerReturn,
	} {
		lower[o] = fn
	}
}

// place is where v's value is.
func (c *compiler) place(v *ir.Value) *place { return c.places[v.ID] }

// define gives v's result a place of its own: a register or a buffer.
func (c *compiler) define(v *ir.Value) *place {
	if !v.Type.IsTile() {
		return c.inReg(v)
	}
	p := c.newPlace(v, v.Type)
	p.Base = c.baseReg(v)
	c.places[v.ID] = p
	return p
}

// inReg gives v's result a register, of which a tile has copies.
func (c *compiler) inReg(v *ir.Value) *place { return c.held(v, c.Reg()) }

// held says that v's result is in a register.
func (c *compiler) held(v *ir.Value, reg int) *place {
	p := rooted(run.Form{Type: v.Type, Reg: reg, Base: c.baseReg(v), Buf: -1})
	c.places[v.ID] = p
	return p
}

// newPlace is a register or a buffer for a value of type t; v is whom to blame.
func (c *compiler) newPlace(v *ir.Value, t ir.Type) *place {
	if !t.IsTile() {
		return rooted(run.Form{Type: t, Reg: c.Reg(), Buf: -1})
	}
	return c.inBuffer(v, t)
}

// inBuffer is a buffer for a value of type t; v is whom to blame.
func (c *compiler) inBuffer(v *ir.Value, t ir.Type) *place {
	return rooted(run.Form{Type: t, Reg: -1, Buf: c.buffer(v, t.D, t.Shape), Stride: t.Shape.Dense()})
}

// buffer is a new buffer for the elements of a tile.
func (c *compiler) buffer(v *ir.Value, d dtype.DType, shape ir.Shape) int {
	n := 1
	for _, k := range shape.D[:shape.N] {
		if n > maxTileBytes/d.Size()/k {
			c.refuse(v, "a tile %s%s is over 1 GiB", d.Short(), shape)
			return c.Store.Buffer(d, 1)
		}
		n *= k
	}
	return c.Store.Buffer(run.LanesOf(d), n)
}

func lowerConst(c *compiler, v *ir.Value) { c.held(v, c.ConstReg(v.Bits)) }

func lowerProgram(c *compiler, v *ir.Value) {
	r := run.ProgramReg
	if v.Op == op.NumPrograms {
		r = run.GridReg
	}
	c.held(v, r+v.Index)
}

func lowerResult(c *compiler, v *ir.Value) { c.places[v.ID] = c.results[v.Args[0].ID][v.Index] }
