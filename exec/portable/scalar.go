package portable

import (
	"math"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// scalar lowers an elementwise op on registers, of scalars or of splats.
func (c *compiler) scalar(v *ir.Value) {
	args := make([]int, len(v.Args))
	for i, a := range v.Args {
		args[i] = c.place(a).reg
	}
	z := c.inReg(v).reg
	if v.CanFail() {
		y := args[1]
		c.emit(func(w *Worker) bool { return w.regs[y] != 0 || w.fail(v, 0, 0) })
	}
	c.emit(scalarStep(v, z, args))
}

// scalarStep computes register z from registers.
func scalarStep(v *ir.Value, z int, args []int) step {
	d, from := lanesOf(v.Type.D), dtype.Invalid
	if len(args) > 0 {
		from = lanesOf(v.Args[len(args)-1].Type.D)
	}
	x := args[0]
	switch v.Op {
	case op.Cast, op.CastRTZ:
		rtz := v.Op == op.CastRTZ
		return func(w *Worker) bool {
			w.regs[z] = dtype.Convert(d, from, w.regs[x], rtz)
			return true
		}
	case op.Bitcast:
		return func(w *Worker) bool { w.regs[z] = dtype.Bitcast(d, from, w.regs[x]); return true }
	case op.Where:
		y, e := args[1], args[2]
		return func(w *Worker) bool {
			if w.regs[x] != 0 {
				w.regs[z] = w.regs[y]
			} else {
				w.regs[z] = w.regs[e]
			}
			return true
		}
	}
	o := v.Op
	if o == ir.PtrAdd {
		o = op.Add
	}
	if len(args) == 2 {
		if f := common(o, from); f != nil {
			y := args[1]
			return func(w *Worker) bool { w.regs[z] = f(w.regs[x], w.regs[y]); return true }
		}
	}
	in := append([]int(nil), args...)
	return func(w *Worker) bool {
		for i, r := range in {
			w.set(i, from, w.regs[r])
		}
		w.regs[z] = w.lane(o, from, len(in))
		return true
	}
}

// common is an op on two bit patterns of type d, if it is one of those that Go's
// scalars are made of: the meaning is op's, and tested against it.
func common(o op.Op, d dtype.DType) func(x, y uint64) uint64 {
	switch d {
	case dtype.Int64:
		return commonInt[o]
	case dtype.Float64:
		return commonFloat[o]
	}
	return nil
}

var commonInt = map[op.Op]func(x, y uint64) uint64{
	op.Add: func(x, y uint64) uint64 { return x + y },
	op.Sub: func(x, y uint64) uint64 { return x - y },
	op.Mul: func(x, y uint64) uint64 { return x * y },
	op.And: func(x, y uint64) uint64 { return x & y },
	op.Or:  func(x, y uint64) uint64 { return x | y },
	op.Xor: func(x, y uint64) uint64 { return x ^ y },
	op.Lt:  func(x, y uint64) uint64 { return truth(int64(x) < int64(y)) },
	op.Le:  func(x, y uint64) uint64 { return truth(int64(x) <= int64(y)) },
	op.Gt:  func(x, y uint64) uint64 { return truth(int64(x) > int64(y)) },
	op.Ge:  func(x, y uint64) uint64 { return truth(int64(x) >= int64(y)) },
	op.Eq:  func(x, y uint64) uint64 { return truth(x == y) },
	op.Ne:  func(x, y uint64) uint64 { return truth(x != y) },
	op.FloorDiv: func(x, y uint64) uint64 { // y is not 0
		return uint64(int64(x) / int64(y))
	},
	op.Mod:     func(x, y uint64) uint64 { return uint64(int64(x) % int64(y)) },
	op.Maximum: func(x, y uint64) uint64 { return uint64(max(int64(x), int64(y))) },
	op.Minimum: func(x, y uint64) uint64 { return uint64(min(int64(x), int64(y))) },
}

var commonFloat = map[op.Op]func(x, y uint64) uint64{
	op.Add: func(x, y uint64) uint64 { return bits64(float64of(x) + float64of(y)) },
	op.Sub: func(x, y uint64) uint64 { return bits64(float64of(x) - float64of(y)) },
	op.Mul: func(x, y uint64) uint64 { return bits64(float64of(x) * float64of(y)) },
	op.Div: func(x, y uint64) uint64 { return bits64(float64of(x) / float64of(y)) },
	op.Lt:  func(x, y uint64) uint64 { return truth(float64of(x) < float64of(y)) },
	op.Le:  func(x, y uint64) uint64 { return truth(float64of(x) <= float64of(y)) },
	op.Gt:  func(x, y uint64) uint64 { return truth(float64of(x) > float64of(y)) },
	op.Ge:  func(x, y uint64) uint64 { return truth(float64of(x) >= float64of(y)) },
	op.Eq:  func(x, y uint64) uint64 { return truth(float64of(x) == float64of(y)) },
	op.Ne:  func(x, y uint64) uint64 { return truth(float64of(x) != float64of(y)) },
}

func float64of(bits uint64) float64 { return math.Float64frombits(bits) }
func bits64(v float64) uint64       { return math.Float64bits(v) }

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// set puts a value of type d into the i-th single lane, where lane finds it.
func (w *Worker) set(i int, d dtype.DType, bits uint64) { w.single(i, d).SetBits(0, bits) }

// single is the i-th single lane as type d.
func (w *Worker) single(i int, d dtype.DType) dtype.Buf {
	return dtype.RawBuf(d, w.one[i].Pointer(), 1)
}

// lane is an elementwise op on the first n single lanes, which have type d.
func (w *Worker) lane(o op.Op, d dtype.DType, n int) uint64 {
	row := o.Row()
	if !row.Has(d) { // a narrow float
		for i := range n {
			w.set(i, dtype.Float32, dtype.Convert(dtype.Float32, d, w.single(i, d).Bits(0), false))
		}
		z := w.lane(o, dtype.Float32, n)
		if o.IsCompare() {
			return z
		}
		return dtype.Convert(d, dtype.Float32, z, false)
	}
	z := w.single(4, o.Result(d))
	if p := row.Progs[d]; p != nil {
		for i := range n {
			w.args4[i] = w.single(i, d)
		}
		p.Run(z, w.args4[:n]...)
		return z.Bits(0)
	}
	row.Loops[d](z, w.single(0, d), w.single(1, d), w.single(2, d))
	return z.Bits(0)
}

// fits checks that an int64 fits a narrower integer.
func (c *compiler) fits(v *ir.Value) {
	d, x, z := v.Type.D, c.place(v.Args[0]).reg, c.inReg(v).reg
	c.emit(func(w *Worker) bool {
		n := int64(w.regs[x])
		if !d.FitsInt(n) {
			return w.fail(v, 0, n)
		}
		w.regs[z] = dtype.FromInt(d, n, false)
		return true
	})
}
