package exec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// taken is the elements of x at o, on their way through something that does not compute.
func taken(x tl.Ptr, o tl.Tile, n int, BLOCK int, D tl.DType, HOW string) tl.Tile {
	a := tl.Load(x.Add(o), tl.Mask(o.Lt(n)))
	switch HOW {
	case "where":
		return tl.Where(o.Lt(n), a, 1)
	case "neg":
		return a.Neg()
	case "abs":
		return tl.Abs(a).Neg()
	case "gather":
		return tl.Load(x.Add(tl.Where(o.Lt(n), o, o.Mul(3).Mod(5))), tl.Mask(o.Lt(n)))
	case "kept":
		return tl.Flip(tl.Flip(a, 0), 0)
	case "turned":
		return a.Reshape(16, BLOCK/16).T().T().Reshape(BLOCK)
	case "carried":
		c := tl.Full(D, 1, BLOCK)
		for range n {
			c = a
		}
		return c
	}
	return a
}

// combined is an operation of two tiles.
func combined(a, b tl.Tile, OP string) tl.Tile {
	switch OP {
	case "maximum":
		return tl.Maximum(a, b)
	case "minimum":
		return tl.Minimum(a, b)
	case "maximum_nan":
		return tl.Maximum(a, b, tl.PropagateNaN)
	case "minimum_nan":
		return tl.Minimum(a, b, tl.PropagateNaN)
	case "clamp":
		return tl.Clamp(a, -0.5, 0.5)
	case "clamp_tiles":
		return tl.Clamp(b, a, a)
	case "relu":
		return tl.Maximum(a, 0)
	case "max":
		return tl.Max(tl.Join(a, b), tl.Axis(1))
	case "min":
		return tl.Min(tl.Join(a, b), tl.Axis(1))
	case "max_rows":
		return tl.Max(tl.Join(a, b).T(), tl.Axis(0))
	case "min_rows":
		return tl.Min(tl.Join(a, b).T(), tl.Axis(0))
	case "max_index":
		v, i := tl.MaxIndex(tl.Join(a, b), tl.Axis(1))
		return tl.Where(i.Eq(0), v, v.Neg())
	case "reduce":
		return tl.Reduce(tl.Join(a, b), func(x, y tl.Tile) tl.Tile { return tl.Maximum(x, y).To(x.DType()) }, tl.Axis(1))
	case "scan":
		c := tl.Scan(tl.Join(a, b), func(x, y tl.Tile) tl.Tile { return tl.Minimum(x, y).To(x.DType()) }, tl.Axis(1))
		u, v := tl.Split(c)
		return tl.Where(u.Eq(v), u, v)
	case "sort":
		c, _ := tl.Split(tl.Sort(tl.Join(a, b)))
		return c
	case "add":
		return a.Add(b)
	case "sub":
		return a.Sub(b)
	case "mul":
		return a.Mul(b)
	case "div":
		return a.Div(b)
	case "fma":
		return tl.FMA(a, b, a)
	case "mod":
		return a.Mod(b)
	case "pow":
		return tl.Pow(a, b)
	case "atan2":
		return tl.Atan2(a, b)
	case "move":
		return a
	}
	return b
}

// nans stores the bits of an operation's results.
func nans(p *tl.Program, x, y, z tl.Ptr, n int, BLOCK tl.Const, D, BITS tl.DType, HOW, OP string) {
	o := tl.Arange(0, BLOCK)
	a, b := taken(x, o, n, BLOCK, D, HOW), taken(y, o, n, BLOCK, D, HOW)
	tl.Store(z.Add(o), combined(a, b, OP).To(D).Bitcast(BITS), tl.Mask(o.Lt(n)))
}

// nanScalars does so one element at a time.
func nanScalars(p *tl.Program, x, y, z tl.Ptr, n int, BITS tl.DType, OP string) {
	i := p.ID(0)
	a, b := tl.Load(x.Add(i)), tl.Load(y.Add(i))
	for range n { // values that a loop carries
		a, b = b, a
	}
	var c tl.Tile
	switch OP {
	case "maximum":
		c = tl.Maximum(a, b)
	case "minimum":
		c = tl.Minimum(a, b)
	case "clamp":
		c = tl.Clamp(a, -0.5, 0.5)
	case "add":
		c = a.Add(b)
	case "move":
		c = a
	}
	tl.Store(z.Add(i), c.To(a.DType()).Bitcast(BITS))
}

