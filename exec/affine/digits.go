package affine

import (
	"math"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Kernels over flat indices take rows and columns apart, h, w = x/y, x%y, and put a neighbour's address together again:
// (h+i)*y + w+j. Neither digit is affine, but x%y is x - y·(x/y), so that in the sum the quotients cancel: it is
// x + i*y + j.

// digits is a form plus a quotient times a factor, x/y truncated: an exact integer.
type digits struct {
	Form
	x, y   *ir.Value // y is a scalar
	of     *Form     // x over the dimensions at hand
	factor *Sym      // nil: there is no quotient
}

// recombined is the form of a sum in which quotients cancel.
func (fs *Forms) recombined(v *ir.Value) *Form {
	if v.Op != op.Add && v.Op != op.Sub && v.Op != ir.PtrAdd {
		return noForm
	}
	z := fs.digitsOf(v)
	if z == nil || z.factor != nil {
		return noForm
	}
	return &z.Form
}

// digitsOf is nil if v is no such sum, or too large a one.
func (fs *Forms) digitsOf(v *ir.Value) *digits {
	z, ok := fs.digits[v]
	if !ok {
		if z = fs.plain(v); z == nil && v.Type.IsTile() {
			z = fs.apartBy(v)
		}
		if z != nil && z.size() > maxSym {
			z = nil
		}
		fs.digits[v] = z
	}
	return z
}

// size is that of the expressions when written out.
func (z *digits) size() int {
	if z.factor == nil {
		return z.Form.size()
	}
	return z.Form.size() + z.factor.size
}

// apartBy is digitsOf by what a tile is computed by.
func (fs *Forms) apartBy(v *ir.Value) *digits {
	arg := func(i int) *digits { return fs.digitsOf(v.Args[i]) }
	switch v.Op {
	case op.FloorDiv, op.Mod:
		return fs.quotient(v)
	case op.Add, op.Sub, ir.PtrAdd:
		return fs.digitSum(v.Op, arg(0), arg(1))
	case op.Mul:
		return fs.digitProduct(arg(0), arg(1))
	case op.Cast:
		return fs.widened(v, arg(0))
	case op.Reshape, op.Broadcast, op.Permute:
		return fs.movedDigits(v, arg(0))
	}
	return nil
}

// plain is a value without a quotient: remainders are none that are themselves where they are small.
func (fs *Forms) plain(v *ir.Value) *digits {
	f := fs.Of(v)
	if !f.Ok || f.limited() {
		return nil
	}
	return &digits{Form: *f}
}

// quotient is x/y, or x%y as x - y·(x/y).
func (fs *Forms) quotient(v *ir.Value) *digits {
	x, y := v.Args[0], Repeated(v.Args[1])
	if y == nil || v.Type.D != dtype.Int32 && v.Type.D != dtype.Int64 {
		return nil
	}
	f := fs.Of(x)
	if !f.Ok || f.Base >= 0 || f.limited() {
		return nil
	}
	z := &digits{Form: *fs.uniform(fs.Constant(0)), x: x, y: y, of: f, factor: fs.Constant(1)}
	if v.Op == op.Mod {
		z.Form, z.factor = *f, fs.Mul(fs.Value(y), fs.Constant(-1))
	}
	return z
}

func (fs *Forms) digitSum(o op.Op, a, b *digits) *digits {
	if a == nil || b == nil {
		return nil
	}
	if o == op.Sub {
		b = fs.scaledDigits(b, fs.Constant(-1))
	}
	f := fs.sum(op.Add, &a.Form, &b.Form)
	if !f.Ok {
		return nil
	}
	z := *a
	switch {
	case a.factor == nil:
		z = *b
	case b.factor == nil:
	case a.x != b.x || a.y != b.y || a.of != b.of && a.of.Coef != b.of.Coef:
		return nil
	case fs.Mul(a.factor, fs.Constant(-1)) == b.factor:
		z.factor = nil
	default:
		z.factor = fs.Add(a.factor, b.factor)
	}
	z.Form = *f
	return &z
}

func (fs *Forms) digitProduct(a, b *digits) *digits {
	switch {
	case a == nil || b == nil:
	case b.flat() && b.factor == nil:
		return fs.scaledDigits(a, b.Start)
	case a.flat() && a.factor == nil:
		return fs.scaledDigits(b, a.Start)
	}
	return nil
}

func (fs *Forms) scaledDigits(a *digits, by *Sym) *digits {
	z := *a
	if z.Form = *fs.scaled(&a.Form, by); z.factor != nil {
		z.factor = fs.Mul(z.factor, by)
	}
	return &z
}

// widened is an int32 widened: on condition that neither x wrapped nor the sum. Of y·(x/y) it is known that it lies
// within y of x.
func (fs *Forms) widened(v *ir.Value, a *digits) *digits {
	from, shape := v.Args[0].Type.D, v.Type.Shape
	if a == nil || a.factor == nil || from != dtype.Int32 || v.Type.D != dtype.Int64 {
		return nil
	}
	y := fs.Value(a.y)
	near := &a.Form
	switch {
	case a.factor == y:
		near = fs.sum(op.Add, near, a.of)
	case fs.Mul(y, fs.Constant(-1)) == a.factor:
		near = fs.sum(op.Sub, near, a.of)
	default:
		return nil
	}
	z := *a
	z.Conds = fs.inRange(a.of, shape, math.MinInt32, math.MaxInt32)
	for _, o := range []op.Op{op.Add, op.Sub} {
		end := *fs.sum(o, near, fs.uniform(y))
		end.Conds = z.Conds
		z.Conds = fs.inRange(&end, shape, math.MinInt32, math.MaxInt32)
	}
	return &z
}

// movedDigits carries a sum through a change of shape.
func (fs *Forms) movedDigits(v *ir.Value, a *digits) *digits {
	if a == nil || a.factor == nil {
		return nil
	}
	z := *a
	f, of := fs.through(v, &a.Form), fs.through(v, a.of)
	if !f.Ok || !of.Ok {
		return nil
	}
	z.Form, z.of = *f, of
	return &z
}
