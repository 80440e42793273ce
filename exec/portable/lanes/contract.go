package lanes

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/op/primitive"
)

// contract makes one op of each polynomial: a chain of fused steps with constant
// addends, whose intermediate results nothing else reads.
func (b *Builder) contract() {
	ops := b.line.ops
	reads := make([]int, b.n)
	barrier := make([]bool, len(ops)+1) // a hint's skip ends before this op
	for i := range ops {
		for _, x := range ops[i].in[:ops[i].n] {
			if x.at == inSlot {
				reads[x.i]++
			}
		}
		if ops[i].hint {
			barrier[i+1+ops[i].skip] = true
		}
	}
	moved := make([]int, len(ops)+1) // where ops come to lie
	var out []laneOp
	for i := 0; i < len(ops); {
		moved[i] = len(out)
		n, c := b.chain(ops[i:], barrier[i:], reads)
		if n < 2 {
			out = append(out, ops[i])
			i++
			continue
		}
		for k := range n {
			moved[i+k] = len(out)
		}
		out = append(out, laneOp{loop: horner(c), z: ops[i+n-1].z, in: [3]Lane{ops[i].in[1]}, n: 1})
		i += n
	}
	moved[len(ops)] = len(out)
	for i := range ops {
		if ops[i].hint {
			at := moved[i]
			out[at].skip = moved[i+1+ops[i].skip] - at - 1
		}
	}
	b.line.ops = out
}

// chain is how many ops, the first of ops on, are a polynomial in one operand, and
// its coefficients.
func (b *Builder) chain(ops []laneOp, barrier []bool, reads []int) (n int, c []float64) {
	const most = 16 // coefficients that Horner32 takes
	for i := range ops {
		o := &ops[i]
		if o.o != op.FMA || o.d != dtype.Float32 || len(c) == most {
			break
		}
		k, ok := b.coefficient(o.in[2])
		if !ok {
			break
		}
		if i == 0 {
			first, ok := b.coefficient(o.in[0])
			if !ok || o.in[1].at == inSplat {
				break
			}
			c = append(c, first)
		} else if prev := ops[i-1].z; o.in[0] != prev || o.in[1] != ops[0].in[1] || prev.at != inSlot || reads[prev.i] != 1 || barrier[i] {
			break
		}
		c = append(c, k)
		n++
	}
	return n, c
}

// coefficient is the value of a constant that Horner32 takes.
func (b *Builder) coefficient(x Lane) (float64, bool) {
	if x.at != inSplat {
		return 0, false
	}
	v := dtype.ToFloat(dtype.Float32, b.needs.constants[x.i].bits)
	return v, math.Abs(v) >= 0x1p-40 && math.Abs(v) <= 0x1p40
}

// horner is the loop of a polynomial.
func horner(c []float64) op.Loop {
	return func(z, x, _, _ dtype.Buf) {
		primitive.Horner32(dtype.View[float32](z), dtype.View[float32](x), c)
	}
}

// Finish gives slots their final numbers, from first on: a slot is used again once
// its lanes are no longer read.
func (b *Builder) Finish(first int) *Line {
	b.contract()
	l := b.line
	last := make([]int, b.n)
	for i := range l.ops {
		for k := range l.ops[i].n {
			if x := l.ops[i].in[k]; x.at == inSlot {
				last[x.i] = i
			}
		}
	}
	final := make([]int, b.n)
	var free []int
	next := first
	for i := range l.ops {
		o := &l.ops[i]
		if o.z.at == inSlot {
			v := o.z.i
			if k := len(free); k > 0 {
				final[v], free = free[k-1], free[:k-1]
			} else {
				final[v] = next
				next++
			}
			o.z.i = final[v]
			if last[v] <= i { // never read
				free = append(free, final[v])
			}
		}
		for k := range o.n {
			if x := o.in[k]; x.at == inSlot {
				o.in[k].i = final[x.i]
				if last[x.i] == i {
					last[x.i] = -1 // once
					free = append(free, final[x.i])
				}
			}
		}
	}
	l.Slots = next
	b.needs.AtLeast(next)
	b.needs.bound = max(b.needs.bound, l.Inputs+len(l.outputs))
	return l
}
