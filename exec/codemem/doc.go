// Package codemem holds machine code in memory and calls it from Go. It is the only package that maps
// executable pages, and with the platform files it is small enough to be read whole.
//
// A Code goes one way: Write (pages readable and writable), Seal (readable and executable, never both writable and
// executable), calls, Free. Free while calls are in flight waits for the last of them, without blocking.
//
// The calling convention is the least that works with the Go runtime. Code is entered with the address
// of one argument structure in RDI and the return address at [RSP], and obeys these rules, which come from
// experiments with the garbage collector, signals and profilers:
//
//   - It never touches RSP and has no stack: no push, no call, no alloca. The runtime takes a fault for a bad call
//     made by the trampoline only while [RSP] is the return address; if RSP has moved, a fault cannot
//     be recovered. Spills go to memory that the arguments point to.
//   - It leaves RBP alone, on which tracers walk frames. All other registers, including R14, R15, X15 and
//     the mask registers, are its own: the wrapper that Go puts around assembly restores what Go needs.
//   - It executes VZEROUPPER before it returns if it used vector registers wider than 128 bits, and leaves MXCSR
//     and the direction flag as they were.
//   - It stores no Go pointers. The caller keeps what the arguments point to alive until the call returns; the argument
//     structure itself may live on the goroutine's stack, which does not move during the call.
//   - It returns within 50 to 200 microseconds. A goroutine in generated code cannot be preempted, so the
//     length of a call bounds the time that a garbage collection waits. Between calls it can be: the trampoline checks the
//     stack on entry, which is a point of preemption. (A trampoline without that check makes a loop of
//     calls unpreemptible; stopping the world then takes seconds.)
//
// Memory faults in generated code become errors under [Protect].
package codemem
