package scalar

import (
	"encoding/binary"

	"github.com/tiler-go/tiler/exec/ir"
)

// Exact is an access by exact addresses, lane by lane: where each one has its element in the tensor, and its cell in a
// copy.
type Exact struct {
	Offsets []int64
	Mask    []uint8 // nil for none
	Size    int     // of an element
	Cells   Cells
}

// Cells is where lanes have their cells: so many columns, each a step behind the one before, and rows a distance apart.
type Cells struct{ First, Columns, Step, Row int }

// Copy copies elements to a tensor, or from it: 0 where a lane is masked off. It stops at the first lane outside, and
// gives its number, or -1.
func (e *Exact) Copy(arg *ir.Arg, cells []byte, write bool) int {
	memory, n := arg.Mem.Bytes(), int64(arg.Mem.Len())
	row, column := e.Cells.First, 0
	for i, o := range e.Offsets {
		cell := cells[(row+column*e.Cells.Step)*e.Size:][:e.Size]
		if column++; column == e.Cells.Columns {
			row, column = row+e.Cells.Row, 0
		}
		switch on := e.Mask == nil || e.Mask[i] != 0; {
		case !on && !write:
			clear(cell)
		case !on:
		case o < 0 || o >= n || write && arg.Only != nil && !arg.Only.Has(int(o)):
			return i
		case write:
			move(memory[int(o)*e.Size:], cell)
		default:
			move(cell, memory[int(o)*e.Size:][:e.Size])
		}
	}
	return -1
}

// move copies an element: copy calls a function, which takes as long as the rest of a lane.
func move(to, from []byte) {
	switch len(from) {
	case 4:
		binary.LittleEndian.PutUint32(to, binary.LittleEndian.Uint32(from))
	case 8:
		binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(from))
	default:
		copy(to, from)
	}
}
