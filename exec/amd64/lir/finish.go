package lir

import (
	"fmt"
	"slices"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/regalloc"
)

// isMove reports whether in copies a register to another of its class.
func (in *Inst) isMove() bool {
	if in.kind != machine || in.mask != 0 || in.args[0].kind != regArg || in.args[1].kind != regArg || in.args[2].kind != noArg || in.def != 1 {
		return false
	}
	switch in.op {
	case asm.MOV, asm.VMOVAPS, asm.VMOVDQA, asm.VMOVDQA32, asm.VMOVDQA64, asm.KMOVQ, asm.KMOVW:
		return in.args[0].width == in.args[1].width && in.args[0].width != 4
	}
	return false
}

// A finisher turns allocated low-level code into bytes.
type finisher struct {
	u       *Unit
	a       *regalloc.Allocation
	asm     *asm.Assembler
	files   []regalloc.File
	consts  []asm.Operand
	entries []int // code offsets at which helper number i returns
	save    int   // frame offset of the save area of a helper exit
	saved   int   // bytes of it that are used at most
	used    [numClasses]int
	reloads []reload
	held    [16]Reg     // the spilled value that each general scratch register has, 0 if none
	budget  asm.Operand // the register that the budget is in, none if it stays in the frame
}

// reload is a scratch register that stands for a spilled one in an instruction.
type reload struct {
	r      Reg
	phys   int8
	filled bool // it holds what the spilled one does
	shared bool // with an operand that is read: it is only written, after that
}

// Assemble makes machine code of the unit: spill slots and the save area follow its frame, size is where they end.
func (u *Unit) Assemble(listing bool) (code []byte, entries []int, size int, lines *asm.Assembler, err error) {
	if Checked != nil {
		Checked(u)
	}
	u.onlyDemanded()
	u.coalesce()
	base, order := aligned(u.FrameSize), place(u.blocks())
	a, table := u.allocate(order, base)
	as := &asm.Assembler{KeepListing: listing}
	f := &finisher{u: u, a: a, asm: as, files: table, save: (base + a.Bytes + 63) &^ 63}
	for _, c := range u.consts {
		f.consts = append(f.consts, as.Const(c.data[:c.size]))
	}
	spendOnce(order)
	f.budget = budgetRegister(order, a, u.classes, table[GPR])
	f.enter()
	f.emit(order)
	code, err = as.Finish()
	return code, f.entries, f.save + f.saved + frameAlign, as, err
}

// allocate gives registers to a unit whose slots begin at an offset. Of the general ones that are for spilled values,
// those are for others that can be spared: all if nothing is spilled without them.
func (u *Unit) allocate(order []*block, base int) (*regalloc.Allocation, []regalloc.File) {
	few := 0
	if insists(order) {
		few = len(u.files(u.Tight)[GPR].Scratch)
	}
	for ; ; few++ {
		table := u.files(u.Tight)
		general := &table[GPR]
		for _, n := range general.Scratch[few:] {
			general.Free |= 1 << n
		}
		all := len(general.Scratch)
		general.Scratch = general.Scratch[:few]
		a := regalloc.Allocate(u.liveness(), u.classes, table, base)
		if few == all || u.mostSpilled(order, a) <= few {
			return a, table
		}
	}
}

// mostSpilled is how many spilled values in general registers an instruction has at most.
func (u *Unit) mostSpilled(order []*block, a *regalloc.Allocation) (most int) {
	for _, b := range order {
		for _, in := range b.code {
			var of [2 * len(in.args)]Reg
			n := 0
			for _, arg := range in.args {
				for _, r := range [...]Reg{arg.r, arg.index} {
					if r != 0 && u.classes[r] == GPR && a.Phys[r] < 0 && !slices.Contains(of[:n], r) {
						of[n] = r
						n++
					}
				}
			}
			if in.kind == divide {
				n = min(n, 1)
			}
			most = max(most, n)
		}
	}
	return most
}

// insists reports whether there are instructions that need certain general registers, other than divisions that rarely
// run, which can put what is in them aside.
func insists(order []*block) bool {
	for _, b := range order {
		for _, in := range b.code {
			if in.kind == exchange || in.kind == divide && b.is&usual != 0 {
				return true
			}
		}
	}
	return false
}

func (f *finisher) inst(pos int, in *Inst) {
	f.asm.SetTag(in.tag)
	if in.kind == machine {
		f.machine(in)
		return
	}
	f.held = [16]Reg{} // others use scratch registers by name
	switch in.kind {
	case callOut:
		f.leave(pos, in)
	case end:
		f.ret(in.n)
	case divide:
		f.divide(pos, in)
	case exchange:
		f.exchange(in)
	}
}

