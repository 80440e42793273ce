package learn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
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

	Kernel, Reference any    // the solution, and what computes the same with loops over tensors
	Start             string // the body that one begins with
	Once              bool   // the first parameter is to be read only once

	Sizes map[string]string // see exec.CheckOptions

	course *Course
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

// Number is the puzzle's place, from 1; 0 for an exercise.
func (p *Puzzle) Number() int { return slices.Index(p.course.Puzzles, p) + 1 }

// Heading is the puzzle's number and title.
func (p *Puzzle) Heading() string {
	if p.Notebook != "" {
		return fmt.Sprintf("Exercise of notebook %s: %s", p.Notebook, p.Title)
	}
	return fmt.Sprintf("Puzzle %d of %d: %s", p.Number(), len(p.course.Puzzles), p.Title)
}

// Skeleton is the function that one begins with, in plain Go.
func (p *Puzzle) Skeleton() string {
	return p.Signature() + " {\n\t" + strings.ReplaceAll(strings.TrimSpace(p.Start), "\n", "\n\t") + "\n}"
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
