package kernels

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/repl/launch"
	"github.com/tiler-go/tiler/repl/show"
	tl "github.com/tiler-go/tiler/tilelang"
)

// Pid makes p a program instance.
func Pid(ctx context.Context, k *launch.Kernels, arg string) error {
	if arg == "" {
		if p := program(ctx, k); p != nil {
			k.Say(show.Program(p))
			return nil
		}
		return fmt.Errorf("p is not a program instance yet\n\tfix: :pid 0 0 of 2 2 makes it the first of a grid of 2 by 2")
	}
	place, grid, hasGrid := strings.Cut(" "+arg+" ", " of ")
	id, err := threeNumbers(place, 0)
	if err != nil {
		return err
	}
	var num [3]int
	if hasGrid {
		if num, err = threeNumbers(grid, 1); err != nil {
			return err
		}
	} else {
		num = likelyGrid(ctx, k, id)
	}
	for i := range id {
		if id[i] < 0 || num[i] < 1 || id[i] >= num[i] {
			return fmt.Errorf("program %s is not in a grid of %s\n\tfix: each number must be from 0 to one less than the grid's", show.Dims(id[:]), show.Dims(num[:]))
		}
	}
	p := tl.NewProgram(id, num, tl.NewOutput(k.Out()))
	if err := k.Cells.Set("p", p); err != nil {
		return err
	}
	k.Say(show.Program(p))
	return nil
}

// threeNumbers reads one to three numbers; those that are missing are rest.
func threeNumbers(text string, rest int) (n [3]int, err error) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,()[]", r) })
	if len(fields) == 0 || len(fields) > 3 {
		return n, Usage(":pid")
	}
	n = [3]int{rest, rest, rest}
	for i, f := range fields {
		if n[i], err = strconv.Atoi(f); err != nil {
			return n, Usage(":pid")
		}
	}
	return n, nil
}

// program is what p is, nil if it is no program instance.
func program(ctx context.Context, k *launch.Kernels) *tl.Program {
	if d, ok := k.Cells.Def("p"); !ok || d.Type != "*tl.Program" {
		return nil
	}
	v, err := k.Cells.Evaluate(ctx, "p")
	if err != nil {
		return nil
	}
	p, _ := v.V.(*tl.Program)
	return p
}

// likelyGrid is the grid that an instance without one is taken to be of: p's, that of
// the last launch, or the smallest.
func likelyGrid(ctx context.Context, k *launch.Kernels, id [3]int) (num [3]int) {
	within := func() bool { return id[0] < num[0] && id[1] < num[1] && id[2] < num[2] }
	if p := program(ctx, k); p != nil {
		if num = [3]int{p.Num(0), p.Num(1), p.Num(2)}; within() {
			return num
		}
	}
	if ls := k.Log.Launches(); len(ls) > 0 {
		if num = launch.Sizes(ls[len(ls)-1].Grid); within() {
			return num
		}
	}
	return [3]int{id[0] + 1, id[1] + 1, id[2] + 1}
}
