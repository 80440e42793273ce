package codemem

import "unsafe"

// call enters the code at pc with args in RDI. See the package comment for what the code may do.
//
//go:noescape
func call(pc uintptr, args unsafe.Pointer)

// Pause spins n times on the PAUSE instruction, and can be preempted on entry: a worker that waits in a loop of
// Pause does not hold up garbage collection.
func Pause(n uint32)

// restoreState repairs what an interrupted piece of generated code may have left behind: the upper
// halves of vector registers, MXCSR, the direction flag.
func restoreState(vectors bool)

const archSupported = true
