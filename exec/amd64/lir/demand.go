package lir

import (
	"slices"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/regalloc"
)

// Demanded bytes. A scalar is held as equal lanes, and code for tiles computes all of them; where only the first are
// used, or none, less will do. Going backwards, each instruction demands of its operands what the demanded bytes of its
// result are made of, until nothing changes. What is not demanded is dropped, and what is demanded 16 bytes of is
// computed in the first 16 bytes of a register, which is one half or one quarter of the work on some processors.

// all is the demand for a whole register; of a mask, a demand is for lanes.
const all = 64

// A trait is what is known of an op. If its lanes depend on the same lanes of its operands, lane is how many bytes one
// is, of the result or, if that is a mask, of what is compared, and from how many those of the operands are.
type trait struct {
	lane, from uint8
	first      uint8 // it reads no more than so many first bytes of a register
	broadcasts bool  // into all lanes
	inserts    bool  // a part, the first of which is 0
	masks      bool  // its operands are masks, lane by lane
	aside      bool  // it changes a general register, and nothing else
	low        bool  // the lower half of its result is made of those of its operands
	sets       bool  // it sets flags, and perhaps a register, and nothing else
	reads      bool  // it reads flags
}

// traits are by op.
var traits = func() (z [asm.NumOps]trait) {
	for _, t := range []struct {
		trait
		ops []asm.Op
	}{
		{trait{lane: 4, from: 4}, []asm.Op{
			asm.VADDPS, asm.VSUBPS, asm.VMULPS, asm.VDIVPS, asm.VMINPS, asm.VMAXPS, asm.VSQRTPS, asm.VXORPS,
			asm.VFMADD231PS, asm.VFMADD213PS, asm.VFNMADD231PS, asm.VSCALEFPS, asm.VRNDSCALEPS, asm.VROUNDPS, asm.VRANGEPS,
			asm.VPADDD, asm.VPSUBD, asm.VPMULLD, asm.VPMINSD, asm.VPMAXSD, asm.VPMINUD, asm.VPMAXUD, asm.VPABSD,
			asm.VPANDD, asm.VPORD, asm.VPXORD, asm.VPANDND, asm.VPAND, asm.VPOR, asm.VPXOR, asm.VPANDN,
			asm.VMOVUPS, asm.VMOVAPS, asm.VMOVDQA, asm.VMOVDQU, asm.VMOVDQA32, asm.VMOVDQU32,
			asm.VPBLENDMD, asm.VBLENDVPS, asm.VPBLENDVB, asm.VCMPPS, asm.VPCMPD, asm.VPCMPUD, asm.VPCMPEQD, asm.VPCMPGTD,
			asm.VPTESTMD, asm.VPTESTNMD, asm.VPSLLD, asm.VPSRLD, asm.VPSRAD, asm.VPSLLVD, asm.VPSRLVD, asm.VPSRAVD,
			asm.VCVTDQ2PS, asm.VCVTTPS2DQ, asm.VCVTUDQ2PS, asm.VCVTTPS2UDQ,
		}},
		{trait{lane: 8, from: 8}, []asm.Op{
			asm.VADDPD, asm.VSUBPD, asm.VMULPD, asm.VDIVPD, asm.VMINPD, asm.VMAXPD, asm.VSQRTPD, asm.VXORPD,
			asm.VFMADD231PD, asm.VFMADD213PD, asm.VFNMADD231PD, asm.VSCALEFPD, asm.VRNDSCALEPD, asm.VROUNDPD, asm.VRANGEPD,
			asm.VPADDQ, asm.VPSUBQ, asm.VPMULLQ, asm.VPMULUDQ, asm.VPMINSQ, asm.VPMAXSQ, asm.VPMINUQ, asm.VPMAXUQ,
			asm.VPANDQ, asm.VPORQ, asm.VPXORQ, asm.VPANDNQ, asm.VMOVUPD, asm.VMOVAPD, asm.VMOVDQA64, asm.VPABSQ,
			asm.VPBLENDMQ, asm.VBLENDVPD, asm.VCMPPD, asm.VPCMPQ, asm.VPCMPUQ, asm.VPCMPEQQ, asm.VPCMPGTQ,
			asm.VPTESTMQ, asm.VPTESTNMQ, asm.VPSLLQ, asm.VPSRLQ, asm.VPSRAQ, asm.VPSLLVQ, asm.VPSRLVQ, asm.VPSRAVQ,
			asm.VCVTQQ2PD, asm.VCVTUQQ2PD, asm.VCVTTPD2QQ, asm.VCVTTPD2UQQ,
		}},
		{trait{lane: 8, from: 4}, []asm.Op{asm.VCVTPS2PD, asm.VCVTDQ2PD, asm.VCVTTPS2QQ, asm.VPMOVSXDQ, asm.VPMOVZXDQ}},
		{trait{lane: 4, from: 8}, []asm.Op{asm.VCVTPD2PS, asm.VCVTTPD2DQ}},
		{trait{lane: 4, from: 2}, []asm.Op{asm.VCVTPH2PS}},
		{trait{first: 4, broadcasts: true}, []asm.Op{asm.VBROADCASTSS, asm.VPBROADCASTD}},
		{trait{first: 8, broadcasts: true}, []asm.Op{asm.VBROADCASTSD, asm.VPBROADCASTQ}},
		{trait{first: 4}, []asm.Op{asm.VMOVSS}},
		{trait{first: 8}, []asm.Op{asm.VMOVSD}},
		{trait{first: 4, aside: true}, []asm.Op{asm.VMOVD}},
		{trait{first: 8, aside: true}, []asm.Op{asm.VMOVQ}},
		{trait{inserts: true}, []asm.Op{asm.VINSERTI64X4, asm.VINSERTF64X4, asm.VINSERTF128, asm.VINSERTI128}},
		{trait{masks: true}, []asm.Op{asm.KANDW, asm.KORW, asm.KXORW, asm.KNOTW, asm.KANDNW, asm.KXNORW}},
		{trait{masks: true, aside: true}, []asm.Op{asm.KMOVW}}, // or between files
		{trait{aside: true}, []asm.Op{
			asm.MOVSX, asm.MOVZX, asm.SHLX, asm.SHRX, asm.SARX, asm.PDEP, asm.KMOVD, asm.KMOVQ, asm.VMOVMSKPS,
		}},
		{trait{aside: true, low: true}, []asm.Op{asm.MOV, asm.MOVSXD, asm.LEA, asm.NOT}},
		{trait{sets: true, low: true}, []asm.Op{asm.ADD, asm.SUB, asm.IMUL, asm.AND, asm.OR, asm.XOR, asm.NEG}},
		{trait{sets: true}, []asm.Op{
			asm.SHL, asm.SHR, asm.SAR, asm.ANDN, asm.BZHI, asm.TZCNT,
			asm.CMP, asm.TEST, asm.VPTEST, asm.KORTESTB, asm.KORTESTW, asm.KORTESTD, asm.KORTESTQ,
		}},
		{trait{aside: true, reads: true}, []asm.Op{
			asm.SETE, asm.SETNE, asm.SETL, asm.SETLE, asm.SETG, asm.SETGE, asm.SETA, asm.SETAE, asm.SETB, asm.SETBE,
			asm.CMOVE, asm.CMOVNE, asm.CMOVL, asm.CMOVLE, asm.CMOVG, asm.CMOVGE, asm.CMOVA, asm.CMOVAE, asm.CMOVB, asm.CMOVBE,
			asm.CMOVS, asm.CMOVNS,
		}},
	} {
		for _, o := range t.ops {
			z[o] = t.trait
		}
	}
	return z
}()

