package asm

// tileTable holds the instructions on tiles (AMX). Memory of a load or a store is rows: the base is the first, the
// index times its scale lies between rows.
var tileTable = [...]form{
	{LDTILECFG, lM, pats{pM}, vex | np | m38 | l128 | x0, 0x49, 0, fAMXTILE},
	{TILERELEASE, lFix, pats{}, vex | np | m38 | l128 | x0, 0x49, 0, fAMXTILE},
	{TILEZERO, lR, pats{pT}, vex | pF2 | m38 | l128, 0x49, 0, fAMXTILE},
	{TILELOADD, lRM, pats{pT, pM}, vex | pF2 | m38 | l128, 0x4b, dSIB, fAMXTILE},
	{TILELOADDT1, lRM, pats{pT, pM}, vex | p66 | m38 | l128, 0x4b, dSIB, fAMXTILE}, // not to be kept in the first-level cache
	{TILESTORED, lMR, pats{pM, pT}, vex | pF3 | m38 | l128, 0x4b, dSIB, fAMXTILE},
	{TDPBSSD, lRMV, pats{pT, pT, pT}, vex | pF2 | m38 | l128, 0x5e, dDistinct, fAMXINT8},
	{TDPBF16PS, lRMV, pats{pT, pT, pT}, vex | pF3 | m38 | l128, 0x5c, dDistinct, fAMXBF16},
}