// nanRows reduces rows, and columns.
func nanRows(p *tl.Program, x, z tl.Ptr, BITS tl.DType, AXIS tl.Const, OP string) {
	o := tl.Arange(0, 48).Col().Mul(48).Add(tl.Arange(0, 48).Row())
	a := tl.Load(x.Add(o))
	var c tl.Tile
	switch OP {
	case "max":
		c = tl.Max(a, tl.Axis(AXIS))
	case "min":
		c = tl.Min(a, tl.Axis(AXIS))
	case "sum":
		c = tl.Sum(a, tl.Axis(AXIS))
	case "reduce":
		c = tl.Reduce(a, func(x, y tl.Tile) tl.Tile { return tl.Minimum(x, y).To(x.DType()) }, tl.Axis(AXIS))
	case "index":
		v, i := tl.MinIndex(a, tl.Axis(AXIS))
		c = tl.Where(i.Lt(20), v, v.Neg())
	}
	tl.Store(z.Add(tl.Arange(0, 48)), c.To(a.DType()).Bitcast(BITS))
}

// nanAtomics changes elements one after the other, and keeps what was there.
func nanAtomics(p *tl.Program, x, y, z tl.Ptr, n int, BLOCK tl.Const, BITS tl.DType, OP string) {
	o := tl.Arange(0, BLOCK)
	m := tl.Mask(o.Lt(n))
	b := tl.Load(y.Add(o), m)
	var c tl.Tile
	switch OP {
	case "max":
		c = tl.AtomicMax(x.Add(o), b, m)
	case "min":
		c = tl.AtomicMin(x.Add(o), b, m)
	case "add":
		c = tl.AtomicAdd(x.Add(o), b, m)
	case "xchg":
		c = tl.AtomicXchg(x.Add(o), b, m)
	case "cas":
		c = tl.AtomicCAS(x.Add(o.Mod(n)), tl.Load(y.Add(o.Mod(n))), 7)
	}
	tl.Store(z.Add(o), c.Bitcast(BITS), m)
}

var floatTypes = []tl.DType{tl.Float8E5, tl.Float8E4NV, tl.Float16, tl.BFloat16, tl.Float32, tl.Float64}

// bitsType is the unsigned integer that is as wide as a float.
func bitsType(d tl.DType) tl.DType {
	return map[int]tl.DType{8: tl.Uint8, 16: tl.Uint16, 32: tl.Uint32, 64: tl.Uint64}[d.Bits()]
}

// hardBits is numbers at the edges, and NaNs of every kind: quiet and signaling, of both signs,
// with payloads at their ends.
func hardBits(d tl.DType) (list []uint64) {
	for _, v := range []float64{0, 1, 0.25, 3, math.Inf(1), 1e-300} {
		list = append(list, dtype.FromFloat(d, v), dtype.FromFloat(d, -v))
	}
	sign := uint64(1) << (d.Bits() - 1)
	list = append(list, 1, sign|1) // subnormal
	fraction := map[tl.DType]int{tl.Float8E5: 2, tl.Float8E4NV: 3, tl.Float16: 10, tl.BFloat16: 7, tl.Float32: 23, tl.Float64: 52}[d]
	quiet := uint64(1) << (fraction - 1)
	exponent := sign - 2*quiet
	nans := []uint64{exponent | quiet, exponent | 1, exponent | quiet | 1, exponent | quiet - 1, exponent | quiet | quiet - 1, exponent | quiet>>1}
	if d == tl.Float8E4NV {
		nans = []uint64{0x7f}
	}
	for _, b := range nans {
		list = append(list, b, sign|b)
	}
	return list
}

// pairs is every pair of some elements, in two tensors.
func pairs(d tl.DType, list []uint64) (x, y *tensor.Tensor) {
	n := len(list)
	x, y = tensor.Zeros(d, n*n), tensor.Zeros(d, n*n)
	for i := range n * n {
		x.Buf().SetBits(i, list[i/n])
		y.Buf().SetBits(i, list[i%n])
	}
	return x, y
}

