// Package op is the op table: one row per operation of the language, holding its
// name, arity, dtype rule, documentation and, for everything elementwise, its
// meaning.
//
// The meaning is executable and exists once. A primitive row has a loop per
// element type, from package primitive. A row such as Exp has
// a program instead: a straight line of primitive operations (argument reduction,
// polynomial, scaling), held as data. Eager tiles, constant folding and the
// portable engine run these loops and programs; the machine-code engine
// translates the same programs. So engines cannot disagree about what an operation
// means, only about how they carry it out, and that is compared bit by bit.
package op

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op/primitive"
)

// Op names an operation. The zero value is None.
type Op uint8

// The operations, by family. The order within a family is that of the language
// reference.
const (
	None Op = iota

	// Elementwise, of promoted operands.
	Add
	Sub
	Mul
	Div
	FloorDiv
	Mod
	And
	Or
	Xor
	Shl
	Shr
	Lt
	Le
	Gt
	Ge
	Eq
	Ne
	Maximum
	Minimum
	MaximumNaN
	MinimumNaN
	UMulHi
	Where
	FMA
	Pow
	Atan2

	// Elementwise, of one operand.
	Neg
	Not
	Abs
	Floor
	Ceil
	Rint
	Trunc
	Round
	Sqrt
	Rsqrt
	Exp
	Exp2
	Expm1
	Log
	Log2
	Log1p
	Sin
	Cos
	Tan
	Asin
	Acos
	Atan
	Tanh
	Erf
	Sigmoid

	// Counter-based random numbers: functions of (c0, c1, k0, k1).
	RandInt
	RandInt1
	RandInt2
	RandInt3
	Rand
	Randn

	// Primitives that only programs use.
	Const
	Scale
	Lookup
	SkipUnless

	// Type changes.
	Cast
	CastRTZ
	Bitcast

	// Creation and shape.
	Arange
	Full
	Broadcast
	Reshape
	Permute
	Join
	Split
	Cat
	Flip

	// Along an axis.
	Sum
	Max
	Min
	ArgMax
	ArgMin
	MaxIndex
	MinIndex
	XorSum
	OrSum
	Reduce
	CumSum
	CumProd
	Scan
	Sort
	ArgSort
	TopK
	Histogram
	Gather

	Dot

	// Memory.
	Load
	Store
	AtomicAdd
	AtomicMax
	AtomicMin
	AtomicAnd
	AtomicOr
	AtomicXor
	AtomicXchg
	AtomicCAS

	// The program instance.
	ProgramID
	NumPrograms
	Print
	Assert

	// Unchecked promises elsewhere, checked ones here.
	MultipleOf
	MaxContiguous
	MaxConstancy
	Assume

	NumOps
)

// Family says what kind of thing an op is; engines dispatch on it.
type Family uint8

// The families.
const (
	Elementwise Family = iota // lane by lane, operands broadcast and promoted
	Primitive                 // elementwise, but only inside programs
	Change                    // of dtype, lane by lane
	Create                    // tiles from scalars
	Shape                     // moves elements, computes nothing
	Reducing                  // along an axis, to fewer elements
	Scanning                  // along an axis, to as many
	Ordering                  // sort, histogram, gather
	DotProduct                //
	Memory                    // loads, stores
	Atomic                    // read-modify-write
	Effect                    // the program instance: ids, print, assert, hints
)

// Set is a set of element types.
type Set uint32

// SetOf is the set of the given types.
func SetOf(ds ...dtype.DType) (s Set) {
	for _, d := range ds {
		s |= 1 << d
	}
	return s
}

// Has reports whether d is in s; pointers are in no set.
func (s Set) Has(d dtype.DType) bool { return !d.IsPointer() && s>>d&1 == 1 }

// The sets that rows use.
var (
	Bools  = SetOf(dtype.Bool)
	Ints   = SetOf(dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64, dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Uint64)
	Floats = SetOf(dtype.Float8E5, dtype.Float8E4NV, dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64)
	Wide   = SetOf(dtype.Int32, dtype.Int64, dtype.Uint32, dtype.Uint64)
	IntsB  = Ints | Bools
	Any    = IntsB | Floats
)

// Failure says in which way an op can fail at run time for some operands; such an
// op may be neither removed, added nor moved to where it would not have run.
type Failure uint8

// The failures.
const (
	Never        Failure = iota
	DivideByZero         // an integer divisor is 0
	OutOfBounds          // an address or index lies outside
	Asserts              // a condition does not hold
)

// A Row is everything that is known about an op.
type Row struct {
	Name   string // as IR and messages spell it: "floordiv"
	Go     string // as the language spells it: "x.FloorDiv(y)"
	Triton string // as Triton spells it: "x // y"
	Doc    string // one sentence

	Arity   int // operands that are tiles
	Family  Family
	In      Set         // element types of the operands after promotion
	Class   dtype.Class // how operands combine, for elementwise ops of several operands
	Fails   Failure
	Combine Op // for a reduction or scan: what combines two elements

	// The meaning of an elementwise op: a loop or a program per element type of the
	// (promoted) operands. A narrow float without an entry means: widen to float32,
	// operate, round back.
	Loops [dtype.Count]Loop
	Progs [dtype.Count]*Prog
}

// A Loop is what a row does to lanes of one type.
type Loop = primitive.Loop

// Row returns o's row.
func (o Op) Row() *Row { return &Table[o] }

// String is the op's name.
func (o Op) String() string {
	if o < NumOps {
		return Table[o].Name
	}
	return "invalid op"
}

// ByName finds an op by its name, None if there is no such op.
func ByName(name string) Op {
	for o := None + 1; o < NumOps; o++ {
		if Table[o].Name == name {
			return o
		}
	}
	return None
}

// IsCompare reports whether o's result is Bool.
func (o Op) IsCompare() bool { return o >= Lt && o <= Ne }

// Opposite is the comparison that is true where o is false, if neither operand is NaN.
func (o Op) Opposite() Op { return map[Op]Op{Lt: Ge, Le: Gt, Gt: Le, Ge: Lt, Eq: Ne, Ne: Eq}[o] }

// Result is the element type of the result of an elementwise op whose promoted
// operands are of type d.
func (o Op) Result(d dtype.DType) dtype.DType {
	switch {
	case o.IsCompare():
		return dtype.Bool
	case o == Rand || o == Randn:
		return dtype.Float32
	}
	return d
}
