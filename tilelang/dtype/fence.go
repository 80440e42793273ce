package dtype

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// A Fence says where memory lies against a page that nothing may touch. It is a mode for tests and
// for hunting overflows: every buffer of a process, whoever writes to it, then has pages of its
// own, and what goes past its end (or before its beginning) faults at once instead of changing
// foreign memory.
type Fence uint32

// The modes. With FenceEnd a buffer's last byte is the last one before the page, with FenceBegin its
// first byte the first one behind it; the other side of the buffer is not watched.
const (
	NoFence Fence = iota
	FenceEnd
	FenceBegin
)

// FenceVariable is the environment variable that sets the mode for a whole process: "end" or
// "begin". It is read here, before anything can allocate, as the runtime reads its own GODEBUG.
const FenceVariable = "TILER_FENCE"

var fenceNames = map[string]Fence{"": NoFence, "end": FenceEnd, "begin": FenceBegin}

// fence is the mode of buffers made from now on.
var fence atomic.Uint32

func init() {
	text := os.Getenv(FenceVariable)
	mode, ok := fenceNames[text]
	if !ok {
		panic(fmt.Sprintf("%s=%q: want end or begin", FenceVariable, text))
	}
	if err := SetFence(mode); err != nil {
		panic(fmt.Sprintf("%s=%s: %v", FenceVariable, text, err))
	}
}

