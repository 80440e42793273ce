// Package learn judges kernels that somebody writes to learn the language, and knows no puzzle: those are rows of
// a Course, in a package of their own.
//
//	kernel ─ launches ─ Kernel.Check against the reference ─ rules ─ Kernel.Promote ─ Verdict
//
// The judge launches the kernel on each of the puzzle's
// cases, of which only the first is shown, with every sanitizer on, and asks besides that no
// program of the grid is idle, that no size is compiled in that a mask should look after, and
// that what is to be read once is. It stops at the first thing that is wrong, and shows that
// alone: the finding, what it means in this puzzle, and the elements that differ. A kernel
// that passes is compiled, and compared bit for bit.
//
// Who learns works at the prompt, where a definition is judged as soon as it is made, or in
// files, which say with a main of their own what the first case is. Progress is a file of
// names; where it cannot be kept nothing else suffers.
package learn
