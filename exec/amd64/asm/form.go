package asm

// form is one row of the instruction table: one way to write an op, and its encoding.
type form struct {
	op     Op
	lay    layout
	pats   pats
	enc    encoding
	opcode byte
	deco   deco
	needs  need
}

// row is a form as the encoder reads it, with what follows from the form looked up in advance.
type row struct {
	form
	lens  uint8    // lengths that exist
	at    place    // places[lay]
	unit  [4]uint8 // log2 of the unit of an EVEX 8-bit displacement, by length
	bunit uint8    // the same of a broadcast
	sized bool     // memory must state its size: another row of the op differs in nothing else
}

func makeRow(f form) row {
	r := row{form: f, lens: f.enc.lens(), at: places[f.lay], bunit: uint8(log2(f.deco.elem()))}
	if r.at.m == absent {
		return r
	}
	r.unit = memLog[f.pats[r.at.m]]
	if n := f.deco / n1 & 15; n != 0 {
		u := uint8(log2(int(n)))
		r.unit = [4]uint8{u, u, u, u}
	}
	return r
}

// pats says what each operand may be, destination first.
type pats [4]pat

// layout says where each operand goes: r = ModRM.reg, m = ModRM.rm, v = VEX.vvvv, i = immediate,
// o = low bits of the opcode, x = nowhere (implied by the opcode), 4 = high bits of the immediate byte.
type layout uint8

const (
	lZO  layout = iota
	lFix        // no operands; a fixed ModRM byte with the opcode extension
	lR          // no rm: a fixed one of 0
	lRM
	lMR
	lM
	lV0M // vvvv is the destination; ModRM.reg extends the opcode
	lRVM
	lRMV
	lMVR
	lO
	lRMI
	lMRI
	lMI
	lVMI
	lRVMI
	lRVM4
	lOI
	lXI
	lMX
	lOX
	lRel
	numLayouts
)

// absent is the place of an operand that a layout does not have.
const absent = 4

// place is the operand index of every part of the encoding.
type place struct{ r, m, v, i, o uint8 }

var places = [numLayouts]place{
	lZO:   {absent, absent, absent, absent, absent},
	lFix:  {absent, absent, absent, absent, absent},
	lR:    {0, absent, absent, absent, absent},
	lRM:   {0, 1, absent, absent, absent},
	lMR:   {1, 0, absent, absent, absent},
	lM:    {absent, 0, absent, absent, absent},
	lV0M:  {absent, 1, 0, absent, absent},
	lRVM:  {0, 2, 1, absent, absent},
	lRMV:  {0, 1, 2, absent, absent},
	lMVR:  {2, 0, 1, absent, absent},
	lO:    {absent, absent, absent, absent, 0},
	lRMI:  {0, 1, absent, 2, absent},
	lMRI:  {1, 0, absent, 2, absent},
	lMI:   {absent, 0, absent, 1, absent},
	lVMI:  {absent, 1, 0, 2, absent},
	lRVMI: {0, 2, 1, 3, absent},
	lRVM4: {0, 2, 1, 3, absent},
	lOI:   {absent, absent, absent, 1, 0},
	lXI:   {absent, absent, absent, 1, absent},
	lMX:   {absent, 0, absent, absent, absent},
	lOX:   {absent, absent, absent, absent, 0},
	lRel:  {absent, absent, absent, absent, absent},
}

// encoding is the fixed part of the encoding besides the opcode byte.
type encoding uint32

// Neither VEX nor EVEX means legacy. With both, the encoder chooses.
const (
	np  encoding = 0 // mandatory prefix: none, 66, F3, F2
	p66 encoding = 1
	pF3 encoding = 2
	pF2 encoding = 3

	m00 encoding = 0 << 2 // opcode map: one byte, 0F, 0F38, 0F3A
	m0F encoding = 1 << 2
	m38 encoding = 2 << 2
	m3A encoding = 3 << 2

	vex     encoding = 1 << 4
	evex    encoding = 1 << 5
	vw1     encoding = 1 << 6  // VEX.W or REX.W is 1
	ew1     encoding = 1 << 7  // EVEX.W is 1
	wide    encoding = 1 << 8  // VEX on general registers: W from the operand width, L=0
	vl1     encoding = 1 << 9  // VEX.L is 1 without a vector operand
	later   encoding = 1 << 10 // EVEX is the default where both exist (GNU as agrees)
	byteOp  encoding = 1 << 11 // legacy: the 8-bit form is opcode with bit 0 clear
	firstA  encoding = 1 << 12 // operand 0 must be the accumulator
	lastCL  encoding = 1 << 13 // operand 1 must be cl
	reverse encoding = 1 << 14 // register forms have a twin with reg and rm exchanged, see reversed

	// Opcode extension /0../7 in ModRM.reg; 0 = none.
	extShift          = 16
	x0       encoding = 1 << extShift
	x1       encoding = 2 << extShift
	x2       encoding = 3 << extShift
	x3       encoding = 4 << extShift
	x4       encoding = 5 << extShift
	x5       encoding = 6 << extShift
	x6       encoding = 7 << extShift
	x7       encoding = 8 << extShift

	// Lengths that exist, where not all of them do: of vectors 128, 256, 512 bits;
	// of general registers 16, 32, 64, 8 bits. 0 = the default of the encoding, see lens.
	lenShift          = 20
	l128     encoding = 1 << lenShift
	l256     encoding = 2 << lenShift
	l512     encoding = 4 << lenShift
	w16      encoding = 1 << lenShift
	w32      encoding = 2 << lenShift
	w64      encoding = 4 << lenShift
	w8       encoding = 8 << lenShift
)

