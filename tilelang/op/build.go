package op

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A builder writes programs: each method appends an instruction or a few and returns
// their value; what the math functions share is functions that write to one. Equal
// instructions are written once. Mistakes panic: programs are built from fixed code
// when the package starts, so a test run finds them all.
type builder struct {
	p    *Prog
	seen map[instKey]V
}

// V is a value of a program under construction.
type V struct{ n int }

type instKey struct {
	op     Op
	d, typ dtype.DType
	args   [3]int
	bits   uint64
}

// program builds a program with the given input types.
func program(in []dtype.DType, body func(b *builder, in []V) V) *Prog {
	b := &builder{p: &Prog{In: in}, seen: map[instKey]V{}}
	args := make([]V, len(in))
	for i := range in {
		args[i] = V{i}
	}
	b.p.Out = body(b, args).n
	if err := b.p.Verify(); err != nil {
		panic("op: " + err.Error())
	}
	return b.p
}

// program1 builds a program of one operand.
func program1(d dtype.DType, body func(b *builder, x V) V) *Prog {
	return program([]dtype.DType{d}, func(b *builder, in []V) V { return body(b, in[0]) })
}

// program2 builds a program of two operands of one type.
func program2(d dtype.DType, body func(b *builder, x, y V) V) *Prog {
	return program([]dtype.DType{d, d}, func(b *builder, in []V) V { return body(b, in[0], in[1]) })
}

func (b *builder) typ(v V) dtype.DType { return b.p.Type(v.n) }

func (b *builder) emit(in Inst, args ...V) V {
	for i, a := range args {
		in.Args[i] = a.n
	}
	key := instKey{in.Op, in.D, in.Type, in.Args, in.Bits}
	if in.Table == nil {
		if v, ok := b.seen[key]; ok {
			return v
		}
	}
	b.p.Body = append(b.p.Body, in)
	v := V{len(b.p.In) + len(b.p.Body) - 1}
	b.seen[key] = v
	return v
}

// do appends an elementwise primitive; all operands have the type of the last.
func (b *builder) do(o Op, args ...V) V {
	d := b.typ(args[len(args)-1])
	return b.emit(Inst{Op: o, D: d, Type: o.Result(d)}, args...)
}

func (b *builder) add(x, y V) V    { return b.do(Add, x, y) }
func (b *builder) sub(x, y V) V    { return b.do(Sub, x, y) }
func (b *builder) mul(x, y V) V    { return b.do(Mul, x, y) }
func (b *builder) div(x, y V) V    { return b.do(Div, x, y) }
func (b *builder) fma(x, y, w V) V { return b.do(FMA, x, y, w) }
func (b *builder) neg(x V) V       { return b.do(Neg, x) }
func (b *builder) abs(x V) V       { return b.do(Abs, x) }
func (b *builder) sqrt(x V) V      { return b.do(Sqrt, x) }
func (b *builder) trunc(x V) V     { return b.do(Trunc, x) }
func (b *builder) scale(x, n V) V  { return b.do(Scale, x, n) }
func (b *builder) and(x, y V) V    { return b.do(And, x, y) }
func (b *builder) or(x, y V) V     { return b.do(Or, x, y) }
func (b *builder) xor(x, y V) V    { return b.do(Xor, x, y) }
func (b *builder) shl(x, y V) V    { return b.do(Shl, x, y) }
func (b *builder) shr(x, y V) V    { return b.do(Shr, x, y) }
func (b *builder) not(x V) V       { return b.do(Not, x) }
func (b *builder) lt(x, y V) V     { return b.do(Lt, x, y) }
func (b *builder) eq(x, y V) V     { return b.do(Eq, x, y) }
func (b *builder) ne(x, y V) V     { return b.do(Ne, x, y) }
func (b *builder) umulhi(x, y V) V { return b.do(UMulHi, x, y) }

// where is x where cond holds and y elsewhere.
func (b *builder) where(cond, x, y V) V { return b.do(Where, cond, x, y) }

// cast and bits change the type of a value, or how its bits are read.
func (b *builder) cast(d dtype.DType, x V) V {
	if b.typ(x) == d {
		return x
	}
	return b.emit(Inst{Op: Cast, D: b.typ(x), Type: d}, x)
}

func (b *builder) bitcast(d dtype.DType, x V) V {
	return b.emit(Inst{Op: Bitcast, D: b.typ(x), Type: d}, x)
}

// lookup is table[index mod len(table)], entries given as bits of type d.
func (b *builder) lookup(d dtype.DType, index V, table []uint64) V {
	return b.emit(Inst{Op: Lookup, D: b.typ(index), Type: d, Table: table}, index)
}

// float is a constant of a float type, exact or rounded to it; integer one of an
// integer type, bits any bit pattern.
func (b *builder) float(d dtype.DType, v float64) V { return b.bits(d, dtype.FromFloat(d, v)) }

func (b *builder) integer(d dtype.DType, v int64) V {
	return b.bits(d, dtype.FromInt(d, v, false))
}

func (b *builder) bits(d dtype.DType, bits uint64) V {
	return b.emit(Inst{Op: Const, D: d, Type: d, Bits: bits})
}

// skipUnless makes the instructions that body appends skippable wherever cond is
// false in every lane; the caller must select by cond between their result and
// another.
func (b *builder) skipUnless(cond V, body func() V) V {
	at := len(b.p.Body)
	b.emit(Inst{Op: SkipUnless, D: dtype.Bool, Type: dtype.Bool, Bits: uint64(at)}, cond)
	outside := b.seen
	b.seen = map[instKey]V{}
	for k, v := range outside {
		b.seen[k] = v
	}
	v := body()
	b.seen = outside // values made inside may be missing outside
	b.p.Body[at].Bits = uint64(len(b.p.Body) - at - 1)
	return v
}

// inline appends another program's instructions, with args as its inputs.
func (b *builder) inline(p *Prog, args ...V) V {
	m := make([]V, len(p.In)+len(p.Body))
	copy(m, args)
	b.inlineRange(p, m, 0, len(p.Body))
	return m[p.Out]
}

// inlineRange appends instructions lo to hi of p; m maps p's values to b's.
func (b *builder) inlineRange(p *Prog, m []V, lo, hi int) {
	for i := lo; i < hi; i++ {
		in := p.Body[i]
		if in.Op == SkipUnless {
			end := i + 1 + int(in.Bits)
			b.skipUnless(m[in.Args[0]], func() V { b.inlineRange(p, m, i+1, end); return V{} })
			i = end - 1
			continue
		}
		var a []V
		for _, n := range in.Args[:in.Op.Row().Arity] {
			a = append(a, m[n])
		}
		in.Args = [3]int{}
		m[len(p.In)+i] = b.emit(in, a...)
	}
}

// poly is the polynomial with the given coefficients, from the constant up, by
// Horner's rule with fused steps.
func (b *builder) poly(x V, coeffs ...float64) V {
	d := b.typ(x)
	acc := b.float(d, coeffs[len(coeffs)-1])
	for i := len(coeffs) - 2; i >= 0; i-- {
		acc = b.fma(acc, x, b.float(d, coeffs[i]))
	}
	return acc
}

// special constants.
func (b *builder) inf(d dtype.DType) V { return b.float(d, math.Inf(1)) }
func (b *builder) nan(d dtype.DType) V { return b.float(d, math.NaN()) }
