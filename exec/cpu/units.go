package cpu

// A Unit is a part of processors that engines have code of their own for. What a machine lacks is not
// tested there; what it has can be left out, so that one machine with everything tests all ways.
type Unit struct {
	Name  string
	needs Features
	Off   string // in GODEBUG: leaves the unit out
}

// Units lists them.
var Units = []Unit{
	{"avx2", avx2Tier, "cpu.avx2=off"},
	{"avx512", avx512Tier, "cpu.avx512f=off"},
	{"avx512vbmi", HasAVX512VBMI, "cpu.avx512vbmi=off"},
	{"avx512vnni", HasAVX512VNNI, "cpu.avx512vnni=off"},
	{"avx512bf16", HasAVX512BF16, "cpu.avx512bf16=off"},
	{"amx-int8", HasAMXTILE | HasAMXINT8, "cpu.amxint8=off"},
	{"amx-bf16", HasAMXTILE | HasAMXBF16, "cpu.amxbf16=off"},
}

// Available reports whether programs can use the unit here, and nobody has switched it off.
func (u Unit) Available() bool {
	if tiles := u.needs & anyAMX; tiles != 0 && !Tiles(tiles&^HasAMXTILE) {
		return false
	}
	return Detected().Has(u.needs)
}
