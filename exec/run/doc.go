// Package run carries out one launch of a kernel's function over a grid: interpreted, program by program, or by the
// program that an engine made of it. What fails, or goes outside of its memory, ends as an error of the launch.
package run
