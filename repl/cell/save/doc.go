// Package save writes down what a session did: as a Go program, as a notebook, or a cell at a time.
//
// A Log keeps the statements of cells as they run; the definitions in force are those of package check. What is written
// is checked as a program, and what keeps it from compiling is left out.
package save
