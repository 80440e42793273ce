// Package random makes kernels at random, in IR and in Go, the same ones for equal seeds, and arguments for them.
package random

import (
	"math/rand/v2"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// generator makes random kernels: well typed, with loops and branches, most accesses
// in bounds.
type generator struct {
	*kerneltest.Builder
	r     *rand.Rand
	scope []*ir.Value
	depth int
	loops int // Loops around, but for Fors in between
	fors  int
	left  int           // values to be made
	types []dtype.DType // of tensors

	// home, if it is one, is the type that most values have, so that loops and branches
	// carry and mix many values of one type.
	home ir.Type
}

func (g *generator) atHome() bool { return g.home.D.Valid() && g.r.IntN(8) > 0 }

// Kernel is a random Func, the same for equal seeds; its parameters are those
// that Args adds.
func Kernel(seed uint64) *ir.Func {
	r := rand.New(rand.NewPCG(seed, 99))
	g := &generator{Builder: kerneltest.NewBuilder(), r: r, left: 40, types: tensorTypes(seed)}
	switch seed % 8 {
	case 1:
		g.home = ir.Tile(dtype.Float32, 4, 4)
	case 2:
		g.home = ir.Tile(dtype.Int64, 6)
	case 3:
		g.home = ir.Tile(dtype.Float32, 300)
	case 5:
		g.home = ir.Tile(g.types[g.r.IntN(len(g.types))], 1+g.r.IntN(20), 1+g.r.IntN(20))
	case 6:
		g.home = ir.Tile(g.types[g.r.IntN(len(g.types))], 1+g.r.IntN(70))
	}
	return g.kernel()
}

// Args adds arguments for a random kernel.
func Args(seed uint64) func(w *kerneltest.World) {
	return func(w *kerneltest.World) {
		w.R = rand.New(rand.NewPCG(seed, 7))
		for range 2 {
			for _, d := range tensorTypes(seed) {
				w.Add(d, memory)
			}
		}
		w.Ints(w.R.IntN(9), w.R.IntN(100)-50)
	}
}

const memory = 1 << 10 // elements of each tensor

// tensorTypes are the element types of the kernel's tensors, two of each.
func tensorTypes(seed uint64) []dtype.DType {
	switch seed / 8 % 3 {
	case 1:
		return []dtype.DType{dtype.Float64, dtype.Int32, dtype.BFloat16, dtype.Uint64, dtype.Int8, dtype.Bool}
	case 2:
		return []dtype.DType{dtype.Float64, dtype.Int64, dtype.Float32, dtype.Int16, dtype.Uint32, dtype.Uint16}
	}
	return []dtype.DType{dtype.Float32, dtype.Int32, dtype.Float16, dtype.Int64, dtype.Uint8, dtype.Bool}
}

func (g *generator) kernel() *ir.Func {
	for range 2 {
		for _, d := range g.types {
			g.scope = append(g.scope, g.Ptr(d))
		}
	}
	g.scope = append(g.scope, g.Scalar(), g.Scalar())
	for axis := range 2 {
		id := g.Emit(op.ProgramID, ir.Scalar(dtype.Int64))
		id.Index = axis
		g.scope = append(g.scope, id)
	}
	g.statements()
	for range 6 {
		g.storeSomething()
	}
	return g.Done()
}

func (g *generator) statements() {
	for n := 3 + g.r.IntN(8); n > 0 && g.left > 0; n-- {
		g.left--
		if g.atHome() && g.depth > 0 && g.r.IntN(4) > 0 {
			g.compute()
			continue
		}
		switch k := g.r.IntN(20); {
		case k < 3 && g.depth < 3:
			g.control()
		case k < 5:
			g.storeSomething()
		case k < 8:
			g.keep(g.loadSomething())
		case k < 11:
			g.keep(g.index(g.shape(), g.intType()))
		case k < 13:
			g.keep(g.mask(g.shape()))
		default:
			g.compute()
		}
	}
}

func (g *generator) keep(v *ir.Value) {
	if v != nil {
		g.scope = append(g.scope, v)
	}
}

func (g *generator) intType() dtype.DType {
	return []dtype.DType{dtype.Int32, dtype.Int64}[g.r.IntN(2)]
}

var dims = []int{1, 1, 2, 3, 4, 5, 8, 16, 17, 33}

func (g *generator) shape() ir.Shape {
	if g.atHome() {
		return g.home.Shape
	}
	for {
		s := ir.ShapeOf([]int{g.dim(), g.dim(), g.dim()}[:1+g.r.IntN(3)]...)
		if g.r.IntN(12) == 0 {
			s = ir.ShapeOf(300 + g.r.IntN(300))
		}
		if s.Len() <= memory/2 {
			return s
		}
	}
}

func (g *generator) dim() int { return dims[g.r.IntN(len(dims))] }

// pick is a value of the scope that fits, or nil.
func (g *generator) pick(fits func(v *ir.Value) bool) *ir.Value {
	for range 12 {
		if v := g.scope[g.r.IntN(len(g.scope))]; fits(v) {
			return v
		}
	}
	return nil
}

func (g *generator) any() *ir.Value {
	if g.atHome() {
		return g.as(g.home)
	}
	return g.pick(func(v *ir.Value) bool { return !v.Type.D.IsPointer() && v.Type.D.Valid() })
}

// bits is a constant of type d.
func (g *generator) bits(d dtype.DType) *ir.Value {
	return g.Constant(d, kerneltest.RandomBits(g.r, d))
}

// as is some value of the scope made to be of type t, or a constant.
func (g *generator) as(t ir.Type) *ir.Value {
	x := g.pick(func(v *ir.Value) bool {
		return !v.Type.D.IsPointer() && (v.Type == t || g.r.IntN(3) == 0 && fitsShape(v.Type.Shape, t.Shape))
	})
	if x == nil {
		x = g.bits(t.D)
	}
	return g.to(x, t)
}

func fitsShape(x, z ir.Shape) bool {
	for i := 1; i <= min(x.N, z.N); i++ {
		if d := x.D[x.N-i]; d != 1 && d != z.D[z.N-i] {
			return false
		}
	}
	return x.N <= z.N
}

func (g *generator) to(x *ir.Value, t ir.Type) *ir.Value {
	if x.Type.D != t.D {
		x = g.Emit(op.Cast, x.Type.As(t.D), x)
	}
	return g.Broadcast(x, t.Shape)
}

// index is an integer tile that is an affine function of its index, and at times
// wraps.
func (g *generator) index(shape ir.Shape, d dtype.DType) *ir.Value {
	t := ir.Type{D: d, Shape: shape}
	z := g.to(g.scalarInt(), t)
	for axis := range shape.N {
		if g.r.IntN(4) == 0 {
			continue
		}
		x := g.Emit(op.Arange, ir.Tile(dtype.Int32, shape.D[axis]))
		x.Index = g.r.IntN(3) * g.r.IntN(5)
		one := ir.Shape{N: shape.N}
		for k := range shape.N {
			one.D[k] = 1
		}
		x = g.Reshape(x, one.With(axis, shape.D[axis]))
		if x.Type.D != d {
			x = g.Emit(op.Cast, x.Type.As(d), x)
		}
		if g.r.IntN(2) == 0 {
			x = g.Emit(op.Mul, x.Type, x, g.to(g.scalarInt(), x.Type))
		}
		z = g.Emit([]op.Op{op.Add, op.Sub}[g.r.IntN(8)/7], t, g.Broadcast(x, shape), z)
	}
	return z
}

// scalarInt is a small integer, mostly.
func (g *generator) scalarInt() *ir.Value {
	switch g.r.IntN(12) {
	case 0:
		return g.bits(dtype.Int64)
	case 1, 2, 3:
		if v := g.pick(func(v *ir.Value) bool { return v.Type == ir.Scalar(dtype.Int64) }); v != nil {
			return v
		}
	}
	return g.Int(g.r.IntN(20))
}

// mask is a bool tile, often a box.
func (g *generator) mask(shape ir.Shape) *ir.Value {
	t := ir.Type{D: dtype.Bool, Shape: shape}
	if g.r.IntN(5) == 0 {
		return g.as(t)
	}
	if g.r.IntN(5) == 0 { // so many first lanes of rows
		n := shape.D[shape.N-1]
		row := g.Emit(op.Arange, ir.Tile(dtype.Int32, n))
		end := g.Broadcast(g.Constant(dtype.Int32, uint64(g.r.IntN(n+1))), row.Type.Shape)
		return g.Broadcast(g.Emit(op.Lt, row.Type.As(dtype.Bool), row, end), shape)
	}
	d := g.intType()
	o := op.Lt + op.Op(g.r.IntN(int(op.Ne-op.Lt)+1))
	if g.r.IntN(3) > 0 {
		o = []op.Op{op.Lt, op.Ge}[g.r.IntN(2)]
	}
	z := g.Emit(o, t, g.index(shape, d), g.to(g.scalarInt(), ir.Type{D: d, Shape: shape}))
	if g.r.IntN(2) == 0 {
		z = g.Emit([]op.Op{op.And, op.And, op.Or}[g.r.IntN(3)], t, z, g.mask(shape))
	}
	return z
}

// compute adds an op on values of the scope.
func (g *generator) compute() {
	x := g.any()
	if x == nil {
		return
	}
	switch s := x.Type.Shape; g.r.IntN(12) {
	case 0:
		g.moves(x)
	case 1:
		if x.Type.IsTile() && !x.Type.D.IsNarrow() {
			g.reduction(x)
		}
	case 2:
		g.keep(g.Emit(op.Cast, x.Type.As(g.types[g.r.IntN(len(g.types))]), x))
	case 3:
		if s.N == 2 && s.Len() <= 128 && x.Type.D != dtype.Bool && (x.Type.D == dtype.Float32 || x.Type.D.Bits() >= 32) {
			y := g.Emit(op.Permute, ir.Type{D: x.Type.D, Shape: ir.ShapeOf(s.D[1], s.D[0])}, x)
			y.Axes = []int{1, 0}
			v := g.Emit(op.Dot, ir.Type{D: x.Type.D, Shape: ir.ShapeOf(s.D[0], s.D[0])}, x, y)
			if x.Type.D == dtype.Float32 && g.r.IntN(3) == 0 {
				v.Args[0], v.Args[1] = g.to(x, x.Type.As(dtype.BFloat16)), g.to(y, y.Type.As(dtype.BFloat16))
				v.Chain = dot.Chains()[g.r.IntN(len(dot.Chains()))]
				moveLast(g.B, v)
			}
			if g.r.IntN(2) == 0 {
				v.Args = append(v.Args, g.as(v.Type))
				v.Flags |= ir.HasAcc
				moveLast(g.B, v)
			}
			g.keep(v)
		}
	case 4:
		g.goMath()
	default:
		o := op.Add + op.Op(g.r.IntN(int(op.Sigmoid-op.Add)+1))
		if g.atHome() {
			o = []op.Op{op.Add, op.Sub, op.Maximum, op.Mul, op.Where}[g.r.IntN(5)]
		}
		extremum := o >= op.Maximum && o <= op.MinimumNaN // of bfloat16 it is float32
		if !kerneltest.HasMeaning(o, x.Type.D) || extremum && x.Type.D == dtype.BFloat16 {
			return
		}
		args := []*ir.Value{x}
		for len(args) < o.Row().Arity {
			args = append(args, g.as(x.Type))
		}
		if o == op.Where {
			args[0], args[2] = g.as(x.Type.As(dtype.Bool)), x
		}
		g.keep(g.Emit(o, x.Type.As(o.Result(x.Type.D)), args...))
	}
}

// goMath is a function of Go's package math.
func (g *generator) goMath() {
	f64 := ir.Scalar(dtype.Float64)
	x, name := g.as(f64), []string{"Exp", "Log1p", "Tanh", "Pow", "Hypot", "Ldexp", "Ilogb", "Frexp"}[g.r.IntN(8)]
	v := g.Emit(ir.GoMath, f64, x)
	switch v.Text = name; name {
	case "Pow", "Hypot":
		v.Args = append(v.Args, g.as(f64))
	case "Ldexp":
		v.Args = append(v.Args, g.as(ir.Scalar(dtype.Int64)))
	case "Ilogb":
		v.Type = ir.Scalar(dtype.Int64)
	case "Frexp":
		v.Type, v.Index = ir.Scalar(dtype.Int64), 1
	}
	moveLast(g.B, v)
	g.keep(v)
}

// moveLast puts v after the operands that were made later.
func moveLast(b *ir.Block, v *ir.Value) {
	for i, u := range b.Values {
		if u == v {
			b.Values = append(append(b.Values[:i:i], b.Values[i+1:]...), v)
			return
		}
	}
}

func (g *generator) moves(x *ir.Value) {
	s, d := x.Type.Shape, x.Type.D
	switch g.r.IntN(7) {
	case 0:
		g.keep(g.Broadcast(x, ir.ShapeOf(append([]int{1 + g.r.IntN(3)}, s.Dims()...)...)))
	case 1:
		to := []ir.Shape{ir.ShapeOf(s.Len()), ir.ShapeOf(1, s.Len())}
		to = append(to, kerneltest.ShapesOf(s.Len())...)
		g.keep(g.Reshape(x, to[g.r.IntN(len(to))]))
	case 2:
		axes := g.r.Perm(s.N)
		z := s
		for i, a := range axes {
			z.D[i] = s.D[a]
		}
		v := g.Emit(op.Permute, ir.Type{D: d, Shape: z}, x)
		v.Axes = axes
		g.keep(v)
	case 3:
		if s.N > 0 && s.N < 4 {
			g.keep(g.Emit(op.Join, ir.Type{D: d, Shape: ir.ShapeOf(append(s.Dims(), 2)...)}, x, g.as(x.Type)))
		}
	case 4:
		if s.N > 0 {
			v := g.Emit(op.Flip, x.Type, x)
			v.Axis = g.r.IntN(s.N)
			g.keep(v)
		}
	case 5:
		if s.N > 0 && s.N < 5 && s.Len() < memory/8 {
			axis := g.r.IntN(s.N)
			v := g.Emit(op.Cat, ir.Type{D: d, Shape: s.With(axis, 3*s.D[axis])}, x, g.as(x.Type), x)
			v.Axis = axis
			moveLast(g.B, v)
			g.keep(v)
		}
	case 6:
		if s.N > 0 {
			g.gather(x, g.r.IntN(s.N))
		}
	}
	if n := s.N; n > 0 && s.D[n-1] == 2 {
		v := g.Emit(op.Split, ir.Type{D: d, Shape: s.Drop(n - 1)}, x)
		v.Index = g.r.IntN(2)
		g.keep(v)
	}
}

// gather picks along an axis, rarely beyond its end.
func (g *generator) gather(x *ir.Value, axis int) {
	size := x.Type.Shape.D[axis]
	to := x.Type.Shape.With(axis, 1+g.r.IntN(2*size))
	i := g.Offsets(to)
	if k := g.r.IntN(20); k > 0 {
		i = g.Emit(op.Mod, i.Type, i, g.Broadcast(g.Int(size), to))
	}
	v := g.Emit(op.Gather, ir.Type{D: x.Type.D, Shape: to}, x, i)
	v.Axis = axis
	g.keep(v)
}
