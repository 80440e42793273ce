package puzzles

import (
	"fmt"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// on is a case: a launch on a grid, with arguments.
func on(grid exec.Grid, args ...learn.Arg) learn.Case { return learn.Case{Grid: grid, Args: args} }

// The arguments that cases are made of.

func num[T int | float64](v T) learn.Arg {
	return learn.Arg{Text: fmt.Sprint(v), Value: func() any { return v }}
}

func shaped(text string, shape []int, value func() *tensor.Tensor) learn.Arg {
	for _, n := range shape {
		text += fmt.Sprint(", ", n)
	}
	return learn.Arg{Text: "tensor." + text + ")", Value: func() any { return value() }}
}

// empty is an output of float32.
func empty(shape ...int) learn.Arg {
	return shaped("Empty(tl.Float32", shape, func() *tensor.Tensor { return tensor.Empty(tl.Float32, shape...) })
}

// whole is whole numbers from lo up to hi, whose results can be worked out by hand.
func whole(seed, lo, hi int, shape ...int) learn.Arg {
	return shaped(fmt.Sprintf("RandInt(%d, tl.Float32, %d, %d", seed, lo, hi), shape, func() *tensor.Tensor { return tensor.RandInt(seed, tl.Float32, lo, hi, shape...) })
}

// random is normally distributed numbers.
func random(seed int, shape ...int) learn.Arg {
	return shaped(fmt.Sprintf("Randn(%d, tl.Float32", seed), shape, func() *tensor.Tensor { return tensor.Randn(seed, tl.Float32, shape...) })
}

// then is an argument that a method of tensors makes of another.
func then(a learn.Arg, text string, change func(x *tensor.Tensor) *tensor.Tensor) learn.Arg {
	return learn.Arg{Text: a.Text + text, Value: func() any { return change(a.Value().(*tensor.Tensor)) }}
}
