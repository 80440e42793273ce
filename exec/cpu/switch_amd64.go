package cpu

import xcpu "golang.org/x/sys/cpu"

// switches are the extensions that Go's own switches name, as GODEBUG=cpu.avx512f=off does, and whether they are
// on. The package that keeps them for programs has read the environment.
var switches = []struct {
	of Features
	on *bool
}{
	{HasAVX, &xcpu.X86.HasAVX},
	{HasAVX2, &xcpu.X86.HasAVX2},
	{HasFMA, &xcpu.X86.HasFMA},
	{HasBMI1, &xcpu.X86.HasBMI1},
	{HasBMI2, &xcpu.X86.HasBMI2},
	{HasPOPCNT, &xcpu.X86.HasPOPCNT},
	{HasAVX512F, &xcpu.X86.HasAVX512F},
	{HasAVX512DQ, &xcpu.X86.HasAVX512DQ},
	{HasAVX512BW, &xcpu.X86.HasAVX512BW},
	{HasAVX512VL, &xcpu.X86.HasAVX512VL},
	{HasAVX512CD, &xcpu.X86.HasAVX512CD},
	{HasAVXVNNI, &xcpu.X86.HasAVXVNNI},
	{HasAVX512VNNI, &xcpu.X86.HasAVX512VNNI},
	{HasAVX512BF16, &xcpu.X86.HasAVX512BF16},
	{HasAVX512VBMI, &xcpu.X86.HasAVX512VBMI},
	{HasAVX512VBMI2, &xcpu.X86.HasAVX512VBMI2},
	{HasAVX512BITALG, &xcpu.X86.HasAVX512BITALG},
	{HasAVX512VPOPCNTDQ, &xcpu.X86.HasAVX512VPOPCNTDQ},
	{HasAMXTILE, &xcpu.X86.HasAMXTile},
	{HasAMXINT8, &xcpu.X86.HasAMXInt8},
	{HasAMXBF16, &xcpu.X86.HasAMXBF16},
}

// required is what the program was built to need (GOAMD64): switches do not take it away.
var required Features

// switched is the set of extensions of the processor that switches take away, with those that
// build on them.
func switched(have Features) (off Features) {
	for _, s := range switches {
		if have.Has(s.of) && !*s.on && !required.Has(s.of) {
			off |= s.of
		}
	}
	if off&HasAVX != 0 {
		off |= needsAVX
	}
	if off&HasAVX512F != 0 {
		off |= anyAVX512
	}
	return off & have
}
