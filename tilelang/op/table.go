package op

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op/primitive"
)

// Table has one row per op, indexed by Op. Tests prove that no row is missing, nor
// any cell an engine needs.
var Table [NumOps]Row

type entry struct {
	op Op
	Row
}

func init() {
	for _, rows := range [][]entry{binaryRows(), unaryRows(), randomRows(), primitiveRows(), changeRows, creationRows, axisRows, memoryRows, effectRows} {
		for _, r := range rows {
			Table[r.op] = r.Row
		}
	}
	// Programs are built from primitive rows, and so after them.
	for o, progs := range mathPrograms() {
		Table[o].Progs = progs
	}
	for o, progs := range randomPrograms() {
		Table[o].Progs = progs
	}
}

func binaryRows() []entry {
	e := Elementwise
	return []entry{
		{Add, Row{"add", "x.Add(y)", "x + y", "Sum; integers wrap, a pointer moves by elements.", 2, e, Any, dtype.Arith, Never, None, primitive.Add(), progs{}}},
		{Sub, Row{"sub", "x.Sub(y)", "x - y", "Difference; integers wrap.", 2, e, Any, dtype.Arith, Never, None, primitive.Sub(), progs{}}},
		{Mul, Row{"mul", "x.Mul(y)", "x * y", "Product; integers wrap.", 2, e, Any, dtype.Arith, Never, None, primitive.Mul(), progs{}}},
		{Div, Row{"div", "x.Div(y)", "x / y", "Quotient, correctly rounded; integers are divided as float32.", 2, e, Floats, dtype.Divide, Never, None, primitive.Div(), progs{}}},
		{FloorDiv, Row{"floordiv", "x.FloorDiv(y)", "x // y", "Integer quotient, truncated toward zero as in C; a zero divisor is an error.", 2, e, IntsB, dtype.FloorDiv, DivideByZero, None, primitive.FloorDiv(), progs{}}},
		{Mod, Row{"mod", "x.Mod(y)", "x % y", "Remainder with the sign of x, as in C; exact for floats; a zero integer divisor is an error.", 2, e, Any, dtype.Modulo, DivideByZero, None, primitive.Mod(), progs{}}},
		{And, Row{"and", "x.And(y)", "x & y", "Bitwise and; logical on bools.", 2, e, IntsB, dtype.Bitwise, Never, None, primitive.And(), progs{}}},
		{Or, Row{"or", "x.Or(y)", "x | y", "Bitwise or; logical on bools.", 2, e, IntsB, dtype.Bitwise, Never, None, primitive.Or(), progs{}}},
		{Xor, Row{"xor", "x.Xor(y)", "x ^ y", "Bitwise exclusive or; logical on bools.", 2, e, IntsB, dtype.Bitwise, Never, None, primitive.Xor(), progs{}}},
		{Shl, Row{"shl", "x.Shl(y)", "x << y", "Shift left; a count of the width or more, or a negative one, gives 0.", 2, e, IntsB, dtype.Bitwise, Never, None, primitive.Shl(), progs{}}},
		{Shr, Row{"shr", "x.Shr(y)", "x >> y", "Shift right, arithmetic if x was signed before promotion; a count of the width or more gives 0 or the sign.", 2, e, IntsB, dtype.Bitwise, Never, None, primitive.Shr(), progs{}}},
		{Lt, Row{"lt", "x.Lt(y)", "x < y", "Less than; false if either is NaN.", 2, e, Any, dtype.Compare, Never, None, primitive.Lt(), progs{}}},
		{Le, Row{"le", "x.Le(y)", "x <= y", "Less or equal; false if either is NaN.", 2, e, Any, dtype.Compare, Never, None, primitive.Le(), progs{}}},
		{Gt, Row{"gt", "x.Gt(y)", "x > y", "Greater than; false if either is NaN.", 2, e, Any, dtype.Compare, Never, None, primitive.Gt(), progs{}}},
		{Ge, Row{"ge", "x.Ge(y)", "x >= y", "Greater or equal; false if either is NaN.", 2, e, Any, dtype.Compare, Never, None, primitive.Ge(), progs{}}},
		{Eq, Row{"eq", "x.Eq(y)", "x == y", "Equal; false if either is NaN; -0 equals +0.", 2, e, Any, dtype.Compare, Never, None, primitive.Eq(), progs{}}},
		{Ne, Row{"ne", "x.Ne(y)", "x != y", "Not equal; true if either is NaN.", 2, e, Any, dtype.Compare, Never, None, primitive.Ne(), progs{}}},
		{Maximum, Row{"maximum", "tl.Maximum(x, y)", "tl.maximum(x, y)", "The greater; a number wins over NaN, and +0 over -0.", 2, e, Any, dtype.Extremum, Never, None, primitive.Maximum(), progs{}}},
		{Minimum, Row{"minimum", "tl.Minimum(x, y)", "tl.minimum(x, y)", "The lesser; a number wins over NaN, and -0 over +0.", 2, e, Any, dtype.Extremum, Never, None, primitive.Minimum(), progs{}}},
		{MaximumNaN, Row{"maximum_nan", "tl.Maximum(x, y, tl.PropagateNaN)", "tl.maximum(x, y, PropagateNan.ALL)", "The greater, or NaN if either is.", 2, e, Any, dtype.Extremum, Never, None, primitive.MaximumNaN(), progs{}}},
		{MinimumNaN, Row{"minimum_nan", "tl.Minimum(x, y, tl.PropagateNaN)", "tl.minimum(x, y, PropagateNan.ALL)", "The lesser, or NaN if either is.", 2, e, Any, dtype.Extremum, Never, None, primitive.MinimumNaN(), progs{}}},
		{UMulHi, Row{"umulhi", "tl.UMulHi(x, y)", "tl.umulhi(x, y)", "High half of the unsigned product, 32 or 64 bits.", 2, e, Wide, dtype.Arith, Never, None, primitive.UMulHi(), progs{}}},
		{Where, Row{"where", "tl.Where(c, x, y)", "tl.where(c, x, y)", "x where c holds, y elsewhere; both are computed.", 3, e, Any, dtype.Arith, Never, None, primitive.Where(), progs{}}},
		{FMA, Row{"fma", "tl.FMA(x, y, z)", "tl.fma(x, y, z)", "x*y + z rounded once.", 3, e, Floats, dtype.Arith, Never, None, primitive.FMA(), progs{}}},
		{Pow, Row{"pow", "tl.Pow(x, y)", "libdevice.pow(x, y)", "x to the power y.", 2, e, Floats, dtype.Arith, Never, None, loops{}, progs{}}},
		{Atan2, Row{"atan2", "tl.Atan2(y, x)", "libdevice.atan2(y, x)", "Angle of the point (x, y).", 2, e, Floats, dtype.Arith, Never, None, loops{}, progs{}}},
	}
}

