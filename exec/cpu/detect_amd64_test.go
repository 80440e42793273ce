package cpu

import (
	"testing"

	xcpu "golang.org/x/sys/cpu"
)

type answers map[[2]uint32][4]uint32

func (m answers) ask(leaf, sub uint32) (a, b, c, d uint32) {
	r := m[[2]uint32{leaf, sub}]
	return r[0], r[1], r[2], r[3]
}

// with is a copy of m with one answer replaced.
func (m answers) with(leaf, sub uint32, r [4]uint32) answers {
	n := answers{}
	for k, v := range m {
		n[k] = v
	}
	n[[2]uint32{leaf, sub}] = r
	return n
}

// xeon is a recording of an Emerald Rapids server.
var xeon = answers{
	{0, 0}:          {0x0000001c, 0x756e6547, 0x6c65746e, 0x49656e69},
	{0x80000000, 0}: {0x80000021, 0, 0, 0},
	{1, 0}:          {0x000c06f2, 0x00020800, 0xfffa3203, 0x1f8bfbff},
	{7, 0}:          {0x00000002, 0xf1bf2ffb, 0x1a415f46, 0x20814010},
	{7, 1}:          {0x00001c30, 0, 0, 0},
	{0x80000001, 0}: {0, 0, 0x00000121, 0x2c100800},
	{0x80000002, 0}: {0x65746e49, 0x2952286c, 0x6f655820, 0x2952286e},
	{0x80000003, 0}: {0x6f725020, 0x73736563, 0x0000726f, 0},
	{4, 0}:          {0x04000121, 0x02c0003f, 0x0000003f, 0},
	{4, 1}:          {0x04000122, 0x01c0003f, 0x0000003f, 0},
	{4, 2}:          {0x04000143, 0x03c0003f, 0x000007ff, 0},
	{4, 3}:          {0x04004163, 0x04c0003f, 0x00033fff, 0},
}

// tiled is the Xeon's leaf 7 where nothing hides tiles.
var tiled = [4]uint32{0x00000002, 0xf1bf2ffb, 0x1a415f46, 0x23c14010}

// zen is made up after a Zen 5: caches in the extended leaf, none in leaf 4, no AVX512-FP16.
var zen = answers{
	{0, 0}:          {0x10, 0x68747541, 0x444d4163, 0x69746e65},
	{0x80000000, 0}: {0x80000028, 0, 0, 0},
	{1, 0}:          {0x00b10f20, 0, 0x7ed8320b, 0x178bfbff},
	{7, 0}:          {1, 0xf1bf97a9, 0x18405fde, 0x10000110},
	{7, 1}:          {0x30, 0, 0, 0},
	{0x80000001, 0}: {0, 0, 0x75c237ff, 0},
	{0x8000001d, 0}: {0x00004121, 0x02c0003f, 0x3f, 0},
	{0x8000001d, 1}: {0x00004122, 0x01c0003f, 0x3f, 0},
	{0x8000001d, 2}: {0x00004143, 0x03c0003f, 0x3ff, 0},
	{0x8000001d, 3}: {0x0003c163, 0x03c0003f, 0x7fff, 0},
}

