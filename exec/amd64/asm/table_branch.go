package asm

// branchTable holds jumps and the other instructions with a condition. The sixteen conditions of each family are
// adjacent and in encoding order, which Cond relies on.
var branchTable = [...]form{
	{JMP, lRel, pats{pRel}, w32, 0xe9, 0, fBase},
	{JMP, lM, pats{pRM64}, w32 | x4, 0xff, 0, fBase},
	{JO, lRel, pats{pRel}, m0F | w32, 0x80, 0, fBase},
	{JNO, lRel, pats{pRel}, m0F | w32, 0x81, 0, fBase},
	{JB, lRel, pats{pRel}, m0F | w32, 0x82, 0, fBase},
	{JAE, lRel, pats{pRel}, m0F | w32, 0x83, 0, fBase},
	{JE, lRel, pats{pRel}, m0F | w32, 0x84, 0, fBase},
	{JNE, lRel, pats{pRel}, m0F | w32, 0x85, 0, fBase},
	{JBE, lRel, pats{pRel}, m0F | w32, 0x86, 0, fBase},
	{JA, lRel, pats{pRel}, m0F | w32, 0x87, 0, fBase},
	{JS, lRel, pats{pRel}, m0F | w32, 0x88, 0, fBase},
	{JNS, lRel, pats{pRel}, m0F | w32, 0x89, 0, fBase},
	{JP, lRel, pats{pRel}, m0F | w32, 0x8a, 0, fBase},
	{JNP, lRel, pats{pRel}, m0F | w32, 0x8b, 0, fBase},
	{JL, lRel, pats{pRel}, m0F | w32, 0x8c, 0, fBase},
	{JGE, lRel, pats{pRel}, m0F | w32, 0x8d, 0, fBase},
	{JLE, lRel, pats{pRel}, m0F | w32, 0x8e, 0, fBase},
	{JG, lRel, pats{pRel}, m0F | w32, 0x8f, 0, fBase},
	{CMOVO, lRM, pats{pG, pGM}, m0F, 0x40, 0, fBase},
	{CMOVNO, lRM, pats{pG, pGM}, m0F, 0x41, 0, fBase},
	{CMOVB, lRM, pats{pG, pGM}, m0F, 0x42, 0, fBase},
	{CMOVAE, lRM, pats{pG, pGM}, m0F, 0x43, 0, fBase},
	{CMOVE, lRM, pats{pG, pGM}, m0F, 0x44, 0, fBase},
	{CMOVNE, lRM, pats{pG, pGM}, m0F, 0x45, 0, fBase},
	{CMOVBE, lRM, pats{pG, pGM}, m0F, 0x46, 0, fBase},
	{CMOVA, lRM, pats{pG, pGM}, m0F, 0x47, 0, fBase},
	{CMOVS, lRM, pats{pG, pGM}, m0F, 0x48, 0, fBase},
	{CMOVNS, lRM, pats{pG, pGM}, m0F, 0x49, 0, fBase},
	{CMOVP, lRM, pats{pG, pGM}, m0F, 0x4a, 0, fBase},
	{CMOVNP, lRM, pats{pG, pGM}, m0F, 0x4b, 0, fBase},
	{CMOVL, lRM, pats{pG, pGM}, m0F, 0x4c, 0, fBase},
	{CMOVGE, lRM, pats{pG, pGM}, m0F, 0x4d, 0, fBase},
	{CMOVLE, lRM, pats{pG, pGM}, m0F, 0x4e, 0, fBase},
	{CMOVG, lRM, pats{pG, pGM}, m0F, 0x4f, 0, fBase},
	{SETO, lM, pats{pRM8}, m0F | w32 | x0, 0x90, 0, fBase},
	{SETNO, lM, pats{pRM8}, m0F | w32 | x0, 0x91, 0, fBase},
	{SETB, lM, pats{pRM8}, m0F | w32 | x0, 0x92, 0, fBase},
	{SETAE, lM, pats{pRM8}, m0F | w32 | x0, 0x93, 0, fBase},
	{SETE, lM, pats{pRM8}, m0F | w32 | x0, 0x94, 0, fBase},
	{SETNE, lM, pats{pRM8}, m0F | w32 | x0, 0x95, 0, fBase},
	{SETBE, lM, pats{pRM8}, m0F | w32 | x0, 0x96, 0, fBase},
	{SETA, lM, pats{pRM8}, m0F | w32 | x0, 0x97, 0, fBase},
	{SETS, lM, pats{pRM8}, m0F | w32 | x0, 0x98, 0, fBase},
	{SETNS, lM, pats{pRM8}, m0F | w32 | x0, 0x99, 0, fBase},
	{SETP, lM, pats{pRM8}, m0F | w32 | x0, 0x9a, 0, fBase},
	{SETNP, lM, pats{pRM8}, m0F | w32 | x0, 0x9b, 0, fBase},
	{SETL, lM, pats{pRM8}, m0F | w32 | x0, 0x9c, 0, fBase},
	{SETGE, lM, pats{pRM8}, m0F | w32 | x0, 0x9d, 0, fBase},
	{SETLE, lM, pats{pRM8}, m0F | w32 | x0, 0x9e, 0, fBase},
	{SETG, lM, pats{pRM8}, m0F | w32 | x0, 0x9f, 0, fBase},
}

// Cond is a condition on the flags, in encoding order.
type Cond uint8

// The conditions: o overflow, b below (unsigned <), e equal, s sign, p parity (unordered), l less (signed <).
const (
	CondO Cond = iota
	CondNO
	CondB
	CondAE
	CondE
	CondNE
	CondBE
	CondA
	CondS
	CondNS
	CondP
	CondNP
	CondL
	CondGE
	CondLE
	CondG
)

// Not is the opposite condition.
func (c Cond) Not() Cond { return c ^ 1 }

// J is the conditional jump on c.
func (c Cond) J() Op { return JO + Op(c&15) }

// CMov is the conditional move on c.
func (c Cond) CMov() Op { return CMOVO + Op(c&15) }

// Set is the instruction that stores c as a byte.
func (c Cond) Set() Op { return SETO + Op(c&15) }
