package lir

import (
	"slices"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/trait"
	"github.com/tiler-go/tiler/exec/regalloc"
)

// Demanded bytes. A scalar is held as equal lanes, and code for tiles computes all of them; where only the first are
// used, or none, less will do. Going backwards, each instruction demands of its operands what the demanded bytes of its
// result are made of, until nothing changes. What is not demanded is dropped, and what is demanded 16 bytes of is
// computed in the first 16 bytes of a register, which is one half or one quarter of the work on some processors.

// all is the demand for a whole register; of a mask, a demand is for lanes.
const all = 64

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
		switch t := &trait.Of[in.op]; {
		case in.kind == jump, in.kind == machine && t.Reads:
			read = true
		case in.kind == divide:
			read = false
		case in.kind == machine && t.Sets:
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
			more = more || trait.Of[in.op].Reads
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
	t := &trait.Of[in.op]
	if in.kind != machine || in.def == 0 && !(t.Sets && in.args[0].kind == regArg) || t.Sets && in.flags {
		return all, true
	}
	for i := range in.args {
		if in.def>>i&1 == 0 {
			continue
		}
		a := &in.args[i]
		if a.kind != regArg || d.classes[a.r] == GPR && !t.Aside && !t.Sets {
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
	return trait.Of[in.op].Lane > 0 && in.args[0].kind == regArg && in.def == 1
}

// insertsUpper reports whether the first 16 bytes of an instruction's result are those of its second operand.
func (in *Inst) insertsUpper() bool { return trait.Of[in.op].Inserts && in.args[3].n != 0 }

// A need is what an instruction demands of operands: bytes of vectors, lanes of masks.
type need struct{ vec, mask uint8 }

// needs is what n bytes, or lanes of a mask, of a result are made of.
func (d *demands) needs(in *Inst, n uint8) need {
	t := &trait.Of[in.op]
	switch {
	case in.lanewise() && n < all:
		return d.sameLanes(in, t, n)
	case t.Broadcasts, t.First > 0 && in.args[2].kind == noArg:
		return need{t.First, all}
	case t.Masks && d.maskArg(in, 0) && d.maskArg(in, 1):
		return need{all, n}
	}
	return need{all, all}
}

func (d *demands) sameLanes(in *Inst, t *trait.Trait, n uint8) need {
	lanes, size := (n+t.Lane-1)/t.Lane, t.From
	if d.maskArg(in, 0) {
		lanes, size = n, t.Lane
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
	low := trait.Of[in.op].Low && n <= 4 && in.def == 1
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
	t := &trait.Of[in.op]
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
	case t.Broadcasts && n <= t.First && in.mask == 0 && in.args[1].kind != constArg:
		first(in, t.First, d.classes)
	case t.Broadcasts && n <= 16 && in.op != asm.VBROADCASTSD:
	case in.lanewise() && n < all && d.needs(in, n).vec <= 16 && (n <= 16 || d.maskArg(in, 0)):
	default:
		return
	}
	read := uint8(16) // of memory, by what widens less than that
	if t.From < t.Lane {
		read = 16 / t.Lane * t.From
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
