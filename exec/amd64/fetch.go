package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Hardware fetches ahead inside a page, but an instance begins on pages of its own
// and would wait for them. So a loop that goes through a tensor fetches, at the same
// place, what the next instance along the grid's first axis will read.

// fetchNext does that for a block of contiguous lanes at a place in memory.
func (n *nest) fetchNext(a *access, at arg) {
	g := n.g
	if n.tail != nil || a.next == 0 || n.stream != nil && !n.streaming || g.fetched[a.v] != nil && g.fetched[a.v] != n {
		return
	}
	g.fetched[a.v] = n // once is enough
	row := at.r
	var next reg
	if r, ok := n.nextRow[row]; ok {
		next = r
	} else {
		n.at(len(n.dims)-1, func() {
			next = g.newReg(gpr)
			g.def(asm.LEA, g.r64(next), memIndex(row, a.next, 1, 0))
		})
		n.nextRow[row] = next
	}
	at.r = next
	g.use(asm.PREFETCHT1, at.sized(1))
}

// instanceStep is how much a sym grows from one instance to the next along the first
// axis of the grid; nil if that is not known.
func (s *syms) instanceStep(x *sym) *sym {
	switch x.kind {
	case symConst:
		return s.constant(0)
	case symAdd:
		a, b := s.instanceStep(x.a), s.instanceStep(x.b)
		if a == nil || b == nil {
			return nil
		}
		return s.add(a, b)
	case symMul:
		a, b := s.instanceStep(x.a), s.instanceStep(x.b)
		switch {
		case a == nil || b == nil:
			return nil
		case b.isConst(0):
			return s.mul(a, x.b)
		case a.isConst(0):
			return s.mul(b, x.a)
		}
	case symValue:
		switch v := x.v; {
		case v.Op == op.ProgramID && v.Index == 0:
			return s.constant(1)
		case v.Op == op.ProgramID && v.Index != 0, v.Op == ir.Param, v.Op == op.NumPrograms:
			return s.constant(0)
		case v.Op == ir.Fits:
			return s.instanceStep(s.value(v.Args[0]))
		}
	}
	return nil
}
