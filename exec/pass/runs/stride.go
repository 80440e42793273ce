package runs

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// minStrided is the least divisor, with vectors of 8 lanes, if elements of a run do not lie side by side: lanes are
// loaded one by one in runs, too.
const minStrided = 24

// A step is how much numbers grow from each element of a run to the next one.
type step struct {
	by    int64
	known bool
}

// strides finds steps, of each value once.
type strides struct {
	w    *runWriter
	seen map[*ir.Value]step
}

// strided reports whether a load or a store of a run's elements goes to such that do not lie side by side, or, of words
// of 32 bits and more, the other way round.
func strided(w *runWriter) bool {
	s := strides{w, map[*ir.Value]step{}}
	for _, v := range w.b.Values[:w.last+1] {
		if !v.IsMemory() || !w.slice[v] || !w.copies(v) {
			continue
		}
		z, least := s.of(v.Memory().Ptr), int64(0)
		if v.Memory().Ptr.Type.D.Elem().Bits() >= 32 {
			least = -1
		}
		if !z.known || z.by < least || z.by > 1 {
			return true
		}
	}
	return false
}

// of is the step of integers, or of pointers, by elements.
func (s strides) of(v *ir.Value) step {
	z, ok := s.seen[v]
	if !ok {
		z = s.find(v)
		s.seen[v] = z
	}
	return z
}

func (s strides) find(v *ir.Value) step {
	switch p := s.w.part(v); {
	case p.one != nil || !s.w.copies(v):
		return step{0, p.one != nil}
	case p.start != nil:
		return step{1, true}
	}
	switch v.Op {
	case op.Cast:
		return s.of(v.Args[0])
	case op.Add, op.Sub, ir.PtrAdd:
		x, y := s.of(v.Args[0]), s.of(v.Args[1])
		if v.Op == op.Sub {
			y.by = -y.by
		}
		return step{x.by + y.by, x.known && y.known}
	case op.Neg:
		x := s.of(v.Args[0])
		return step{-x.by, x.known}
	case op.Mul:
		for i, a := range v.Args {
			if c := s.w.part(a).one; c != nil && c.Op == op.Const {
				x := s.of(v.Args[1-i])
				return step{x.by * dtype.ToInt(c.Type.D, c.Bits), x.known}
			}
		}
	}
	return step{}
}
