// Package flow lowers branches and loops that run-time values decide, and joins what they leave in variables.
//
// Their blocks are lowered by functions that it is given, on copies of the variables; what has changed, and is read
// later (package live), is joined or carried. It knows no expressions, and of statements what they bind.
package flow
