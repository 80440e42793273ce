package kernels

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/blocks"
	"github.com/tiler-go/tiler/repl/launch"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/plot"
	"github.com/tiler-go/tiler/repl/screen"
	"github.com/tiler-go/tiler/repl/show"
)

// Heat draws a tile or tensor as a map of its values.
func Heat(ctx context.Context, k *launch.Kernels, arg string) error {
	if arg == "" {
		return Usage(":heat")
	}
	v, err := k.Cells.Evaluate(ctx, arg)
	if err != nil {
		return err
	}
	p, ok := show.Heat(v.V, k.Options())
	if !ok {
		return fmt.Errorf("%s is not a tile or tensor with elements: %s", arg, screen.Brief(v))
	}
	k.Say(p)
	return nil
}

// Blocks draws the blocks that a program of a launch reads and writes.
func Blocks(ctx context.Context, k *launch.Kernels, arg string) error {
	var which []int
	if m := atProgram.FindStringSubmatch(" " + arg); m != nil {
		arg = strings.TrimSpace(m[1])
		id, err := threeNumbers(m[2], 0)
		if err != nil {
			return err
		}
		which = id[:]
	}
	a, err := k.Target(ctx, arg)
	if err != nil {
		return err
	}
	if p := program(ctx, k); p != nil && which == nil && launch.Sizes(a.Grid) == [3]int{p.Num(0), p.Num(1), p.Num(2)} {
		which = []int{p.ID(0), p.ID(1), p.ID(2)}
	}
	type outcome struct {
		p   picture.Picture
		err error
	}
	o, err := launch.Watched(ctx, k, "observing "+a.Kernel.Name(), func() (o outcome) {
		o.p, o.err = blocks.Of(ctx, a.Kernel, which, a.Grid, a.Args, k.Options())
		return o
	})
	if len(o.p.Blocks) > 0 {
		k.Say(o.p)
		k.Repeat(a)
	}
	return cmp.Or(err, o.err)
}

// atProgram is a launch and the place of one of its programs.
var atProgram = regexp.MustCompile(`^(.*)\sat\s+((?:-?\d+[\s,]*)+)$`)

// PlotHelp is more about :plot, for :help.
const PlotHelp = "WHAT may be NAME[grid](arguments) over N = FIRST..LAST, or an EXPRESSION. Without WHAT it draws how long each launch of the last :bench took, the fastest first, in each engine. With over N = FIRST..LAST it measures the launch for N doubled from FIRST to LAST: grid and arguments are evaluated anew for each, with N a variable. Otherwise EXPRESSION is numbers: a tile, a tensor or a slice; of a matrix each row is a line, up to eight of them."

// Plot draws a line plot.
func (b *Bench) Plot(ctx context.Context, k *launch.Kernels, arg string) error {
	if target, over, ok := strings.Cut(arg, " over "); ok {
		return plotSizes(ctx, k, strings.TrimSpace(target), over)
	}
	if arg != "" {
		return plotNumbers(ctx, k, arg)
	}
	if b.racers == nil {
		return fmt.Errorf("there is nothing to plot yet\n\tfix: measure a launch with :bench first, or say what: :plot EXPRESSION")
	}
	var list []plot.Series
	for _, r := range b.racers {
		if r.err == nil {
			list = append(list, plot.Series{Name: r.engine, X: counted(1, len(r.took)), Y: seconds(r.took)})
		}
	}
	order := plot.Axis{Name: "launches of " + b.kernel + ", the fastest first", Text: whole}
	k.Say(plot.Lines(list, order, timeAxis, k.Options()))
	return nil
}

var timeAxis = plot.Axis{Name: "time of a launch", Log: true, Text: show.Seconds}

func whole(v float64) string { return strconv.Itoa(int(math.Round(v))) }

// counted is n numbers, one after the other.
func counted(first, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(first + i)
	}
	return x
}

// seconds is durations, the shortest first.
func seconds(list []time.Duration) []float64 {
	y := make([]float64, len(list))
	for i, d := range slices.Sorted(slices.Values(list)) {
		y[i] = d.Seconds()
	}
	return y
}

// plotNumbers draws the elements of a tile, a tensor or a slice.
func plotNumbers(ctx context.Context, k *launch.Kernels, arg string) error {
	v, err := k.Cells.Evaluate(ctx, arg)
	if err != nil {
		return err
	}
	rows, ok := plot.Rows(v.V)
	if !ok || len(rows) == 0 || len(rows[0]) == 0 {
		return fmt.Errorf("%s cannot be plotted: it is not a tile, tensor or slice of numbers but %s", arg, screen.Brief(v))
	}
	var list []plot.Series
	for i, y := range rows[:min(8, len(rows))] {
		name := arg
		if len(rows) > 1 {
			name = fmt.Sprintf("row %d", i)
		}
		list = append(list, plot.Series{Name: name, X: counted(0, len(y)), Y: y})
	}
	k.Say(plot.Lines(list, plot.Axis{Text: whole}, plot.Axis{}, k.Options()))
	return nil
}

// plotSizes measures a launch for several values of a variable, and draws that.
func plotSizes(ctx context.Context, k *launch.Kernels, target, over string) error {
	name, from, to, err := sizeRange(over)
	if err != nil {
		return err
	}
	if d, ok := k.Cells.Def(name); ok && d.Type != "int" {
		return fmt.Errorf("%s cannot be varied: it is not an int but %s", name, d.Type)
	}
	if before, err := k.Cells.Evaluate(ctx, name); err == nil {
		defer k.Cells.Set(name, before.V)
	}
	var list []plot.Series
	for _, e := range exec.Engines() {
		list = append(list, plot.Series{Name: e})
	}
	kernel := ""
	for n := from; n <= to; n *= 2 {
		if err := k.Cells.Set(name, n); err != nil {
			return err
		}
		a, err := k.Target(ctx, target)
		if err != nil {
			return err
		}
		kernel = a.Kernel.Name()
		racers, err := compare(ctx, k, a, fmt.Sprintf("measuring %s, %s = %d", kernel, name, n), benchTime/4)
		if err != nil {
			return err
		}
		for i, r := range racers {
			if r.err == nil {
				list[i].X, list[i].Y = append(list[i].X, float64(n)), append(list[i].Y, r.median().Seconds())
			}
		}
	}
	p := plot.Lines(list, plot.Axis{Name: name, Log: true, Text: whole}, timeAxis, k.Options())
	k.Say(p)
	return nil
}

// sizeRange reads N = FIRST..LAST.
func sizeRange(text string) (name string, from, to int, err error) {
	name, ends, ok := strings.Cut(text, "=")
	first, last, ok2 := strings.Cut(ends, "..")
	from, err1 := strconv.Atoi(strings.TrimSpace(first))
	to, err2 := strconv.Atoi(strings.TrimSpace(last))
	if !ok || !ok2 || err1 != nil || err2 != nil || from < 1 || to < from {
		return "", 0, 0, fmt.Errorf("got over %s, want over NAME = FIRST..LAST, as in over n = 1024..1048576", strings.TrimSpace(text))
	}
	return strings.TrimSpace(name), from, to, nil
}
