// Package kerneltest is what the engines are tested with: a corpus of kernels
// (random ones are in random/), worlds of guarded tensors for them to run in, and oracles that say what
// they must leave there. Only tests import it.
//
// The rule is one source, one meaning: whatever an engine does, its outcome is the
// interpreter's, bit for bit in every byte that the kernel can see and in every byte
// around it, and the same operation of the same program fails.
package kerneltest
