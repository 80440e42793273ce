package scalar

import "github.com/tiler-go/tiler/exec/ir"

// Exact is an access by exact addresses, lane by lane: where each one has its element in the tensor, and its cell in a
// copy.
type Exact struct {
	Offsets []int64
	Mask    []uint8 // nil for none
	Size    int     // of an element
	Cell    func(lane int) int
}

// Copy copies elements to a tensor, or from it: 0 where a lane is masked off. It stops at the first lane outside, and
// gives its number, or -1.
func (e *Exact) Copy(arg *ir.Arg, cells []byte, write bool) int {
	memory, size := arg.Mem.Bytes(), e.Size
	for i, o := range e.Offsets {
		cell := e.Cell(i) * size
		if e.Mask != nil && e.Mask[i] == 0 {
			if !write {
				clear(cells[cell : cell+size])
			}
			continue
		}
		if o < 0 || o >= int64(arg.Mem.Len()) || write && arg.Only != nil && !arg.Only.Has(int(o)) {
			return i
		}
		if at := int(o) * size; write {
			copy(memory[at:at+size], cells[cell:])
		} else {
			copy(cells[cell:cell+size], memory[at:])
		}
	}
	return -1
}
