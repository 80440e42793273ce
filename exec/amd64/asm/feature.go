package asm

import "strings"

// Feature is a set of CPU features that instructions need.
type Feature uint32

// The features, as CPUID and the manuals name them. The base x86-64 set has none.
const (
	HasPOPCNT Feature = 1 << iota
	HasLZCNT
	HasBMI1
	HasBMI2
	HasPREFETCHW
	HasAVX
	HasAVX2
	HasFMA
	HasF16C
	HasAVXVNNI
	HasAVX512F
	HasAVX512VL
	HasAVX512BW
	HasAVX512DQ
	HasAVX512CD
	HasAVX512VBMI
	HasAVX512VBMI2
	HasAVX512VNNI
	HasAVX512BF16
	HasAVX512BITALG
	HasAVX512VPOPCNTDQ
	HasAMXTILE
	HasAMXINT8
	HasAMXBF16
	numFeatures = iota
)

var featureNames = [numFeatures]string{"popcnt", "lzcnt", "bmi1", "bmi2", "prefetchw", "avx", "avx2", "fma", "f16c",
	"avx-vnni", "avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512cd", "avx512vbmi", "avx512vbmi2",
	"avx512vnni", "avx512bf16", "avx512bitalg", "avx512vpopcntdq",
	"amx-tile", "amx-int8", "amx-bf16"}

func (f Feature) String() string {
	var s []string
	for i, name := range featureNames {
		if f&(1<<i) != 0 {
			s = append(s, name)
		}
	}
	if len(s) == 0 {
		return "base"
	}
	return strings.Join(s, "+")
}

// need is what a row needs: one set for its legacy or VEX encoding, one for its EVEX encoding
// (to which vector lengths below 512 add HasAVX512VL).
type need uint8

const (
	fBase need = iota
	fPOPCNT
	fBMI1
	fBMI2
	fPREFETCHW
	fAVX    // VEX AVX, EVEX F
	fAVXBW  // VEX AVX, EVEX BW
	fAVXDQ  // VEX AVX, EVEX DQ
	fAVX2   // VEX AVX2, EVEX F. Rows whose 128-bit VEX form is plain HasAVX say HasAVX2 too.
	fAVX2BW // VEX AVX2, EVEX BW
	fFMA
	fF16C
	fVNNI
	fF
	fBW
	fDQ
	fVBMI
	fBF16
	fAMXTILE
	fAMXINT8
	fAMXBF16
	numNeeds
)

var needs = [numNeeds]struct{ vex, evex Feature }{
	fBase:      {},
	fPOPCNT:    {vex: HasPOPCNT},
	fBMI1:      {vex: HasBMI1},
	fBMI2:      {vex: HasBMI2},
	fPREFETCHW: {vex: HasPREFETCHW},
	fAVX:       {HasAVX, HasAVX512F},
	fAVXBW:     {HasAVX, HasAVX512BW},
	fAVXDQ:     {HasAVX, HasAVX512DQ},
	fAVX2:      {HasAVX2, HasAVX512F},
	fAVX2BW:    {HasAVX2, HasAVX512BW},
	fFMA:       {HasFMA, HasAVX512F},
	fF16C:      {HasF16C, HasAVX512F},
	fVNNI:      {HasAVXVNNI, HasAVX512VNNI},
	fF:         {HasAVX512F, HasAVX512F}, // the VEX column is for mask register moves
	fBW:        {HasAVX512BW, HasAVX512BW},
	fDQ:        {HasAVX512DQ, HasAVX512DQ},
	fVBMI:      {evex: HasAVX512VBMI},
	fBF16:      {evex: HasAVX512BF16},
	fAMXTILE:   {vex: HasAMXTILE},
	fAMXINT8:   {vex: HasAMXINT8},
	fAMXBF16:   {vex: HasAMXBF16},
}
