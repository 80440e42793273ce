// Package trait is what is known of instructions: which bytes of their operands those of their results are made of, and
// whether they set or read flags.
package trait

import "github.com/tiler-go/tiler/exec/amd64/asm"

// A Trait is what is known of an op. If its lanes depend on the same lanes of its operands, Lane is how many bytes one
// is, of the result or, if that is a mask, of what is compared, and From how many those of the operands are.
type Trait struct {
	Lane, From uint8
	First      uint8 // it reads no more than so many first bytes of a register
	Broadcasts bool  // into all lanes
	Inserts    bool  // a part, the first of which is 0
	Masks      bool  // its operands are masks, lane by lane
	Aside      bool  // it changes a general register, and nothing else
	Low        bool  // the lower half of its result is made of those of its operands
	Sets       bool  // it sets flags, and perhaps a register, and nothing else
	Reads      bool  // it reads flags
}

// Of is by op.
var Of = func() (z [asm.NumOps]Trait) {
	for _, t := range []struct {
		Trait
		ops []asm.Op
	}{
		{Trait{Lane: 4, From: 4}, []asm.Op{
			asm.VADDPS, asm.VSUBPS, asm.VMULPS, asm.VDIVPS, asm.VMINPS, asm.VMAXPS, asm.VSQRTPS, asm.VXORPS,
			asm.VFMADD231PS, asm.VFMADD213PS, asm.VFNMADD231PS, asm.VSCALEFPS, asm.VRNDSCALEPS, asm.VROUNDPS, asm.VRANGEPS,
			asm.VPADDD, asm.VPSUBD, asm.VPMULLD, asm.VPMINSD, asm.VPMAXSD, asm.VPMINUD, asm.VPMAXUD, asm.VPABSD,
			asm.VPANDD, asm.VPORD, asm.VPXORD, asm.VPANDND, asm.VPAND, asm.VPOR, asm.VPXOR, asm.VPANDN,
			asm.VMOVUPS, asm.VMOVAPS, asm.VMOVDQA, asm.VMOVDQU, asm.VMOVDQA32, asm.VMOVDQU32,
			asm.VPBLENDMD, asm.VBLENDVPS, asm.VPBLENDVB, asm.VCMPPS, asm.VPCMPD, asm.VPCMPUD, asm.VPCMPEQD, asm.VPCMPGTD,
			asm.VPTESTMD, asm.VPTESTNMD, asm.VPSLLD, asm.VPSRLD, asm.VPSRAD, asm.VPSLLVD, asm.VPSRLVD, asm.VPSRAVD,
			asm.VCVTDQ2PS, asm.VCVTTPS2DQ, asm.VCVTUDQ2PS, asm.VCVTTPS2UDQ,
		}},
		{Trait{Lane: 8, From: 8}, []asm.Op{
			asm.VADDPD, asm.VSUBPD, asm.VMULPD, asm.VDIVPD, asm.VMINPD, asm.VMAXPD, asm.VSQRTPD, asm.VXORPD,
			asm.VFMADD231PD, asm.VFMADD213PD, asm.VFNMADD231PD, asm.VSCALEFPD, asm.VRNDSCALEPD, asm.VROUNDPD, asm.VRANGEPD,
			asm.VPADDQ, asm.VPSUBQ, asm.VPMULLQ, asm.VPMULUDQ, asm.VPMULDQ, asm.VPMINSQ, asm.VPMAXSQ, asm.VPMINUQ, asm.VPMAXUQ,
			asm.VPANDQ, asm.VPORQ, asm.VPXORQ, asm.VPANDNQ, asm.VMOVUPD, asm.VMOVAPD, asm.VMOVDQA64, asm.VPABSQ,
			asm.VPBLENDMQ, asm.VBLENDVPD, asm.VCMPPD, asm.VPCMPQ, asm.VPCMPUQ, asm.VPCMPEQQ, asm.VPCMPGTQ,
			asm.VPTESTMQ, asm.VPTESTNMQ, asm.VPSLLQ, asm.VPSRLQ, asm.VPSRAQ, asm.VPSLLVQ, asm.VPSRLVQ, asm.VPSRAVQ,
			asm.VCVTQQ2PD, asm.VCVTUQQ2PD, asm.VCVTTPD2QQ, asm.VCVTTPD2UQQ,
		}},
		{Trait{Lane: 8, From: 4}, []asm.Op{asm.VCVTPS2PD, asm.VCVTDQ2PD, asm.VCVTTPS2QQ, asm.VPMOVSXDQ, asm.VPMOVZXDQ}},
		{Trait{Lane: 4, From: 8}, []asm.Op{asm.VCVTPD2PS, asm.VCVTTPD2DQ}},
		{Trait{Lane: 4, From: 2}, []asm.Op{asm.VCVTPH2PS}},
		{Trait{First: 4, Broadcasts: true}, []asm.Op{asm.VBROADCASTSS, asm.VPBROADCASTD}},
		{Trait{First: 8, Broadcasts: true}, []asm.Op{asm.VBROADCASTSD, asm.VPBROADCASTQ}},
		{Trait{First: 4}, []asm.Op{asm.VMOVSS}},
		{Trait{First: 8}, []asm.Op{asm.VMOVSD}},
		{Trait{First: 4, Aside: true}, []asm.Op{asm.VMOVD}},
		{Trait{First: 8, Aside: true}, []asm.Op{asm.VMOVQ}},
		{Trait{Inserts: true}, []asm.Op{asm.VINSERTI64X4, asm.VINSERTF64X4, asm.VINSERTF128, asm.VINSERTI128}},
		{Trait{Masks: true}, []asm.Op{asm.KANDW, asm.KORW, asm.KXORW, asm.KNOTW, asm.KANDNW, asm.KXNORW}},
		{Trait{Masks: true, Aside: true}, []asm.Op{asm.KMOVW}}, // or between files
		{Trait{Aside: true}, []asm.Op{
			asm.MOVSX, asm.MOVZX, asm.SHLX, asm.SHRX, asm.SARX, asm.PDEP, asm.KMOVD, asm.KMOVQ, asm.VMOVMSKPS,
		}},
		{Trait{Aside: true, Low: true}, []asm.Op{asm.MOV, asm.MOVSXD, asm.LEA, asm.NOT}},
		{Trait{Sets: true, Low: true}, []asm.Op{asm.ADD, asm.SUB, asm.IMUL, asm.AND, asm.OR, asm.XOR, asm.NEG}},
		{Trait{Sets: true}, []asm.Op{
			asm.SHL, asm.SHR, asm.SAR, asm.ANDN, asm.BZHI, asm.TZCNT,
			asm.CMP, asm.TEST, asm.VPTEST, asm.KORTESTB, asm.KORTESTW, asm.KORTESTD, asm.KORTESTQ,
		}},
		{Trait{Aside: true, Reads: true}, []asm.Op{
			asm.SETE, asm.SETNE, asm.SETL, asm.SETLE, asm.SETG, asm.SETGE, asm.SETA, asm.SETAE, asm.SETB, asm.SETBE,
			asm.CMOVE, asm.CMOVNE, asm.CMOVL, asm.CMOVLE, asm.CMOVG, asm.CMOVGE, asm.CMOVA, asm.CMOVAE, asm.CMOVB, asm.CMOVBE,
			asm.CMOVS, asm.CMOVNS,
		}},
	} {
		for _, o := range t.ops {
			z[o] = t.Trait
		}
	}
	return z
}()
