package limit

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/codemem"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// The machine code that limits are measured with. RDI points to four words: the
// addresses of a, b and out, and a count.

// vectors are the registers of a tier: number i, and bytes of each.
type vectors struct {
	reg   func(i int) asm.Operand
	bytes int
}

func vectorsOf(tier cpu.Tier) vectors {
	if tier == cpu.AVX512 {
		return vectors{asm.Z, 64}
	}
	return vectors{asm.Y, 32}
}

// An Operation is an instruction and how many operations it does per byte of a
// register.
type Operation struct {
	op       asm.Op
	perByte  float64
	operands uint32       // that repeat through both source registers
	Wide     bool         // AVX-512 only
	tiles    dtype.DType  // of elements in tile registers, if it is on those, see tileCode
	needs    cpu.Features // beyond the tier's
}

// MultiplyAdds are the instructions behind each ceiling.
var MultiplyAdds = map[string]Operation{
	"f32":  {op: asm.VFMADD231PS, perByte: 2.0 / 4, operands: 0x3f3504f3},
	"f64":  {op: asm.VFMADD231PD, perByte: 2.0 / 8, operands: 0x3ff6a09e},
	"bf16": {op: asm.VDPBF16PS, perByte: 2.0 / 2, operands: 0x3fb53fb5, Wide: true, needs: cpu.HasAVX512BF16},
	"int8": {op: asm.VPDPBUSD, perByte: 2.0 / 1, operands: 0x0b1d0711, Wide: true, needs: cpu.HasAVX512VNNI},

	"bf16 in tiles": {op: asm.TDPBF16PS, perByte: 2 * 16 / 2, Wide: true, tiles: dtype.BFloat16, needs: cpu.HasAMXTILE | cpu.HasAMXBF16},
	"int8 in tiles": {op: asm.TDPBSSD, perByte: 2 * 16 / 1, Wide: true, tiles: dtype.Int8, needs: cpu.HasAMXTILE | cpu.HasAMXINT8},
}

const (
	fmaChains = 12 // independent sums: more than a unit's latency times the units
	fmaUnroll = 4
	fmaSteps  = 2000 // of the loop, per call: some ten microseconds
)

// fmaCode does nothing but multiply and add in registers.
func fmaCode(m Operation, v vectors) (codemem.Entry, error) {
	var a asm.Assembler
	operands := a.Const32(m.operands)
	a.Emit(asm.VBROADCASTSS, v.reg(fmaChains), operands)
	for i := range fmaChains {
		a.Emit(asm.VXORPS, asm.Y(i), asm.Y(i), asm.Y(i))
	}
	a.Emit(asm.MOV, asm.ECX, asm.Imm(fmaSteps))
	loop := a.NewLabel()
	a.Align(32)
	a.Bind(loop)
	for range fmaUnroll {
		for i := range fmaChains {
			a.Emit(m.op, v.reg(i), v.reg(fmaChains), v.reg(fmaChains))
		}
	}
	a.Emit(asm.SUB, asm.ECX, asm.Imm(1))
	a.Emit(asm.JNE, asm.To(loop))
	return finish(&a)
}

// fmaWork is how many operations a call of that code does.
func fmaWork(m Operation, v vectors) float64 {
	return fmaSteps * fmaUnroll * fmaChains * m.perByte * float64(v.bytes)
}

// tileFrame is the bytes that RDI points to: what is multiplied, as many as the rows of
// four tiles have.
const tileFrame = 4 << 10