// machine emits an instruction with spilled operands in scratch registers.
func (f *finisher) machine(in *Inst) {
	if f.budget != asm.None && (in.spends() || in.looks()) {
		f.asm.Emit(in.op, f.budget, asm.Imm(in.args[1].n))
		return
	}
	if in.isMove() && f.a.Phys[in.args[0].r] >= 0 && f.a.Phys[in.args[0].r] == f.a.Phys[in.args[1].r] {
		return
	}
	if in.op == asm.MOV && in.args[1].kind == immArg && in.args[0].kind == regArg {
		f.setImm(in)
		return
	}
	f.used = [numClasses]int{}
	f.reloads = f.reloads[:0]
	out := asm.Inst{Op: in.op, Zeroing: in.zero, Lock: in.lock}
	for i := range in.args {
		out.Args[i] = f.operand(in, i)
	}
	if in.mask != 0 {
		out = out.WithMask(f.register(in.mask, 8, true))
	}
	f.asm.Append(&out)
	in.writes(func(r Reg) {
		if f.a.Phys[r] < 0 {
			c, p := f.u.classes[r], f.scratchOf(r)
			f.spillTo(f.a.Slot[r], c, p)
			f.hold(r, c, p)
		}
	})
}

// hold notes that a scratch register, and no other, has a spilled value. Only general ones are noted: some instructions
// change a mask that they only read for the unit.
func (f *finisher) hold(r Reg, c regalloc.Class, p int8) {
	if c != GPR {
		return
	}
	for i, x := range f.held {
		if x == r {
			f.held[i] = 0
		}
	}
	f.held[p] = r
}

// fill loads a spilled value into a scratch register, unless it is there.
func (f *finisher) fill(r Reg, c regalloc.Class, p int8) {
	if c == GPR && f.held[p] == r {
		return
	}
	f.fillFrom(f.a.Slot[r], c, p)
	f.hold(r, c, p)
}

// setImm loads a constant into a general register without touching the flags.
func (f *finisher) setImm(in *Inst) {
	r := in.args[0].r
	dst := asm.RAX
	if p := f.a.Phys[r]; p >= 0 {
		dst = general(int(p), 8)
	}
	f.asm.MovImm(dst, uint64(in.args[1].n))
	if f.a.Phys[r] < 0 {
		f.asm.Emit(asm.MOV, asm.Mem(frameReg, f.a.Slot[r]), dst)
		f.hold(r, GPR, 0)
	}
}

var frameReg = asm.R15

func (f *finisher) operand(in *Inst, i int) asm.Operand {
	a := &in.args[i]
	switch a.kind {
	case noArg:
		return asm.None
	case regArg:
		return f.register(a.r, int(a.width), in.use>>i&1 == 1)
	case immArg:
		return asm.Imm(a.n)
	case tileArg:
		return asm.T(int(a.n))
	case constArg:
		o := f.consts[a.n]
		return decorate(o, a)
	case memArg:
		base, index := f.register(a.r, 8, true), asm.None
		if a.index != 0 {
			index = f.indexRegister(a)
		}
		return decorate(asm.Idx(base, index, max(1, int(a.scale)), int(a.n)), a)
	case frameArg:
		if a.n == BudgetWord && f.budget != asm.None {
			return f.budget
		}
		index := asm.None
		if a.index != 0 {
			index = f.indexRegister(a)
		}
		return decorate(asm.Idx(frameReg, index, max(1, int(a.scale)), int(a.n)), a)
	}
	panic("lir: unknown operand kind")
}

// indexRegister is a general register, or a vector of a's width for gathers.
func (f *finisher) indexRegister(a *Arg) asm.Operand {
	if f.u.classes[a.index] == Vec {
		return f.register(a.index, int(a.width), true)
	}
	return f.register(a.index, 8, true)
}

func decorate(o asm.Operand, a *Arg) asm.Operand {
	if a.size != 0 {
		o = o.Size(int(a.size))
	}
	if a.bcast {
		o = o.Bcast()
	}
	return o
}

// register is the hardware register of r at a width in bytes. A spilled one is
// loaded into a scratch register if it is read.
func (f *finisher) register(r Reg, width int, read bool) asm.Operand {
	c := f.u.classes[r]
	p := f.a.Phys[r]
	if p < 0 {
		p = f.reload(r, c, read)
	}
	switch c {
	case GPR:
		return general(int(p), width)
	case Mask:
		return asm.K(int(p))
	}
	return vector(int(p), width)
}

