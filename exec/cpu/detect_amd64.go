package cpu

import (
	"encoding/binary"
	"strings"
)

// cpuid executes the instruction.
func cpuid(leaf, sub uint32) (a, b, c, d uint32)

// xgetbv is the low half of XCR0: which register files the operating system saves. It exists
// only where CPUID says OSXSAVE.
func xgetbv() uint32

func detect() info { return decode(cpuid, xgetbv).without(switched) }

// asker is the CPUID instruction, or a recording of it.
type asker func(leaf, sub uint32) (a, b, c, d uint32)

// once is ask that does not ask the same twice.
func (ask asker) once() asker {
	type question struct{ leaf, sub uint32 }
	known := map[question][4]uint32{}
	return func(leaf, sub uint32) (a, b, c, d uint32) {
		r, ok := known[question{leaf, sub}]
		if !ok {
			r[0], r[1], r[2], r[3] = ask(leaf, sub)
			known[question{leaf, sub}] = r
		}
		return r[0], r[1], r[2], r[3]
	}
}

// The leaves of CPUID that are used.
const (
	leafVendor    = 0
	leafFeatures  = 1
	leafCaches    = 4 // Intel
	leafExtended  = 7
	leafTop       = 0x80000000 // highest extended leaf
	leafMore      = 0x80000001
	leafName      = 0x80000002 // and the two after it
	leafCachesAMD = 0x8000001d
)

func decode(ask asker, xcr0 func() uint32) info {
	var in info
	ask = ask.once()
	maxLeaf, b, c, d := ask(leafVendor, 0)
	in.vendor = text(b, d, c)
	maxExt, _, _, _ := ask(leafTop, 0)
	in.features = features(ask, maxLeaf, maxExt, xcr0)
	in.tier = in.features.tier()
	in.model = modelName(ask, maxExt)
	if in.model == "" {
		in.model = "x86-64 processor"
	}
	switch _, _, c, _ := ask(leafMore, 0); {
	case maxExt >= leafCachesAMD && c&(1<<22) != 0: // topology extensions
		in.caches = caches(ask, leafCachesAMD)
	case maxLeaf >= leafCaches:
		in.caches = caches(ask, leafCaches)
	}
	in.caches = in.caches.fill()
	return in
}

// register is one of the registers in which CPUID answers.
type register struct{ leaf, sub, which uint32 }

// bits says where each extension is announced.
var bits = [numFeatures]struct {
	in  register
	bit uint
}{
	{register{1, 0, 2}, 28}, // avx
	{register{7, 0, 1}, 5},  // avx2
	{register{1, 0, 2}, 12}, // fma
	{register{1, 0, 2}, 29}, // f16c
	{register{7, 0, 1}, 3},  // bmi1
	{register{7, 0, 1}, 8},  // bmi2
	{register{leafMore, 0, 2}, 5},
	{register{1, 0, 2}, 23}, // popcnt
	{register{7, 0, 1}, 16}, // avx512f
	{register{7, 0, 1}, 17}, // avx512dq
	{register{7, 0, 1}, 30}, // avx512bw
	{register{7, 0, 1}, 31}, // avx512vl
	{register{7, 0, 1}, 28}, // avx512cd
	{register{7, 1, 0}, 4},  // avx-vnni
	{register{7, 0, 2}, 11}, // avx512vnni
	{register{7, 1, 0}, 5},  // avx512bf16
	{register{7, 0, 3}, 23}, // avx512fp16
	{register{7, 0, 2}, 1},  // avx512vbmi
	{register{7, 0, 2}, 6},  // avx512vbmi2
	{register{7, 0, 2}, 12}, // avx512bitalg
	{register{7, 0, 2}, 14}, // avx512vpopcntdq
	{register{leafMore, 0, 2}, 8},
	{register{7, 0, 3}, 24}, // amx-tile
	{register{7, 0, 3}, 25}, // amx-int8
	{register{7, 0, 3}, 22}, // amx-bf16
}

// features reads the announcements, less what the operating system does not save on a context switch.
func features(ask asker, maxLeaf, maxExt uint32, xcr0 func() uint32) Features {
	var f Features
	for i, where := range bits {
		r := where.in
		if r.leaf < leafTop && r.leaf > maxLeaf || r.leaf >= leafTop && r.leaf > maxExt {
			continue
		}
		if r.sub > 0 {
			if subs, _, _, _ := ask(r.leaf, 0); r.sub > subs {
				continue
			}
		}
		a, b, c, d := ask(r.leaf, r.sub)
		if [...]uint32{a, b, c, d}[r.which]>>where.bit&1 != 0 {
			f |= 1 << i
		}
	}
	// XCR0: xmm and ymm; and masks, upper halves, registers 16-31; shapes of tiles, and tiles.
	const ymm, zmm, tiles = 6, 0xe6, 0x60000
	saved := uint32(0)
	if _, _, c, _ := ask(leafFeatures, 0); c&(1<<27) != 0 {
		saved = xcr0()
	}
	if saved&ymm != ymm {
		f &^= needsAVX
	}
	// macOS shows the AVX-512 state only after its first use, so there the AVX2 tier is the best.
	if saved&zmm != zmm {
		f &^= anyAVX512
	}
	if saved&tiles != tiles {
		f &^= anyAMX
	}
	return f
}

// modelName is the brand string, with its runs of spaces made one.
func modelName(ask asker, maxExt uint32) string {
	if maxExt < leafName+2 {
		return ""
	}
	var s string
	for i := range uint32(3) {
		s += text(ask(leafName+i, 0))
	}
	return strings.Join(strings.Fields(s), " ")
}

// text is the characters in registers, up to the first NUL.
func text(regs ...uint32) string {
	var b []byte
	for _, r := range regs {
		b = binary.LittleEndian.AppendUint32(b, r)
	}
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}

// caches reads the enumeration of caches that Intel and AMD share the layout of.
func caches(ask asker, leaf uint32) Caches {
	var s Caches
	for i := range uint32(16) {
		a, b, c, _ := ask(leaf, i)
		kind, level := a&31, a>>5&7
		if kind == 0 {
			break
		}
		if kind == 2 { // instructions
			continue
		}
		line, parts, ways := int(b&0xfff)+1, int(b>>12&0x3ff)+1, int(b>>22)+1
		one := Cache{Size: line * parts * ways * (int(c) + 1), Ways: ways, Line: line, SharedBy: int(a>>14&0xfff) + 1}
		switch level {
		case 1:
			s.L1 = one
		case 2:
			s.L2 = one
		case 3:
			s.L3 = one
		}
	}
	return s
}
