package tensor

import (
	"sync/atomic"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Storage is the memory behind one or more tensors. Its address is its identity.
// Two Storages can still share memory, if both were made with From over one slice;
// Base and Bytes tell.
type Storage struct {
	buf     dtype.Buf
	virtual bool                   // there is no memory, whatever the tensors' shapes
	written atomic.Pointer[bitset] // which elements are defined; nil: all of them
}

func newStorage(b dtype.Buf) *Storage { return &Storage{buf: b} }

// Len is the number of elements.
func (s *Storage) Len() int { return s.buf.Len() }

// Base is the address of the first element. It stays while the Storage is in use:
// Go does not move the memory.
func (s *Storage) Base() uintptr { return uintptr(s.buf.Pointer()) }

// Bytes is the size of the memory.
func (s *Storage) Bytes() int { return s.buf.Len() * s.buf.DType().Size() }

// Buf is the whole memory, in the type it was made with.
func (s *Storage) Buf() dtype.Buf { return s.buf }

// Defined reports whether every element of s has been written.
func (s *Storage) Defined() bool {
	b := s.written.Load()
	if b == nil {
		return true
	}
	if !b.all(0, s.Len()) {
		return false
	}
	s.written.CompareAndSwap(b, nil)
	return true
}

// bitset has a bit per element of a storage. Without words it is all zeros: the
// words come with the first bit that is set. Bits are set atomically.
type bitset struct{ words []atomic.Uint64 }

// partial is the bitset to set some bits in, nil if all elements are defined.
func (s *Storage) partial() *bitset {
	for {
		b := s.written.Load()
		if b == nil || b.words != nil {
			return b
		}
		fresh := &bitset{make([]atomic.Uint64, (s.Len()+63)/64)}
		if s.written.CompareAndSwap(b, fresh) {
			return fresh
		}
	}
}

// define marks elements lo to hi as written.
func (s *Storage) define(lo, hi int) {
	if s.written.Load() == nil {
		return
	}
	if lo == 0 && hi == s.Len() {
		s.written.Store(nil)
		return
	}
	if b := s.partial(); b != nil {
		b.each(lo, hi, func(w *atomic.Uint64, mask uint64) bool {
			w.Or(mask)
			return true
		})
	}
}

// undefine marks elements lo to hi as not written.
func (s *Storage) undefine(lo, hi int) {
	if s.written.Load() == nil {
		full := &bitset{make([]atomic.Uint64, (s.Len()+63)/64)}
		for i := range full.words {
			full.words[i].Store(^uint64(0))
		}
		s.written.CompareAndSwap(nil, full)
	}
	if b := s.partial(); b != nil {
		b.each(lo, hi, func(w *atomic.Uint64, mask uint64) bool {
			w.And(^mask)
			return true
		})
	}
}

// defined reports whether elements lo to hi are written.
func (s *Storage) defined(lo, hi int) bool {
	b := s.written.Load()
	return b == nil || b.all(lo, hi)
}

// all reports whether bits lo to hi are set.
func (b *bitset) all(lo, hi int) bool {
	if b.words == nil {
		return lo == hi
	}
	ok := true
	b.each(lo, hi, func(w *atomic.Uint64, mask uint64) bool {
		ok = w.Load()&mask == mask
		return ok
	})
	return ok
}

// each calls fn for each word that holds bits of lo to hi, with a mask of those
// bits, until it returns false.
func (b *bitset) each(lo, hi int, fn func(w *atomic.Uint64, mask uint64) bool) {
	for lo < hi {
		n := min(64-lo%64, hi-lo)
		mask := (^uint64(0) >> (64 - n)) << (lo % 64)
		if !fn(&b.words[lo/64], mask) {
			return
		}
		lo += n
	}
}

// Undefined reports whether any element of x was never written: memory of Empty that
// no Set, Fill, CopyFrom, MarkDefined, Data or Raw has reached.
func (x *Tensor) Undefined() bool {
	s := x.must("Undefined").st
	if x.n == 0 || s.Defined() {
		return false
	}
	if !x.HasGaps() {
		return !s.defined(x.off, x.off+x.Span())
	}
	undefined := false
	x.rows(func(lo, n, step int) {
		for i := 0; i < n && !undefined; i++ {
			undefined = !s.defined(lo+i*step, lo+i*step+1)
		}
	})
	return undefined
}

// MarkDefined says that every element of x has been written.
func (x *Tensor) MarkDefined() {
	s := x.must("MarkDefined").st
	if x.n == 0 || s.written.Load() == nil {
		return
	}
	if !x.HasGaps() {
		s.define(x.off, x.off+x.Span())
		return
	}
	x.rows(func(lo, n, step int) {
		for i := range n {
			s.define(lo+i*step, lo+i*step+1)
		}
	})
}

// MarkDefinedAt says that the element off elements after x's first one has been
// written. It may be called from several goroutines at once.
func (x *Tensor) MarkDefinedAt(off int) {
	i := x.within("MarkDefinedAt", off)
	x.st.define(i, i+1)
}

// IsDefinedAt reports whether the element off elements after x's first one has been
// written. off may lie in a gap of x: memory of the same storage within Span.
func (x *Tensor) IsDefinedAt(off int) bool {
	i := x.within("IsDefinedAt", off)
	return x.st.defined(i, i+1)
}

func (x *Tensor) within(op string, off int) int {
	x.must(op)
	if off < 0 || off >= x.Span() {
		fail("%s: offset %d is outside the span of %s, %d elements", op, off, x.desc(), x.Span())
	}
	return x.off + off
}
