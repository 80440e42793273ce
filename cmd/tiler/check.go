package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/shard"
	"github.com/tiler-go/tiler/repl/cell"
)

func setupCheck(flags *flag.FlagSet) cli.Action {
	asJSON := flags.Bool("json", false, "print one JSON object for each launch, and nothing else on standard output")
	keep := flags.Bool("keep-going", false, "of a Python script: do not raise what is found where the script launches, report it at the end")
	each := flags.Bool("v", false, "print a report of each launch, not one of each kernel")
	part := shard.Flag(flags)
	return func(e cli.Env, args []string) int {
		if len(args) == 0 {
			return e.Usage()
		}
		c := &checks{Env: e, json: *asJSON || part.Given(), each: *each, bar: cli.NewBar(e.Err)}
		c.part = part.Lines("check", args[0], e.Out)
		if isPython(args[0]) {
			return checkPython(c, *keep, args)
		}
		return runCheck(c, args)
	}
}

// runCheck runs a file with every launch checked and promoted, and prints a report of
// each kernel. It is exit status 1 if a launch fails, or shows a fault with other sizes.
func runCheck(c *checks, args []string) int {
	o := cell.Options{Launch: c.launch, Out: c.bar.Above(c.Out), Err: c.bar.Above(c.Err)}
	if c.json {
		o.Out = o.Err // nothing but reports goes to standard output
	}
	return c.ended(args[0], runFile(c.Env, o, args[0], args[1:]))
}

// ended says what came of the checks of a file, and is the exit status.
func (c *checks) ended(file string, status int) int {
	c.summary(file)
	if c.part.Given() && status == 0 {
		if err := c.part.End(c.launches); err != nil {
			return c.Fail(err)
		}
	}
	if c.launches == 0 && status == 0 {
		fmt.Fprintln(c.Err, "tiler: nothing was checked: the program launches no kernel")
	}
	if c.failed > 0 {
		fmt.Fprintf(c.Err, "tiler: %s: %d of %s failed the check\n", file, c.failed, count(c.launches, "launch", "launches"))
		return 1
	}
	return status
}

// checks is the launches of one run.
type checks struct {
	cli.Env
	json, each bool
	bar        *cli.Bar
	part       shard.Lines
	launches   int // of the program, whoever checks them
	failed     int
	kernels    []*exec.Report // merged, in order of the first launch
}

// summary prints a report of each kernel, and one line for the file.
func (c *checks) summary(file string) {
	if c.json || c.launches == 0 {
		return
	}
	for _, r := range c.kernels {
		fmt.Fprintln(c.Out, cli.Fitted(c.Out, r.String()))
	}
	verdict := "ok"
	if c.failed > 0 {
		verdict = fmt.Sprintf("%d failed", c.failed)
	}
	fmt.Fprintf(c.Out, "%s: %s checked: %s\n", file, count(c.launches, "launch", "launches"), verdict)
}

// keep merges a report with those of the same kernel.
func (c *checks) keep(r *exec.Report) {
	for _, have := range c.kernels {
		if have.Kernel == r.Kernel {
			have.Merge(r)
			return
		}
	}
	c.kernels = append(c.kernels, r)
}

// launch checks a launch. Where that finds nothing its results are there already, else
// the launch is made as the program asked for it, so that it goes on as ever; but not if
// it would not end.
func (c *checks) launch(l *cell.Launch) error {
	c.launches++
	if !c.part.Has(c.launches - 1) {
		return l.Run()
	}
	if !strings.HasPrefix(l.Op, "Launch") {
		err := l.Run()
		c.show(l.Report, err)
		return err
	}
	what := "checking"
	if l.Kernel != nil {
		what += " " + l.Name()
	}
	end := c.bar.During(what)
	r, err := l.Kernel.PromoteContext(l.Context(), l.Grid, l.Args...)
	end()
	c.show(r, err)
	switch {
	case r != nil && r.OK && r.Ran == r.Programs:
		return nil
	case r != nil && slices.ContainsFunc(r.Of(check.Endless), func(f exec.Finding) bool { return f.Severity == check.Error }):
		return err
	}
	return l.Run()
}

// show prints a report, or keeps it for the end; without one, err says why there is none.
func (c *checks) show(r *exec.Report, err error) {
	if err != nil || r == nil || r.Failed() {
		c.failed++
	}
	switch {
	case r == nil:
		fmt.Fprintln(c.Err, "tiler: not checked:", err)
	case c.part.Given():
		if err := c.part.Item(c.launches-1, err != nil || r.Failed(), r); err != nil {
			c.Fail(err)
		}
	case c.json:
		if err := json.NewEncoder(c.Out).Encode(r); err != nil {
			c.Fail(err)
		}
	case c.each:
		fmt.Fprintln(c.Out, cli.Fitted(c.Out, r.String()))
	default:
		c.keep(r)
	}
}
