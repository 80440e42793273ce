package kerneltest

import tl "github.com/tiler-go/tiler/tilelang"

// A Row is a kernel of the corpus with what it is run on.
type Row struct {
	Name   string
	Fn     any
	Types  []tl.DType // of tensors that name none
	Ops    string     // values of the parameter OP
	Args   string     // see Maker
	Grid   string     // sizes, as expressions
	Shapes []Shape
	Fails  bool // some launches fail
	Serial bool // what it leaves depends on the order of programs
}

// A Shape is a launch's numbers by name, and its mask.
type Shape struct {
	Mask string
	Vars map[string]int
}
