package gather

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// CopyRow copies so many elements of a size, one at least, to other memory.
func CopyRow(g *lane.Memory, size int, to, from lir.Arg, count lir.Reg) {
	x, z, bytes := g.NewReg(lir.GPR), g.NewReg(lir.GPR), g.CopyInt(count)
	g.Def(asm.LEA, g.R64(x), from)
	g.Def(asm.LEA, g.R64(z), to)
	if size > 1 {
		g.RMW(asm.SHL, g.R64(bytes), lir.Imm(int64(lir.Log2(int64(size)))))
	}
	CopyBytes(g, size, z, x, bytes)
}

// CopyBytes copies bytes, one at least, of elements of a size, to other memory: registers, four at a time, of which the
// last one has the row's last bytes, so that no element is left to masks.
func CopyBytes(g *lane.Memory, size int, to, from, bytes lir.Reg) {
	const together = 4
	short, rest, end, done, top := g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel()
	last, i, vec := g.CopyInt(bytes), g.NewInt(0), int64(g.Bytes)
	g.RMW(asm.SUB, g.R64(last), lir.Imm(vec))
	g.Jump(asm.JL, short)
	ahead := g.CopyInt(last) // four registers begin at or below it
	g.RMW(asm.SUB, g.R64(ahead), lir.Imm((together-1)*vec))
	g.Jump(asm.JL, rest)
	l := g.BeginLoop()
	g.Bind(top)
	moveRow(g, to, from, i, together)
	g.RMW(asm.ADD, g.R64(i), lir.Imm(together*vec))
	g.Use(asm.CMP, g.R64(i), g.R64(ahead))
	g.Jump(asm.JLE, top)
	g.EndLoop(l)
	g.Bind(rest)
	g.Use(asm.CMP, g.R64(i), g.R64(last))
	g.Jump(asm.JGE, end)
	one := g.NewLabel()
	l = g.BeginLoop()
	g.Bind(one)
	moveRow(g, to, from, i, 1)
	g.RMW(asm.ADD, g.R64(i), lir.Imm(vec))
	g.Use(asm.CMP, g.R64(i), g.R64(last))
	g.Jump(asm.JL, one)
	g.EndLoop(l)
	g.Bind(end)
	moveRow(g, to, from, last, 1)
	g.Jump(asm.JMP, done)
	g.Bind(short)
	count, size := bytes, min(2, size)
	if size == 2 {
		count = g.BinInt(asm.SHR, bytes, lir.Imm(1))
	}
	lane.CopyFirst(g, size, g.Bytes/size, lir.Mem(to, 0), lir.Mem(from, 0), count)
	g.Bind(done)
}

// PrefetchRow prefetches the first lines of a row that is to be copied: those behind them the processor foresees.
func PrefetchRow(g *lane.Memory, row lir.Reg) {
	for line := range 4 {
		g.Use(asm.PREFETCHT0, lir.Mem(row, 64*line).Sized(1))
	}
}

// moveRow copies so many registers from byte i on.
func moveRow(g *lane.Memory, to, from, i lir.Reg, count int) {
	x := make([]lir.Reg, count)
	for k := range x {
		x[k] = g.NewVec()
		g.Def(asm.VMOVUPS, g.V(x[k]), lir.MemIndex(from, i, 1, k*g.Bytes).Sized(g.Bytes))
	}
	for k := range x {
		g.Use(asm.VMOVUPS, lir.MemIndex(to, i, 1, k*g.Bytes).Sized(g.Bytes), g.V(x[k]))
	}
}
