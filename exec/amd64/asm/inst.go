package asm

// Inst is one instruction. Args are in the order of Intel's manuals, destination first; unused
// ones are None. The zero values of the other fields mean a plain instruction.
type Inst struct {
	Op       Op
	Mask     uint8 // number of the write mask register, 1-7; 0 = none
	Zeroing  bool  // elements that the mask excludes become zero instead of staying
	Lock     bool
	Round    Rounding
	Encoding Encoding
	Args     [4]Operand
	Imm64    uint64 // the immediate of MOVABS
}

// Rounding is an embedded rounding mode. Every mode also suppresses floating-point exceptions.
type Rounding uint8

// The rounding modes; SAE suppresses exceptions on instructions that do not round.
const (
	NoRounding Rounding = iota
	RNE                 // to nearest, ties to even
	RDown
	RUp
	RZero
	SAE
	numRoundings
)

var roundingNames = [numRoundings]string{"", "{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}", "{sae}"}

// Encoding overrides the choice between VEX and EVEX.
type Encoding uint8

// The choices. An instruction that does not exist in the forced encoding is an error.
const (
	AutoEncoding Encoding = iota
	ForceVEX
	ForceEVEX
	numEncodings
)

// New is the plain instruction op with the given operands.
func New(op Op, args ...Operand) Inst {
	in := Inst{Op: op}
	in.setArgs(args)
	return in
}

// setArgs copies one by one: a block copy would have to wait for the single words that the caller just stored.
func (in *Inst) setArgs(args []Operand) {
	if len(args) > len(in.Args) {
		in.Args[0] = invalid
		return
	}
	for i, o := range args {
		in.Args[i&3] = o
	}
}

// arg is operand i, or None for absent.
func (in *Inst) arg(i uint8) Operand {
	if i >= absent {
		return None
	}
	return in.Args[i]
}

// WithMask is in under the write mask k. Mask register 0 cannot be one: it is refused when in is encoded.
func (in Inst) WithMask(k Operand) Inst {
	in.Mask = maskNumber(k)
	return in
}

// badMask is what Inst.Mask holds when a mask was asked for that cannot be one.
const badMask = 0xff

func maskNumber(k Operand) uint8 {
	if k.kind() != kK || k.num()&7 == 0 {
		return badMask
	}
	return k.num() & 7
}

// decorated reports whether anything but op and operands is set.
func (in *Inst) decorated() bool {
	return in.Mask|uint8(in.Round)|uint8(in.Encoding) != 0 || in.Zeroing || in.Lock
}

// match finds the first row that takes the operands of in, and the lengths that they are consistent with.
// It does not look at decorations. The row number is -1 if there is none.
func (in *Inst) match() (row int, lens uint8) {
	if in.Op >= NumOps {
		return -1, 0
	}
	k0, k1, k2, k3 := in.Args[0].kind(), in.Args[1].kind(), in.Args[2].kind(), in.Args[3].kind()
	first, last := int(opForms[in.Op]), int(opForms[in.Op+1])
	rows := forms[first:last]
	for i := range rows {
		f := &rows[i]
		m := f.lens & accept[f.pats[0]&patMask][k0] & accept[f.pats[1]&patMask][k1]
		m &= accept[f.pats[2]&patMask][k2] & accept[f.pats[3]&patMask][k3]
		if m != 0 && (f.enc&(firstA|lastCL) == 0 || f.implied(in)) {
			return first + i, m
		}
	}
	return -1, 0
}

// implied reports whether the operands that the opcode implies are the ones given.
func (f *form) implied(in *Inst) bool {
	if f.enc.is(firstA) && in.Args[0].num() != 0 {
		return false
	}
	return !f.enc.is(lastCL) || in.Args[1] == CL
}
