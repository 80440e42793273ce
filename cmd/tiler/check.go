package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/cell"
)

func setupCheck(flags *flag.FlagSet) action {
	asJSON := flags.Bool("json", false, "print one JSON object for each launch, and nothing else on standard output")
	return func(e env, args []string) int {
		if len(args) == 0 {
			return e.usage("check")
		}
		return runCheck(e, *asJSON, args)
	}
}

// runCheck runs a file with every launch checked and promoted, and prints a report of
// each. It is exit status 1 if one fails, or shows a fault with other sizes.
func runCheck(e env, asJSON bool, args []string) int {
	c := &checks{env: e, json: asJSON, bar: &progress{w: e.err}}
	o := cell.Options{Launch: c.launch, Out: above{e.out, c.bar}, Err: above{e.err, c.bar}}
	if c.json {
		o.Out = o.Err // nothing but reports goes to standard output
	}
	status := runFile(e, o, args[0], args[1:])
	if c.launches == 0 && status == 0 {
		fmt.Fprintln(e.err, "tiler: nothing was checked: the program launches no kernel")
	}
	if c.failed > 0 {
		fmt.Fprintf(e.err, "tiler: %s: %d of %s failed the check\n", args[0], c.failed, count(c.launches, "launch", "launches"))
		return 1
	}
	return status
}

// checks is the launches of one run.
type checks struct {
	env
	json     bool
	bar      *progress
	launches int
	failed   int
}

// launch checks a launch. Where that finds nothing its results are there already, else
// the launch is made as the program asked for it, so that it goes on as ever; but not if
// it would not end.
func (c *checks) launch(l *cell.Launch) error {
	c.launches++
	if !strings.HasPrefix(l.Op, "Launch") {
		err := l.Run()
		c.show(l.Report, err)
		return err
	}
	what := "checking"
	if l.Kernel != nil {
		what += " " + l.Name()
	}
	end := c.bar.during(what)
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

// show prints a report; without one, err says why there is none.
func (c *checks) show(r *exec.Report, err error) {
	if err != nil || r == nil || r.Failed() {
		c.failed++
	}
	switch {
	case r == nil:
		fmt.Fprintln(c.err, "tiler: not checked:", err)
	case c.json:
		if err := json.NewEncoder(c.out).Encode(r); err != nil {
			c.fail(err)
		}
	default:
		fmt.Fprintln(c.out, fitted(c.out, r.String()))
	}
}
