package learn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Puzzle is a kernel to write.
type Puzzle struct {
	Name  string // of the kernel
	Title string
	Text  string // what is to be done: the formula, what is new, which functions it takes
	Hints []string
	After string // what this is in real life, and what goes on from here
	Cases []Case // launches to get right, the one that is shown first

	// Lessons says what a kind of finding means here.
	Lessons map[check.Kind]string

	// Notebook is the number of the tutorial that an exercise belongs to; "" for a puzzle.
	Notebook string

	kernel, reference any
	skeleton          string // the body that one begins with
	once              bool   // the first parameter is to be read only once

	sizes map[string]string // see exec.CheckOptions
}

// A Case is a launch: a grid, and the arguments after the program.
type Case struct {
	Grid exec.Grid
	Args []Arg
}

// An Arg is an argument as Go text, and its value, made anew each time.
type Arg struct {
	Text  string
	Value func() any
}

// Puzzles is all of them, in order.
func Puzzles() []*Puzzle { return puzzles }

// Exercises is those of the tutorials, in order.
func Exercises() []*Puzzle { return exercises }

// Number is the puzzle's place, from 1; 0 for an exercise.
func (p *Puzzle) Number() int { return slices.Index(puzzles, p) + 1 }

// Named is a puzzle or exercise by the name of its kernel, or a puzzle by its number; the error
// says which there are.
func Named(name string) (*Puzzle, error) {
	var names []string
	for _, p := range slices.Concat(puzzles, exercises) {
		if n := p.Number(); p.Name == name || n > 0 && fmt.Sprint(n) == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	if near := diag.Nearest(name, names); near != "" {
		return nil, fmt.Errorf("no puzzle %s (did you mean %s?)", name, near)
	}
	return nil, fmt.Errorf("no puzzle %s: choose 1 to %d", name, len(puzzles))
}

// Heading is the puzzle's number and title.
func (p *Puzzle) Heading() string {
	if p.Notebook != "" {
		return fmt.Sprintf("Exercise of notebook %s: %s", p.Notebook, p.Title)
	}
	return fmt.Sprintf("Puzzle %d of %d: %s", p.Number(), len(puzzles), p.Title)
}

// Skeleton is the function that one begins with, in plain Go.
func (p *Puzzle) Skeleton() string {
	return p.Signature() + " {\n\t" + strings.ReplaceAll(strings.TrimSpace(p.skeleton), "\n", "\n\t") + "\n}"
}

// Values is the arguments, made anew.
func (c Case) Values() []any {
	args := make([]any, len(c.Args))
	for i, a := range c.Args {
		args[i] = a.Value()
	}
	return args
}

// Launch is the launch of the first case in words.
func (p *Puzzle) Launch() string { return p.Cases[0].call(p) }

// call is the launch in words: outerSum[2,3](x f32[4], n=4).
func (c Case) call(p *Puzzle) string {
	var parts []string
	for i, a := range c.Values() {
		name := p.Params()[i]
		if x, ok := a.(*tensor.Tensor); ok {
			parts = append(parts, name+" "+tensor.Describe(x.DType(), x.Shape()))
			continue
		}
		parts = append(parts, fmt.Sprintf("%s=%v", name, a))
	}
	return strings.ReplaceAll(wrapped(fmt.Sprintf("%s[%s](%s)", p.Name, numbers(c.Grid), strings.Join(parts, ", ")), columns-10), "\n", "\n\t")
}

func numbers(ns []int) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(ns)), ","), "[]")
}

// The arguments that cases are made of.

func num[T int | float64](v T) Arg { return Arg{fmt.Sprint(v), func() any { return v }} }

func shaped(text string, shape []int, value func() *tensor.Tensor) Arg {
	return Arg{"tensor." + text + ", " + strings.ReplaceAll(numbers(shape), ",", ", ") + ")", func() any { return value() }}
}

// empty is an output of float32.
func empty(shape ...int) Arg {
	return shaped("Empty(tl.Float32", shape, func() *tensor.Tensor { return tensor.Empty(tl.Float32, shape...) })
}

// whole is whole numbers from lo up to hi, whose results can be worked out by hand.
func whole(seed, lo, hi int, shape ...int) Arg {
	return shaped(fmt.Sprintf("RandInt(%d, tl.Float32, %d, %d", seed, lo, hi), shape, func() *tensor.Tensor { return tensor.RandInt(seed, tl.Float32, lo, hi, shape...) })
}

// random is normally distributed numbers.
func random(seed int, shape ...int) Arg {
	return shaped(fmt.Sprintf("Randn(%d, tl.Float32", seed), shape, func() *tensor.Tensor { return tensor.Randn(seed, tl.Float32, shape...) })
}

// then is an argument that a method of tensors makes of another.
func (a Arg) then(text string, change func(x *tensor.Tensor) *tensor.Tensor) Arg {
	return Arg{a.Text + text, func() any { return change(a.Value().(*tensor.Tensor)) }}
}
