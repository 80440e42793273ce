package lanes

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Line is a line of elementwise ops over a chunk of lanes: what a group of tiles, or
// the function of a reduction, is made of. It reads inputs, writes outputs and keeps
// what lies between in slots.
type Line struct {
	ops     []laneOp
	Inputs  int
	outputs []dtype.DType
	Slots   int
}

// A laneOp is one loop, or none: where in[0] holds in no lane, a hint leaves out the
// ops that follow.
type laneOp struct {
	o     op.Op       // what it carries out on operands of type d, if it is one op
	d     dtype.DType //
	loop  op.Loop
	z     Lane
	in    [3]Lane
	n     int      // operands
	hint  bool     // no loop: a skip
	skip  int      // how many ops a hint may leave out
	table []uint64 // of a lookup
}

// A Lane is where an operand or result lies.
type Lane struct {
	at laneAt
	i  int
	D  dtype.DType
}

type laneAt uint8

const (
	nowhere laneAt = iota
	inSlot         // scratch slot i
	inInput        // input i
	inOutput
	inSplat // constant i
)

// ConstantLane is constant i, of type d.
func ConstantLane(d dtype.DType, i int) Lane { return Lane{inSplat, i, d} }

// Run carries out the ops on n lanes, at most a chunk if there are slots or
// constants. The caller has bound the inputs, then the outputs, in r.
func (l *Line) Run(r *Room, n int) {
	for i := 0; i < len(l.ops); i++ {
		o := &l.ops[i]
		switch {
		case o.hint:
			if !anyTrue(dtype.View[uint8](r.buf(o.in[0], l.Inputs, n))) {
				i += o.skip
			}
		case o.table != nil:
			lookup(r.buf(o.z, l.Inputs, n), r.buf(o.in[0], l.Inputs, n), o.table)
		default:
			var in [3]dtype.Buf
			for k := range o.n {
				in[k] = r.buf(o.in[k], l.Inputs, n)
			}
			o.loop(r.buf(o.z, l.Inputs, n), in[0], in[1], in[2])
		}
	}
}

// Unbounded reports whether the line runs on any number of lanes: it is one op, with neither slots nor
// constants, of which there is only a chunk.
func (l *Line) Unbounded() bool {
	if l.Slots > 0 || len(l.ops) != 1 {
		return false
	}
	for _, x := range l.ops[0].in[:l.ops[0].n] {
		if x.at == inSplat {
			return false
		}
	}
	return true
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
