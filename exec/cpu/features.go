package cpu

import "strings"

// Features is a set of instruction set extensions.
type Features uint32

// The extensions: first those of the AVX2 tier, then those of the AVX512 tier, then those that belong to none.
const (
	HasAVX Features = 1 << iota
	HasAVX2
	HasFMA
	HasF16C
	HasBMI1
	HasBMI2
	HasLZCNT
	HasPOPCNT

	HasAVX512F
	HasAVX512DQ
	HasAVX512BW
	HasAVX512VL
	HasAVX512CD

	HasAVXVNNI // VEX dot products of bytes and words
	HasAVX512VNNI
	HasAVX512BF16
	HasAVX512FP16
	HasAVX512VBMI
	HasAVX512VBMI2
	HasAVX512BITALG
	HasAVX512VPOPCNTDQ
	HasPREFETCHW
	HasAMXTILE // to use it takes a permission, see Tiles
	HasAMXINT8
	HasAMXBF16
	numFeatures = iota
)

var featureNames = [numFeatures]string{"avx", "avx2", "fma", "f16c", "bmi1", "bmi2", "lzcnt", "popcnt",
	"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd", "avx-vnni", "avx512vnni", "avx512bf16", "avx512fp16",
	"avx512vbmi", "avx512vbmi2", "avx512bitalg", "avx512vpopcntdq", "prefetchw",
	"amx-tile", "amx-int8", "amx-bf16"}

// What the tiers promise.
const (
	avx2Tier   = HasAVX | HasAVX2 | HasFMA | HasF16C | HasBMI1 | HasBMI2 | HasLZCNT | HasPOPCNT
	avx512Tier = avx2Tier | HasAVX512F | HasAVX512DQ | HasAVX512BW | HasAVX512VL | HasAVX512CD

	anyAVX512 = HasAVX512F | HasAVX512DQ | HasAVX512BW | HasAVX512VL | HasAVX512CD | HasAVX512VNNI | HasAVX512BF16 |
		HasAVX512FP16 | HasAVX512VBMI | HasAVX512VBMI2 | HasAVX512BITALG | HasAVX512VPOPCNTDQ
	needsAVX = HasAVX | HasAVX2 | HasFMA | HasF16C | HasAVXVNNI | anyAVX512

	anyAMX = HasAMXTILE | HasAMXINT8 | HasAMXBF16
)

// Has reports whether all of want are in f.
func (f Features) Has(want Features) bool { return f&want == want }

func (f Features) String() string {
	var s []string
	for i, name := range featureNames {
		if f&(1<<i) != 0 {
			s = append(s, name)
		}
	}
	return strings.Join(s, " ")
}

// tier is the highest tier whose promise f keeps.
func (f Features) tier() Tier {
	switch {
	case f.Has(avx512Tier):
		return AVX512
	case f.Has(avx2Tier):
		return AVX2
	}
	return Portable
}

// Detected is the set of extensions that this machine and its operating system support, and that
// nobody has switched off.
func Detected() Features { return detected().features }

// SwitchedOff is the set of extensions that the machine has and that Go's own switches take from the
// program, as GODEBUG=cpu.avx512f=off does.
func SwitchedOff() Features { return detected().off }

// Features is the set of extensions that code for tier t may use on this machine: with
// a lower tier than the best, not those of the higher ones.
func (t Tier) Features() Features {
	t, err := t.Resolve()
	switch {
	case err != nil || t == Portable:
		return 0
	case t == AVX2:
		return detected().features &^ (anyAVX512 | anyAMX)
	}
	return detected().features
}