// demands are how many of the first bytes of each register are used.
type demands struct {
	*list
	of      []uint8
	changed bool
}

// flagged notes which instructions' flags are read, as far as can be told in a line: any jump may read them.
func flagged(code []*Inst) {
	read := false
	for _, in := range slices.Backward(code) {
		switch t := &traits[in.op]; {
		case in.kind == jump, in.kind == machine && t.reads:
			read = true
		case in.kind == divide:
			read = false
		case in.kind == machine && t.sets:
			in.flags = read
			if in.op != asm.SHL && in.op != asm.SHR && in.op != asm.SAR { // which may leave them
				read = false
			}
		}
	}
}

// onlyDemanded drops and narrows instructions, until what sets flags only for others that are dropped is, too.
func (l *list) onlyDemanded() {
	for l.dropUndemanded() {
	}
}

// dropUndemanded is one round of that; more says that another one may find something.
func (l *list) dropUndemanded() (more bool) {
	code := l.instructions()
	flagged(code)
	d := demands{list: l, of: make([]uint8, len(l.classes))}
	for d.changed = true; d.changed; {
		d.changed = false
		for _, in := range slices.Backward(code) {
			if n, live := d.result(in); live {
				d.operands(in, n)
			}
		}
	}
	*l.Cur = Seq{}
	for _, in := range code {
		n, live := d.result(in)
		if !live {
			more = more || traits[in.op].reads
			continue
		}
		if in.kind == machine {
			d.narrow(in, n)
		}
		in.next = nil
		l.Cur.link(in, in)
	}
	return more
}

// result is how much of what an instruction writes is demanded, and whether it is needed at all.
func (d *demands) result(in *Inst) (n uint8, live bool) {
	t := &traits[in.op]
	if in.kind != machine || in.def == 0 && !(t.sets && in.args[0].kind == regArg) || t.sets && in.flags {
		return all, true
	}
	for i := range in.args {
		if in.def>>i&1 == 0 {
			continue
		}
		a := &in.args[i]
		if a.kind != regArg || d.classes[a.r] == GPR && !t.aside && !t.sets {
			return all, true
		}
		n = max(n, d.of[a.r])
	}
	return n, n > 0
}

