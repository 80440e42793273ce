package ir

import "github.com/tiler-go/tiler/tilelang/diag"

// A Note says what a statement of the source gave values to, for those who watch an instance
// statement by statement. Notes stand beside the values and are not printed: a pass neither reads
// nor keeps them.
type Note struct {
	Block *Block
	After *Value // of Block: when it is computed, the statement has been done; nil: at the block's beginning
	Pos   diag.Pos
	Vars  []Var
}

// A Var is a variable that a statement gave a value to.
type Var struct {
	Name  string
	Value *Value // nil: the variable holds Const
	Const any    // nil, bool, int64, float64, string, dtype.DType, a list of these, or what else a front end knows
}
