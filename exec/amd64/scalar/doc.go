// Package scalar writes the code of a Func's scalars, and of what addresses and masks make of them. It knows no tiles.
//
// Scopes (scope.go) are the blocks that are being written: integers and bools of theirs live in general registers,
// floats in vectors of equal lanes, and operations on them are written where they stand (scalar.go). A sym, an integer
// that an address or the limit of a mask is made of, is computed once, in the outermost scope where its parts exist
// (symreg.go), which takes address arithmetic out of loops. Without its conditions a form or a box is not what the
// address or mask says: the instance checks each where it still may begin again, and bails out if it does not hold
// (check.go). Where the frame holds arguments and program ids, and how code says why it returns, is in layout.go.
package scalar