func unaryRows() []entry {
	e := Elementwise
	return []entry{
		{Neg, Row{"neg", "x.Neg()", "-x", "Negation; a float's sign is flipped, also of zero.", 1, e, Any, dtype.Arith, Never, None, primitive.Neg(), progs{}}},
		{Not, Row{"not", "x.Not()", "~x", "Complement of all bits; logical on bools.", 1, e, IntsB, dtype.Bitwise, Never, None, primitive.Not(), progs{}}},
		{Abs, Row{"abs", "tl.Abs(x)", "tl.abs(x)", "Absolute value; the least integer stays itself.", 1, e, Any, dtype.Arith, Never, None, primitive.Abs(), progs{}}},
		{Floor, Row{"floor", "tl.Floor(x)", "tl.floor(x)", "Greatest integer not above x.", 1, e, Floats, dtype.Arith, Never, None, primitive.Floor(), progs{}}},
		{Ceil, Row{"ceil", "tl.Ceil(x)", "tl.ceil(x)", "Least integer not below x.", 1, e, Floats, dtype.Arith, Never, None, primitive.Ceil(), progs{}}},
		{Rint, Row{"rint", "tl.Rint(x)", "libdevice.rint(x)", "Nearest integer, ties to even.", 1, e, Floats, dtype.Arith, Never, None, primitive.Rint(), progs{}}},
		{Trunc, Row{"trunc", "tl.Trunc(x)", "libdevice.trunc(x)", "Integer part, toward zero.", 1, e, Floats, dtype.Arith, Never, None, primitive.Trunc(), progs{}}},
		math1(Round, "round", "Round", "libdevice.round", "Nearest integer, ties away from zero."),
		{Sqrt, Row{"sqrt", "tl.Sqrt(x)", "tl.sqrt(x)", "Square root, correctly rounded.", 1, e, Floats, dtype.Arith, Never, None, primitive.Sqrt(), progs{}}},
		math1(Rsqrt, "rsqrt", "Rsqrt", "tl.rsqrt", "1 / sqrt(x)."),
		math1(Exp, "exp", "Exp", "tl.exp", "e to the x."),
		math1(Exp2, "exp2", "Exp2", "tl.exp2", "2 to the x."),
		math1(Expm1, "expm1", "Expm1", "libdevice.expm1", "e to the x, minus 1, exact near 0."),
		math1(Log, "log", "Log", "tl.log", "Natural logarithm."),
		math1(Log2, "log2", "Log2", "tl.log2", "Logarithm to base 2."),
		math1(Log1p, "log1p", "Log1p", "libdevice.log1p", "Logarithm of 1 + x, exact near 0."),
		math1(Sin, "sin", "Sin", "tl.sin", "Sine, accurate for any argument."),
		math1(Cos, "cos", "Cos", "tl.cos", "Cosine, accurate for any argument."),
		math1(Tan, "tan", "Tan", "libdevice.tan", "Tangent, accurate for any argument."),
		math1(Asin, "asin", "Asin", "libdevice.asin", "Arc sine."),
		math1(Acos, "acos", "Acos", "libdevice.acos", "Arc cosine."),
		math1(Atan, "atan", "Atan", "libdevice.atan", "Arc tangent."),
		math1(Tanh, "tanh", "Tanh", "libdevice.tanh", "Hyperbolic tangent."),
		math1(Erf, "erf", "Erf", "tl.erf", "Error function."),
		math1(Sigmoid, "sigmoid", "Sigmoid", "tl.sigmoid", "1 / (1 + exp(-x))."),
	}
}

