package real

import (
	"embed"
	"slices"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Row is one kernel with what it is measured beside.
type Row struct {
	Name, Label string // together they are the row's key, and stay the same
	Quick       bool   // part of a quick run
	Unit        string // GF/s, Gop/s, GB/s or Gelem/s
	Work        float64
	Pass        string  // the pass over memory that bounds a row in GB/s, "" if none
	PassN       int     // of so many elements of 4 bytes
	OfPass      float64 // the least speed in that of the pass
	Program     func() Program
	Rivals      []Rival
}

// A Rival is another way to do a row's work, and the least speed in that of it, 0 if there is no bar.
type Rival struct {
	Key     string
	Least   float64
	Program func() Program // tiler in another way
	Loop    func() func()  // a Go loop: makes what does it once
	Peer    string         // a peer's kind, with an op and its arguments
	Op      string
	Rel     float64 // how far the peer's results may be from the exact ones, if farther than the row's
}

// A Program is a kernel with its arguments, and what it has to leave in Out.
type Program struct {
	File, Name string // of the kernel
	Fn         any
	Grid       exec.Grid
	Args       []any
	Out        *tensor.Tensor
	At         func(i int) float64 // element i of Out, in ascending order
	Most       int                 // how many elements are compared at most; 0 means all
	Rel, Abs   float64             // |got - want| <= Abs + Rel*|want|
}

// files are what kernels are compiled from.
//
//go:embed *.go
var files embed.FS

// Text is a file of this package.
func Text(file string) string {
	text, err := files.ReadFile(file)
	if err != nil {
		panic(err) // a row names a file that is not here
	}
	return string(text)
}

// Rows are all of this package.
func Rows() []Row {
	return slices.Concat(epilogues(), forms(), narrowRows(), irregulars(), flats(), packed(), convolutions())
}
