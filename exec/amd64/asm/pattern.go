package asm

// pat says what one operand of a form may be. "Full", "half" ... refer to the vector length of the
// instruction, which the operands settle together: each pattern maps the kind of its operand to
// the set of lengths that it is consistent with.
type pat uint8

const (
	pNone pat = iota
	pV        // vector register
	pVM       // vector register, memory, or broadcast
	pMV       // memory
	pMVB      // memory or broadcast
	pH        // vector register of half the length (at least xmm)
	pHM       // or memory of half the length, or broadcast
	pQM       // vector register or memory of a quarter of the length
	pEM       // of an eighth
	pDup      // vector register or memory, m64 when the length is 128
	pX        // xmm
	pXM8      // xmm or memory of 1 byte
	pXM16
	pXM32
	pXM64
	pXM128
	pY
	pYM256
	pM128
	pM256
	pVSV // memory with a full-length vector index
	pVSH // memory with a half-length vector index
	pK
	pKM8
	pKM16
	pKM32
	pKM64
	pG  // general register of the operation's width
	pGM // or memory
	pR8
	pR32
	pR64
	pRM8
	pRM16
	pRM32
	pRM64
	pR32M8 // 32-bit register, or memory of 1 byte
	pR32M16
	pM   // memory of any size
	pM8  // memory of 1 byte
	pM16 // memory of 2 bytes
	pM32 // memory of 4 bytes
	pM64
	pT   // tile register
	pI1  // the immediate 1
	pI8  // an immediate byte, -128..255
	pI8s // an immediate byte that is sign-extended, -128..127
	pIz  // an immediate as wide as the operation, at most 4 bytes
	pI64 // the immediate in Inst.Imm64
	pRel
	numPats

	patMask = 63 // numPats-1 or more; lets index expressions do without a bounds check
)

// patRow describes a pattern. Exactly one of reg and vec is set where registers are allowed,
// exactly one of bytes, vecMem, gprMem where memory is.
type patRow struct {
	name   string // for messages and for the sweep of the tests
	reg    kind   // a fixed kind of register
	vec    int    // a vector register of 1/vec of the length
	gpr    bool   // a general register of the width
	bytes  int    // memory of this size
	vecMem int    // memory of 1/vecMem of the length
	gprMem bool   // memory of the width
	any    bool   // memory of any size, including one with a stated size
	bcast  bool   // or a broadcast
	vsib   int    // memory with a vector index of 1/vsib of the length
	imm    []kind
	label  bool
}

var patRows = [numPats]patRow{
	pNone:   {},
	pV:      {name: "v", vec: 1},
	pVM:     {name: "v/m", vec: 1, vecMem: 1, bcast: true},
	pMV:     {name: "m", vecMem: 1},
	pMVB:    {name: "m", vecMem: 1, bcast: true},
	pH:      {name: "v/2", vec: 2},
	pHM:     {name: "v/2/m", vec: 2, vecMem: 2, bcast: true},
	pQM:     {name: "v/4/m", vec: 4, vecMem: 4},
	pEM:     {name: "v/8/m", vec: 8, vecMem: 8},
	pDup:    {name: "v/m", vec: 1, vecMem: 1},
	pX:      {name: "xmm", reg: kX},
	pXM8:    {name: "xmm/m8", reg: kX, bytes: 1},
	pXM16:   {name: "xmm/m16", reg: kX, bytes: 2},
	pXM32:   {name: "xmm/m32", reg: kX, bytes: 4},
	pXM64:   {name: "xmm/m64", reg: kX, bytes: 8},
	pXM128:  {name: "xmm/m128", reg: kX, bytes: 16},
	pY:      {name: "ymm", reg: kY},
	pYM256:  {name: "ymm/m256", reg: kY, bytes: 32},
	pM128:   {name: "m128", bytes: 16},
	pM256:   {name: "m256", bytes: 32},
	pVSV:    {name: "m[v]", vsib: 1},
	pVSH:    {name: "m[v/2]", vsib: 2},
	pK:      {name: "k", reg: kK},
	pKM8:    {name: "k/m8", reg: kK, bytes: 1},
	pKM16:   {name: "k/m16", reg: kK, bytes: 2},
	pKM32:   {name: "k/m32", reg: kK, bytes: 4},
	pKM64:   {name: "k/m64", reg: kK, bytes: 8},
	pG:      {name: "r", gpr: true},
	pGM:     {name: "r/m", gpr: true, gprMem: true},
	pR8:     {name: "r8", reg: kR8},
	pR32:    {name: "r32", reg: kR32},
	pR64:    {name: "r64", reg: kR64},
	pRM8:    {name: "r8/m8", reg: kR8, bytes: 1},
	pRM16:   {name: "r16/m16", reg: kR16, bytes: 2},
	pRM32:   {name: "r32/m32", reg: kR32, bytes: 4},
	pRM64:   {name: "r64/m64", reg: kR64, bytes: 8},
	pR32M8:  {name: "r32/m8", reg: kR32, bytes: 1},
	pR32M16: {name: "r32/m16", reg: kR32, bytes: 2},
	pM:      {name: "m", any: true},
	pM8:     {name: "m8", bytes: 1},
	pM16:    {name: "m16", bytes: 2},
	pM32:    {name: "m32", bytes: 4},
	pM64:    {name: "m64", bytes: 8},
	pT:      {name: "tmm", reg: kT},
	pI1:     {name: "1", imm: []kind{kImm1}},
	pI8:     {name: "imm8", imm: []kind{kImm1, kImm8, kImmU8}},
	pI8s:    {name: "imm8", imm: []kind{kImm1, kImm8}},
	pIz:     {name: "imm", imm: []kind{kImm1, kImm8, kImmU8, kImm}},
	pI64:    {name: "imm64"},
	pRel:    {name: "label", label: true},
}