func (f *finisher) reload(r Reg, c regalloc.Class, read bool) int8 {
	for i := range f.reloads {
		x := &f.reloads[i]
		if x.r == r {
			if read && x.shared {
				panic("lir: a result that is read shares its scratch register")
			}
			if read && !x.filled { // it is the result, too, and that was looked at first
				f.fill(r, c, x.phys)
				x.filled = true
			}
			return x.phys
		}
	}
	p := f.scratch(r, c, read)
	f.reloads = append(f.reloads, reload{r: r, phys: p, filled: read})
	if read {
		f.fill(r, c, p)
	} else if c == GPR {
		f.held[p] = 0
	}
	return p
}

// scratch is a scratch register of a class for a spilled value: one that has it, or the next. Where all are in use, what
// is read shares that of the result.
func (f *finisher) scratch(r Reg, c regalloc.Class, read bool) int8 {
	if list := f.files[c].Scratch; f.used[c] < len(list) {
		rest := list[f.used[c]:]
		if i := slices.IndexFunc(rest, func(p int8) bool { return c == GPR && f.held[p] == r }); i > 0 {
			rest[0], rest[i] = rest[i], rest[0]
		}
		f.used[c]++
		return rest[0]
	}
	for i := range f.reloads {
		if x := &f.reloads[i]; f.u.classes[x.r] == c && read && !x.filled && !x.shared {
			x.shared = true
			return x.phys
		}
	}
	panic(fmt.Sprintf("lir: more spilled operands of class %d than scratch registers", c))
}

func (f *finisher) scratchOf(r Reg) int8 { return f.reload(r, f.u.classes[r], false) }

func (f *finisher) fillFrom(slot int, c regalloc.Class, p int8) {
	m := asm.Mem(frameReg, slot)
	switch c {
	case GPR:
		f.asm.Emit(asm.MOV, general(int(p), 8), m)
	case Mask:
		f.asm.Emit(asm.KMOVQ, asm.K(int(p)), m)
	default:
		f.asm.Emit(asm.VMOVUPS, vector(int(p), f.u.Bytes), m)
	}
}

func (f *finisher) spillTo(slot int, c regalloc.Class, p int8) {
	m := asm.Mem(frameReg, slot)
	switch c {
	case GPR:
		f.asm.Emit(asm.MOV, m, general(int(p), 8))
	case Mask:
		f.asm.Emit(asm.KMOVQ, m, asm.K(int(p)))
	default:
		f.asm.Emit(asm.VMOVUPS, m, vector(int(p), f.u.Bytes))
	}
}

var generals = [...]asm.Operand{asm.RAX, asm.RCX, asm.RDX, asm.RBX, asm.RSP, asm.RBP, asm.RSI, asm.RDI, asm.R8, asm.R9, asm.R10, asm.R11, asm.R12, asm.R13, asm.R14, asm.R15}

func general(n, width int) asm.Operand { return generals[n].Width(width * 8) }

func vector(n, width int) asm.Operand {
	switch width {
	case 64:
		return asm.Z(n)
	case 32:
		return asm.Y(n)
	}
	return asm.X(n)
}

// leave goes to Go for a helper: it saves the registers that are live across, says
// who wants what and where to return, and returns. Coming back, at an entry of its
// own, it restores them.
func (f *finisher) leave(pos int, in *Inst) {
	type home struct {
		c    regalloc.Class
		p    int8
		slot int
	}
	var homes []home
	at := f.save
	for _, iv := range f.a.Intervals {
		p := f.a.Phys[iv.Reg]
		if iv.Start < 0 || p < 0 || iv.Start >= 2*pos || iv.End <= 2*pos+1 {
			continue
		}
		c := f.u.classes[iv.Reg]
		at = (at + f.files[c].Slot - 1) &^ (f.files[c].Slot - 1)
		homes = append(homes, home{c, p, at})
		at += f.files[c].Slot
	}
	f.saved = max(f.saved, at-f.save)
	for _, h := range homes {
		f.spillTo(h.slot, h.c, h.p)
	}
	f.asm.Emit(asm.MOV, asm.Mem(frameReg, ResumeWord).Size(8), asm.Imm(int64(len(f.entries))))
	f.ret(in.n)
	f.entries = append(f.entries, f.asm.Len())
	f.enter()
	for _, h := range homes {
		f.fillFrom(h.slot, h.c, h.p)
	}
}

// enter is where Go calls the code.
func (f *finisher) enter() {
	f.asm.Emit(asm.MOV, frameReg, asm.RDI)
	if f.budget != asm.None {
		f.asm.Emit(asm.MOV, f.budget, asm.Mem(frameReg, BudgetWord))
	}
}

