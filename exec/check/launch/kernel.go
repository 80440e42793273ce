package launch

import (
	"io"
	"reflect"
	"slices"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/grid"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Kernel is what a check must know of a kernel and of how it is launched.
type Kernel struct {
	Name   string
	Fn     reflect.Value
	Labels []string // of the parameters after the program, as messages name them
	Text

	Options check.Options
	Output  io.Writer      // where programs print; nil: standard output
	Shuffle uint64         // seed of the order of programs; 0: ascending
	Against *reflect.Value // the reference, of the right type; nil without one

	known *Facts                         // of the arguments that were asked for first
	Grid  func(args []any) (Grid, error) // of arguments
	Facts func(args []any) Facts
	Host  Host
}

// Text is where a kernel is written.
type Text struct {
	At     func(line int) diag.Pos            // a line that its interpreter has put into Program.Line
	Source func(file string, line int) string // a line of it; "" where it is not at hand
	File   string
	Begin  diag.Pos // where it begins; zero if its interpreter alone knows
}

// facts is Facts of the kernel's arguments; variations of them have the same.
func (k *Kernel) facts(args []any) *Facts {
	if k.known == nil {
		f := k.Facts(args)
		k.known = &f
	}
	return k.known
}

// A Host runs kernels.
type Host struct {
	Enter func()                                   // begins a goroutine that runs programs
	Where func() diag.Pos                          // where a panic that is being handled came from
	Exit  error                                    // what is said of a program that ends its goroutine
	Stop  func() func()                            // ends what an interpreter of Go runs; nil if there is none; see exec.Text
	Order func(n int, seed uint64) func(i int) int // of n programs
}

// Facts is what the compiler knows of a kernel's parameters.
type Facts struct {
	Known  bool    // anything is known; else nothing below is
	Fixed  []bool  // compiled in: they decide a shape, or may
	Const  []bool  // declared tl.Const
	Sized  []bool  // more than a factor of an index; nil if that is not known
	Counts [3]bool // axes of the grid of which the kernel asks the size

	Divisors  [][]int // constants that a parameter is divided by; nil if they are not known
	DividedBy [][]int // parameters that a parameter is divided by; nil likewise
	Tiles     []int   // lengths of what tl.Arange makes
	Steps     [][]int // by pointer, the parameters that are factors in its addresses; nil if they are not known
}

// Grid is a launch's sizes, one to three, and their product.
type Grid = grid.Extent

// corners are the programs at the edges and in the middle of the grid.
func corners(g Grid) []int {
	var at [3][]int
	for a, n := range g.Num {
		for _, i := range []int{0, 1, n / 2, n - 2, n - 1} {
			if i >= 0 && i < n && !slices.Contains(at[a], i) {
				at[a] = append(at[a], i)
			}
		}
	}
	var programs []int
	for _, z := range at[2] {
		for _, y := range at[1] {
			for _, x := range at[0] {
				programs = append(programs, (z*g.Num[1]+y)*g.Num[0]+x)
			}
		}
	}
	slices.Sort(programs)
	return programs
}

// values is arguments as the function takes them, after a place for the program.
func (k *Kernel) values(args []any, pointer func(i int) tl.Ptr) []reflect.Value {
	vs := make([]reflect.Value, len(args)+1)
	for i, a := range args {
		if _, ok := a.(*tensor.Tensor); ok {
			a = pointer(i)
		}
		vs[i+1] = converted(a, k.Fn.Type().In(i+1))
	}
	return vs
}

func converted(a any, to reflect.Type) reflect.Value {
	v := reflect.ValueOf(a)
	if v.Type() != to {
		return v.Convert(to)
	}
	return v
}
