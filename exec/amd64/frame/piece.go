package frame

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/codemem"
)

// A Piece is machine code that is called with a frame.
type Piece struct {
	mem       *codemem.Code
	Entry     codemem.Entry
	Entries   []int          // where calls out come back
	FrameSize int            // bytes of the frame that it takes
	Lines     *asm.Assembler // its listing, if that was asked for
}

// Free gives the code back when nobody runs it any more.
func (p *Piece) Free() {
	p.Entry.Release()
	p.mem.Free()
}

// Write is where code goes; a test looks at it on its way.
var Write = codemem.Write

// NewPiece makes executable memory of a unit.
func NewPiece(u *lir.Unit, listing bool) (*Piece, error) {
	bytes, entries, size, lines, err := u.Assemble(listing)
	if err != nil {
		return nil, err
	}
	if !listing {
		lines = nil
	}
	mem, err := Write(bytes)
	if err != nil {
		return nil, err
	}
	if err := mem.Seal(); err != nil {
		return nil, err
	}
	entry, err := mem.Acquire()
	return &Piece{mem, entry, entries, size, lines}, err
}
