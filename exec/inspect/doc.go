// Package inspect shows what the compiler makes of a kernel, to be read: its IR step by step, its machine code beside
// the source, and what does the work of each line.
package inspect
