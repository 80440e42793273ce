// Package ir is the typed tile IR that kernels are compiled through: values in
// single assignment, structured control flow, every value with a dtype, a shape and
// a source position.
//
// A Func is one specialisation of a kernel: dtypes of its tensors, compile-time
// parameters and all shapes are fixed. Its ops are those of package op, with the
// same meaning, made explicit: operands have equal types, so casts and broadcasts
// stand as values of their own; a Go scalar and a tile of rank 0 are both scalars
// (no shape). Pointers are scalars or tiles of pointer dtype, and move with PtrAdd
// by int64 element offsets.
//
// Control flow is a tree. A block is a list of values that ends in a terminator; If,
// For and Loop hold blocks. There are no phis: an If's blocks yield its results, a
// loop's block takes the carried values as arguments and passes the next ones to
// its terminator. Break and Continue name how many loops they leave.
//
// Print writes a Func as text and Parse reads it back, so tests are text; Verify
// checks every rule of this comment.
package ir

import (
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
	"github.com/tiler-go/tiler/tilelang/shape"
	"slices"
)

// Ops that are not operations of the language but of its IR follow op's own.
const (
	Param    op.Op = op.NumOps + iota // a kernel parameter; Index counts from 0
	PtrAdd                            // pointer moved by int64 elements
	Fits                              // an int64 scalar that must fit Type.D; else the instance fails
	Result                            // result number Index of a value with several
	Swizzle                           // elements that lie Index apart change places (pass/pairs)
	GoMath                            // a function of Go's package math (gomath.go)
	If                                // cond; two blocks
	For                               // lo, hi, carried...; one block with (i, carried...); Index is the step, not 0
	Loop                              // carried...; one block with (carried...), left by Break
	Yield                             // ends an If's or For's block with its results or next carried values
	Break                             // ends a block: leaves Index+1 Loops, whose results these are
	Continue                          // ends a block: the next round of the Index-th Loop outwards
	Return                            // ends a block: ends the program instance
	NumOps
)

// MaxRank is the highest rank of a tile.
const MaxRank = shape.MaxRank

// Shape is a tile's sizes; a scalar has none.
type Shape = shape.Shape

// ShapeOf is the shape with the given sizes.
func ShapeOf(sizes ...int) Shape { return shape.Of(sizes...) }

// Type is what a value holds.
type Type = rule.Type

// Scalar is the type of one element.
func Scalar(d dtype.DType) Type { return Type{D: d} }

// Tile is the type of a tile.
func Tile(d dtype.DType, sizes ...int) Type { return Type{D: d, Shape: ShapeOf(sizes...)} }

// A Value is one operation and its result.
type Value struct {
	ID   int // unique in the Func, for printing and maps
	Op   op.Op
	Type Type
	Args []*Value
	Pos  diag.Pos

	// Results are the types of an op with several, which Result values pick.
	Results []Type
	// Blocks are the regions of If, For, Loop, and of a reduction or scan with a
	// function of the kernel's own: (x..., y...) scalars in, as many out by Yield.
	Blocks []*Block

	Attr
}

// Attr is what an op needs beside operands; each field says which ops use it.
type Attr struct {
	Bits uint64 // Const: the bit pattern in Type.D
	// Index: Param, Result, GoMath, ProgramID, Arange's start, For's step, Break's depth, Split's half; how many
	// elements a Loop over runs has; a power of two in a Swizzle, whose element i is the operand's element i&^Index,
	// i|Index or i^Index, by Axis: 0, 1 or 2.
	Index int
	Axis  int   // reductions, scans, Cat, Flip, Gather; Swizzle
	Axes  []int // Permute; Print and Assert: 1 for each operand that is a Go scalar, else 0
	Flags Flags
	Chain dot.Chain // Dot
	// Text is a Print's or Assert's label, a Param's or GoMath's name, what a Fits, memory op or
	// division is called in the kernel ("tl.Load"). With GoScalar, on a division or an
	// Assert that the language implies, it is the whole message: %v stands for the
	// operands after an Assert's condition in turn, and what follows "\nfix: " is advice.
	Text string
}

// Flags are yes-or-no attributes.
type Flags uint8

// The flags.
const (
	Reverse    Flags = 1 << iota // scan from the far end
	Descending                   // sort with the greatest first
	Masked                       // a memory op's second-last or last operand is a mask; see MemoryArgs
	HasOther                     // a Load's last operand is what masked-off lanes become
	HasAcc                       // a Dot's third operand is its accumulator
	GoScalar                     // an integer division of Go scalars, or a check that Go or the language implies
)

