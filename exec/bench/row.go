package bench

import (
	_ "embed"
	"math"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// kernelText is this package's kernels as the compiler reads them.
//
//go:embed kernels.go
var kernelText string

// A row is one case of the table: everything that is particular to it.
type row struct {
	name, label string // together they are the row's key, and stay the same
	quick       bool   // part of a quick run
	threads     []int  // that it is run with
	engine      string // the only one it is about, or ""
	unit        unit
	work        float64 // of one run, in what unit counts
	peak        ceiling
	bytes       int            // of memory, for each side
	program     func() program // nil if side is given
	side        sideMaker      // for what is not a launch of a program
	machine     bool           // it is about the machine
	needs       func() string  // what the machine does not have: the row is skipped
	rivals      []rival
	bars        []bar
}

// A unit says how a value is made of the time that a run takes.
type unit struct {
	name  string
	scale float64
	rate  bool // work per second, not seconds
}

var (
	gflops = unit{"GF/s", 1e-9, true}
	gops   = unit{"Gop/s", 1e-9, true}
	gbytes = unit{"GB/s", 1e-9, true}
	gelems = unit{"Gelem/s", 1e-9, true}
	micros = unit{"us", 1e6, false}
	millis = unit{"ms", 1e3, false}
)

func (u unit) value(work, seconds float64) float64 {
	if u.rate {
		return work / seconds * u.scale
	}
	return seconds * u.scale
}

// A ceiling is the limit of the machine that a row comes up against: multiply-adds of
// an element type, or the fastest of some passes over n elements of memory. The zero value
// is none.
type ceiling struct {
	fma    string
	memory []string
	n      int
}

// A rival is another way to do a row's work: a peer's op, or tiler in another way.
type rival struct {
	key     string // in results
	peer    string // the peer's kind, "" if it is tiler
	op      string // a peer's op and its arguments
	threads int    // only beside so many of the row; 0 means any
	program func() program
	workers int       // of tiler, 0 as many as the row
	side    sideMaker // of tiler, if it is not a launch
	rel     float64   // how far a peer's results may be from the exact ones, if farther than the row's
}

// A bar is what a row has to reach: as a fraction of another's speed, or as a value.
type bar struct {
	against string  // a rival's key or "peak"; "" if most is meant
	least   float64 // tiler's speed in that of against
	most    float64 // tiler's value
	threads int     // holds for so many only; 0 means any
}

// A program is a kernel with its arguments, and what it has to compute.
type program struct {
	text string // of the file with the kernel; "" is kernels.go
	name string // of the function
	fn   any
	grid exec.Grid
	args []any
	out  *tensor.Tensor
	want answer
}

// kernel is the program's kernel, compiled from this package's text.
func (p program) kernel(o exec.Options) *exec.Kernel {
	text := p.text
	if text == "" {
		text = kernelText
	}
	return exec.New(p.fn, exec.Source(text, p.name), o)
}

// setup is what a row is run with.
type setup struct {
	engine  string
	threads int
}

// answer is what a program's result has to be.
type answer struct {
	n        int                      // elements
	at       func(i int) float64      // element i; called in ascending order
	most     int                      // how many are compared at most; 0 means all
	rel, abs float64                  // |got - want| <= abs + rel*|want|
	whole    func(got elements) error // what else must hold, for all elements; may be nil
}

// elements gives element i of a result.
type elements func(i int) float64

// step is the distance of elements of which at most so many are compared. It is odd,
// so that it does not keep to a few columns.
func (a answer) step(most int) int {
	if most == 0 || most >= a.n {
		return 1
	}
	return (a.n+most-1)/most | 1
}

func (a answer) near(got, want float64) bool {
	if math.IsNaN(got) || math.IsInf(got, 0) {
		return false
	}
	return math.Abs(got-want) <= a.abs+a.rel*math.Abs(want)
}