// lanewise reports whether the lanes of an instruction's result depend on the same lanes of its operands.
func (in *Inst) lanewise() bool {
	switch in.op {
	case asm.VPSLLD, asm.VPSRLD, asm.VPSRAD, asm.VPSLLQ, asm.VPSRLQ, asm.VPSRAQ:
		if in.args[2].kind != immArg { // a register is the count for all
			return false
		}
	}
	return traits[in.op].lane > 0 && in.args[0].kind == regArg && in.def == 1
}

// insertsUpper reports whether the first 16 bytes of an instruction's result are those of its second operand.
func (in *Inst) insertsUpper() bool { return traits[in.op].inserts && in.args[3].n != 0 }

// A need is what an instruction demands of operands: bytes of vectors, lanes of masks.
type need struct{ vec, mask uint8 }

// needs is what n bytes, or lanes of a mask, of a result are made of.
func (d *demands) needs(in *Inst, n uint8) need {
	t := &traits[in.op]
	switch {
	case in.lanewise() && n < all:
		return d.sameLanes(in, t, n)
	case t.broadcasts, t.first > 0 && in.args[2].kind == noArg:
		return need{t.first, all}
	case t.masks && d.maskArg(in, 0) && d.maskArg(in, 1):
		return need{all, n}
	}
	return need{all, all}
}

func (d *demands) sameLanes(in *Inst, t *trait, n uint8) need {
	lanes, size := (n+t.lane-1)/t.lane, t.from
	if d.maskArg(in, 0) {
		lanes, size = n, t.lane
	}
	bytes := int(lanes) * int(size)
	if bytes > 16 {
		bytes = all
	}
	return need{uint8(bytes+3) &^ 3, lanes}
}

// maskArg reports whether an operand is a mask.
func (d *demands) maskArg(in *Inst, i int) bool {
	return in.args[i].kind == regArg && d.classes[in.args[i].r] == Mask
}

// operands demands what n bytes of the result need.
func (d *demands) operands(in *Inst, n uint8) {
	needs := d.needs(in, n)
	inserts := in.insertsUpper() && n <= 16
	if inserts { // nothing of what is inserted
		needs.vec = n
	}
	low := traits[in.op].low && n <= 4 && in.def == 1
	for i := range in.args {
		a := &in.args[i]
		switch {
		case low && in.op == asm.LEA && i == 1:
			d.atLeast(a.r, n)
			d.atLeast(a.index, n)
		case a.kind == memArg || a.kind == frameArg:
			d.atLeast(a.r, all)
			d.atLeast(a.index, all)
		case a.kind != regArg || in.use>>i&1 == 0 || inserts && i == 2:
		case d.classes[a.r] == Mask:
			d.atLeast(a.r, needs.mask)
		case d.classes[a.r] == Vec && a.width <= 16:
			d.atLeast(a.r, min(needs.vec, 16))
		case d.classes[a.r] == Vec:
			d.atLeast(a.r, needs.vec)
		case a.width <= 4 || low:
			d.atLeast(a.r, 4)
		default:
			d.atLeast(a.r, all)
		}
	}
	if in.mask != 0 {
		d.atLeast(in.mask, needs.mask)
	}
}

func (d *demands) atLeast(r Reg, n uint8) {
	if r != 0 && d.of[r] < n {
		d.of[r] = n
		d.changed = true
	}
}

// narrow makes an instruction work on no more than what is demanded of it.
func (d *demands) narrow(in *Inst, n uint8) {
	t := &traits[in.op]
	switch {
	case in.op == asm.MOVSXD && n <= 4 && in.args[1].kind == regArg:
		in.op, in.args[1].width = asm.MOV, 8
		return
	case in.op == asm.MOVSXD && n <= 4:
		in.op, in.args[0].width = asm.MOV, 4
		return
	case in.insertsUpper() && n <= 16:
		in.op, in.use = asm.VMOVAPS, 2
		in.args[2], in.args[3] = Arg{}, Arg{}
	case t.broadcasts && n <= t.first && in.mask == 0 && in.args[1].kind != constArg:
		first(in, t.first, d.classes)
	case t.broadcasts && n <= 16 && in.op != asm.VBROADCASTSD:
	case in.lanewise() && n < all && d.needs(in, n).vec <= 16 && (n <= 16 || d.maskArg(in, 0)):
	default:
		return
	}
	read := uint8(16) // of memory, by what widens less than that
	if t.from < t.lane {
		read = 16 / t.lane * t.from
	}
	for i := range in.args {
		a := &in.args[i]
		if !a.bcast && (a.kind == constArg && d.consts[a.n].size > int(read) || a.kind != constArg && a.size > read) {
			a.size = read
		}
		if a.kind == regArg && d.classes[a.r] == Vec {
			a.width = min(a.width, 16)
		}
	}
}

// first makes a broadcast a move of the first lane.
func first(in *Inst, size uint8, classes []regalloc.Class) {
	load, move := asm.VMOVSS, asm.VMOVD
	if size == 8 {
		load, move = asm.VMOVSD, asm.VMOVQ
	}
	switch a := &in.args[1]; {
	case a.kind != regArg:
		in.op, a.size = load, 0
	case classes[a.r] == GPR:
		in.op = move
	default:
		in.op = asm.VMOVAPS
	}
}