// A Block is values in order, the last of them a terminator.
type Block struct {
	Args   []*Value // Op None: defined by the block's entry
	Values []*Value
}

// A Func is a kernel specialised for its argument types and compile-time values.
type Func struct {
	Name   string
	File   string // where positions without a file are
	Params []*Value
	Body   *Block
	Notes  []Note // in the order of the source

	nextID int
	room   []Value // for those to come
}

// Term is the block's terminator, nil while it is being built.
func (b *Block) Term() *Value {
	if n := len(b.Values); n > 0 && b.Values[n-1].IsTerm() {
		return b.Values[n-1]
	}
	return nil
}

// IsTerm reports whether v ends a block.
func (v *Value) IsTerm() bool { return v.Op >= Yield && v.Op <= Return }

// IsControl reports whether v holds control flow: If, For or Loop.
func (v *Value) IsControl() bool { return v.Op == If || v.Op == For || v.Op == Loop }

// NewValue makes a value of f that is in no block yet.
func (f *Func) NewValue(o op.Op, t Type, pos diag.Pos, args ...*Value) *Value {
	if len(f.room) == 0 {
		f.room = make([]Value, 32)
	}
	v := &f.room[0]
	f.room = f.room[1:]
	f.nextID++
	v.ID, v.Op, v.Type, v.Pos, v.Args = f.nextID, o, t, pos, args
	return v
}

// Append is a new value at the end of the body, which has no place in a source.
func (f *Func) Append(o op.Op, t Type, args ...*Value) *Value {
	v := f.NewValue(o, t, diag.Pos{}, args...)
	f.Body.Values = append(f.Body.Values, v)
	return v
}

// AddParam is a new last parameter.
func (f *Func) AddParam(d dtype.DType) *Value {
	p := f.NewValue(Param, Scalar(d), diag.Pos{})
	p.Index = len(f.Params)
	f.Params = append(f.Params, p)
	return p
}

// NumIDs is above every value's ID.
func (f *Func) NumIDs() int { return f.nextID + 1 }

// Renumber numbers values 1, 2, ... in the order of f's text, so that texts are alike
// however f came about.
func (f *Func) Renumber() {
	f.nextID = 0
	number := func(vs []*Value) {
		for _, v := range vs {
			f.nextID++
			v.ID = f.nextID
		}
	}
	var block func(b *Block)
	block = func(b *Block) {
		number(b.Args)
		for i, v := range b.Values {
			number(b.Values[i : i+1])
			for _, inner := range v.Blocks {
				block(inner)
			}
		}
	}
	number(f.Params)
	block(f.Body)
}

// Walk visits every block of f, outer before inner, in order.
func (f *Func) Walk(visit func(b *Block)) { f.Body.walk(visit) }

func (b *Block) walk(visit func(b *Block)) {
	visit(b)
	for _, v := range b.Values {
		for _, inner := range v.Blocks {
			inner.walk(visit)
		}
	}
}

// Values visits every value of f in order, block arguments included.
func (f *Func) Values(visit func(v *Value)) {
	for _, p := range f.Params {
		visit(p)
	}
	f.Walk(func(b *Block) {
		for _, v := range b.Args {
			visit(v)
		}
		for _, v := range b.Values {
			visit(v)
		}
	})
}

// Replace makes every use of a value in f's operands a use of what subst maps it to.
func (f *Func) Replace(subst map[*Value]*Value) {
	if len(subst) == 0 {
		return
	}
	final := func(v *Value) *Value {
		for {
			w, ok := subst[v]
			if !ok {
				return v
			}
			v = w
		}
	}
	f.Values(func(v *Value) {
		for i, a := range v.Args {
			v.Args[i] = final(a)
		}
	})
	for _, n := range f.Notes {
		for i := range n.Vars {
			if v := n.Vars[i].Value; v != nil {
				n.Vars[i].Value = final(v)
			}
		}
	}
}

// MemoryArgs are the operands of a memory op by role; absent ones are nil.
type MemoryArgs struct{ Ptr, Val, Cmp, Mask, Other *Value }

