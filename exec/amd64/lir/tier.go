package lir

import "github.com/tiler-go/tiler/exec/regalloc"

// A Tier is what code depends on of a level of the instruction set.
type Tier struct {
	Name  string
	Bytes int // of a vector register
	Lanes int // of 32 bits in it
	// EVEX says that instructions take masks from registers of their own, and elements in memory for all lanes.
	EVEX        bool
	vecs, tight regalloc.File // of vectors; of code that needs all of them
}

// The tiers.
var (
	AVX2 = &Tier{Name: "avx2", Bytes: 32, Lanes: 8,
		vecs:  regalloc.File{Free: 1<<13 - 1, Scratch: []int8{13, 14, 15}, Slot: 32},
		tight: regalloc.File{Free: 1<<15 - 1, Scratch: []int8{15}, Slot: 32}}
	AVX512 = &Tier{Name: "avx512", Bytes: 64, Lanes: 16, EVEX: true,
		vecs:  regalloc.File{Free: 1<<29 - 1, Scratch: []int8{29, 30, 31}, Slot: 64},
		tight: regalloc.File{Free: 1<<29 - 1, Scratch: []int8{29, 30, 31}, Slot: 64}}
)

// files is the table of registers: RSP and RBP belong to the runtime, R15 holds the frame; RAX, RCX and RDX also serve
// instructions that insist on them.
func (t *Tier) files(tight bool) []regalloc.File {
	table := []regalloc.File{
		GPR:  {Free: 1<<3 | 1<<6 | 1<<7 | 1<<8 | 1<<9 | 1<<10 | 1<<11 | 1<<12 | 1<<13 | 1<<14, Scratch: []int8{0, 2, 1}, Slot: 8},
		Vec:  t.vecs,
		Mask: {Free: 0x3e, Scratch: []int8{6, 7}, Slot: 8},
	}
	if tight {
		table[Vec] = t.tight
	}
	return table
}
