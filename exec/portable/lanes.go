package portable

import (
	"fmt"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// lanes is a line of elementwise ops over a chunk of lanes: what a group of tiles, or
// the function of a reduction, is made of. It reads inputs, writes outputs and keeps
// what lies between in slots.
type lanes struct {
	ops     []laneOp
	inputs  int
	outputs []dtype.DType
	slots   int
}

// A laneOp is one loop, or none: where in[0] holds in no lane, a hint leaves out the
// ops that follow.
type laneOp struct {
	o     op.Op       // what it carries out on operands of type d, if it is one op
	d     dtype.DType //
	loop  op.Loop
	z     lane
	in    [3]lane
	n     int      // operands
	hint  bool     // no loop: a skip
	skip  int      // how many ops a hint may leave out
	table []uint64 // of a lookup
}

// A lane is where an operand or result lies.
type lane struct {
	at laneAt
	i  int
	d  dtype.DType
}

type laneAt uint8

const (
	nowhere laneAt = iota
	inSlot         // scratch slot i
	inInput        // input i
	inOutput
	inSplat // constant i
)

// buf is n lanes at l. Inputs and outputs are bound in w.
func (w *Worker) buf(l lane, inputs, n int) dtype.Buf {
	switch l.at {
	case inSlot:
		return dtype.RawBuf(l.d, w.slots[l.i].Pointer(), n)
	case inInput:
		return w.bound[l.i].Slice(0, n)
	case inOutput:
		return w.bound[inputs+l.i].Slice(0, n)
	case inSplat:
		return w.splats[l.i].Slice(0, n)
	}
	return dtype.Buf{}
}

// run carries out the ops on n lanes, at most a chunk if there are slots or
// constants. The caller has bound the inputs, then the outputs, in w.bound.
func (l *lanes) run(w *Worker, n int) {
	for i := 0; i < len(l.ops); i++ {
		o := &l.ops[i]
		switch {
		case o.hint:
			if !anyTrue(dtype.View[uint8](w.buf(o.in[0], l.inputs, n))) {
				i += o.skip
			}
		case o.table != nil:
			lookup(w.buf(o.z, l.inputs, n), w.buf(o.in[0], l.inputs, n), o.table)
		default:
			var in [3]dtype.Buf
			for k := range o.n {
				in[k] = w.buf(o.in[k], l.inputs, n)
			}
			o.loop(w.buf(o.z, l.inputs, n), in[0], in[1], in[2])
		}
	}
}

func anyTrue(b []uint8) bool {
	for _, v := range b {
		if v != 0 {
			return true
		}
	}
	return false
}

func lookup(z, index dtype.Buf, table []uint64) {
	for i := range z.Len() {
		z.SetBits(i, table[index.Bits(i)&uint64(len(table)-1)])
	}
}

func copyLanes(z, x, _, _ dtype.Buf) { copy(z.Bytes(), x.Bytes()) }

// lanesBuilder appends ops to a line. Until finish, results are in slots that are
// numbered apart and never reused.
type lanesBuilder struct {
	c *compiler
	l *lanes
	n int // slots so far
}

func (c *compiler) newLanes() *lanesBuilder { return &lanesBuilder{c: c, l: &lanes{}} }

// input is the next input.
func (b *lanesBuilder) input(d dtype.DType) lane {
	b.l.inputs++
	return lane{inInput, b.l.inputs - 1, d}
}

func (b *lanesBuilder) temp(d dtype.DType) lane {
	b.n++
	return lane{inSlot, b.n - 1, d}
}

func (b *lanesBuilder) splat(d dtype.DType, bits uint64) lane {
	return lane{inSplat, b.c.splat(d, bits), d}
}

func (b *lanesBuilder) emit(loop op.Loop, z dtype.DType, in ...lane) lane {
	o := laneOp{loop: loop, z: b.temp(z), n: len(in)}
	copy(o.in[:], in)
	b.l.ops = append(b.l.ops, o)
	return o.z
}

// primitive is an op that has a loop for type d.
func (b *lanesBuilder) primitive(o op.Op, d dtype.DType, in ...lane) lane {
	z := b.emit(o.Row().Loops[d], o.Result(d), in...)
	last := &b.l.ops[len(b.l.ops)-1]
	last.o, last.d = o, d
	return z
}

// apply is an elementwise op on operands of type d.
func (b *lanesBuilder) apply(o op.Op, d dtype.DType, in ...lane) lane {
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
	wide := make([]lane, len(in))
	for i, x := range in {
		wide[i] = b.cast(dtype.Float32, x)
	}
	z := b.apply(o, dtype.Float32, wide...)
	if o.IsCompare() {
		return z
	}
	return b.cast(d, z)
}

// cast converts lanes. A narrow float goes through float32, which is exact.
func (b *lanesBuilder) cast(to dtype.DType, x lane) lane {
	if x.d.IsNarrow() && to != x.d && to != dtype.Float32 {
		x = b.cast(dtype.Float32, x)
	}
	return b.emit(op.CastLoop(to, x.d), to, x)
}

// bits reads lanes as another type of the same width.
func (b *lanesBuilder) bits(to dtype.DType, x lane) lane { return b.emit(copyLanes, to, x) }

// program appends the instructions of a math function.
func (b *lanesBuilder) program(p *op.Prog, in []lane) lane {
	at := make([]lane, len(p.In)+len(p.Body))
	copy(at, in)
	type hint struct{ op, end int }
	var hints []hint // skips whose end is the first op at or after instruction end
	for i := range p.Body {
		for k := range hints {
			if hints[k].end == i {
				b.l.ops[hints[k].op].skip = len(b.l.ops) - hints[k].op - 1
			}
		}
		inst := &p.Body[i]
		args := make([]lane, inst.Op.Row().Arity)
		for k := range args {
			args[k] = at[inst.Args[k]]
		}
		switch inst.Op {
		case op.SkipUnless:
			hints = append(hints, hint{len(b.l.ops), i + 1 + int(inst.Bits)})
			b.l.ops = append(b.l.ops, laneOp{in: [3]lane{args[0]}, n: 1, hint: true})
		case op.Const:
			at[len(p.In)+i] = b.splat(inst.Type, inst.Bits)
		case op.Lookup:
			at[len(p.In)+i] = b.emit(nil, inst.Type, args...)
			b.l.ops[len(b.l.ops)-1].table = inst.Table
		case op.Cast:
			at[len(p.In)+i] = b.cast(inst.Type, args[0])
		case op.Bitcast:
			at[len(p.In)+i] = b.bits(inst.Type, args[0])
		default:
			at[len(p.In)+i] = b.primitive(inst.Op, inst.D, args...)
		}
	}
	for _, h := range hints {
		if h.end >= len(p.Body) {
			b.l.ops[h.op].skip = len(b.l.ops) - h.op - 1
		}
	}
	return at[p.Out]
}

// output makes x the next output. It is written where it is computed, if it is
// computed here and not an output already; otherwise it is copied.
func (b *lanesBuilder) output(x lane) {
	z := lane{inOutput, len(b.l.outputs), x.d}
	b.l.outputs = append(b.l.outputs, x.d)
	if x.at == inSlot {
		b.rename(x, z)
		return
	}
	b.emit(copyLanes, x.d, x)
	b.l.ops[len(b.l.ops)-1].z = z
}

// rename puts a result elsewhere.
func (b *lanesBuilder) rename(x, z lane) {
	for i := range b.l.ops {
		o := &b.l.ops[i]
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

// outputsLast makes xs the outputs, none of which is written before all are computed:
// what is written may be what was read.
func (b *lanesBuilder) outputsLast(xs []lane) {
	if len(xs) == 1 {
		b.output(xs[0])
		return
	}
	for i, x := range xs {
		if x.at != inSlot {
			xs[i] = b.emit(copyLanes, x.d, x)
		}
	}
	for i, x := range xs {
		b.emit(copyLanes, x.d, x)
		b.l.ops[len(b.l.ops)-1].z = lane{inOutput, i, x.d}
		b.l.outputs = append(b.l.outputs, x.d)
	}
}
