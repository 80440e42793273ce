package tilelang_test

import (
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// What a fault says is on the line that causes it: a regular expression that its
// whole text, notes and suggestion included, must match. The line itself is checked
// too: a fault names the kernel's line.

func f32(shape ...int) tl.Tile  { return tl.Zeros(tl.Float32, shape...) }
func i32(shape ...int) tl.Tile  { return tl.Zeros(tl.Int32, shape...) }
func mask(shape ...int) tl.Tile { return tl.Zeros(tl.Bool, shape...) }

var (
	m23   = ptr(tensor.Zeros(tl.Float32, 2, 3))
	bf44  = tl.Zeros(tl.BFloat16, 4, 4)
	v8    = ptr(tensor.Zeros(tl.Int32, 8))
	bytes = ptr(tensor.Zeros(tl.Int8, 8))
	none  = ptr(tensor.Zeros(tl.Float32, 0))
	gaps  = ptr(tensor.Zeros(tl.Float32, 3, 3).Slice(1, 0, 1)) // a column: elements 0, 3 and 6
	prog  = tl.NewProgram([3]int{1, 2, 0}, [3]int{2, 3, 1}, nil)
	zero  tl.Tile
)

var faults = []func(){
	// Operands.
	func() { zero.Add(1) },                                          // FAULT `Tile.Add: a Tile that was never given a value.*fix: assign it`
	func() { f32(4).Add(zero) },                                     // FAULT `never given a value`
	func() { f32(4).Add(nil) },                                      // FAULT `nil as an operand`
	func() { f32(4).Add(int64(3)) },                                 // FAULT `a int64 as an operand, want Tile, int, float64 or bool.*fix: write int\(x\)`
	func() { f32(4).Mul(float32(3)) },                               // FAULT `fix: write float64\(x\)`
	func() { f32(4).Mul("3") },                                      // FAULT `a string as an operand`
	func() { x := f32(4); f32(4).Mul(&x) },                          // FAULT `a pointer to a Tile.*fix: pass the Tile itself`
	func() { tl.Sub(3, 4) },                                         // FAULT `the int 3 and the int 4: no tile.*fix: use Go's own`
	func() { tl.FMA(3, 4.5, true) },                                 // FAULT `the int 3, the float64 4.5 and the bool true: no tile`
	func() { ints(tl.Int8, 1, 2).Add(300) },                         // FAULT `Tile.Add: i8\[2\] and the int 300: 300 does not fit int8.*fix: convert the tile`
	func() { ints(tl.Uint8, 1, 2).Sub(-1) },                         // FAULT `-1 does not fit uint8`
	func() { tl.Arange(0, 4).Add(1 << 31) },                         // FAULT `i32\[4\] and the int 2147483648: 2147483648 does not fit int32`
	func() { tl.Arange(0, 4).Lt(1 << 31) },                          // FAULT `does not fit int32`
	func() { mask(4).Add(1 << 31) },                                 // FAULT `does not fit int32`
	func() { i32(4).Mul(1e300) },                                    // FAULT `i32\[4\] and the float64 1e\+300: 1e\+300 does not fit float32`
	func() { f32(4).Lt(-1e300) },                                    // FAULT `does not fit float32`
	func() { f32(4).Add(f32(5)) },                                   // FAULT `Tile.Add: f32\[4\] and f32\[5\] do not broadcast.*aligned at the last dimension.*fix: .*x.Col\(\) and y.Row\(\)`
	func() { f32(4, 5).Add(f32(4)) },                                // FAULT `f32\[4,5\] and f32\[4\] do not broadcast.*fix: make the vector a column`
	func() { f32(4, 5).Mul(f32(3, 5)) },                             // FAULT `f32\[4,5\] and f32\[3,5\] do not broadcast.*fix: `
	func() { tl.Where(mask(4), f32(4), f32(3)) },                    // FAULT `tl.Where: f32\[4\] and f32\[3\] do not broadcast`
	func() { tl.Where(mask(3), f32(4), f32(4)) },                    // FAULT `f32\[4\], f32\[4\] and bool\[3\] do not broadcast`
	func() { tl.Where(f32(4), 1, 2) },                               // FAULT `the condition is f32\[4\], want bool.*fix: compare first`
	func() { tl.Where(1, f32(4), f32(4)) },                          // FAULT `the condition is the int 1, want bool`
	func() { tl.Where(true, m23, v8) },                              // FAULT `\*f32 and \*i32: pointers into different tensors`
	func() { f32(4).And(f32(4)) },                                   // FAULT `f32\[4\] and f32\[4\]: float32 and float32: integers only.*fix: bitwise operators take integers`
	func() { f32(4).Not() },                                         // FAULT `Tile.Not: f32\[4\]: not defined for float32, in which it would be computed.*fix: it takes integers`
	func() { tl.Exp(i32(4)) },                                       // FAULT `tl.Exp: i32\[4\]: not defined for int32, in which it would be computed.*fix: convert first: x.To\(tl.Float32\)`
	func() { tl.UMulHi(f32(4), f32(4)) },                            // FAULT `f32\[4\] and f32\[4\]: not defined for float32`
	func() { tl.FMA(i32(4), i32(4), 1) },                            // FAULT `i32\[4\], i32\[4\] and the int 1: not defined for int32`
	func() { i32(4).Div(ints(tl.Uint8, 1)) },                        // FAULT `i32\[4\] and u8\[1\]: int32 and uint8 differ in signedness.*fix: convert one of them`
	func() { i32(4).FloorDiv(f32(4)) },                              // FAULT `integers only`
	func() { floats(tl.Float8E5, 1).Add(i32(1)) },                   // FAULT `f8e5\[1\] and i32\[1\]: float8e5 and int32 do not combine; cast one of them`
	func() { i32(4).FloorDiv(ints(tl.Int32, 3, 0, 1, 0)) },          // FAULT `division by zero: i32\[4\] by i32\[4\].*element \[1\] is 0.*fix: keep zeros out`
	func() { i32(2, 2).Mod(i32()) },                                 // FAULT `Tile.Mod: division by zero: i32\[2,2\] by i32`
	func() { tl.Mod(7, 0) },                                         // FAULT `no tile`
	func() { i32(4).FloorDiv(0) },                                   // FAULT `division by zero`
	func() { m23.Mul(2) },                                           // FAULT `\*f32 and the int 2: a pointer.*fix: pointers move with Add and Sub`
	func() { m23.Add(v8) },                                          // FAULT `\*i32 and \*f32: pointers can only move by integers`
	func() { m23.Add(1.5) },                                         // FAULT `\*f32 and the float64 1.5: pointers can only move by integers.*fix: `
	func() { m23.Sub(f32(4)) },                                      // FAULT `\*f32 and f32\[4\]: pointers can only move by integers`
	func() { tl.Sub(4, m23) },                                       // FAULT `a pointer`
	func() { m23.Neg() },                                            // FAULT `\*f32: a pointer tile.*fix: load what it points to`
	func() { m23.Eq(m23) },                                          // FAULT `\*f32 and \*f32: a pointer`
	func() { f32(4).Bool() },                                        // FAULT `Tile.Bool: f32\[4\] is not a scalar.*fix: reduce`
	func() { mask(4).Bool() },                                       // FAULT `bool\[4\] is not a scalar.*fix: .*tl.Where`
	func() { f32().Bool() },                                         // FAULT `f32 is not bool.*fix: compare it first`
	func() { f32().Int() },                                          // FAULT `f32 is not an integer.*fix: convert it first`
	func() { m23.Int() },                                            // FAULT `fix: read what it points to`
	func() { bitsTile(tl.Uint64, 1<<63).Reshape().Int() },           // FAULT `u64: 9223372036854775808 does not fit a Go int`
	func() { f32(4).At(4) },                                         // FAULT `index \[4\] is outside f32\[4\]`
	func() { f32(4).At() },                                          // FAULT `0 indices for f32\[4\]`
	func() { f32(1 << 20).Col().Add(f32(1 << 20).Row()) },           // FAULT `Tile.Add: a tile f32\[1048576,1048576\] is over 1 GiB.*fix: use smaller blocks`
	func() { a := tl.Arange(0, 1<<20); a.Col().Add(a.Row()) },       // FAULT `a tile i32\[1048576,1048576\] is over 1 GiB`
	func() { a := tl.Arange(0, 1<<20); v8.Add(a.Col()).Add(a) },     // FAULT `a tile \*i32\[1048576,1048576\] is over 1 GiB`
	func() { a := tl.Arange(0, 1<<20); a.Col().Lt(a.Sub(1 << 21)) }, // FAULT `a tile bool\[1048576,1048576\] is over 1 GiB`
	func() { tl.Maximum(f32(4), "x") },                              // FAULT `a string as an operand`

	// Creation and shape.
	func() { tl.Arange(4, 4) },                        // FAULT `Arange\(4, 4\) is empty: the end must be above the start`
	func() { tl.Arange(0, 1<<32) },                    // FAULT `does not fit int32`
	func() { tl.Arange(0, 1<<30) },                    // FAULT `over 1 GiB`
	func() { tl.Zeros(tl.Float32, 0) },                // FAULT `a tile of shape \[0\]: every dimension must be at least 1`
	func() { tl.Zeros(tl.Float32, 4, -1) },            // FAULT `shape \[4,-1\]`
	func() { tl.Zeros(tl.Float32, 1, 1, 1, 1, 1, 1) }, // FAULT `6 dimensions, at most 5`
	func() { tl.Zeros(tl.Float64, 1<<27, 2) },         // FAULT `a tile f64\[134217728,2\] is over 1 GiB`
	func() { tl.Zeros(tl.Invalid, 4) },                // FAULT `invalid is not an element type.*fix: use one of`
	func() { tl.Full(tl.Int32, math.NaN(), 4) },       // FAULT `tl.Full: the float64 NaN does not fit int32.*int32 holds -2147483648 ... 2147483647`
	func() { tl.Full(tl.Uint8, math.Inf(1), 4) },      // FAULT `the float64 \+Inf does not fit uint8`
	func() { tl.Full(tl.Uint8, 256, 4) },              // FAULT `the int 256 does not fit uint8`
	func() { tl.Full(tl.Int64, 1e19, 4) },             // FAULT `does not fit int64`
	func() { tl.Full(tl.Bool, math.NaN()) },           // FAULT `does not fit bool`
	func() { tl.Full(tl.Int32, f32(4), 4) },           // FAULT `f32\[4\] as the value.*fix: use BroadcastTo`
	func() { f32(4).Reshape(3) },                      // FAULT `f32\[4\] to \[3\]: 4 elements into 3`
	func() { f32(4).Reshape(-1) },                     // FAULT `at least 1`
	func() { f32(4, 1).BroadcastTo(4) },               // FAULT `f32\[4,1\] to \[4\]: sizes must be equal or 1`
	func() { f32(4, 1).BroadcastTo(1<<20, 1<<20) },    // FAULT `sizes must be equal or 1`
	func() { f32(1, 1).BroadcastTo(1<<20, 1<<20) },    // FAULT `over 1 GiB`
	func() { f32(4).T() },                             // FAULT `f32\[4\] has fewer than two dimensions.*fix: `
	func() { f32(4, 5).Permute(0) },                   // FAULT `\[0\] of f32\[4,5\]: want each axis 0 ... 1 once`
	func() { f32(4, 5).Permute(0, 0) },                // FAULT `want each axis`
	func() { f32(4, 5).ExpandDims(3) },                // FAULT `axis 3 for f32\[4,5\]`
	func() { f32(1, 1, 1, 1, 1).Col() },               // FAULT `already has 5 dimensions, the maximum`
	func() { f32(4, 5).Squeeze(0) },                   // FAULT `axis 0 of f32\[4,5\] has size 4`
	func() { f32(4, 5).Dim(2) },                       // FAULT `axis 2 of f32\[4,5\], which has 2 dimensions`
	func() { tl.Join(f32(4), i32(4)) },                // FAULT `f32\[4\] and i32\[4\] differ in dtype.*fix: convert`
	func() { tl.Interleave(f32(), f32()) },            // FAULT `fix: use tl.Join`
	func() { tl.Split(f32(4)) },                       // FAULT `the last dimension must be 2`
	func() { tl.Cat(0) },                              // FAULT `no tiles`
	func() { tl.Cat(0, f32(4, 2), f32(4, 3)) },        // FAULT `f32\[4,2\] and f32\[4,3\]: dtypes and all sizes but that of axis 0 must agree`
	func() { tl.Cat(0, m23.Row(), gaps.Row()) },       // FAULT `\*f32\[1\] and \*f32\[1\]: pointers into different tensors`
	func() { tl.Flip(f32(4), 1) },                     // FAULT `axis 1 of f32\[4\]`
	func() { f32(4).To(tl.Invalid) },                  // FAULT `not an element type`
	func() { m23.To(tl.Int64) },                       // FAULT `\*f32 to int64: a pointer`
	func() { f32(4).To(tl.Float64, tl.TowardZero) },   // FAULT `f32\[4\] to float64: TowardZero is for`
	func() { f32(4).Bitcast(tl.Int64) },               // FAULT `f32\[4\] \(32 bits\) to int64 \(64 bits\)`
	func() { mask(4).Bitcast(tl.Int8) },               // FAULT `bool\[4\] \(1 bits\) to int8`
}

// memoryFaults are those of loads, stores and atomics.
var memoryFaults = []func(){
	func() { tl.Load(f32(4)) },                                                             // FAULT `tl.Load: f32\[4\] is not a pointer tile.*fix: add offsets`
	func() { tl.Load(m23.Add(tl.Arange(0, 8))) },                                           // FAULT `tl.Load: out of bounds: lane \[6\] of \[8\] is x\[2,0\], 1 element past the end of x.*x is f32\[2,3\].*2 of 8 active lanes.*fix: mask the lanes`
	func() { tl.Load(m23.Sub(1)) },                                                         // FAULT `out of bounds: the address is 1 element before the start of x`
	func() { tl.Load(m23.Add(tl.Arange(-2, 6))) },                                          // FAULT `lane \[0\] of \[8\] is 2 elements before the start of x`
	func() { tl.Load(m23.Add(tl.Arange(0, 8)), tl.Mask(tl.Arange(0, 8).Lt(7))) },           // FAULT `lane \[6\].*1 of 7 active lanes.*fix: the mask lets these lanes through`
	func() { tl.Load(m23.Add(ints(tl.Int64, 0, 1<<62, 1))) },                               // FAULT `lane \[1\] of \[3\] is .* past the end of x`
	func() { tl.Load(m23.Add(1 << 62).Add(1 << 62).Add(tl.Arange(0, 2))) },                 // FAULT `out of bounds`
	func() { tl.Load(m23.Add(math.MinInt64)) },                                             // FAULT `out of bounds.*before the start`
	func() { tl.Load(none) },                                                               // FAULT `out of bounds: the address is x\[0\], 1 element past the end of x`
	func() { tl.Load(m23.Add(i32(4)), tl.Other(0)) },                                       // FAULT `Other without Mask: no lane of \*f32\[4\] is masked off.*fix: pass a Mask`
	func() { tl.Load(m23.Add(i32(4)), tl.Mask(mask(3))) },                                  // FAULT `\*f32\[4\] and bool\[3\] do not broadcast`
	func() { tl.Load(m23.Add(i32(4)), tl.Mask(i32(4))) },                                   // FAULT `the mask is i32\[4\], want bool`
	func() { tl.Load(m23.Add(i32(4)), tl.Mask(nil)) },                                      // FAULT `nil as an operand`
	func() { tl.Load(m23, tl.Mask(mask(4))) },                                              // FAULT `a single pointer \*f32 with a mask or other value bool\[4\].*fix: `
	func() { tl.Load(m23.Add(i32(4)), tl.Mask(true), tl.Other(nil)) },                      // FAULT `nil as an operand`
	func() { tl.Load(v8.Add(i32(4)), tl.Mask(true), tl.Other(math.NaN())) },                // FAULT `the float64 NaN does not fit int32`
	func() { tl.Load(bytes.Add(i32(4)), tl.Mask(true), tl.Other(-129)) },                   // FAULT `the int -129 does not fit int8`
	func() { tl.Store(f32(4), 1) },                                                         // FAULT `tl.Store: f32\[4\] is not a pointer tile`
	func() { tl.Store(m23.Add(6), 1) },                                                     // FAULT `tl.Store: out of bounds: the address is x\[2,0\]`
	func() { tl.Store(m23.Add(tl.Arange(0, 8)), f32(8)) },                                  // FAULT `tl.Store: out of bounds: lane \[6\]`
	func() { tl.Store(m23.Add(ints(tl.Int32, 0, 7)), 1) },                                  // FAULT `lane \[1\] of \[2\] is x\[2,1\], 2 elements past the end of x`
	func() { tl.Store(m23, f32(4)) },                                                       // FAULT `the value f32\[4\] does not broadcast to the pointers \*f32.*fix: pass a pointer for each`
	func() { tl.Store(m23.Add(i32(4)), f32(4), tl.Mask(mask(2, 4))) },                      // FAULT `the mask bool\[2,4\] does not broadcast to \*f32\[4\].*fix: `
	func() { tl.Store(m23.Add(i32(4)), f32(4), tl.Mask(1)) },                               // FAULT `the mask is the int 1, want bool`
	func() { tl.Store(v8.Add(i32(4)), math.Inf(-1)) },                                      // FAULT `the float64 -Inf does not fit int32`
	func() { tl.Store(v8, m23) },                                                           // FAULT `\*f32: a pointer tile`
	func() { tl.Store(gaps.Add(tl.Arange(0, 3)), 1.0) },                                    // FAULT `lane \[1\] of \[3\] is offset 1 of x, which is between the elements of this view`
	func() { tl.Store(gaps.Add(1), 1.0) },                                                  // FAULT `the address is offset 1 of x, which is between`
	func() { tl.AtomicAdd(gaps.Add(tl.Arange(0, 7)), 1.0) },                                // FAULT `lane \[1\].*between the elements`
	func() { tl.AtomicAdd(bytes, 1) },                                                      // FAULT `tl.AtomicAdd: \*i8: no atomics on int8.*fix: `
	func() { tl.AtomicAnd(m23, 1) },                                                        // FAULT `\*f32: no atomics on float32`
	func() { tl.AtomicAdd(m23.Add(tl.Arange(0, 8)), 1.0) },                                 // FAULT `out of bounds: lane \[6\]`
	func() { tl.AtomicMax(m23.Sub(1), 1.0) },                                               // FAULT `1 element before the start`
	func() { tl.AtomicAdd(m23, f32(4)) },                                                   // FAULT `the value f32\[4\] does not broadcast to the pointers`
	func() { tl.AtomicAdd(m23.Add(i32(4)), f32(4), tl.Mask(mask(5))) },                     // FAULT `the mask bool\[5\] does not broadcast`
	func() { tl.AtomicCAS(v8, 1, math.NaN()) },                                             // FAULT `does not fit int32`
	func() { tl.MakeDesc(m23.Add(i32(4)), []int{2}, []int{1}, []int{2}) },                  // FAULT `the base is \*f32\[4\], want a single pointer`
	func() { tl.MakeDesc(f32(), []int{2}, []int{1}, []int{2}) },                            // FAULT `not a pointer tile`
	func() { tl.MakeDesc(m23, []int{2, 3}, []int{3}, []int{2, 2}) },                        // FAULT `2 sizes, 1 strides and a block of 2 dimensions`
	func() { tl.MakeDesc(m23, nil, nil, nil) },                                             // FAULT `no dimensions`
	func() { tl.MakeDesc(m23, []int{2, 3}, []int{3, 1}, []int{2, 0}) },                     // FAULT `at least 1`
	func() { tl.MakeDesc(v8, []int{8}, []int{1}, []int{4}, tl.PadNaN) },                    // FAULT `PadNaN for \*i32, which has no NaN`
	func() { tl.MakeDesc(m23, []int{2, 3}, []int{3, 1}, []int{2, 2}).Load(0) },             // FAULT `Desc.Load: 1 coordinates for a tensor of 2 dimensions`
	func() { tl.MakeDesc(m23, []int{9, 3}, []int{3, 1}, []int{4, 2}).Load(0, 0) },          // FAULT `Desc.Load: out of bounds: lane \[2,0\] of \[4,2\] is x\[2,0\]`
	func() { tl.MakeDesc(m23, []int{2, 3}, []int{3, 1}, []int{2, 2}).Store(f32(4), 0, 0) }, // FAULT `the value f32\[4\] does not broadcast`
	func() { tl.Desc{}.Load(0) },                                                           // FAULT `an uninitialized Desc.*fix: make it with tl.MakeDesc`
	func() { tl.BlockPtr{}.Advance(1) },                                                    // FAULT `an uninitialized BlockPtr`
	func() { tl.MakeBlockPtr(m23, []int{2}, []int{1}, []int{0}, []int{2}, nil) },           // FAULT `have 1, 1, 1, 1 and 0 numbers`
	func() { blockPtr().Advance(1) },                                                       // FAULT `1 offsets for 2 dimensions`
	func() { blockPtr().Load(tl.BoundaryCheck(2)) },                                        // FAULT `BoundaryCheck of axis 2 of 2`
	func() { blockPtr().Advance(1, 0).Load() },                                             // FAULT `BlockPtr.Load: out of bounds: lane \[1,0\]`
	func() { blockPtr().Advance(1, 0).Store(1.0, tl.BoundaryCheck(1)) },                    // FAULT `BlockPtr.Store: out of bounds: lane \[1,0\]`
}

func blockPtr() tl.BlockPtr {
	return tl.MakeBlockPtr(m23, []int{2, 3}, []int{3, 1}, []int{0, 0}, []int{2, 2}, []int{1, 0})
}

// axisFaults are those of reductions, scans, sorts, products and of the program.
var axisFaults = []func(){
	func() { tl.Sum(f32(4), tl.Axis(1)) },                                             // FAULT `tl.Sum: axis 1 of f32\[4\], which has 1 dimensions`
	func() { tl.Sum(f32(4), tl.Axis(-2)) },                                            // FAULT `axis -2 of f32\[4\]`
	func() { tl.Sum(f32(4), tl.As(tl.Invalid)) },                                      // FAULT `invalid is not an element type`
	func() { tl.Sum(m23) },                                                            // FAULT `a pointer tile`
	func() { tl.Max(f32(4), tl.As(tl.Float64)) },                                      // FAULT `As\(float64\): the dtype of the result follows.*fix: convert`
	func() { tl.Scan(f32(4), addTiles, tl.As(tl.Float64)) },                           // FAULT `the dtype of the result follows`
	func() { tl.XorSum(f32(4)) },                                                      // FAULT `f32\[4\]: integers only.*fix: convert first`
	func() { tl.Reduce(f32(4), func(a, b tl.Tile) tl.Tile { return a.Lt(b) }) },       // FAULT `the function returned bool, want f32.*fix: convert what it returns`
	func() { tl.Reduce(f32(4), func(a, b tl.Tile) tl.Tile { return zero }) },          // FAULT `never given a value`
	func() { tl.Reduce(f32(4), func(a, b tl.Tile) tl.Tile { return a.Add(f32(9)) }) }, // FAULT `f32\[2\] and f32\[9\] do not broadcast`
	func() { tl.Reduce2(f32(4), f32(5), nil) },                                        // FAULT `f32\[4\] and f32\[5\] differ in shape`
	func() { tl.CumSum(f32()) },                                                       // FAULT `axis 0 of f32, which has 0 dimensions`
	func() { tl.Sort(f32()) },                                                         // FAULT `f32: a scalar`
	func() { tl.TopK(f32(4), 5) },                                                     // FAULT `k is 5, but the last axis of f32\[4\] has 4 elements.*fix: k must be 1 ... 4`
	func() { tl.TopK(f32(4), 0) },                                                     // FAULT `k is 0`
	func() { tl.Histogram(f32(4), 4) },                                                // FAULT `f32\[4\]: integers only`
	func() { tl.Histogram(i32(4), 0) },                                                // FAULT `i32\[4\] into 0 bins`
	func() { tl.Histogram(i32(4), 1<<29) },                                            // FAULT `over 1 GiB`
	func() { tl.Histogram(i32(4), 4, tl.Other(1)) },                                   // FAULT `the only option is tl.Mask`
	func() { tl.Histogram(i32(4), 4, tl.Mask(mask(5))) },                              // FAULT `the mask bool\[5\] does not broadcast to i32\[4\]`
	func() { tl.Gather(f32(4), f32(4), 0) },                                           // FAULT `f32\[4\] by an index of f32\[4\]: integers only`
	func() { tl.Gather(f32(4, 2), i32(4, 3), 0) },                                     // FAULT `f32\[4,2\] by an index of i32\[4,3\]: all sizes but that of axis 0`
	func() { tl.Gather(f32(4), ints(tl.Int32, 0, 4), 0) },                             // FAULT `f32\[4\] by i32\[2\]: index 4 is outside axis 0, which has 4 elements.*element \[1\] of the index.*fix: limit the index: tl.Clamp\(i, 0, 3\)`
	func() { tl.Gather(f32(4), ints(tl.Int8, -1), 0) },                                // FAULT `index -1 is outside`
	func() { tl.Gather(f32(4), bitsTile(tl.Uint64, 1<<63), 0) },                       // FAULT `index 9223372036854775808 is outside`
	func() { tl.Dot(f32(16, 32), f32(16, 8)) },                                        // FAULT `tl.Dot: f32\[16,32\] and f32\[16,8\]: inner sizes differ: 32 and 16.*fix: transpose the left operand`
	func() { tl.Dot(f32(16, 32), f32(8, 32)) },                                        // FAULT `fix: transpose the right operand: y.T\(\)`
	func() { tl.Dot(f32(2, 3), f32(4, 5)) },                                           // FAULT `inner sizes differ: 3 and 4.*fix: the left operand.s columns`
	func() { tl.Dot(f32(4), f32(4)) },                                                 // FAULT `f32\[4\] and f32\[4\]: both must be matrices.*fix: `
	func() { tl.Dot(f32(2, 4, 4), f32(4, 4)) },                                        // FAULT `both must be matrices, or batches`
	func() { tl.Dot(f32(2, 4, 4), f32(3, 4, 4)) },                                     // FAULT `differ in the number of batches.*fix: `
	func() { tl.Dot(f32(4, 4), i32(4, 4)) },                                           // FAULT `f32\[4,4\] and i32\[4,4\] differ in dtype.*fix: convert`
	func() { tl.Dot(f32(4, 4), f32(4, 4), tl.BF16Tiles) },                             // FAULT `f32\[4,4\] and f32\[4,4\]: tl.BF16Tiles is for operands of bfloat16`
	func() { tl.Dot(bf44, bf44, tl.BF16Tiles, tl.BF16Pairs) },                         // FAULT `tl.BF16Pairs and tl.BF16Tiles: a product can have only one of them.*fix: remove one of them`
	func() { tl.Dot(f32(4, 4), f32(4, 4), tl.BF16Pairs) },                             // FAULT `f32\[4,4\] and f32\[4,4\]: tl.BF16Pairs is for operands of bfloat16.*fix: convert both with To\(tl.BFloat16\)`
	func() { tl.Dot(m23, m23) },                                                       // FAULT `\*f32 and \*f32: a pointer`
	func() { tl.Dot(f32(4, 4), f32(4, 4), tl.Acc(f32(4, 5))) },                        // FAULT `the accumulator is f32\[4,5\], want f32\[4,4\].*the operands are f32\[4,4\] and f32\[4,4\].*fix: make it with tl.Zeros\(tl.Float32`
	func() { tl.Dot(f32(4, 4), f32(4, 4), tl.Acc(i32(4, 4))) },                        // FAULT `the accumulator is i32\[4,4\]`
	func() { tl.Dot(f32(4, 4), f32(4, 4), tl.Acc(zero)) },                             // FAULT `never given a value`
	func() { tl.Dot(f32(4, 4), f32(4, 4), tl.As(tl.Float16)) },                        // FAULT `f32\[4,4\] and f32\[4,4\]: As\(float16\), but they accumulate in float32.*fix: convert the result`
	func() { tl.Dot(i32(4, 4), i32(4, 4), tl.As(tl.Int64)) },                          // FAULT `they accumulate in int32`
	func() { tl.Dot(tl.Zeros(tl.Int8, 1<<15, 1), tl.Zeros(tl.Int8, 1, 1<<15)) },       // FAULT `a tile i32\[32768,32768\] is over 1 GiB`
	func() { tl.Rand(f32(4), 1) },                                                     // FAULT `tl.Rand: the seed is f32\[4\], want integers.*fix: `
	func() { tl.Rand(1, 1.5) },                                                        // FAULT `the offset is the float64 1.5, want integers`
	func() { tl.RandInt(1, m23) },                                                     // FAULT `the offset is \*f32, want integers`
	func() { tl.Rand(i32(4), i32(5)) },                                                // FAULT `i32\[5\] and i32\[4\] do not broadcast`
	func() { tl.Cdiv(7, 0) },                                                          // FAULT `division of 7 by 0.*fix: the block size must be at least 1`
	func() { tl.NextPow2(math.MaxInt) },                                               // FAULT `has no next power of two`
	func() { tl.Swizzle2D(0, 0, 0, 4, 2) },                                            // FAULT `a grid of 0 by 4 in groups of 2`
	func() { tl.Swizzle2D(4, 0, 4, 4, 2) },                                            // FAULT `cell \(4,0\) of a grid of 4 by 4`
	func() { tl.StaticAssert(1 > 2, "blocks must divide") },                           // FAULT `blocks must divide`
	func() { tl.Assume(f32(4)) },                                                      // FAULT `the condition is f32\[4\], want bool`
	func() { tl.MultipleOf(zero, 4) },                                                 // FAULT `never given a value`
	func() { prog.ID(3) },                                                             // FAULT `p.ID: axis 3: a grid has axes 0, 1 and 2`
	func() { prog.Num(-1) },                                                           // FAULT `p.Num: axis -1`
	func() { prog.Assert(false, "must hold", 42) },                                    // FAULT `p.Assert: must hold\n.*42`
	func() { prog.Assert(tl.Arange(0, 4).Lt(2), "small") },                            // FAULT `small.*it does not hold at element \[2\] of \[4\]`
	func() { prog.Assert(i32(4), "small") },                                           // FAULT `the condition is i32\[4\], want bool`
}

func addTiles(a, b tl.Tile) tl.Tile { return a.Add(b) }

var expectation = regexp.MustCompile("// FAULT `(.*)`")

func TestFaults(t *testing.T) {
	text, err := os.ReadFile("fault_test.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for _, list := range [][]func(){faults, memoryFaults, axisFaults} {
		for i, f := range list {
			fault := try(f)
			if fault == nil {
				t.Errorf("case %d of its list did not fail", i)
				continue
			}
			pos := fault.Diag.Pos
			if !strings.HasSuffix(pos.File, "fault_test.go") || pos.Line < 1 || pos.Line > len(lines) {
				t.Errorf("position %s is not in this file\n%s", pos, fault)
				continue
			}
			m := expectation.FindStringSubmatch(lines[pos.Line-1])
			if m == nil {
				t.Errorf("line %d does not expect a fault\n%s", pos.Line, fault)
				continue
			}
			if ok, err := regexp.MatchString("(?s)"+m[1], fault.Error()); !ok || err != nil {
				t.Errorf("line %d: want %s (%v)\ngot %s", pos.Line, m[1], err, fault)
			}
			if kernels := fault.Op == "p.Assert" || fault.Op == "tl.StaticAssert"; !kernels && len(fault.Diag.Fixes) == 0 {
				t.Errorf("line %d: no suggestion\n%s", pos.Line, fault)
			}
			if fault.Op == "" || !strings.Contains(fault.Error(), fault.Op+": ") {
				t.Errorf("line %d: op %q is not in the message", pos.Line, fault.Op)
			}
		}
	}
}
