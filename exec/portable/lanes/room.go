package lanes

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Chunk is how many lanes go through a line of ops at a time: few enough that what
// lies between the ops stays in the first-level cache, many enough to make calls
// cheap.
const Chunk = 256

// Needs is what the lines of a program need of a worker.
type Needs struct {
	slots     int // scratch slots that the hungriest step needs
	bound     int // lanes bound at a time by the hungriest step
	constants []constant
	numbers   map[constant]int // of constants
}

func NewNeeds() Needs { return Needs{numbers: map[constant]int{}} }

// A constant is kept as a chunk of lanes, for loops that take no scalars.
type constant struct {
	d    dtype.DType
	bits uint64
}

// Constant is the number of a constant.
func (n *Needs) Constant(d dtype.DType, bits uint64) int {
	k := constant{d, bits}
	i, ok := n.numbers[k]
	if !ok {
		i = len(n.constants)
		n.numbers[k] = i
		n.constants = append(n.constants, k)
	}
	return i
}

// AtLeast asks for as many slots.
func (n *Needs) AtLeast(slots int) { n.slots = max(n.slots, slots) }

// A Room is where a worker's lines find their operands and results.
type Room struct {
	slots     []dtype.Buf // chunk elements of 8 bytes each
	constants []dtype.Buf // chunk lanes each
	Bound     []dtype.Buf // inputs, then outputs, of the line that runs
}

func NewRoom(n *Needs) Room {
	buffers := func(n int) []dtype.Buf { return make([]dtype.Buf, n) }
	r := Room{buffers(n.slots), buffers(len(n.constants)), buffers(n.bound)}
	scratch := dtype.Alloc("lanes of the portable engine", dtype.Uint64, n.slots*Chunk)
	for i := range r.slots {
		r.slots[i] = scratch.Slice(i*Chunk, (i+1)*Chunk)
	}
	for i, k := range n.constants {
		r.constants[i] = dtype.Alloc("a constant of the portable engine", k.d, Chunk)
		r.constants[i].Fill(k.bits)
	}
	return r
}

// Slot is a scratch slot as n lanes of type d.
func (r *Room) Slot(i int, d dtype.DType, n int) dtype.Buf {
	return dtype.RawBuf(d, r.slots[i].Pointer(), n)
}

// Constant is n lanes of a constant.
func (r *Room) Constant(i, n int) dtype.Buf { return r.constants[i].Slice(0, n) }

// buf is n lanes at l. Inputs and outputs are bound.
func (r *Room) buf(l Lane, inputs, n int) dtype.Buf {
	switch l.at {
	case inSlot:
		return r.Slot(l.i, l.D, n)
	case inInput:
		return r.Bound[l.i].Slice(0, n)
	case inOutput:
		return r.Bound[inputs+l.i].Slice(0, n)
	case inSplat:
		return r.Constant(l.i, n)
	}
	return dtype.Buf{}
}