// allLens is "consistent with every length".
const allLens = 15

// accept[p][k] is the set of lengths consistent with an operand of kind k at pattern p; 0 = refused.
var accept = buildAccept()

func buildAccept() (a [patMask + 1][kindSlots]uint8) {
	a[pNone][kNone] = allLens
	a[pI64][kNone] = allLens // the value travels in Inst.Imm64
	for p := pNone + 1; p < numPats; p++ {
		r := &patRows[p]
		r.acceptRegs(&a[p])
		r.acceptMem(&a[p], &memLog[p])
		for _, k := range r.imm {
			a[p][k] = allLens
		}
		if r.label {
			a[p][kLabel] = allLens
		}
	}
	return a
}

func (r *patRow) acceptRegs(a *[kindSlots]uint8) {
	if r.reg != kNone {
		a[r.reg] = allLens
	}
	if r.gpr {
		a[kR16], a[kR32], a[kR64], a[kR8] = 1, 2, 4, 8
	}
	if r.vec != 0 {
		for l := range 3 {
			a[kX+kind(log2(vecBytes(l, r.vec))-4)] |= 1 << l
		}
	}
}

func (r *patRow) acceptMem(a *[kindSlots]uint8, logs *[4]uint8) {
	switch {
	case r.any:
		for k := kMem; k <= kMem64; k++ {
			a[k] = allLens
		}
	case r.bytes != 0:
		a[kMem] = allLens
		a[kMem1+kind(log2(r.bytes))] = allLens
	case r.gprMem:
		a[kMem] = allLens
		a[kMem2], a[kMem4], a[kMem8], a[kMem1] = 1, 2, 4, 8
	case r.vecMem != 0:
		a[kMem] = allLens
		for l := range 3 {
			a[kMem1+kind(logs[l])] |= 1 << l
		}
	case r.vsib != 0:
		for l := range 3 {
			a[kVX+kind(log2(vecBytes(l, r.vsib))-4)] |= 1 << l
		}
	}
	if r.bcast {
		a[kBcast] = allLens
	}
}

// vecBytes is the size of the register that holds 1/part of a vector of length class l.
func vecBytes(l, part int) int { return max(16, (16<<l)/part) }

// memLog[p][l] is the log2 of the size of a memory operand at pattern p with length class l.
var memLog = buildMemLog()

func buildMemLog() (a [numPats][4]uint8) {
	for p := range patRows {
		r := &patRows[p]
		for l := range 4 {
			switch {
			case r.bytes != 0:
				a[p][l] = uint8(log2(r.bytes))
			case r.gprMem:
				a[p][l] = [...]uint8{1, 2, 3, 0}[l]
			case r.vecMem != 0 && l < 3:
				a[p][l] = uint8(log2((16 << l) / r.vecMem))
			}
		}
	}
	a[pDup][0] = 3 // vmovddup xmm reads 8 bytes
	return a
}

func log2(n int) int {
	l := 0
	for ; n > 1; n >>= 1 {
		l++
	}
	return l
}
