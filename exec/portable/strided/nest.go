package strided

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// A Nest is a loop nest that copies elements from place to place.
type Nest struct {
	To, From int // where the first element goes and comes from
	n        int // loops, the innermost last
	count    [shape.MaxRank]int
	toStep   [shape.MaxRank]int
	fromStep [shape.MaxRank]int
}

// Add adds a loop inside those that are there, or makes one of it and the innermost.
func (s *Nest) Add(count, toStep, fromStep int) {
	if count == 1 {
		return
	}
	if k := s.n - 1; k >= 0 && s.toStep[k] == count*toStep && s.fromStep[k] == count*fromStep {
		s.count[k] *= count
		s.toStep[k], s.fromStep[k] = toStep, fromStep
		return
	}
	s.count[s.n], s.toStep[s.n], s.fromStep[s.n] = count, toStep, fromStep
	s.n++
}

// Copy carries s out.
func (s *Nest) Copy(z, x dtype.Buf) {
	switch z.DType().Size() {
	case 1:
		copyNest(dtype.View[uint8](z), dtype.View[uint8](x), s)
	case 2:
		copyNest(dtype.View[uint16](z), dtype.View[uint16](x), s)
	case 4:
		copyNest(dtype.View[uint32](z), dtype.View[uint32](x), s)
	default:
		copyNest(dtype.View[uint64](z), dtype.View[uint64](x), s)
	}
}

func copyNest[T dtype.Elem](z, x []T, s *Nest) {
	to, from, last := s.To, s.From, s.n-1
	if s.n == 0 {
		z[to] = x[from]
		return
	}
	var i [shape.MaxRank]int
	for {
		copyRun(z, x, to, from, s.toStep[last], s.fromStep[last], s.count[last])
		k := last - 1
		for ; k >= 0; k-- {
			to += s.toStep[k]
			from += s.fromStep[k]
			if i[k]++; i[k] < s.count[k] {
				break
			}
			to -= s.count[k] * s.toStep[k]
			from -= s.count[k] * s.fromStep[k]
			i[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

// copyRun copies n elements in order.
func copyRun[T dtype.Elem](z, x []T, to, from, toStep, fromStep, n int) {
	if toStep == 1 {
		dtype.CopyRun(z[to:to+n], x, from, fromStep)
		return
	}
	for range n {
		z[to] = x[from]
		to += toStep
		from += fromStep
	}
}
