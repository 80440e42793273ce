package gemm

import (
	"sync"

	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/cpu"
)

// Products of bfloat16 by pairs, dot.AddPairs. Each of its steps is a float32
// multiply-add of a processor that is told to take subnormals for zeros and to make
// none, so every tier has them: the chain goes through the odd element of a pair first.
// The instruction VDPBF16PS takes both steps. On AMD's processors it takes as long as one
// multiply-add; on Intel's, as long as two or more, so there it is not used.

// Pairs says how products by pairs are carried out.
type Pairs uint8

const (
	pairsFastest     Pairs = iota // the way that is faster on this machine
	PairsSteps                    // float32 multiply-adds
	PairsInstruction              // VDPBF16PS
)

// ByInstruction reports whether they are to be carried out by the instruction.
func (w Pairs) ByInstruction(t *lir.Tier) bool {
	return t.EVEX && (w == PairsInstruction || w == pairsFastest && pairsFast())
}

// pairsFast reports whether the instruction is the faster way on this machine, and what
// it is documented to be.
var pairsFast = sync.OnceValue(func() bool {
	return cpu.Detected().Has(cpu.HasAVX512BF16) && cpu.Vendor() == "AuthenticAMD" && micro.PairsAgree()
})
