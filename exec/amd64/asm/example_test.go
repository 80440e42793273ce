package asm_test

import (
	"math"
	"os"

	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// A loop that adds 1 to the elements of an array: RSI is the source, RDI the destination, RDX the number of
// elements, a multiple of 16 above 0.
func ExampleAssembler() {
	a := asm.Assembler{KeepListing: true}
	one := a.Const32(math.Float32bits(1)).Bcast()
	a.Emit(asm.XOR, asm.ECX, asm.ECX)
	loop := a.NewLabel()
	a.Bind(loop)
	a.Emit(asm.VMOVUPS, asm.Z(0), asm.Idx(asm.RSI, asm.RCX, 4, 0))
	a.Emit(asm.VADDPS, asm.Z(0), asm.Z(0), one)
	a.Emit(asm.VMOVUPS, asm.Idx(asm.RDI, asm.RCX, 4, 0), asm.Z(0))
	a.Emit(asm.ADD, asm.RCX, asm.Imm(16))
	a.Emit(asm.CMP, asm.RCX, asm.RDX)
	a.Emit(asm.JL, asm.To(loop))
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	if err := a.WriteListing(os.Stdout, nil); err != nil {
		panic(err)
	}
	// Output:
	//      0  31c9                    xor ecx, ecx
	// L0:
	//      2  62f17c4810048e          vmovups zmm0, zmmword ptr [rsi+rcx*4]
	//      9  62f17c58580515000000    vaddps zmm0, zmm0, dword ptr [rip+const0]{1to16}
	//     13  62f17c4811048f          vmovups zmmword ptr [rdi+rcx*4], zmm0
	//     1a  4883c110                add rcx, 0x10
	//     1e  4839d1                  cmp rcx, rdx
	//     21  7cdf                    jl L0
	//     23  c5f877                  vzeroupper
	//     26  c3                      ret
	//     28  const0: 0000803f
}
