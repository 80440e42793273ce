// Package kernels is the commands about kernels and their launches: what checks and compiles them, measures, draws and
// walks through them.
//
// Each is a function of the session's kernels and of what is typed after the command.
package kernels