// tileCode does nothing but multiply tiles, two by two, and add to four tiles of sums.
func tileCode(op asm.Op) (codemem.Entry, error) {
	var a asm.Assembler
	shapes := make([]byte, 64) // of 16 rows of 64 bytes
	shapes[0] = 1
	for i := range 8 {
		shapes[16+2*i], shapes[48+i] = 64, 16
	}
	a.Emit(asm.LDTILECFG, a.Const(shapes))
	a.Emit(asm.MOV, asm.EAX, asm.Imm(64))
	for i := range 4 {
		a.Emit(asm.TILEZERO, asm.T(i))
		a.Emit(asm.TILELOADD, asm.T(4+i), asm.Idx(asm.RDI, asm.RAX, 1, i<<10))
	}
	a.Emit(asm.MOV, asm.ECX, asm.Imm(fmaSteps))
	loop := a.NewLabel()
	a.Align(32)
	a.Bind(loop)
	for i := range 4 {
		a.Emit(op, asm.T(i), asm.T(4+i/2), asm.T(6+i%2))
	}
	a.Emit(asm.SUB, asm.ECX, asm.Imm(1))
	a.Emit(asm.JNE, asm.To(loop))
	a.Emit(asm.TILERELEASE)
	return finish(&a)
}

// A Pass is a pass over memory: which of a and b it reads, and how it writes out.
type Pass struct {
	Name  string
	reads int // 0 to 2
	store asm.Op
	bytes float64 // per element, as a row counts them
}

// Streams are the passes behind each ceiling.
var Streams = map[string]Pass{
	"read":   {Name: "read", reads: 1, bytes: 4},
	"write":  {Name: "write", store: asm.VMOVUPS, bytes: 4},
	"copy":   {Name: "copy", reads: 1, store: asm.VMOVUPS, bytes: 8},
	"copynt": {Name: "copy past the caches", reads: 1, store: asm.VMOVNTPS, bytes: 8},
	"add":    {Name: "add", reads: 2, store: asm.VMOVUPS, bytes: 12},
	"addnt":  {Name: "add past the caches", reads: 2, store: asm.VMOVNTPS, bytes: 12},
}

// PastCaches reports whether stores go past the caches.
func (s Pass) PastCaches() bool { return s.store == asm.VMOVNTPS }

// streamUnroll is the registers of a step; the count in elements is a multiple of a
// step's.
const streamUnroll = 4

// streamCode passes over count elements of float32.
func streamCode(s Pass, v vectors) (codemem.Entry, error) {
	var a asm.Assembler
	for i, r := range []asm.Operand{asm.RSI, asm.RDX, asm.R8, asm.RCX} {
		a.Emit(asm.MOV, r, asm.Mem(asm.RDI, 8*i))
	}
	a.Emit(asm.XOR, asm.EAX, asm.EAX)
	for i := range 2 * streamUnroll {
		a.Emit(asm.VXORPS, asm.Y(i), asm.Y(i), asm.Y(i))
	}
	loop := a.NewLabel()
	a.Align(32)
	a.Bind(loop)
	at := func(base asm.Operand, i int) asm.Operand { return asm.Idx(base, asm.RAX, 4, i*v.bytes) }
	for i := range streamUnroll {
		switch {
		case s.reads > 0 && s.store == 0:
			a.Emit(asm.VADDPS, v.reg(streamUnroll+i), v.reg(streamUnroll+i), at(asm.RSI, i))
		case s.reads > 0:
			a.Emit(asm.VMOVUPS, v.reg(i), at(asm.RSI, i))
		}
		if s.reads > 1 {
			a.Emit(asm.VADDPS, v.reg(i), v.reg(i), at(asm.RDX, i))
		}
	}
	for i := range streamUnroll {
		if s.store != 0 {
			a.Emit(s.store, at(asm.R8, i), v.reg(i))
		}
	}
	a.Emit(asm.ADD, asm.RAX, asm.Imm(int64(streamUnroll*v.bytes/4)))
	a.Emit(asm.CMP, asm.RAX, asm.RCX)
	a.Emit(asm.JL, asm.To(loop))
	a.Emit(asm.SFENCE)
	return finish(&a)
}

// finish makes the code callable, for as long as the process lives.
func finish(a *asm.Assembler) (e codemem.Entry, err error) {
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	code, err := a.Finish()
	if err != nil {
		return e, err
	}
	c, err := codemem.Write(code)
	if err != nil {
		return e, err
	}
	if err := c.Seal(); err != nil {
		return e, err
	}
	return c.Acquire()
}