// math1 is the row of a math function of one operand, whose meaning is a program.
func math1(o Op, name, goName, triton, doc string) entry {
	return entry{o, Row{name, "tl." + goName + "(x)", triton + "(x)", doc, 1, Elementwise, Floats, dtype.Arith, Never, None, loops{}, progs{}}}
}

func randomRows() []entry {
	u := SetOf(dtype.Uint32)
	row := func(o Op, name, goName, triton, doc string) entry {
		return entry{o, Row{name, goName, triton, doc, 4, Elementwise, u, dtype.Arith, Never, None, loops{}, progs{}}}
	}
	return []entry{
		row(RandInt, "randint", "tl.RandInt(seed, offset)", "tl.randint(seed, offset)", "32 random bits: Philox 4x32-10 of the offset under the seed."),
		row(RandInt1, "randint_1", "_, r, _, _ := tl.RandInt4x(seed, offset)", "tl.randint4x(seed, offset)[1]", "The second of Philox's four words."),
		row(RandInt2, "randint_2", "_, _, r, _ := tl.RandInt4x(seed, offset)", "tl.randint4x(seed, offset)[2]", "The third of Philox's four words."),
		row(RandInt3, "randint_3", "_, _, _, r := tl.RandInt4x(seed, offset)", "tl.randint4x(seed, offset)[3]", "The fourth of Philox's four words."),
		row(Rand, "rand", "tl.Rand(seed, offset)", "tl.rand(seed, offset)", "Uniform float32 in [0, 1)."),
		row(Randn, "randn", "tl.Randn(seed, offset)", "tl.randn(seed, offset)", "Standard normal float32."),
	}
}

