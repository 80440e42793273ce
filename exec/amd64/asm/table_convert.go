package asm

// convertTable holds conversions between floating-point formats and integers.
var convertTable = [...]form{
	{VCVTPS2PD, lRM, pats{pV, pHM}, vex | evex | np | m0F, 0x5a, kz | b32 | dSAE, fAVX},
	{VCVTPD2PS, lRM, pats{pH, pVM}, ePD, 0x5a, kz | b64 | dER, fAVX},
	{VCVTPH2PS, lRM, pats{pV, pHM}, e38, 0x13, kz | dSAE, fF16C},
	{VCVTPS2PH, lMRI, pats{pHM, pV, pI8}, e3A, 0x1d, kz | dSAE, fF16C},
	{VCVTNEPS2BF16, lRM, pats{pH, pVM}, evex | pF3 | m38, 0x72, kz | b32, fBF16},
	{VCVTDQ2PS, lRM, pats{pV, pVM}, ePS, 0x5b, kz | b32 | dER, fAVX},
	{VCVTDQ2PD, lRM, pats{pV, pHM}, vex | evex | pF3 | m0F, 0xe6, kz | b32, fAVX},
	{VCVTTPS2DQ, lRM, pats{pV, pVM}, vex | evex | pF3 | m0F, 0x5b, kz | b32 | dSAE, fAVX},
	{VCVTTPD2DQ, lRM, pats{pH, pVM}, e0Fw, 0xe6, kz | b64 | dSAE, fAVX},

	{VCVTUDQ2PS, lRM, pats{pV, pVM}, evex | pF2 | m0F, 0x7a, kz | b32 | dER, fF},
	{VCVTUDQ2PD, lRM, pats{pV, pHM}, evex | pF3 | m0F, 0x7a, kz | b32, fF},
	{VCVTTPS2UDQ, lRM, pats{pV, pVM}, evex | np | m0F, 0x78, kz | b32 | dSAE, fF},
	{VCVTTPD2UDQ, lRM, pats{pH, pVM}, evex | np | m0F | ew1, 0x78, kz | b64 | dSAE, fF},

	{VCVTQQ2PS, lRM, pats{pH, pVM}, evex | np | m0F | ew1, 0x5b, kz | b64 | dER, fDQ},
	{VCVTQQ2PD, lRM, pats{pV, pVM}, evex | pF3 | m0F | ew1, 0xe6, kz | b64 | dER, fDQ},
	{VCVTUQQ2PS, lRM, pats{pH, pVM}, evex | pF2 | m0F | ew1, 0x7a, kz | b64 | dER, fDQ},
	{VCVTUQQ2PD, lRM, pats{pV, pVM}, evex | pF3 | m0F | ew1, 0x7a, kz | b64 | dER, fDQ},
	{VCVTTPS2QQ, lRM, pats{pV, pHM}, z0F, 0x7a, kz | b32 | dSAE, fDQ},
	{VCVTTPD2QQ, lRM, pats{pV, pVM}, z0Fw, 0x7a, kz | b64 | dSAE, fDQ},
	{VCVTTPS2UQQ, lRM, pats{pV, pHM}, z0F, 0x78, kz | b32 | dSAE, fDQ},
	{VCVTTPD2UQQ, lRM, pats{pV, pVM}, z0Fw, 0x78, kz | b64 | dSAE, fDQ},

	{VCVTSI2SS, lRVM, pats{pX, pX, pRM32}, vex | evex | pF3 | m0F | l128, 0x2a, dER, fAVX},
	{VCVTSI2SS, lRVM, pats{pX, pX, pRM64}, vex | evex | pF3 | m0F | vw1 | ew1 | l128, 0x2a, dER, fAVX},
	{VCVTSI2SD, lRVM, pats{pX, pX, pRM32}, vex | evex | pF2 | m0F | l128, 0x2a, 0, fAVX},
	{VCVTSI2SD, lRVM, pats{pX, pX, pRM64}, vex | evex | pF2 | m0F | vw1 | ew1 | l128, 0x2a, dER, fAVX},
}
