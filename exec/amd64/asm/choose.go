package asm

import "math/bits"

// choice is everything that is decided about an instruction before the first byte is written.
type choice struct {
	*row
	length uint8 // 0,1,2: vectors of 128, 256, 512 or general registers of 16, 32, 64 bits; 3: 8 bits
	evex   bool
	bcast  bool
}

// choose settles form, length and encoding of in; why is not empty if there is no such instruction.
func choose(in *Inst) (c choice, why string) {
	why = c.settle(in)
	return c, why
}

// settle is choose into a fresh c.
func (c *choice) settle(in *Inst) (why string) {
	i, lens := in.match()
	if i < 0 {
		return noForm(in)
	}
	c.row = &forms[i]
	c.bcast = in.broadcast()
	if c.bcast || in.decorated() || c.deco&(dMust|dDistinct|dSIB) != 0 {
		if c.bcast {
			lens = c.bcastLens(in, lens)
		}
		if why := c.refuses(in, lens); why != "" {
			return why
		}
	}
	if lens&(lens-1) != 0 || c.sized && in.unsized() {
		return "operand size is ambiguous"
	}
	c.length = uint8(bits.TrailingZeros8(lens))
	return c.chooseEVEX(in)
}

// chooseEVEX prefers VEX, as the shorter encoding, wherever it can express the instruction.
func (c *choice) chooseEVEX(in *Inst) (why string) {
	const no = "does not exist in the forced encoding"
	if !c.enc.is(evex) {
		switch {
		case c.enc.is(vex) && in.high():
			return "VEX encoding has no registers above 15"
		case in.Encoding == ForceEVEX, in.Encoding == ForceVEX && !c.enc.is(vex):
			return no
		}
		return ""
	}
	needed := !c.enc.is(vex) || c.length == 2 || c.bcast || in.Mask != 0 || in.Round != NoRounding || in.high()
	switch {
	case in.Encoding == ForceVEX && needed:
		return no
	case in.Encoding != ForceVEX:
		c.evex = needed || c.enc.is(later) || in.Encoding == ForceEVEX
	}
	return ""
}

// high reports whether a register above 15 occurs. Bit 4 of the register number says so for all operands:
// memory has it clear in its base by construction, see noBase, and in its index unless that is a vector.
func (in *Inst) high() bool {
	const numBit, indexBit = 16 << 8, 16 << 16
	return in.union()&numBit != 0 || in.Args[1].isVSIB() && in.Args[1]&indexBit != 0
}

// unsized reports whether a memory operand does not state its size.
func (in *Inst) unsized() bool {
	return in.Args[0].kind() == kMem || in.Args[1].kind() == kMem || in.Args[2].kind() == kMem
}

func (in *Inst) broadcast() bool { return in.union()&bcastBit != 0 }

func (in *Inst) union() Operand { return in.Args[0] | in.Args[1] | in.Args[2] | in.Args[3] }

// features is what the instruction needs as chosen.
func (c *choice) features() Feature {
	n := &needs[c.needs]
	switch {
	case !c.evex:
		return n.vex
	case c.length < 2 && !c.enc.scalar():
		return n.evex | HasAVX512VL
	}
	return n.evex
}
