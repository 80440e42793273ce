package run

import (
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// An exchange is an atomic on a tile.
type exchange struct {
	*Access
	with   *Feed
	cmp    *Feed // what a compare-and-swap expects, else nil
	old    int   // buffer of what was there
	change func(e *exchanged, old uint64) uint64
	finish func(w *Worker)
}

// Exchange is the step of an atomic, whose operand is with.
func (a *Access) Exchange(with, cmp *Feed, old int, finish func(w *Worker)) Step {
	return (&exchange{a, with, cmp, old, changeOf(a.v), finish}).run
}

func (a *exchange) run(w *Worker) bool {
	dtype.BeginExchange()
	defer dtype.EndExchange()
	arg, old := &w.args[w.Regs[a.ptr.Base]], w.Bufs[a.old]
	clear(old.Bytes())
	w.exchange = exchanged{one: &w.single, d: a.v.Type.D}
	a.with.Open(w)
	a.cmp.Open(w)
	ok := a.each(w, func(offs []int64, on []uint8, lo, hi int) int {
		x, want := a.with.Next(w, lo, hi), a.cmp.Next(w, lo, hi)
		for i, o := range offs {
			if on != nil && on[i] == 0 {
				continue
			}
			if !owned(arg, o) {
				return i
			}
			e := &w.exchange
			e.val = x.Bits(i)
			if a.cmp != nil {
				e.want = want.Bits(i)
			}
			old.SetBits(lo+i, swap(arg.Mem, int(o), a.change, e))
		}
		return -1
	})
	a.finish(w)
	return ok
}

// exchanged is what an atomic has to do with an element.
type exchanged struct {
	one       *lanes.Single
	d         dtype.DType
	val, want uint64
}

// changeOf is what the atomic v puts in the place of an element.
func changeOf(v *ir.Value) func(e *exchanged, old uint64) uint64 {
	combine := v.Op.Row().Combine
	switch {
	case v.Op == op.AtomicCAS:
		return func(e *exchanged, old uint64) uint64 {
			if dtype.SameBits(e.d, old, e.want) {
				return e.val
			}
			return old
		}
	case combine == op.None:
		return func(e *exchanged, _ uint64) uint64 { return e.val }
	case combine == op.Add && v.Type.D.IsInt():
		return func(e *exchanged, old uint64) uint64 { return old + e.val }
	}
	return func(e *exchanged, old uint64) uint64 {
		e.one.Set(0, e.d, old)
		e.one.Set(1, e.d, e.val)
		return e.one.Apply(combine, e.d, 2)
	}
}

// halves serialises atomics on 2-byte elements, for which the processor's own would
// touch a neighbour that may lie outside the tensor.
var halves sync.Mutex

// swap replaces element i of b by f of it, atomically, and returns what it was. f may
// run several times.
func swap(b dtype.Buf, i int, f func(e *exchanged, old uint64) uint64, e *exchanged) uint64 {
	switch b.DType().Size() {
	case 4:
		// The element is aligned: memory of a 4-byte type always is in Go.
		p := &dtype.View[uint32](b)[i]
		for {
			old := atomic.LoadUint32(p)
			if atomic.CompareAndSwapUint32(p, old, uint32(f(e, uint64(old)))) {
				return uint64(old)
			}
		}
	case 8:
		p := &dtype.View[uint64](b)[i]
		for {
			old := atomic.LoadUint64(p)
			if atomic.CompareAndSwapUint64(p, old, f(e, old)) {
				return old
			}
		}
	}
	halves.Lock()
	defer halves.Unlock()
	old := b.Bits(i)
	b.SetBits(i, f(e, old))
	return old
}
