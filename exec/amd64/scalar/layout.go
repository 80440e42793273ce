package scalar

import "github.com/tiler-go/tiler/exec/cpu"

// The frame is one block of memory per worker, with R15 pointing to it while code
// runs: what Go and the code tell each other, the launch's arguments, spill slots,
// and scratch memory for tiles. All offsets are fixed when a Func is compiled.
const (
	OffValue  = 16  // ID of the IR value that an exit is about
	OffAlone  = 24  // whether nobody else exchanges elements: 0, alone or staying
	OffRowEnd = 48  // the first program id at which the row being run, or the call, ends
	OffRow    = 56  // number of the instance whose first program id is 0, in the row being run
	OffEnd    = 64  // instances below this one are to be run
	OffID     = 80  // program id, three words
	OffNum    = 104 // grid sizes, three words
	OffArgs   = 128 // arguments, ArgSize each
	ArgSize   = 40  // a scalar's bits, or a tensor's address ...
	ArgSpan   = 8   // ... its span in elements ...
	ArgGaps   = 16  // ... if some of the span is not the tensor's, the address of its runs ...
	ArgStream = 24  // ... what its size says, not 0 if it is stored non-temporally: Streamed and Uncached ...
	ArgOwn    = 32  // ... and its span again, but 0 if it has gaps
)

const (
	Streamed = 1 // results past the caches
	Uncached = 2 // it does not stay in their last level either
)

// Exit codes below HelperBase say that the call is over; from there on they number
// the Func's helpers, which run in Go and then call the code again.
const (
	ExitDone   = 0 // all instances ran
	ExitFail   = 1 // the value in OffValue failed
	HelperBase = 8
)

// ArgOffset is where argument i's words are.
func ArgOffset(i int) int { return OffArgs + i*ArgSize }

// ExitBail says that the current instance is to be run by the portable engine,
// from its start: nothing of it has happened yet.
const ExitBail = 3

// StreamBytes is the size from which on results are not expected to be found in a
// cache when they are next read. It is several times a core's second-level cache; of the
// last level a core's part is hardly more, and others use it too. To write past it saves
// reading what is to be overwritten: half as much time again where that is in memory.
const StreamBytes = 8 << 20

// SizeFlags is what code is told about the size of a tensor.
func SizeFlags(bytes int) (flags int64) {
	if bytes >= StreamBytes {
		flags = Streamed
		if bytes >= cpu.CacheSizes().L3.Size/2 {
			flags |= Uncached
		}
	}
	return flags
}
