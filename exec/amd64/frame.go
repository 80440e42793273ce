package amd64

// The frame is one block of memory per worker, with R15 pointing to it while code
// runs: what Go and the code tell each other, the launch's arguments, spill slots,
// and scratch memory for tiles. All offsets are fixed when a Func is compiled.
const (
	offValue  = 16  // ID of the IR value that an exit is about
	offAlone  = 24  // whether nobody else exchanges elements: 0, alone or staying
	offNext   = 56  // number of the program instance being run
	offEnd    = 64  // instances below this one are to be run
	offID     = 80  // program id, three words
	offNum    = 104 // grid sizes, three words
	offArgs   = 128 // arguments, argSize each
	argSize   = 32  // a scalar's bits, or a tensor's address ...
	argSpan   = 8   // ... its span in elements ...
	argGaps   = 16  // ... whether some of the span is not the tensor's ...
	argStream = 24  // ... and whether it is so large that it is stored non-temporally
)

// Exit codes below helperBase say that the call is over; from there on they number
// the Func's helpers, which run in Go and then call the code again.
const (
	exitDone   = 0 // all instances ran
	exitFail   = 1 // the value in offValue failed
	helperBase = 8
)

// What offAlone says of who may exchange elements without the processor's locks: it is alone until
// the code returns, or until the code has said that it need not stay so any more.
const (
	alone   = 1
	staying = 2
)

// argOffset is where argument i's words are.
func argOffset(i int) int { return offArgs + i*argSize }

// exitBail says that the instance in offNext is to be run by the portable engine,
// from its start: nothing of it has happened yet.
const exitBail = 3
