package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/cell"
)

const checkArgs = "[-json] FILE.go [arguments]"

// runCheck runs a file with every launch checked and promoted, and prints a report of
// each. It is exit status 1 if one fails, or shows a fault with other sizes.
func runCheck(e env, args []string) int {
	flags := flag.NewFlagSet("check", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	asJSON := flags.Bool("json", false, "")
	if flags.Parse(args) != nil || flags.NArg() == 0 {
		return e.usage("check")
	}
	c := &checks{env: e, json: *asJSON, bar: &progress{w: e.err}}
	o := cell.Options{Launch: c.launch, Out: above{e.out, c.bar}, Err: above{e.err, c.bar}}
	if c.json {
		o.Out = o.Err // nothing but reports goes to standard output
	}
	status := runFile(e, o, flags.Arg(0), flags.Args()[1:])
	if c.launches == 0 && status == 0 {
		fmt.Fprintln(e.err, "tiler: nothing was checked: the program launches no kernel")
	}
	if c.failed {
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
	failed   bool
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
	c.failed = c.failed || err != nil || r == nil || r.Failed()
	switch {
	case r == nil:
		fmt.Fprintln(c.err, "tiler: not checked:", err)
	case c.json:
		if err := json.NewEncoder(c.out).Encode(r); err != nil {
			c.fail(err)
		}
	default:
		fmt.Fprintln(c.out, r)
	}
}
