package asm

import "testing"

// BenchmarkEmit reports the cost of one instruction of a matrix kernel's mix.
func BenchmarkEmit(b *testing.B) {
	var a Assembler
	const perLoop = 20 * 6
	b.ReportAllocs()
	for b.Loop() {
		a.Reset()
		for r := range 20 {
			m := Mem(RAX, r*64)
			a.Emit(VFMADD231PS, Z(r), Z(30), m.Bcast())
			a.Emit(VMOVUPS, Z(r), Idx(RSI, RCX, 4, r*64))
			a.Emit(VADDPS, Y(r&15), Y(2), Y(3))
			a.EmitMasked(VMOVUPS, K(1), true, Z(r), m)
			a.Emit(ADD, RCX, Imm(16))
			a.Emit(VMULPS, Z(r), Z(30), Z(r))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*perLoop), "ns/inst")
	if a.Err() != nil {
		b.Fatal(a.Err())
	}
}
