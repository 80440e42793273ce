package portable

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/storage"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// maxTileBytes bounds one tile, as in the language.
const maxTileBytes = 1 << 30

// Compile plans the execution of f, which must be verified. The error says what of f
// this engine does not execute: a tile that is too large, or pointers into several
// tensors in one tile.
func Compile(f *ir.Func) (*Program, error) {
	c := &compiler{
		f:       f,
		p:       &Program{regs: make([]uint64, firstReg), lanes: lanes.NewNeeds()},
		users:   make([][]*ir.Value, f.NumIDs()),
		places:  make([]*place, f.NumIDs()),
		results: make([][]*place, f.NumIDs()),
		consts:  map[uint64]int{0: zeroReg, 1: oneReg},
		exit:    &label{},
	}
	c.scalars = newScalars(c)
	f.Values(func(v *ir.Value) {
		for _, x := range v.Args {
			c.users[x.ID] = append(c.users[x.ID], v)
		}
	})
	c.p.regs[oneReg] = 1
	for _, p := range f.Params {
		c.param(p)
	}
	c.block(f.Body)
	c.exit.pc = len(c.p.code)
	if c.err != nil {
		return nil, c.err
	}
	c.p.tiles = c.store.Finish()
	return c.p, nil
}

// compiler is the state of one Compile.
type compiler struct {
	f     *ir.Func
	p     *Program
	users [][]*ir.Value // by value ID: values that have it as an operand

	scalars *scalars
	places  []*place   // by value ID
	results [][]*place // of values with several results, by value ID
	consts  map[uint64]int

	store  storage.Plan
	open   []*group // elementwise ops that are not yet steps
	scopes []*scope
	exit   *label // the end of the program
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
			lower[o] = (*compiler).elementwise
		}
	}
	for o, fn := range map[op.Op]func(c *compiler, v *ir.Value){
		op.Const: (*compiler).constant, op.Scale: (*compiler).elementwise,
		op.Cast: (*compiler).elementwise, op.CastRTZ: (*compiler).elementwise, op.Bitcast: (*compiler).elementwise, ir.PtrAdd: (*compiler).elementwise,
		op.Arange: func(c *compiler, v *ir.Value) { c.indexOp(v) }, op.Broadcast: (*compiler).broadcast, op.Reshape: (*compiler).reshape, op.Permute: (*compiler).permute,
		op.Join: (*compiler).join, op.Split: (*compiler).split, op.Cat: (*compiler).cat, op.Flip: (*compiler).flip,
		op.Sum: (*compiler).reduce, op.Max: (*compiler).reduce, op.Min: (*compiler).reduce, op.XorSum: (*compiler).reduce, op.OrSum: (*compiler).reduce,
		op.ArgMax: (*compiler).reduce, op.ArgMin: (*compiler).reduce, op.MaxIndex: (*compiler).reduce, op.MinIndex: (*compiler).reduce, op.Reduce: (*compiler).reduce,
		op.CumSum: (*compiler).scan, op.CumProd: (*compiler).scan, op.Scan: (*compiler).scan,
		op.Sort: (*compiler).sort, op.ArgSort: (*compiler).sort, op.TopK: (*compiler).sort, op.Histogram: (*compiler).histogram, op.Gather: (*compiler).gather,
		op.Dot:       (*compiler).dot,
		op.AtomicAdd: (*compiler).atomic, op.AtomicMax: (*compiler).atomic, op.AtomicMin: (*compiler).atomic, op.AtomicAnd: (*compiler).atomic,
		op.AtomicOr: (*compiler).atomic, op.AtomicXor: (*compiler).atomic, op.AtomicXchg: (*compiler).atomic, op.AtomicCAS: (*compiler).atomic,
		op.Load: (*compiler).load, op.Store: (*compiler).storeTile,
		op.ProgramID: (*compiler).programID, op.NumPrograms: (*compiler).programID, op.Print: (*compiler).print, op.Assert: (*compiler).assert,
		ir.Fits: (*compiler).fits, ir.Result: (*compiler).result,
		ir.If: (*compiler).branch, ir.For: (*compiler).count, ir.Loop: (*compiler).loop,
		ir.Yield: (*compiler).yield, ir.Break: (*compiler).leave, ir.Continue: (*compiler).again, ir.Return: (*compiler).end,
	} {
		lower[o] = fn
	}
}

// emit appends a step.
func (c *compiler) emit(s step) {
	c.store.Made(len(c.p.code))
	c.p.code = append(c.p.code, s)
}

// reg is a new register.
func (c *compiler) reg() int {
	c.p.regs = append(c.p.regs, 0)
	return len(c.p.regs) - 1
}

// constReg is the register of a constant.
func (c *compiler) constReg(bits uint64) int {
	r, ok := c.consts[bits]
	if !ok {
		r = c.reg()
		c.p.regs[r] = bits
		c.consts[bits] = r
	}
	return r
}

// isConst reports whether a register holds a constant.
func (c *compiler) isConst(r int) bool {
	if r == zeroReg || r == oneReg {
		return true
	}
	k, ok := c.consts[c.p.regs[r]]
	return ok && k == r
}

// place is where v's value is.
func (c *compiler) place(v *ir.Value) *place { return c.places[v.ID] }

// define gives v's result a place of its own: a register or a buffer.
func (c *compiler) define(v *ir.Value) *place {
	if !v.Type.IsTile() {
		return c.inReg(v)
	}
	p := c.newPlace(v, v.Type)
	if v.Type.D.IsPointer() {
		p.base = c.baseReg(v)
	}
	c.places[v.ID] = p
	return p
}

// inReg gives v's result a register, of which a tile has copies.
func (c *compiler) inReg(v *ir.Value) *place { return c.held(v, c.reg()) }

// held says that v's result is in a register.
func (c *compiler) held(v *ir.Value, reg int) *place {
	p := &place{t: v.Type, reg: reg, buf: -1}
	p.root = p
	if v.Type.D.IsPointer() {
		p.base = c.baseReg(v)
	}
	c.places[v.ID] = p
	return p
}

// newPlace is a register or a buffer for a value of type t; v is whom to blame.
func (c *compiler) newPlace(v *ir.Value, t ir.Type) *place {
	p := &place{t: t, reg: -1, buf: -1}
	p.root = p
	if !t.IsTile() {
		p.reg = c.reg()
		return p
	}
	p.buf, p.stride = c.buffer(v, t.D, t.Shape), t.Shape.Dense()
	return p
}

// buffer is a new buffer for the elements of a tile.
func (c *compiler) buffer(v *ir.Value, d dtype.DType, shape ir.Shape) int {
	n := 1
	for _, k := range shape.D[:shape.N] {
		if n > maxTileBytes/d.Size()/k {
			c.refuse(v, "a tile %s%s is over 1 GiB", d.Short(), shape)
			return c.store.Buffer(d, 1)
		}
		n *= k
	}
	return c.store.Buffer(lanesOf(d), n)
}

func (c *compiler) param(v *ir.Value) {
	p := c.inReg(v)
	c.p.params = append(c.p.params, param{reg: p.reg, elem: v.Type.D.Elem(), ptr: v.Type.D.IsPointer()})
}

func (c *compiler) constant(v *ir.Value) { c.held(v, c.constReg(v.Bits)) }

func (c *compiler) programID(v *ir.Value) {
	r := programReg
	if v.Op == op.NumPrograms {
		r = gridReg
	}
	c.held(v, r+v.Index)
}

func (c *compiler) result(v *ir.Value) { c.places[v.ID] = c.results[v.Args[0].ID][v.Index] }
