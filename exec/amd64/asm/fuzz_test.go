package asm

import "testing"

// FuzzEncode builds instructions from arbitrary bytes. Whatever they are, nothing panics; what encodes is
// decoded by an independent decoder to the same text, and its text parses back to the same bytes.
func FuzzEncode(f *testing.F) {
	f.Add([]byte{0x40, 0x01, 0, 0, 6, 1, 6, 2, 6, 3})
	f.Add([]byte{0x10, 0x00, 0, 0, 3, 1, 9, 1, 2, 3, 4, 5})
	f.Add([]byte{0x90, 0x01, 0x40, 2, 6, 1, 6, 2, 0x4a, 9, 3, 2, 1})
	f.Add([]byte{0x90, 0x02, 0x41, 2, 3, 1, 6, 2, 0x4a, 9, 3, 2, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		g := generator(data)
		in, nonsense := g.inst()
		text := Print(in)
		var a Assembler
		a.NewLabel()
		a.Append(&in)
		code, err := a.Finish()
		if err != nil || nonsense {
			return
		}
		if len(code) == 0 || len(code) > 15 {
			t.Fatalf("%s: %d bytes", text, len(code))
		}
		if why := decodeDiff(in); why != "" {
			t.Error(why)
		}
		back, err := parse(text)
		if err != nil || encodeHex(back) != encodeHex(in) {
			t.Errorf("%s: parses back as %s, %v", text, Print(back), err)
		}
	})
}

// generator turns bytes into choices; it yields zeros at the end.
type generator []byte

func (g *generator) next() int {
	if len(*g) == 0 {
		return 0
	}
	b := (*g)[0]
	*g = (*g)[1:]
	return int(b)
}

// inst also reports whether an operand is one that no constructor makes.
func (g *generator) inst() (in Inst, nonsense bool) {
	n := g.next() | g.next()<<8
	d := g.next()
	if d&1 != 0 {
		in.Mask = uint8(g.next() & 15)
	}
	in.Zeroing, in.Lock = d&3 == 3, d&0x84 == 0x84
	if d&8 != 0 {
		in.Round = Rounding(g.next() & 7)
	}
	in.Encoding = Encoding(d >> 4 & 3)
	if d&0x40 != 0 {
		g.fill(&in, &forms[n%len(forms)])
	} else {
		in.Op = Op(n)
		nonsense = g.fillBlindly(&in)
	}
	if in.Op == MOVABS {
		in.Imm64 = 0xfedcba9876543210
	}
	return in, nonsense
}

// limits is the highest register number of each kind.
var limits = [...]int{kR8: 15, kR16: 15, kR32: 15, kR64: 15, kX: 31, kY: 31, kZ: 31, kK: 7, kT: 7}

// fill makes operands that suit a row, most of the time.
func (g *generator) fill(in *Inst, f *row) {
	in.Op = f.op
	l := g.next() & 3
	for i, p := range f.pats {
		r := &patRows[p]
		c := g.next()
		switch {
		case p == pNone:
			return
		case r.imm != nil:
			in.Args[i] = g.operand(9 + c&1)
		case r.gpr && (c&1 == 0 || !r.gprMem):
			in.Args[i] = GPR([]int{16, 32, 64, 8}[l], c>>1&15)
		case r.vec != 0 && l < 3 && (c&1 == 0 || r.vecMem == 0):
			in.Args[i] = Vec(8*vecBytes(l, r.vec), c>>1&31)
		case r.reg != kNone && (c&1 == 0 || r.bytes == 0):
			in.Args[i] = reg(r.reg, c>>1&limits[r.reg], 32)
		case r.vsib != 0:
			in.Args[i] = g.memory(c>>4, Vec(8*vecBytes(min(l, 2), r.vsib), c&31))
		default:
			in.Args[i] = g.memory(c>>1, None)
		}
	}
}

func (g *generator) fillBlindly(in *Inst) (nonsense bool) {
	for i := range in.Args {
		c := g.next()
		if c&15 == 0 {
			break
		}
		nonsense = nonsense || c&15 == 11
		in.Args[i] = g.operand(c)
	}
	return nonsense
}

func (g *generator) operand(c int) Operand {
	switch c & 15 {
	case 1, 2, 3, 4:
		return GPR(4<<(c&15), g.next()&15)
	case 5, 6, 7:
		return Vec(4<<(c&15), g.next()&31)
	case 8:
		return K(g.next() & 7)
	case 9:
		return Imm(int64(int8(g.next())))
	case 10:
		return Imm(int64(g.next() | g.next()<<8 | int(int8(g.next()))<<16))
	case 11:
		return Operand(g.next() | g.next()<<8 | g.next()<<16 | g.next()<<24)
	default:
		return g.memory(c>>4, None)
	}
}

func (g *generator) memory(mode int, vector Operand) Operand {
	bx := g.next()
	base, index := GPR(64, bx&15), vector
	switch {
	case vector != None:
	case mode&3 == 1:
		index = GPR(64, bx>>4)
	case mode&7 == 2:
		base, index = None, GPR(64, bx>>4)
	}
	m := Idx(base, index, 1<<(mode>>2&3), int(int8(g.next()))<<(bx&7))
	if m.isVSIB() {
		return m
	}
	switch c := g.next(); c & 7 {
	case 1:
		return m.Bcast()
	case 5:
		return m.Size(4 << (c >> 7)).Bcast()
	case 2:
		return m.BcastTo(1 << (c >> 4))
	case 3, 4:
		return m.Size(1 << (c >> 5 & 7))
	}
	return m
}
