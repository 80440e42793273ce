// Package lir is the form between tile IR and machine code: x86 instructions over virtual registers; it knows tiers and
// a few words of the frame, and nothing of what code is for.
//
// A Unit is a straight list of instructions with labels, in three layers: operands and constants (arg.go), the list
// (inst.go), and what takes a few instructions (idiom.go), the frame and the budget. Loops are marked, so that a
// register that is live into a loop and used there stays live to its end. A virtual register may be written more than
// once: that is how values meet after branches and go round loops. A Tier (tier.go) says how wide vectors are and what
// registers there are. Code counts its work and returns to Go when its budget is used up (budget.go). A Unit prints
// (print.go).
//
// Assemble drops what nobody uses and computes no more lanes than are used (demand.go), drops copies (coalesce.go), has
// exec/regalloc assign registers (live.go), puts what rarely runs behind all other code (place.go), and writes bytes
// (finish.go).
// Code has no stack: spilled values and those that are live across a call out live in the frame, to which R15 points.
package lir
