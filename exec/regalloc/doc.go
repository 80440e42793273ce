// Package regalloc gives virtual registers hardware registers or slots in memory, by linear scan over live intervals;
// it knows numbers of registers, not their names, and no instruction.
//
// A target says what registers it has by a File for each class of them. It goes through its instructions in order and
// tells a Liveness what each reads and writes; Allocate then decides.
package regalloc
