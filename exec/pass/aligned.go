package pass

import (
	"math/bits"
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// aligned divides numbers that begin at a multiple of a power of two. Of kk = i*32 + arange(32), kk/128 is i*32/128
// everywhere, kk/2 is i*32/2 + arange(32)/2, and kk%2 is arange(32)%2: what is packed lies in rows, each element of
// which several lanes in turn read, and shifts become constants. Quotients are those of C, so that what is divided must
// not be negative.
func aligned(f *ir.Func) {
	a := &aligner{f: f, loops: map[*ir.Value]*ir.Value{}}
	var list []*ir.Value
	f.Values(func(v *ir.Value) {
		if v.Op == ir.For {
			a.loops[v.Blocks[0].Args[0]] = v
		} else if a.divisor(v) > 1 {
			list = append(list, v)
		}
	})
	subst := map[*ir.Value]*ir.Value{}
	for _, v := range list {
		a.at, a.out = v, nil
		if w := a.divide(v.Args[0]); w != nil {
			insert(f, v, 0, a.out...)
			subst[v] = w
		}
	}
	f.Replace(subst)
	f.Walk(func(b *ir.Block) {
		b.Values = slices.DeleteFunc(b.Values, func(v *ir.Value) bool { return subst[v] != nil })
	})
}

// aligner writes quotients and remainders.
type aligner struct {
	f     *ir.Func
	loops map[*ir.Value]*ir.Value // by their indices
	at    *ir.Value               // the quotient or remainder at hand
	out   []*ir.Value             // what goes ahead of it
}

// divisor is what a tile is divided by, 0 if it is not, or not by one constant.
func (a *aligner) divisor(v *ir.Value) int64 {
	if !v.Type.IsTile() || len(v.Args) != 2 || constBehind(v.Args[1]) == nil {
		return 0
	}
	n := dtype.ToInt(v.Type.D, constBehind(v.Args[1]).Bits)
	switch {
	case v.Op == op.FloorDiv || v.Op == op.Mod:
		return n
	case v.Op == op.Shr && n < 31:
		return 1 << max(0, n)
	case v.Op == op.And && n > 0 && n&(n+1) == 0:
		return n + 1
	}
	return 0
}

// divide is x divided, as the value at hand is, nil if it does not begin at a multiple.
func (a *aligner) divide(x *ir.Value) *ir.Value {
	if ir.Family(x.Op) == op.Shape && len(x.Args) == 1 && x.Args[0].Type.IsTile() {
		y := a.divide(x.Args[0])
		if y == nil {
			return nil
		}
		z := a.add(x.Op, x.Type, y)
		z.Attr = x.Attr
		return z
	}
	if x.Op != op.Add {
		return nil
	}
	for i, s := range x.Args {
		if b := behind(s); b != nil && a.bitsOf(b, 0) < x.Type.D.Bits() {
			if z := a.sum(x.Type, b, x.Args[1-i]); z != nil {
				return z
			}
		}
	}
	return nil
}

// sum divides base + rest, of which base is not negative.
func (a *aligner) sum(t ir.Type, base, rest *ir.Value) *ir.Value {
	by, zeros := a.divisor(a.at), a.zerosOf(base, 0)
	common := min(zeros, bits.TrailingZeros64(uint64(by))) // rest stays below a power of two that divides both
	quotient := a.at.Op == op.FloorDiv || a.at.Op == op.Shr
	start := func() *ir.Value {
		return a.add(op.Broadcast, t, a.add(a.at.Op, base.Type, base, a.operand(base.Type)))
	}
	switch {
	case affine.Between(rest, 0, 1<<common-1) && quotient:
		return start()
	case affine.Between(rest, 0, 1<<common-1):
		return a.add(op.Add, t, start(), rest)
	case by != 1<<common || !affine.Between(rest, 0, 1<<zeros-1): // the sum might wrap
		return nil
	}
	z := a.add(a.at.Op, t, rest, a.add(op.Broadcast, t, a.operand(t.Elem())))
	if quotient {
		z = a.add(op.Add, t, start(), z)
	}
	return z
}

// operand is the constant that the value at hand divides by, shifts by, or masks with.
func (a *aligner) operand(t ir.Type) *ir.Value {
	z := a.add(op.Const, t)
	z.Bits = constBehind(a.at.Args[1]).Bits
	return z
}

func (a *aligner) add(o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	v := a.f.NewValue(o, t, a.at.Pos, args...)
	a.out = append(a.out, v)
	return v
}

// mostSummands is how deep operands are looked at.
const mostSummands = 8

// zerosOf is how many of v's lowest bits are known to be zero, 30 at most.
func (a *aligner) zerosOf(v *ir.Value, depth int) int {
	if depth > mostSummands {
		return 0
	}
	of := func(i int) int { return a.zerosOf(v.Args[i], depth+1) }
	switch loop := a.loops[v]; {
	case v.Op == op.Const:
		return min(30, bits.TrailingZeros64(v.Bits))
	case loop != nil:
		return min(a.zerosOf(loop.Args[0], depth+1), bits.TrailingZeros64(uint64(loop.Index)))
	case v.Op == op.Mul:
		return min(30, of(0)+of(1))
	case v.Op == op.Add || v.Op == op.Sub:
		return min(of(0), of(1))
	case v.Op == ir.Fits, v.Op == op.Cast && v.Args[0].Type.D.IsInt() && v.Type.D.Bits() >= 32:
		return of(0)
	}
	return 0
}

// The index of a loop with a step up to longestStep stays below 2^indexBits, however long anybody waits.
const (
	longestStep = 1 << 10
	indexBits   = 54
)

// bitsOf is the number of bits that v's values take, none of which is negative, and 64 if that is not known.
func (a *aligner) bitsOf(v *ir.Value, depth int) int {
	if depth > mostSummands || !v.Type.D.IsInt() {
		return 64
	}
	n := 64
	of := func(i int) int { return a.bitsOf(v.Args[i], depth+1) }
	switch loop := a.loops[v]; {
	case v.Op == op.Const:
		n = bits.Len64(v.Bits)
	case v.Op == op.ProgramID || v.Op == op.NumPrograms:
		n = 31
	case loop != nil && loop.Args[0].Op == op.Const && loop.Index > 0 && loop.Index <= longestStep:
		n = max(indexBits, a.bitsOf(loop.Args[0], depth+1))
	case v.Op == op.Mul:
		n = of(0) + of(1)
	case v.Op == op.Add:
		n = max(of(0), of(1)) + 1
	case v.Op == ir.Fits && of(0) < 64:
		n = min(of(0), v.Type.D.Bits()-1)
	case v.Op == op.Cast:
		n = of(0)
	}
	if n >= v.Type.D.Bits() {
		return 64
	}
	return n
}