// primitiveRows are the ops that only programs use.
func primitiveRows() []entry {
	p := Primitive
	return []entry{
		{Const, Row{"const", "", "", "A constant.", 0, p, Any, dtype.Arith, Never, None, loops{}, progs{}}},
		{Scale, Row{"scale", "", "", "x times 2 to the power y, an integer; rounded once.", 2, p, Floats, dtype.Arith, Never, None, primitive.Scale(), progs{}}},
		{Lookup, Row{"lookup", "", "", "Entry of a constant table.", 1, p, IntsB, dtype.Arith, Never, None, loops{}, progs{}}},
		{SkipUnless, Row{"skip_unless", "", "", "Hint: the next instructions serve only lanes where x holds.", 1, p, Bools, dtype.Arith, Never, None, loops{}, progs{}}},
	}
}

type (
	loops = primitive.Loops
	progs = [dtype.Count]*Prog
)

// plain is a row that engines implement by family rather than by loops.
func plain(o Op, name, goName, triton string, arity int, f Family, in Set, fails Failure, combine Op, doc string) entry {
	return entry{o, Row{Name: name, Go: goName, Triton: triton, Doc: doc, Arity: arity, Family: f, In: in, Fails: fails, Combine: combine}}
}

var changeRows = []entry{
	plain(Cast, "cast", "x.To(d)", "x.to(d)", 1, Change, Any, Never, None, "Value in another dtype, rounded once; floats saturate into integers and NaN becomes 0."),
	plain(CastRTZ, "cast_rtz", "x.To(d, tl.TowardZero)", `x.to(d, fp_downcast_rounding="rtz")`, 1, Change, Floats, Never, None, "Float in a narrower float, rounded toward zero."),
	plain(Bitcast, "bitcast", "x.Bitcast(d)", "x.to(d, bitcast=True)", 1, Change, Any, Never, None, "The same bits as another dtype of the same width; every NaN of a float shows the same bits."),
}

var creationRows = []entry{
	plain(Arange, "arange", "tl.Arange(lo, hi)", "tl.arange(lo, hi)", 0, Create, Any, Never, None, "int32 lo, lo+1, ... hi-1; of any length."),
	plain(Full, "full", "tl.Full(d, v, dims...)", "tl.full(dims, v, d)", 1, Create, Any, Never, None, "A tile of one value; without dims a scalar."),
	plain(Broadcast, "broadcast", "x.BroadcastTo(dims...)", "tl.broadcast_to(x, dims)", 1, Shape, Any, Never, None, "Repeats dimensions of size 1."),
	plain(Reshape, "reshape", "x.Reshape(dims...)", "tl.reshape(x, dims)", 1, Shape, Any, Never, None, "The same elements, row-major, in another shape; Col, Row and ExpandDims too."),
	plain(Permute, "permute", "x.Permute(axes...)", "tl.permute(x, axes)", 1, Shape, Any, Never, None, "Reorders the axes; T swaps the last two."),
	plain(Join, "join", "tl.Join(x, y)", "tl.join(x, y)", 2, Shape, Any, Never, None, "x and y side by side in a new last axis of size 2; Interleave merges it into the last."),
	plain(Split, "split", "tl.Split(x)", "tl.split(x)", 1, Shape, Any, Never, None, "The two halves of a last axis of size 2."),
	plain(Cat, "cat", "tl.Cat(axis, x, y, ...)", "tl.cat(x, y, dim=axis)", 2, Shape, Any, Never, None, "Tiles one after the other along an axis, in order."),
	plain(Flip, "flip", "tl.Flip(x, axis)", "tl.flip(x, axis)", 1, Shape, Any, Never, None, "Reverses an axis."),
}

