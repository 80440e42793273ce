package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	osexec "os/exec"
	"os/signal"
	"path/filepath"
	"slices"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/cmd/tiler/samples"
	"github.com/tiler-go/tiler/notebooks/jupyter"
)

// jupyterActions is what can be done.
var jupyterActions = []string{"install", "run", "doctor", "uninstall"}

// jupyterFlags is the flags of jupyter.
type jupyterFlags struct {
	user                  bool
	prefix, clone, kernel string
}

func setupJupyter(flags *flag.FlagSet) cli.Action {
	var f jupyterFlags
	flags.BoolVar(&f.user, "user", false, "for this user, as without flags")
	flags.StringVar(&f.prefix, "prefix", "", "below `DIR`, such as /usr/local, instead of the home directory")
	flags.StringVar(&f.kernel, "kernel", "", "install only `KERNEL`: tiler, whose cells are those of the prompt, or gonb, whose cells are compiled Go")
	flags.StringVar(&f.clone, "clone", "", "compiled cells see the tiler in `DIR`; if not given, the clone around the current folder or, without one, what this program was built from")
	return func(e cli.Env, args []string) int {
		switch {
		case len(args) == 0 || f.user && f.prefix != "":
			return e.Usage()
		case !slices.Contains(jupyterActions, args[0]):
			fmt.Fprintf(e.Err, "tiler jupyter: unknown action %q%s\n", args[0], cli.DidYouMean(args[0], jupyterActions, ""))
			return e.Usage()
		case args[0] != "run" && len(args) > 1, f.kernel != "" && jupyterKernels[f.kernel] == "":
			return e.Usage()
		}
		return runJupyter(e, f, args[0], args[1:])
	}
}

// jupyterKernels is the names of kernels as notebooks have them, by those that are typed.
var jupyterKernels = map[string]string{"tiler": jupyter.Tiler, "gonb": jupyter.Gonb}

// installJupyter installs both kernels, or one.
func installJupyter(ctx context.Context, e cli.Env, place jupyter.Place, f jupyterFlags) error {
	in := jupyter.Installation{
		Place: place, Log: installLog(e),
		Clone: func() (string, error) { return sourceFor(f.clone) },
	}
	if f.kernel != "" {
		in.Kernels = []string{jupyterKernels[f.kernel]}
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if in.Program, err = filepath.EvalSymlinks(program); err != nil {
		return err
	}
	return jupyter.Install(ctx, in)
}

// runJupyter sets the kernels up, takes them away again, or starts Jupyter with them.
func runJupyter(e cli.Env, f jupyterFlags, what string, args []string) int {
	place, err := jupyter.User(os.Getenv)
	if f.prefix != "" {
		place, err = jupyter.Prefix(f.prefix)
	}
	if err != nil {
		return e.Fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch what {
	case "install":
		err = installJupyter(ctx, e, place, f)
	case "uninstall":
		err = jupyter.Uninstall(place, e.Out)
	case "run":
		err = serveNotebooks(ctx, e, place, f.clone, args)
	case "doctor":
		return facts(e, jupyter.Status(ctx, place))
	}
	if exit := (*osexec.ExitError)(nil); errors.As(err, &exit) && what == "run" {
		return 1 // Jupyter has said why
	}
	if err != nil {
		return e.Fail(err)
	}
	return 0
}

// facts prints what there is, a line each; what lacks names the command that gets it.
func facts(e cli.Env, list []jupyter.Fact) int {
	for _, f := range list {
		text := f.Have
		if f.Lack != "" {
			text = "no: " + indent(f.Lack)
		}
		fmt.Fprintf(e.Out, "%-10s%s\n", f.Name, text)
	}
	return 0
}

// installLog is where an installation says what it does: lines, and on a terminal what takes
// its time.
func installLog(e cli.Env) jupyter.Log {
	log := jupyter.Log{W: e.Out}
	if cli.IsTerminal(e.Err) {
		log.Busy = cli.NewBar(e.Err).Busy
	}
	return log
}

// sourceFor is the source of tiler that cells see: the clone around a folder or, without one,
// around this folder; else what this program was built from.
func sourceFor(folder string) (string, error) {
	clone, err := jupyter.Clone(cmp.Or(folder, "."))
	if err == nil || folder != "" {
		return clone, err
	}
	if source, missing := sourceFolder(); missing == nil {
		return source, nil
	}
	return "", err
}

// serveNotebooks opens Jupyter on the tutorials of a clone or, without one, on copies that may
// be written to.
func serveNotebooks(ctx context.Context, e cli.Env, place jupyter.Place, clone string, args []string) error {
	root, err := jupyter.Clone(cmp.Or(clone, "."))
	if err != nil && clone != "" {
		return err
	}
	dir := filepath.Join(root, "notebooks")
	if err != nil {
		dir = filepath.Join(place.Data, "notebooks")
		if err := samples.CopyTutorials(dir); err != nil {
			return err
		}
	}
	return jupyter.Serve(ctx, place, dir, args, e.In, e.Out, e.Err)
}
