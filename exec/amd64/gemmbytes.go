package amd64

import (
	"encoding/binary"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Products of int8 matrices, summed in int32, where the machine multiplies and adds
// four bytes at once. The instruction takes one of them unsigned: a's bytes are moved
// up by 128, and sums begin at -128 times the sum of b's column, which makes up for
// it, modulo 2^32 as all of it is. A step of the chain is a group of four: panels of b
// hold the four bytes of a column side by side.

// groupBytes is how many bytes make up a step.
const groupBytes = 4

// byteProducts reports whether the machine has the instruction.
func byteProducts() bool { return cpu.Detected().Has(cpu.HasAVX512VNNI) }

// bytes reports whether a product is one of bytes.
func (m *gemm) bytes() bool { return m.d == dtype.Int32 }

// chainSteps is how many steps the kernel takes for a chain of k elements.
func (m *gemm) chainSteps(k int) int {
	if m.bytes() {
		return (k + groupBytes - 1) / groupBytes
	}
	if m.pairs {
		return m.pairSteps(k)
	}
	return k
}

// perStep is how many elements of the chain a step is.
func (m *gemm) perStep() int {
	if m.bytes() {
		return groupBytes
	}
	if m.instruction {
		return 2
	}
	return 1
}

// packBytesCode writes whole panels of b: gemmK groups of four rows, gemmLdK bytes from
// row to row, gemmCount panels.
func packBytesCode() *gen {
	g := bareGen(true, false)
	t := g.tiling(dtype.Int32)
	src, dst, ld := g.word(gemmA), g.word(gemmB), g.word(gemmLdK)
	g.repeat(gemmK, []int{1}, func(int) {
		p, q, left := g.copyInt(src), g.copyInt(dst), g.word(gemmCount)
		top := g.newLabel()
		l := g.beginLoop()
		g.bind(top)
		for half := range 2 {
			g.packGroup(p, q, ld, 16*half, 64*half)
		}
		g.addConst(p, int64(t.cols))
		g.rmw(asm.ADD, g.r64(q), frameAt(gemmStepB))
		g.rmw(asm.SUB, g.r64(left), imm(1))
		g.jump(asm.JNE, top)
		g.endLoop(l)
		g.def(asm.LEA, g.r64(src), memIndex(src, ld, 4, 0))
		g.addConst(dst, int64(t.cols*t.size))
	})
	g.add(inst{kind: leave})
	return g
}

// packGroup makes 64 bytes of a panel of 16 columns of four rows.
func (g *gen) packGroup(p, q, ld reg, from, to int) {
	third := g.newReg(gpr)
	g.def(asm.LEA, g.r64(third), memIndex(p, ld, 2, 0))
	at := []arg{mem(p, from), memIndex(p, ld, 1, from), mem(third, from), memIndex(third, ld, 1, from)}
	pair := func(o asm.Op, x, y reg) reg {
		z := g.newVec()
		g.def(o, g.vw(z, 16), g.vw(x, 16), g.vw(y, 16))
		return z
	}
	var r [4]reg
	for i := range r {
		r[i] = g.newVec()
		g.def(asm.VMOVUPS, g.vw(r[i], 16), at[i])
	}
	low, high := pair(asm.VPUNPCKLBW, r[0], r[1]), pair(asm.VPUNPCKHBW, r[0], r[1])
	low2, high2 := pair(asm.VPUNPCKLBW, r[2], r[3]), pair(asm.VPUNPCKHBW, r[2], r[3])
	for i, x := range []reg{
		pair(asm.VPUNPCKLWD, low, low2), pair(asm.VPUNPCKHWD, low, low2),
		pair(asm.VPUNPCKLWD, high, high2), pair(asm.VPUNPCKHWD, high, high2),
	} {
		g.use(asm.VMOVUPS, mem(q, to+16*i), g.vw(x, 16))
	}
}

// columnSumsCode puts into gemmC, for each of a panel's columns, -128 times the sum of
// its bytes over gemmK steps from gemmB on.
func columnSumsCode() *gen {
	g := bareGen(true, false)
	ones := g.newVec()
	g.def(asm.VPBROADCASTD, g.v(ones), g.constant(0x01010101, 4))
	var acc [2]reg
	for i := range acc {
		acc[i] = g.newVec()
		g.zeroVec(acc[i])
	}
	b, out := g.word(gemmB), g.word(gemmC)
	g.repeat(gemmK, []int{1}, func(int) {
		for i, a := range acc {
			g.rmw(asm.VPDPBUSD, g.v(a), g.v(ones), mem(b, 64*i))
		}
		g.addConst(b, 128)
	})
	zero := g.newVec()
	g.zeroVec(zero)
	for i, a := range acc {
		t, z := g.newVec(), g.newVec()
		g.def(asm.VPSLLD, g.v(t), g.v(a), imm(7))
		g.def(asm.VPSUBD, g.v(z), g.v(zero), g.v(t))
		g.use(asm.VMOVUPS, mem(out, 64*i), g.v(z))
	}
	g.add(inst{kind: leave})
	return g
}

// stripBytesCode copies gemmCount rows of gemmK bytes of a to rows gemmStepB bytes apart;
// moved up by 128 if moved has that in each byte. What is left of the last 64 bytes is
// moved zeros.
func stripBytesCode(moved uint32) *gen {
	g := bareGen(true, false)
	up := g.newVec()
	g.def(asm.VPBROADCASTD, g.v(up), g.constant(uint64(moved), 4))
	src, dst, by := g.word(gemmA), g.word(gemmB), g.word(gemmLdA)
	g.repeat(gemmCount, []int{1}, func(int) {
		p, q, left := g.copyInt(src), g.copyInt(dst), g.word(gemmK)
		top, done := g.newLabel(), g.newLabel()
		l := g.beginLoop()
		g.bind(top)
		g.use(asm.CMP, g.r64(left), imm(0))
		g.jump(asm.JLE, done)
		mask, x, y := g.newReg(kmask), g.newVec(), g.newVec()
		bits, most := g.newReg(gpr), g.newInt(64)
		n := g.copyInt(left)
		g.use(asm.CMP, g.r64(n), imm(64))
		g.rmw(asm.CMOVG, g.r64(n), g.r64(most))
		g.def(asm.BZHI, g.r64(bits), g.r64(g.newInt(-1)), g.r64(n))
		g.def(asm.KMOVQ, g.k(mask), g.r64(bits))
		g.def(asm.VMOVDQU8, g.v(x), mem(p, 0)).masked(mask, true)
		g.def(asm.VPXORD, g.v(y), g.v(x), g.v(up))
		g.use(asm.VMOVUPS, mem(q, 0), g.v(y)) // rows of the copy have room for whole vectors
		g.addConst(p, 64)
		g.addConst(q, 64)
		g.addConst(left, -64)
		g.jump(asm.JMP, top)
		g.endLoop(l)
		g.bind(done)
		g.rmw(asm.ADD, g.r64(src), g.r64(by))
		g.rmw(asm.ADD, g.r64(dst), frameAt(gemmStepB))
	})
	g.add(inst{kind: leave})
	return g
}

// packBytes packs columns of b and finds what their sums begin with.
func (w *productWorker) packBytes(col, cols int) {
	r := w.run
	t, b := r.p.t, r.w.b
	panels := (cols + t.cols - 1) / t.cols
	k, fast := 0, 0 // what code has done: groups of rows, panels
	if b.row == 1 {
		k, fast = r.w.k/groupBytes*groupBytes, cols/t.cols
	}
	if fast*k > 0 {
		w.set(gemmLdK, b.col)
		w.set(gemmStepB, int64(w.panelBytes()))
		w.set(gemmCount, int64(fast))
		for at := 0; at < k; at += blockK {
			w.set(gemmA, int64(b.base)+int64(col)+int64(at)*b.col)
			w.set(gemmB, address(w.packed, at/groupBytes*t.cols*t.size))
			w.set(gemmK, int64(min(blockK, k-at)/groupBytes))
			w.call(r.pack)
		}
	}
	w.packRest(col, cols, k, fast)
	for p := range panels {
		w.set(gemmB, address(w.packed, p*w.panelBytes()))
		w.set(gemmC, address(w.first, p*t.cols*t.size))
		w.set(gemmK, int64(r.chain))
		w.call(r.columns)
	}
}

// packRest packs what code has left: rows from k on, and panels from fast on. What
// lies beyond b is zeros.
func (w *productWorker) packRest(col, cols, k, fast int) {
	r := w.run
	t, b := r.p.t, r.w.b
	arg := r.l.Args[r.p.m.b.form.base].Mem
	src, first := arg.Bytes(), int64(b.base)-address(arg, 0)
	packed := w.packed.Bytes()
	for j := range roundUp(cols, t.cols) {
		from := k
		if j/t.cols >= fast {
			from = 0
		}
		for i := from; i < r.chain*groupBytes; i++ {
			x := byte(0)
			if i < r.w.k && j < cols {
				x = src[first+int64(col+j)*b.row+int64(i)*b.col]
			}
			at := j/t.cols*w.panelBytes() + i/groupBytes*t.cols*t.size + j%t.cols*groupBytes + i%groupBytes
			packed[at] = x
		}
	}
}

// rowBytes copies rows of a that do not lie side by side along the chain.
func (w *productWorker) rowBytes(row, n, k, count int) {
	r := w.run
	a := r.w.a
	arg := r.l.Args[r.p.m.a.form.base].Mem
	src, first := arg.Bytes(), int64(a.base)-address(arg, 0)
	dst := w.strip.Bytes()
	for i := range n {
		for j := range count {
			dst[i*stripRow(r.p.t)+j] = src[first+int64(row+i)*a.row+int64(k+j)*a.col] ^ 0x80
		}
	}
}

// firstSums is where the kernel finds what sums begin with: zeros, but for bytes.
func (w *productWorker) firstSums() int64 {
	if !w.run.p.m.bytes() {
		return 0
	}
	return address(w.first, 0)
}

// zeroBits is what is added to finished sums: -0, which changes none, or +0, which
// steps of zeros would have added.
func zeroBits(d dtype.DType, zeros bool) uint64 {
	if zeros || !d.IsFloat() {
		return 0
	}
	var b [8]byte
	b[d.Size()-1] = 0x80
	return binary.LittleEndian.Uint64(b[:])
}