var axisRows = []entry{
	plain(Sum, "sum", "tl.Sum(x, tl.Axis(a))", "tl.sum(x, a)", 1, Reducing, Any, Never, Add, "Sum along an axis, or of all; narrow integers sum in 32 bits, float16 and bfloat16 in float32, rounded once."),
	plain(Max, "max", "tl.Max(x, tl.Axis(a))", "tl.max(x, a)", 1, Reducing, Any, Never, Maximum, "Greatest element, of narrow integers as int32, of narrow floats as float32; NaN only if all are."),
	plain(Min, "min", "tl.Min(x, tl.Axis(a))", "tl.min(x, a)", 1, Reducing, Any, Never, Minimum, "Least element, of narrow integers as int32, of narrow floats as float32; NaN only if all are."),
	plain(ArgMax, "argmax", "tl.ArgMax(x, tl.Axis(a))", "tl.argmax(x, a)", 1, Reducing, Any, Never, Maximum, "int32 index of the greatest element, the first of equals."),
	plain(ArgMin, "argmin", "tl.ArgMin(x, tl.Axis(a))", "tl.argmin(x, a)", 1, Reducing, Any, Never, Minimum, "int32 index of the least element, the first of equals."),
	plain(MaxIndex, "max_index", "v, i := tl.MaxIndex(x, tl.Axis(a))", "tl.max(x, a, return_indices=True)", 1, Reducing, Any, Never, Maximum, "Greatest element and its int32 index."),
	plain(MinIndex, "min_index", "v, i := tl.MinIndex(x, tl.Axis(a))", "tl.min(x, a, return_indices=True)", 1, Reducing, Any, Never, Minimum, "Least element and its int32 index."),
	plain(XorSum, "xor_sum", "tl.XorSum(x, tl.Axis(a))", "tl.xor_sum(x, a)", 1, Reducing, IntsB, Never, Xor, "Exclusive or of all elements along an axis."),
	plain(OrSum, "or_sum", "tl.OrSum(x, tl.Axis(a))", "tl.reduce_or(x, a)", 1, Reducing, IntsB, Never, Or, "Or of all elements along an axis."),
	plain(Reduce, "reduce", "tl.Reduce(x, fn, tl.Axis(a))", "tl.reduce(x, a, fn)", 1, Reducing, Any, Never, None, "Reduction by an associative function of yours; Reduce2 and Reduce3 take tuples."),
	plain(CumSum, "cumsum", "tl.CumSum(x, tl.Axis(a))", "tl.cumsum(x, a)", 1, Scanning, Any, Never, Add, "Running sum; widens as Sum does, bfloat16 to float32."),
	plain(CumProd, "cumprod", "tl.CumProd(x, tl.Axis(a))", "tl.cumprod(x, a)", 1, Scanning, Any, Never, Mul, "Running product; keeps its dtype, bfloat16 becomes float32."),
	plain(Scan, "scan", "tl.Scan(x, fn, tl.Axis(a))", "tl.associative_scan(x, a, fn)", 1, Scanning, Any, Never, None, "Running value of an associative function of yours; Scan2 takes pairs."),
	plain(Sort, "sort", "tl.Sort(x)", "tl.sort(x)", 1, Ordering, Any, Never, None, "Sorts the last axis, stably; NaN last, first if tl.Descending."),
	plain(ArgSort, "argsort", "v, i := tl.ArgSort(x)", "", 1, Ordering, Any, Never, None, "Sort with the int32 index each element came from."),
	plain(TopK, "topk", "v, i := tl.TopK(x, k)", "tl.topk(x, k)", 1, Ordering, Any, Never, None, "The k greatest of the last axis, descending, and their int32 indices."),
	plain(Histogram, "histogram", "tl.Histogram(x, bins)", "tl.histogram(x, bins)", 1, Ordering, Ints, Never, None, "int32 counts of 0 ... bins-1; other values and masked-off lanes are dropped."),
	plain(Gather, "gather", "tl.Gather(x, index, axis)", "tl.gather(x, index, axis)", 2, Ordering, Any, OutOfBounds, None, "Elements of x picked along an axis; an index outside is an error."),
	plain(Dot, "dot", "tl.Dot(x, y)", "tl.dot(x, y)", 2, DotProduct, Any, Never, FMA, "Matrix product, two- or three-dimensional: for each element the chain acc = fma(x[m,k], y[k,n], acc), k ascending; with `tl.BF16Pairs` or `tl.BF16Tiles` that of hardware products by pairs or by tiles."),
}

