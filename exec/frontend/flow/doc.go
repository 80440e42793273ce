// Package flow lowers control flow whose parts are functions that it is given.
//
// A Region is what return, break or continue leaves: within it a body is lowered, again and
// again in another Mode until its ways out fit the IR's If, For and Loop. What a branch or a
// body wrote to variables, as their journal says (frontend/value), is joined where ways meet
// (join.go). It knows no syntax but the statement that a loop is.
package flow
