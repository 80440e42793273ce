package check

import (
	"time"

	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Options say what a check does; the zero value is the right default.
type Options struct {
	// Budget is how long the launch may take, and how long the variations of its
	// arguments; after that programs are sampled. 0 means 10 seconds.
	Budget time.Duration
	// Programs is how many programs run at most, corners of the grid first; 0 means all
	// that the budget allows.
	Programs int
	// At is the programs to check, by their places in the grid, and no others.
	At [][]int
	// NoVariations leaves out other sizes of the arguments.
	NoVariations bool
	// Sizes says which dimensions of tensors an int parameter names, as in
	// {"n": "x.Dim(0), out.Dim(0)"}, where its value does not tell. "" keeps a parameter
	// as it is.
	Sizes map[string]string
	// Invariance makes it an error, and no note, where an output has other bits with
	// another block, with fewer rows, or with programs in another order.
	Invariance bool
	// Commit says when what the kernel wrote reaches the caller's tensors.
	Commit Commit
	// Tolerance is how far outputs may be from the reference; nil means what
	// tensor.DefaultTolerance allows.
	Tolerance *tensor.Tolerance
}

// Commit says when a check writes to the caller's tensors.
type Commit uint8

// When to commit.
const (
	CommitClean  Commit = iota // if all programs ran and nothing was an error
	CommitNever                // not at all
	CommitAlways               // whatever was found
)

// Time is how long the launch may take.
func (o Options) Time() time.Duration {
	if o.Budget <= 0 {
		return 10 * time.Second
	}
	return o.Budget
}
