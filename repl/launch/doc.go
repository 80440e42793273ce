// Package launch is the launches of a session: what its cells launched, and what a command's target stands for.
//
// A Log runs the launches of cells, shows how far they are and what they did, and remembers the last of each kernel.
// Kernels finds by a name, of Go's or of a Python file's, a kernel with the grid and arguments to launch it again.
package launch
