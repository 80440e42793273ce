// Package function is what a kernel is made of: a function of Go, of the program or of an interpreter of Go, or IR of
// another language's front end. It knows its name, parameters and source, checks arguments, and lowers it for them; it
// runs nothing.
package function
