// Package cpu says what this processor offers to generated code: the instruction set tier, cache sizes, how many
// processors may be used. It asks the processor itself, and reads neither environment nor files;
// what Go's own switches (GODEBUG=cpu.avx512f=off) take away it has from golang.org/x/sys/cpu.
//
// Tiers are what code generators are written for. A tier promises a fixed set of extensions; what lies beside
// it (bfloat16 and integer dot products, byte permutes) is a [Features] bit of its own.
package cpu
