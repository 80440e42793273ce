// Package value is what Go's expressions hold while a kernel is lowered.
//
// A Value is known now, or a value of the IR that will hold it. Variables hold values, and
// journal what they held before. A Run appends to the kernel's Func: Go's own operations on
// numbers, folded where they are known, and messages about what is wrong with the kernel.
// Where a value must be known that is not, the run panics with Again, and the lowering starts
// over with more parameters compiled in or more loops unrolled. It evaluates no syntax, and
// knows neither the language's functions nor control flow.
package value
