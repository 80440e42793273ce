// Package learn is the puzzles: kernels to write, in an order in which each adds one idea
// to those before it.
//
// A puzzle is a row of data and two functions. The solution is a kernel that Go compiles;
// its text, and with it the name and the parameters of what is to be written, is cut out of
// this package's own source. The reference computes the same with loops over tensors. The
// skeleton that one begins with is a kernel that runs, and fails: as a rule it is what the
// puzzle before has taught, applied once too often, so that what the judge says about it is
// the lesson.
//
//	kernel ─ launches ─ Kernel.Check against the reference ─ rules ─ Kernel.Promote ─ Verdict
//
// The judge knows nothing about the puzzles. It launches the kernel on each of the puzzle's
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