// ret ends the call with an exit code.
func (f *finisher) ret(code int) {
	if f.u.Streaming {
		f.asm.Emit(asm.SFENCE)
	}
	if f.budget != asm.None {
		f.asm.Emit(asm.MOV, asm.Mem(frameReg, BudgetWord), f.budget)
	}
	f.asm.Emit(asm.MOV, asm.Mem(frameReg, ExitWord).Size(8), asm.Imm(int64(code)))
	f.asm.Emit(asm.VZEROUPPER)
	f.asm.Emit(asm.RET)
}

// divide emits a 64-bit division. The divisor is not 0. Values that live in the registers that it needs are put aside.
func (f *finisher) divide(pos int, in *Inst) {
	f.used, f.reloads = [numClasses]int{}, f.reloads[:0]
	aside := f.files[GPR].Free & 0b111
	if aside != 0 {
		f.saved = max(f.saved, 4*8)
		for _, r := range divides {
			f.asm.Emit(asm.MOV, f.aside(r), generals[r])
		}
	}
	fill := func(scratch asm.Operand, x Arg) {
		if p := f.a.Phys[x.r]; aside != 0 && p >= 0 && p <= 2 { // it may have been overwritten
			f.asm.Emit(asm.MOV, scratch, f.aside(int(p)))
			return
		}
		f.copyTo(scratch, x.r)
	}
	fill(asm.RAX, in.args[1])
	fill(asm.RCX, in.args[2])
	if in.n == 2 {
		fill(asm.RDX, in.args[3])
		f.asm.Emit(asm.DIV, asm.RCX)
	} else {
		f.divideSigned()
	}
	result := asm.RAX
	if in.n == 1 {
		result = asm.RDX
	}
	if aside == 0 {
		f.copyFrom(result, in.args[0].r)
		return
	}
	home := f.aside(3)
	if f.a.Phys[in.args[0].r] < 0 {
		home = f.home(in.args[0].r)
	}
	f.asm.Emit(asm.MOV, home, result)
	for _, r := range divides {
		f.asm.Emit(asm.MOV, generals[r], f.aside(r))
	}
	if f.a.Phys[in.args[0].r] >= 0 {
		f.asm.Emit(asm.MOV, f.home(in.args[0].r), home)
	}
}

// divideSigned divides RAX by RCX; -1 is taken apart, because the least integer divided by it traps.
func (f *finisher) divideSigned() {
	minus, done := f.asm.NewLabel(), f.asm.NewLabel()
	f.asm.Emit(asm.CMP, asm.RCX, asm.Imm(-1))
	f.asm.Emit(asm.JE, asm.To(minus))
	f.asm.Emit(asm.CQO)
	f.asm.Emit(asm.IDIV, asm.RCX)
	f.asm.Emit(asm.JMP, asm.To(done))
	f.asm.Bind(minus)
	f.asm.Emit(asm.NEG, asm.RAX)
	f.asm.Emit(asm.XOR, asm.EDX, asm.EDX)
	f.asm.Bind(done)
}

// divides is the registers that a division needs: RAX, RCX and RDX; aside is where what was in one is, or, behind them,
// the result.
var divides = [...]int{0, 1, 2}

func (f *finisher) aside(r int) asm.Operand { return asm.Mem(frameReg, f.save+8*r) }

// copyTo fills a scratch register, copyFrom empties one.
func (f *finisher) copyTo(scratch asm.Operand, r Reg)   { f.asm.Emit(asm.MOV, scratch, f.home(r)) }
func (f *finisher) copyFrom(scratch asm.Operand, r Reg) { f.asm.Emit(asm.MOV, f.home(r), scratch) }

// home is where a general register is: in one, or in memory.
func (f *finisher) home(r Reg) asm.Operand {
	if p := f.a.Phys[r]; p >= 0 {
		return general(int(p), 8)
	}
	return asm.Mem(frameReg, f.a.Slot[r])
}

// exchange emits an atomic exchange, if what is expected is there.
func (f *finisher) exchange(in *Inst) {
	f.used, f.reloads = [numClasses]int{}, f.reloads[:0]
	f.copyTo(asm.RCX, in.args[1].r)
	f.copyTo(asm.RAX, in.args[2].r)
	f.copyTo(asm.RDX, in.args[3].r)
	put := asm.RDX
	if in.n == 4 {
		put = asm.EDX
	}
	f.asm.Append(&asm.Inst{Op: asm.CMPXCHG, Lock: true, Args: [4]asm.Operand{asm.Mem(asm.RCX, 0), put}})
	f.copyFrom(asm.RAX, in.args[0].r)
}