var memoryRows = []entry{
	plain(Load, "load", "tl.Load(ptr, tl.Mask(m), tl.Other(v))", "tl.load(ptr, mask=m, other=v)", 1, Memory, Any, OutOfBounds, None, "Elements behind a pointer tile; a masked-off lane gives other, or 0."),
	plain(Store, "store", "tl.Store(ptr, v, tl.Mask(m))", "tl.store(ptr, v, mask=m)", 2, Memory, Any, OutOfBounds, None, "Writes v, cast to the dtype that ptr points to; of lanes with the same address the last wins."),
	atomic(AtomicAdd, "atomic_add", "AtomicAdd", Wide|SetOf(dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64), Add, "Adds v in memory"),
	atomic(AtomicMax, "atomic_max", "AtomicMax", Wide|SetOf(dtype.Float32, dtype.Float64), Maximum, "Keeps the greater in memory"),
	atomic(AtomicMin, "atomic_min", "AtomicMin", Wide|SetOf(dtype.Float32, dtype.Float64), Minimum, "Keeps the lesser in memory"),
	atomic(AtomicAnd, "atomic_and", "AtomicAnd", Wide, And, "Ands v into memory"),
	atomic(AtomicOr, "atomic_or", "AtomicOr", Wide, Or, "Ors v into memory"),
	atomic(AtomicXor, "atomic_xor", "AtomicXor", Wide, Xor, "Xors v into memory"),
	atomic(AtomicXchg, "atomic_xchg", "AtomicXchg", Wide|SetOf(dtype.Float32, dtype.Float64), None, "Puts v into memory"),
	plain(AtomicCAS, "atomic_cas", "tl.AtomicCAS(ptr, cmp, v)", "tl.atomic_cas(ptr, cmp, v)", 3, Atomic, Wide|SetOf(dtype.Float32, dtype.Float64), OutOfBounds, None, "Puts v into memory where the bits there equal cmp's; returns what was there."),
}

func atomic(o Op, name, goName string, in Set, combine Op, doc string) entry {
	return plain(o, name, "tl."+goName+"(ptr, v, tl.Mask(m))", "tl."+name+"(ptr, v, mask=m)", 2, Atomic, in, OutOfBounds, combine, doc+", one lane at a time in order; returns what was there.")
}

var effectRows = []entry{
	plain(ProgramID, "program_id", "p.ID(axis)", "tl.program_id(axis)", 0, Effect, Any, Never, None, "This instance's place on a grid axis, as a Go int."),
	plain(NumPrograms, "num_programs", "p.Num(axis)", "tl.num_programs(axis)", 0, Effect, Any, Never, None, "The grid's size on an axis, as a Go int."),
	plain(Print, "print", "p.Print(label, x, ...)", "tl.device_print(label, x)", 1, Effect, Any, Never, None, "Prints the values once, with the program id."),
	plain(Assert, "assert", "p.Assert(cond, label, x, ...)", "tl.device_assert(cond, label)", 1, Effect, Bools, Asserts, None, "Stops the launch where cond does not hold, in every engine."),
	plain(MultipleOf, "multiple_of", "tl.MultipleOf(x, n)", "tl.multiple_of(x, n)", 1, Effect, Any, Never, None, "x, with the promise that its first element is divisible by n; Check verifies it."),
	plain(MaxContiguous, "max_contiguous", "tl.MaxContiguous(x, n)", "tl.max_contiguous(x, n)", 1, Effect, Any, Never, None, "x, with the promise that runs of n ascend by one; Check verifies it."),
	plain(MaxConstancy, "max_constancy", "tl.MaxConstancy(x, n)", "tl.max_constancy(x, n)", 1, Effect, Any, Never, None, "x, with the promise that runs of n are equal; Check verifies it."),
	plain(Assume, "assume", "tl.Assume(cond)", "tl.assume(cond)", 1, Effect, Bools, Never, None, "The promise that cond holds; Check verifies it."),
}