// sameEverywhere launches a kernel in every engine, and demands the interpreter's bits in z, floats that are
// NaN aside. of makes the arguments.
func sameEverywhere(t *testing.T, name string, k *exec.Kernel, g exec.Grid, of func() (args []any, z *tensor.Tensor)) {
	t.Helper()
	var want *tensor.Tensor
	for _, engine := range exec.Engines() {
		args, z := of()
		if err := k.With(exec.Options{Engine: engine, Workers: 1}).Launch(g, args...); err != nil {
			t.Errorf("%s: %s: %v", name, engine, err)
			return
		}
		if want == nil {
			want = z
			continue
		}
		for i := range z.Len() {
			if a, b := z.Buf().Bits(i), want.Buf().Bits(i); !dtype.SameBits(z.DType(), a, b) {
				t.Errorf("%s: %s: element %d is %#x, want %#x", name, engine, i, a, b)
				break
			}
		}
	}
}

// TestNaN: a signaling NaN is a NaN as any other, in every operation that must tell NaNs from numbers, whatever
// it has gone through; and the bits that Bitcast shows of what comes out are the same everywhere.
func TestNaN(t *testing.T) {
	ways := strings.Fields("load where neg abs gather kept turned carried")
	ops := strings.Fields("maximum minimum maximum_nan minimum_nan clamp clamp_tiles relu max min max_rows min_rows max_index reduce scan sort add sub mul div fma mod pow atan2 move")
	for _, d := range floatTypes {
		k := exec.New(nans)
		x, y := pairs(d, hardBits(d))
		n := x.Len()
		for i, op := range ops {
			for j, how := range ways {
				if os.Getenv("TILER_LONG") == "" && (i+j+int(d))%8 != 0 {
					continue
				}
				sameEverywhere(t, fmt.Sprint(d, " ", op, " of ", how), k, exec.Grid{1}, func() ([]any, *tensor.Tensor) {
					z := tensor.Zeros(bitsType(d), n)
					return []any{x, y, z, n, tl.NextPow2(n), d, bitsType(d), how, op}, z
				})
			}
		}
	}
}

// TestNaNScalars is TestNaN of scalars.
func TestNaNScalars(t *testing.T) {
	for _, d := range floatTypes {
		x, y := pairs(d, hardBits(d))
		for _, op := range strings.Fields("maximum minimum clamp add move") {
			sameEverywhere(t, fmt.Sprint(d, " ", op), exec.New(nanScalars), exec.Grid{x.Len()}, func() ([]any, *tensor.Tensor) {
				z := tensor.Zeros(bitsType(d), x.Len())
				return []any{x, y, z, 2, bitsType(d), op}, z
			})
		}
	}
}

// TestNaNRows is TestNaN of reductions.
func TestNaNRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, d := range floatTypes {
		list := hardBits(d)
		x := tensor.Zeros(d, 48*48)
		for i := range x.Len() {
			x.Buf().SetBits(i, list[r.IntN(len(list))])
			if i < 10*48 || i%48 < 10 { // rows of NaNs alone
				x.Buf().SetBits(i, list[len(list)-1-r.IntN(2)])
			}
		}
		for _, op := range strings.Fields("max min sum reduce index") {
			for axis := range 2 {
				sameEverywhere(t, fmt.Sprint(d, " ", op, " along ", axis), exec.New(nanRows), exec.Grid{1}, func() ([]any, *tensor.Tensor) {
					z := tensor.Zeros(bitsType(d), 48)
					return []any{x, z, bitsType(d), axis, op}, z
				})
			}
		}
	}
}

// TestNaNAtomics is TestNaN of atomics: AtomicCAS takes all NaNs for one.
func TestNaNAtomics(t *testing.T) {
	for _, d := range []tl.DType{tl.Float32, tl.Float64} {
		x, y := pairs(d, hardBits(d))
		for _, op := range strings.Fields("max min add xchg cas") {
			for _, memory := range []bool{false, true} { // what is returned, and what is left
				sameEverywhere(t, fmt.Sprint(d, " ", op), exec.New(nanAtomics), exec.Grid{1}, func() ([]any, *tensor.Tensor) {
					x, z := x.Clone(), tensor.Zeros(bitsType(d), x.Len())
					n := x.Len()
					args := []any{x, y, z, n, tl.NextPow2(n), bitsType(d), op}
					if !memory {
						return args, z
					}
					return args, x
				})
			}
		}
	}
}
