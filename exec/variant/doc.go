// Package variant holds a kernel compiled for dtypes and compile-time values, and the program that each engine makes of
// it, with how far that is trusted. It makes them when they are first asked for, and keeps those used last.
package variant
