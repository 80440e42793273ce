package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"os/signal"

	"github.com/tiler-go/tiler/notebooks/jupyter"
)

// runJupyter sets gonb up, takes it away again, or starts Jupyter with it.
func runJupyter(e env, args []string) int {
	if len(args) == 0 {
		return e.usage("jupyter")
	}
	flags := flag.NewFlagSet("jupyter "+args[0], flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	user := flags.Bool("user", false, "for this user")
	prefix := flags.String("prefix", "", "below a folder such as /usr/local")
	clone := flags.String("clone", ".", "the clone of tiler that cells see")
	if flags.Parse(args[1:]) != nil || *user && *prefix != "" || args[0] != "run" && flags.NArg() > 0 {
		return e.usage("jupyter")
	}
	place, err := jupyter.User(os.Getenv)
	if *prefix != "" {
		place, err = jupyter.Prefix(*prefix)
	}
	if err != nil {
		return e.fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch args[0] {
	case "install":
		err = jupyter.Install(ctx, place, *clone, e.installLog())
	case "uninstall":
		err = jupyter.Uninstall(place, e.out)
	case "run":
		err = jupyter.Serve(ctx, place, *clone, flags.Args(), e.in, e.out, e.err)
	case "doctor":
		return facts(e, jupyter.Status(ctx, place))
	default:
		return e.usage("jupyter")
	}
	if exit := (*osexec.ExitError)(nil); errors.As(err, &exit) && args[0] == "run" {
		return 1 // Jupyter has said why
	}
	if err != nil {
		return e.fail(err)
	}
	return 0
}

// facts prints what there is, a line each; what lacks names the command that gets it.
func facts(e env, list []jupyter.Fact) int {
	for _, f := range list {
		text := f.Have
		if f.Lack != "" {
			text = "no: " + indent(f.Lack)
		}
		fmt.Fprintf(e.out, "%-10s%s\n", f.Name, text)
	}
	return 0
}

// installLog is where an installation says what it does: lines, and on a terminal what takes
// its time.
func (e env) installLog() jupyter.Log {
	log := jupyter.Log{W: e.out}
	if isTerminal(e.err) {
		log.Busy = (&progress{w: e.err}).busy
	}
	return log
}
