package tilelang

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// An Observer watches program instances: their accesses to memory, and what becomes of
// the elements that it marks. It belongs to one goroutine.
type Observer interface {
	// Access is shown every load, store and atomic before it happens. It sets Skip and
	// Marks.
	Access(a *Access)
	// Decide is told of elements that became a Go value, and so may decide what the
	// program does, if they are marked or come from memory.
	Decide(op string, pos diag.Pos, m Mark, from []*Origin, data Sources)
	// Notice is told what an operation has to say.
	Notice(n Notice)
}

// A Mark is what is known of one element of a tile besides its value. Marks follow
// elements through every operation.
type Mark uint8

// The marks; an element may have several.
const (
	Undefined Mark = 1 << iota // nothing has written it
	Wrapped                    // an int32 operation on the way to it overflowed
	Misplaced                  // it was read from a place that its lane was not meant for
	NotFinite                  // an operation made NaN or an infinity of numbers; see Tracing
)

// Sources is the tensors whose elements went into a tile, a bit for each number that
// Watch was given.
type Sources uint64

// An Origin is where marks come from: one operation of the kernel.
type Origin struct {
	Mark Mark
	Op   string
	Pos  diag.Pos
	Text string // "masked off without Other"
	Data any    // the observer's own
}

// A Notice is something about an operation that is not wrong in itself: a promotion
// that may surprise, a shape that is not portable. Where it is Serious, it is.
type Notice struct {
	Kind      NoticeKind
	Op        string
	Pos       diag.Pos
	Text, Fix string
	Lanes     int // how many lanes it is about, if it is about values
}

// A NoticeKind says what a Notice is about.
type NoticeKind uint8

// The kinds of notices.
const (
	AboutType     NoticeKind = iota // dtypes
	AboutShape                      // what other implementations refuse
	AboutRange                      // shifts and casts out of range
	AboutSum                        // sums that lose what is added
	BrokenPromise                   // MultipleOf and its like
)

// An AccessKind says what an access does.
type AccessKind uint8

// The kinds of accesses.
const (
	Loads AccessKind = iota
	Stores
	Updates // atomics
)

// An Access is the lanes of one load, store or atomic, in row-major order. Its slices
// may be used only until Access returns.
type Access struct {
	Kind    AccessKind
	Op      string
	Pos     diag.Pos
	Base    *Base
	Shape   []int
	Offsets []int64 // from the first element of Base, of inactive lanes too
	Active  []uint8 // which lanes the mask lets through; nil: all
	Affine  bool    // every axis steps evenly, by Strides
	Strides []int
	Mask    []uint8   // the mask's own elements, before it was repeated; nil without one
	Other   bool      // inactive lanes have a value
	Values  dtype.Buf // what is stored

	Pointers, Masks, Stored Marked // by lane

	Skip  []uint8   // set by the observer: lanes that are left out
	Marks []Mark    // set by the observer: of what a load reads; nil: none
	From  []*Origin // set by the observer: where they come from
}

// Marked is the marks of lanes.
type Marked struct {
	Marks []Mark // nil: none
	From  []*Origin
	Data  Sources // what they come from
}

// watching is how many observers there are. Operations on tiles that come from no
// watched memory, such as index arithmetic, look after marks only if there is one: it
// is what keeps other launches from paying, and changes no result.
var watching atomic.Int32

// Watching makes operations look after marks until done is called.
func Watching() (done func()) {
	watching.Add(1)
	return func() { watching.Add(-1) }
}

// tracing is how many observers want NotFinite marks.
var tracing atomic.Int32

// Tracing makes operations mark what they make NaN or infinite until done is called. It
// takes time: every result is looked at.
func Tracing() (done func()) {
	tracing.Add(1)
	return func() { tracing.Add(-1) }
}

// barriers is how often DebugBarrier was called.
var barriers atomic.Int64

// Barriers tells two moments apart if there was a DebugBarrier between them.
func Barriers() int64 { return barriers.Load() }

// Locate gives what x remembers of its marks' origins a place where none is known: for
// interpreters, which know it better than the stack.
func Locate(x Tile, pos diag.Pos) {
	if x.t == nil || x.t.marks == nil {
		return
	}
	for _, o := range x.t.marks.from {
		if !o.Pos.IsValid() {
			o.Pos = pos
		}
	}
}

// Watch is a pointer parameter whose memory an observer watches. number is the tensor's
// among Sources.
func Watch(ptr Ptr, o Observer, number int) Ptr {
	t := *ptr.node("tl.Watch")
	b := *t.base
	b.watch, b.source = o, 1<<(number%64)
	t.base, t.marks = &b, &marks{watch: o}
	return tile(&t)
}

// places remembers the kernel's line by the innermost return addresses: finding it out
// costs more than most operations.
var places sync.Map // [12]uintptr → diag.Pos

// kernelPos is callerPos, remembered.
func kernelPos() diag.Pos {
	var key [12]uintptr
	runtime.Callers(2, key[:])
	if p, ok := places.Load(key); ok {
		return p.(diag.Pos)
	}
	p := callerPos()
	places.Store(key, p)
	return p
}
