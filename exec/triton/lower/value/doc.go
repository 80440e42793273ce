// Package value is what Python's expressions hold while a kernel is lowered, and what operators make of it.
//
// A Value is known now, or a value of the IR will hold it. An Emitter appends to the kernel's Func: operators by
// Triton's rules of promotion, folded where operands are known. It refuses what is wrong with the kernel by a message
// about its Place, which ends the lowering. It evaluates no syntax, and knows neither the language's functions nor
// control flow.
package value