// everything is what the Xeon has: the hypervisor of the recording hides tiles.
const everything = Features(1<<numFeatures-1) &^ anyAMX

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name     string
		cpu      answers
		xcr0     uint32
		tier     Tier
		features Features
	}{
		{"xeon", xeon, 0xe7, AVX512, everything},
		{"zen", zen, 0xe7, AVX512, everything &^ HasAVX512FP16},
		{"tiles", xeon.with(7, 0, tiled), 0x602e7, AVX512, everything | anyAMX},
		{"system saves no tiles", xeon.with(7, 0, tiled), 0x202e7, AVX512, everything},
		{"system saves no zmm", xeon, 7, AVX2, everything &^ anyAVX512},
		{"system saves no masks", xeon, 0xc7, AVX2, everything &^ anyAVX512},
		{"system saves no ymm", xeon, 3, Portable, HasBMI1 | HasBMI2 | HasLZCNT | HasPOPCNT | HasPREFETCHW},
		{"system does not say", xeon.with(1, 0, [4]uint32{0, 0, 0xfffa3203 &^ (1 << 27), 0}), 0xe7, Portable,
			HasBMI1 | HasBMI2 | HasLZCNT | HasPOPCNT | HasPREFETCHW},
		{"no subleaf", xeon.with(7, 0, [4]uint32{0, 0xf1bf2ffb, 0x1a415f46, 0x20814010}), 0xe7, AVX512,
			everything &^ (HasAVXVNNI | HasAVX512BF16)},
		{"no leaf 7", xeon.with(0, 0, [4]uint32{6}), 0xe7, Portable,
			HasAVX | HasFMA | HasF16C | HasPOPCNT | HasLZCNT | HasPREFETCHW},
		{"no fma", xeon.with(1, 0, [4]uint32{0, 0, 0xfffa3203 &^ (1 << 12), 0}), 0xe7, Portable, everything &^ HasFMA},
		{"first avx-512", xeon.with(7, 0, [4]uint32{0, 1<<16 | 1<<28 | 1<<3 | 1<<5 | 1<<8, 0, 0}), 0xe7, AVX2,
			avx2Tier | HasPREFETCHW | HasAVX512F | HasAVX512CD},
		{"nothing", answers{}, 0, Portable, 0},
	} {
		got := decode(c.cpu.ask, func() uint32 { return c.xcr0 })
		if got.tier != c.tier || got.features != c.features {
			t.Errorf("%s: got %v with %v\nwant %v with %v", c.name, got.tier, got.features, c.tier, c.features)
		}
		if got.model == "" || got.caches.L1.Sets() == 0 || got.caches.L2.Sets() == 0 || got.caches.L3.Share() == 0 {
			t.Errorf("%s: got %q, %+v", c.name, got.model, got.caches)
		}
	}
}

func TestDecodeCaches(t *testing.T) {
	for name, c := range map[string]struct {
		cpu           answers
		want          Caches
		vendor, model string
	}{
		"xeon": {xeon, Caches{Cache{48 << 10, 12, 64, 1}, Cache{2 << 20, 16, 64, 1}, Cache{260 << 20, 20, 64, 2}},
			"GenuineIntel", "Intel(R) Xeon(R) Processor"},
		"zen": {zen, Caches{Cache{48 << 10, 12, 64, 2}, Cache{1 << 20, 16, 64, 2}, Cache{32 << 20, 16, 64, 16}},
			"AuthenticAMD", "x86-64 processor"},
		"no level 3": {xeon.with(4, 3, [4]uint32{}),
			Caches{Cache{48 << 10, 12, 64, 1}, Cache{2 << 20, 16, 64, 1}, defaultCaches.L3}, "GenuineIntel", "Intel(R) Xeon(R) Processor"},
		"nothing": {answers{}, defaultCaches, "", "x86-64 processor"},
	} {
		got := decode(c.cpu.ask, func() uint32 { return 0 })
		if got.caches != c.want || got.vendor != c.vendor || got.model != c.model {
			t.Errorf("%s: got %q %q %+v\nwant %q %q %+v", name, got.vendor, got.model, got.caches, c.vendor, c.model, c.want)
		}
	}
}

// TestAgainstX compares with an independent reading of the same processor.
func TestAgainstX(t *testing.T) {
	x := xcpu.X86
	for _, c := range []struct {
		f    Features
		want bool
	}{
		{HasAVX, x.HasAVX}, {HasAVX2, x.HasAVX2}, {HasFMA, x.HasFMA}, {HasBMI1, x.HasBMI1}, {HasBMI2, x.HasBMI2},
		{HasPOPCNT, x.HasPOPCNT}, {HasAVX512F, x.HasAVX512F}, {HasAVX512DQ, x.HasAVX512DQ}, {HasAVX512BW, x.HasAVX512BW},
		{HasAVX512VL, x.HasAVX512VL}, {HasAVX512CD, x.HasAVX512CD}, {HasAVX512VNNI, x.HasAVX512VNNI},
		{HasAVX512BF16, x.HasAVX512BF16}, {HasAVX512VBMI, x.HasAVX512VBMI}, {HasAVX512VBMI2, x.HasAVX512VBMI2},
		{HasAVX512BITALG, x.HasAVX512BITALG}, {HasAVX512VPOPCNTDQ, x.HasAVX512VPOPCNTDQ},
	} {
		if got := Detected().Has(c.f); got != c.want {
			t.Errorf("%v: got %v, want %v", c.f, got, c.want)
		}
	}
}