// SetFence sets the mode of buffers made from now on.
func SetFence(mode Fence) error {
	if mode != NoFence && !canProtect {
		return fmt.Errorf("no fences on %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	fence.Store(uint32(mode))
	return nil
}

// Fenced is the mode of buffers made now.
func Fenced() Fence { return Fence(fence.Load()) }

// A Breach is an access to a fence.
type Breach struct {
	Addr  uintptr
	What  string // the buffer behind it: "packed b of a product in tiles"
	Start uintptr
	Bytes int // its size
	// Beyond is how far outside of the buffer the access was, in bytes: 0 is the first byte behind its
	// end, -1 the last one before its beginning.
	Beyond int
}

func (b *Breach) Error() string {
	where := fmt.Sprintf("byte %d behind the end", b.Beyond)
	if b.Beyond < 0 {
		where = fmt.Sprintf("byte %d before the beginning", -b.Beyond-1)
	}
	return fmt.Sprintf("access outside a buffer: %s of %s, %d bytes (address %#x)", where, b.What, b.Bytes, b.Addr)
}

// FenceAt is the breach that a fault at an address is, nil if there is no fence there.
func FenceAt(addr uintptr) *Breach {
	fences.mu.Lock()
	defer fences.mu.Unlock()
	f, ok := fences.at[addr&^uintptr(fencePage-1)]
	if !ok {
		return nil
	}
	b := &Breach{Addr: addr, What: f.what, Start: f.start, Bytes: f.bytes, Beyond: int(addr) - int(f.start) - f.bytes}
	if addr < f.start {
		b.Beyond = int(addr) - int(f.start)
	}
	return b
}

// BreachOf is the breach in what a panic was about, nil if it was not about a fence: a fault in Go
// code on a goroutine that has debug.SetPanicOnFault.
func BreachOf(recovered any) *Breach {
	e, ok := recovered.(interface {
		runtime.Error
		Addr() uintptr
	})
	if !ok {
		return nil
	}
	return FenceAt(e.Addr())
}

// fences are the live ones, by the page that must not be touched.
var fences struct {
	mu      sync.Mutex
	at      map[uintptr]fenced
	collect int // with so many, those of buffers that nobody uses are taken back; 0 stands for fewFences
}

type fenced struct {
	what  string
	start uintptr
	bytes int
}

// FencedBuffers lists the fenced buffers that there are now: for each name how many, and an address that is just
// outside of one of them, at its fence.
func FencedBuffers() (count map[string]int, outside map[string]uintptr) {
	fences.mu.Lock()
	defer fences.mu.Unlock()
	count, outside = map[string]int{}, map[string]uintptr{}
	for page, f := range fences.at {
		count[f.what]++
		if outside[f.what] = f.start - 1; page > f.start {
			outside[f.what] = f.start + uintptr(f.bytes)
		}
	}
	return count, outside
}

// heapUnit is what sizes of blocks are multiples of. Go's allocator gives each such block a span of
// its own, which begins at a multiple of it.
const heapUnit = 8192

// allocFenced is so many bytes of zeros against a fence. The memory is Go's own, so that whatever
// keeps a buffer alive keeps a fenced one alive, too: a finalizer, which runs before the memory can be
// used again, keeps the block with its fence for another buffer, or takes the fence away.
func allocFenced(what string, bytes int, mode Fence) unsafe.Pointer {
	k := blockKind{roundTo(roundTo(bytes, fencePage)+fencePage, heapUnit), mode}
	page, at := 0, fencePage // where the fence and the buffer are in the block
	if mode == FenceEnd {
		page = k.size - fencePage
		at = page - bytes
	}
	base := spare.take(k)
	if base != nil {
		clear(unsafe.Slice((*byte)(unsafe.Add(base, at)), bytes))
	} else {
		base = unsafe.Pointer(unsafe.SliceData(make([]byte, k.size)))
		if uintptr(base)%uintptr(fencePage) != 0 {
			panic("dtype: a block of whole pages is not aligned to a page")
		}
		inaccessible(unsafe.Add(base, page))
	}
	watchFence(uintptr(base)+uintptr(page), fenced{what, uintptr(base) + uintptr(at), bytes})
	runtime.SetFinalizer((*byte)(base), func(base *byte) {
		page := unsafe.Add(unsafe.Pointer(base), page)
		fences.mu.Lock()
		delete(fences.at, uintptr(page))
		fences.mu.Unlock()
		if spare.keep(k, base) {
			return
		}
		if err := protect(page, false); err != nil {
			panic("dtype: a fence cannot be taken away: " + err.Error())
		}
	})
	return unsafe.Add(base, at)
}

// blockKind is what blocks have in common that can stand for each other.
type blockKind struct {
	size int
	mode Fence
}

// spareBlocks are blocks with fences that nobody uses: to make a page inaccessible stops every core, so that
// a block is best used again.
type spareBlocks struct {
	mu     sync.Mutex
	blocks map[blockKind][]*byte
	count  int
}

var spare = spareBlocks{blocks: map[blockKind][]*byte{}}

// What may be spare: so many blocks, which together with fewFences used ones are within the mappings of a process, of
// at most so many bytes each.
const (
	mostSpare      = fewFences / 2
	mostSpareBytes = 64 << 10
)

// take gives a block, nil if there is none.
func (s *spareBlocks) take(k blockKind) unsafe.Pointer {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.blocks[k]
	if len(list) == 0 {
		return nil
	}
	base := list[len(list)-1]
	list[len(list)-1] = nil
	s.blocks[k] = list[:len(list)-1]
	s.count--
	return unsafe.Pointer(base)
}

// keep keeps a block, and reports whether there is room for it.
func (s *spareBlocks) keep(k blockKind, base *byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k.size > mostSpareBytes || s.count >= mostSpare {
		return false
	}
	s.blocks[k] = append(s.blocks[k], base)
	s.count++
	return true
}

func roundTo(n, unit int) int { return (n + unit - 1) / unit * unit }

// watchFence notes whose fence a page is.
func watchFence(page uintptr, f fenced) {
	fences.mu.Lock()
	defer fences.mu.Unlock()
	if fences.at == nil {
		fences.at = map[uintptr]fenced{}
	}
	fences.at[page] = f
}

// fewFences is how many there may be without a collection. A system gives a process 65,530 mappings, and a fence takes
// two; when there are none left, the collection that would free some cannot begin: the runtime needs memory for it.
const fewFences = 20_000

// collectFences takes the fences of buffers that nobody uses back before there are too many.
func collectFences() {
	count := func() int {
		fences.mu.Lock()
		defer fences.mu.Unlock()
		return len(fences.at)
	}
	fences.mu.Lock()
	most := max(fewFences, fences.collect)
	fences.mu.Unlock()
	if count() < most {
		return
	}
	runtime.GC()
	for before, n := 0, count(); before != n; before, n = n, count() {
		time.Sleep(2 * time.Millisecond) // finalizers run on a goroutine of their own
	}
	fences.mu.Lock()
	defer fences.mu.Unlock()
	fences.collect = len(fences.at) + fewFences/8
}

// inaccessible puts a fence on a page. If there are no more mappings, those of buffers that nobody uses any longer are
// taken back first.
func inaccessible(page unsafe.Pointer) {
	collectFences()
	var err error
	for wait := time.Millisecond; wait < time.Second; wait *= 2 {
		if err = protect(page, true); err == nil {
			return
		}
		runtime.GC()
		time.Sleep(wait) // finalizers run on a goroutine of their own
	}
	panic("dtype: no more fences: " + err.Error())
}