// Memory is v's operands by role, for Load, Store and atomics: pointer; then a CAS's
// comparand; then the value of a Store or atomic; then the mask if Masked; then
// Other if HasOther.
func (v *Value) Memory() (m MemoryArgs) {
	rest := v.Args
	take := func() *Value { a := rest[0]; rest = rest[1:]; return a }
	m.Ptr = take()
	if v.Op == op.AtomicCAS {
		m.Cmp = take()
	}
	if v.Op != op.Load {
		m.Val = take()
	}
	if v.Flags&Masked != 0 {
		m.Mask = take()
	}
	if v.Flags&HasOther != 0 {
		m.Other = take()
	}
	return m
}

// IsMemory reports whether v reads or writes tensors.
func (v *Value) IsMemory() bool {
	f := Family(v.Op)
	return f == op.Memory || f == op.Atomic
}

// Writes reports whether v writes tensors.
func (v *Value) Writes() bool { return v.Op == op.Store || Family(v.Op) == op.Atomic }

// CanFail reports whether executing v can end the instance with an error; such a
// value is neither removed, added, moved nor executed where it was not before.
func (v *Value) CanFail() bool {
	if v.Op >= op.NumOps {
		return v.Op == Fits
	}
	switch row := v.Op.Row(); row.Fails {
	case op.Never:
		return false
	case op.DivideByZero:
		return v.Type.D.IsInt() && !(len(v.Args) == 2 && isNonzero(v.Args[1]))
	default:
		return true
	}
}

// isNonzero reports whether v is a constant that is not 0, or at least one that is greater, or repeats such.
func isNonzero(v *Value) bool {
	switch v.Op {
	case op.Broadcast:
		return isNonzero(v.Args[0])
	case op.Maximum:
		least := v.Args[1]
		return v.Type.D.IsInt() && least.Op == op.Const && dtype.ToInt(v.Type.D, least.Bits) > 0
	}
	return v.Op == op.Const && v.Bits != 0
}

// Pure reports whether v only computes its result: it may be removed if unused and
// shared with an equal value.
func (v *Value) Pure() bool {
	if v.Op >= op.NumOps {
		return v.Op == PtrAdd || v.Op == Result || v.Op == Param || v.Op == GoMath || v.Op == Swizzle
	}
	switch Family(v.Op) {
	case op.Memory, op.Atomic:
		return false
	case op.Effect:
		return v.Op == op.ProgramID || v.Op == op.NumPrograms
	}
	return !v.CanFail()
}

// Family is an op's family; the IR's own ops count as effects.
func Family(o op.Op) op.Family {
	if o >= op.NumOps {
		return op.Effect
	}
	return o.Row().Family
}

// Combining is the op that a reduction or scan combines two elements by; None if it takes several, or other values.
func (v *Value) Combining() op.Op {
	if len(v.Blocks) == 0 {
		return v.Op.Row().Combine
	}
	b := v.Blocks[0]
	if len(b.Values) != 2 || len(b.Args) != 2 || len(b.Term().Args) != 1 || b.Term().Args[0] != b.Values[0] {
		return op.None
	}
	z := b.Values[0]
	if len(z.Args) != 2 || z.Args[0] == z.Args[1] || !slices.Contains(z.Args, b.Args[0]) || !slices.Contains(z.Args, b.Args[1]) {
		return op.None
	}
	return z.Op
}

// Conjuncts is the conditions that a mask is the conjunction of, each once.
func (v *Value) Conjuncts() (all []*Value) {
	seen := map[*Value]bool{}
	var visit func(v *Value)
	visit = func(v *Value) {
		switch {
		case seen[v]:
		case v.Op == op.And:
			seen[v] = true
			visit(v.Args[0])
			visit(v.Args[1])
		default:
			seen[v] = true
			all = append(all, v)
		}
	}
	visit(v)
	return all
}

// Clone is a Func of its own with the same text. It has no notes.
func (f *Func) Clone() *Func {
	z := &Func{Name: f.Name, File: f.File, nextID: f.nextID}
	made := make([]*Value, f.NumIDs())
	var block func(b *Block) *Block
	values := func(vs []*Value) (all []*Value) {
		for _, v := range vs {
			c := new(Value)
			*c = *v
			made[v.ID] = c
			c.Args, c.Blocks = nil, nil
			for _, a := range v.Args {
				c.Args = append(c.Args, made[a.ID])
			}
			for _, inner := range v.Blocks {
				c.Blocks = append(c.Blocks, block(inner))
			}
			all = append(all, c)
		}
		return all
	}
	block = func(b *Block) *Block { return &Block{Args: values(b.Args), Values: values(b.Values)} }
	z.Params, z.Body = values(f.Params), block(f.Body)
	return z
}