// Shorthands for the common families; the last letters say the EVEX element width.
const (
	ePS = vex | evex | np | m0F
	ePD = vex | evex | p66 | m0F | ew1
	eSS = vex | evex | pF3 | m0F | l128
	eSD = vex | evex | pF2 | m0F | l128 | ew1

	e0F  = vex | evex | p66 | m0F
	e0Fw = e0F | ew1
	e38  = vex | evex | p66 | m38
	e38w = e38 | ew1
	e3A  = vex | evex | p66 | m3A
	e3Aw = e3A | ew1

	v0F = vex | p66 | m0F
	v38 = vex | p66 | m38
	v3A = vex | p66 | m3A

	z0F  = evex | p66 | m0F
	z0Fw = z0F | ew1
	z38  = evex | p66 | m38
	z38w = z38 | ew1
	z3A  = evex | p66 | m3A
	z3Aw = z3A | ew1
)

func (e encoding) pp() uint8          { return uint8(e) & 3 }
func (e encoding) opcodeMap() uint8   { return uint8(e) >> 2 & 3 }
func (e encoding) ext() uint8         { return uint8(e>>extShift)&15 - 1 }
func (e encoding) hasExt() bool       { return e>>extShift&15 != 0 }
func (e encoding) is(f encoding) bool { return e&f != 0 }

// lens is the set of lengths of the form: bit 0 = 128 (or 16) bits, 1 = 256 (32), 2 = 512 (64), 3 = 8.
func (e encoding) lens() uint8 {
	if l := uint8(e>>lenShift) & 15; l != 0 {
		return l
	}
	switch {
	case e.is(wide):
		return 2 | 4
	case e.is(evex):
		return 1 | 2 | 4
	case e.is(vex):
		return 1 | 2
	case e.is(byteOp):
		return 1 | 2 | 4 | 8
	}
	return 1 | 2 | 4
}

// scalar reports whether vector length does not apply, so that rounding needs no 512-bit operand.
func (e encoding) scalar() bool { return e>>lenShift&15 == l128>>lenShift }

// deco is the set of decorations that a form allows, and what they need to know.
type deco uint16

const (
	dK    deco = 1 << iota // {k}
	dZ                     // {z}
	dMust                  // {k} is obligatory: gathers, scatters
	dER                    // embedded rounding {rn-sae} ...
	dSAE                   // {sae}
	dLock                  // lock prefix, when operand 0 is memory
	b32                    // memory may be a broadcast of 4-byte elements
	b64                    // of 8-byte elements
	n1                     // disp8 counts 1, 2, 4, 8 bytes, whatever the size of the memory operand
	n2
	n4
	n8
	dDistinct // gathers: destination, index and mask must differ; so must the tiles of a product
	dSIB      // memory always has a SIB byte

	kz = dK | dZ
)

// elem is the size in bytes of the element that a broadcast repeats; 0 = no broadcast.
func (d deco) elem() int {
	switch {
	case d&b32 != 0:
		return 4
	case d&b64 != 0:
		return 8
	}
	return 0
}

// forms is the table; rows of one op are adjacent, in order of preference.
var forms = joinTables(gprTable[:], branchTable[:], moveTable[:], laneTable[:], permTable[:], floatTable[:],
	fmaTable[:], convertTable[:], intTable[:], compareTable[:], maskTable[:], tileTable[:])

func joinTables(tables ...[]form) []row {
	all := make([]row, 0, 1024)
	for _, t := range tables {
		for _, f := range t {
			all = append(all, makeRow(f))
		}
	}
	return all
}

// opForms[op] and opForms[op+1] bound the rows of op. Op numbers follow table order, which the
// generator guarantees.
var opForms = indexForms()

func indexForms() (first [NumOps + 1]uint16) {
	for i := len(forms) - 1; i >= 0; i-- {
		first[forms[i].op] = uint16(i)
		for j := i + 1; j < len(forms) && forms[j].op == forms[i].op; j++ {
			if differInSize(&forms[i].pats, &forms[j].pats) {
				forms[i].sized, forms[j].sized = true, true
			}
		}
	}
	first[NumOps] = uint16(len(forms))
	return first
}

// differInSize reports whether two rows take the same memory operand if its size is not stated.
func differInSize(a, b *pats) bool {
	differ := false
	for i := range a {
		x, y := &patRows[a[i]], &patRows[b[i]]
		switch {
		case a[i] == b[i]:
		case x.bytes != 0 && y.bytes != 0 && x.bytes != y.bytes:
			differ = true
		default:
			return false
		}
	}
	return differ
}
