package lanes

import (
	"fmt"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Builder appends ops to a line. Until finish, results are in slots that are
// numbered apart and never reused.
type Builder struct {
	needs *Needs
	line  *Line
	n     int // slots so far
}

func NewBuilder(n *Needs) *Builder { return &Builder{needs: n, line: &Line{}} }

// Input is the next input.
func (b *Builder) Input(d dtype.DType) Lane {
	b.line.Inputs++
	return Lane{inInput, b.line.Inputs - 1, d}
}

func (b *Builder) temp(d dtype.DType) Lane {
	b.n++
	return Lane{inSlot, b.n - 1, d}
}

func (b *Builder) splat(d dtype.DType, bits uint64) Lane {
	return Lane{inSplat, b.needs.Constant(d, bits), d}
}

func (b *Builder) emit(loop op.Loop, z dtype.DType, in ...Lane) Lane {
	o := laneOp{loop: loop, z: b.temp(z), n: len(in)}
	copy(o.in[:], in)
	b.line.ops = append(b.line.ops, o)
	return o.z
}

// primitive is an op that has a loop for type d.
func (b *Builder) primitive(o op.Op, d dtype.DType, in ...Lane) Lane {
	z := b.emit(o.Row().Loops[d], o.Result(d), in...)
	last := &b.line.ops[len(b.line.ops)-1]
	last.o, last.d = o, d
	return z
}

// Apply is an elementwise op on operands of type d.
func (b *Builder) Apply(o op.Op, d dtype.DType, in ...Lane) Lane {
	row := o.Row()
	switch {
	case row.Loops[d] != nil:
		return b.primitive(o, d, in...)
	case row.Progs[d] != nil:
		return b.program(row.Progs[d], in)
	}
	if !d.IsNarrow() {
		panic(fmt.Sprintf("portable: %s of %s has no meaning", o, d))
	}
	// A narrow float is widened, operated on and rounded back.
	wide := make([]Lane, len(in))
	for i, x := range in {
		wide[i] = b.Cast(dtype.Float32, x)
	}
	z := b.Apply(o, dtype.Float32, wide...)
	if o.IsCompare() {
		return z
	}
	return b.Cast(d, z)
}

// Cast converts lanes. A narrow float goes through float32, which is exact.
func (b *Builder) Cast(to dtype.DType, x Lane) Lane {
	if x.D.IsNarrow() && to != x.D && to != dtype.Float32 {
		x = b.Cast(dtype.Float32, x)
	}
	return b.emit(op.CastLoop(to, x.D), to, x)
}

// Round converts lanes towards zero.
func (b *Builder) Round(to dtype.DType, x Lane) Lane {
	return b.emit(op.CastRTZLoop(to, x.D), to, x)
}

// Bitcast reads lanes as another type, of any width.
func (b *Builder) Bitcast(to dtype.DType, x Lane) Lane {
	return b.emit(op.BitcastLoop(to, x.D), to, x)
}

// bits reads lanes as another type of the same width.
func (b *Builder) bits(to dtype.DType, x Lane) Lane { return b.emit(copyLanes, to, x) }

// program appends the instructions of a math function.
func (b *Builder) program(p *op.Prog, in []Lane) Lane {
	at := make([]Lane, len(p.In)+len(p.Body))
	copy(at, in)
	type hint struct{ op, end int }
	var hints []hint // skips whose end is the first op at or after instruction end
	for i := range p.Body {
		for k := range hints {
			if hints[k].end == i {
				b.line.ops[hints[k].op].skip = len(b.line.ops) - hints[k].op - 1
			}
		}
		inst := &p.Body[i]
		args := make([]Lane, inst.Op.Row().Arity)
		for k := range args {
			args[k] = at[inst.Args[k]]
		}
		switch inst.Op {
		case op.SkipUnless:
			hints = append(hints, hint{len(b.line.ops), i + 1 + int(inst.Bits)})
			b.line.ops = append(b.line.ops, laneOp{in: [3]Lane{args[0]}, n: 1, hint: true})
		case op.Const:
			at[len(p.In)+i] = b.splat(inst.Type, inst.Bits)
		case op.Lookup:
			at[len(p.In)+i] = b.emit(nil, inst.Type, args...)
			b.line.ops[len(b.line.ops)-1].table = inst.Table
		case op.Cast:
			at[len(p.In)+i] = b.Cast(inst.Type, args[0])
		case op.Bitcast:
			at[len(p.In)+i] = b.bits(inst.Type, args[0])
		default:
			at[len(p.In)+i] = b.primitive(inst.Op, inst.D, args...)
		}
	}
	for _, h := range hints {
		if h.end >= len(p.Body) {
			b.line.ops[h.op].skip = len(b.line.ops) - h.op - 1
		}
	}
	return at[p.Out]
}

// Output makes x the next output. It is written where it is computed, if it is
// computed here and not an output already; otherwise it is copied.
func (b *Builder) Output(x Lane) {
	z := Lane{inOutput, len(b.line.outputs), x.D}
	b.line.outputs = append(b.line.outputs, x.D)
	if x.at == inSlot {
		b.rename(x, z)
		return
	}
	b.emit(copyLanes, x.D, x)
	b.line.ops[len(b.line.ops)-1].z = z
}

// rename puts a result elsewhere.
func (b *Builder) rename(x, z Lane) {
	for i := range b.line.ops {
		o := &b.line.ops[i]
		for k := range o.n {
			if o.in[k].at == x.at && o.in[k].i == x.i {
				o.in[k].at, o.in[k].i = z.at, z.i
			}
		}
		if o.z.at == x.at && o.z.i == x.i {
			o.z.at, o.z.i = z.at, z.i
		}
	}
}

// OutputsLast makes xs the outputs, none of which is written before all are computed:
// what is written may be what was read.
func (b *Builder) OutputsLast(xs []Lane) {
	if len(xs) == 1 {
		b.Output(xs[0])
		return
	}
	for i, x := range xs {
		if x.at != inSlot {
			xs[i] = b.emit(copyLanes, x.D, x)
		}
	}
	for i, x := range xs {
		b.emit(copyLanes, x.D, x)
		b.line.ops[len(b.line.ops)-1].z = Lane{inOutput, i, x.D}
		b.line.outputs = append(b.line.outputs, x.D)
	}
}

// MadeBy is the number of the op that computes x.
func (b *Builder) MadeBy(x Lane) int {
	for i := range b.line.ops {
		if z := b.line.ops[i].z; z.at == x.at && z.i == x.i {
			return i
		}
	}
	return 0
}

// LastRead is the number of the last op that reads an input.
func (b *Builder) LastRead(input int) int {
	last := 0
	for i := range b.line.ops {
		for _, x := range b.line.ops[i].in[:b.line.ops[i].n] {
			if x.at == inInput && x.i == input {
				last = i
			}
		}
	}
	return last
}

// Pairs combines values with their indices: y stays where it is better than x, or
// equal to it with a lower index, or x is NaN and y is not; of two NaNs the one with
// the lower index.
func (b *Builder) Pairs(better op.Op, d dtype.DType) {
	i32, boolean := dtype.Int32, dtype.Bool
	x, xi := b.Input(d), b.Input(i32)
	y, yi := b.Input(d), b.Input(i32)
	lower := b.Apply(op.Lt, i32, yi, xi)
	take := b.Apply(op.Or, boolean, b.Apply(better, d, y, x), b.Apply(op.And, boolean, b.Apply(op.Eq, d, y, x), lower))
	if d.IsFloat() {
		xNaN, yNaN := b.Apply(op.Ne, d, x, x), b.Apply(op.Ne, d, y, y)
		take = b.Apply(op.Or, boolean, take, b.Apply(op.And, boolean, xNaN, b.Apply(op.Not, boolean, yNaN)))
		take = b.Apply(op.Or, boolean, take, b.Apply(op.And, boolean, b.Apply(op.And, boolean, xNaN, yNaN), lower))
	}
	b.OutputsLast([]Lane{b.Apply(op.Where, d, take, y, x), b.Apply(op.Where, i32, take, yi, xi)})
}
