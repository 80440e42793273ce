package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/triton/script"
	"github.com/tiler-go/tiler/notebooks/jupyter"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func isPython(file string) bool { return filepath.Ext(file) == ".py" }

// runPython runs a Python script whose kernels are Triton's, and is its exit status.
func runPython(e cli.Env, args []string) int {
	return runScript(e, script.Options{Args: args[1:], Out: e.Out, Err: e.Err, In: e.In}, args[0])
}

// script runs a script. What is wrong beside the script itself is said below what it says.
func runScript(e cli.Env, o script.Options, file string) int {
	status, err := script.Run(context.Background(), o, file)
	if err != nil {
		return max(status, e.Fail(err))
	}
	return status
}

// checkPython runs a script with every launch checked. A finding is raised where the script
// launches, unless it is to keep going.
func checkPython(c *checks, keepGoing bool, args []string) int {
	o := script.Options{Args: args[1:], Out: c.bar.Above(c.Out), Err: c.bar.Above(c.Err), In: c.In, Check: true}
	if c.json {
		o.Out = o.Err
	}
	o.Launch = func(ctx context.Context, l *script.Launch) error { return c.scriptLaunch(ctx, l, keepGoing) }
	status := runScript(c.Env, o, args[0])
	return c.ended(args[0], status)
}

// scriptLaunch checks a launch of a script.
func (c *checks) scriptLaunch(ctx context.Context, l *script.Launch, keepGoing bool) error {
	c.launches++
	if !c.part.Has(c.launches - 1) {
		return l.Kernel.LaunchContext(ctx, l.Grid, l.Args...)
	}
	end := c.bar.During("checking " + l.Kernel.Name())
	r, err := l.Kernel.PromoteContext(ctx, l.Grid, l.Args...)
	end()
	c.show(r, err)
	switch {
	case ctx.Err() != nil || r == nil:
		return err
	case r.Failed() && !keepGoing:
		return &script.Finding{Text: findingText(r)}
	case r.OK && r.Ran == r.Programs || isVirtual(l.Args):
		return nil
	case slices.ContainsFunc(r.Of(check.Endless), func(f exec.Finding) bool { return f.Severity == check.Error }):
		return nil
	}
	_ = l.Kernel.LaunchContext(ctx, l.Grid, l.Args...) // as far as it goes: the report says why it does not
	return nil
}

// findingText is the first finding that fails a check, an error if there is one.
func findingText(r *exec.Report) string {
	text := ""
	for _, f := range r.Findings {
		switch {
		case f.Severity == check.Error:
			return f.Error()
		case f.Severity == check.Warning && text == "":
			text = f.Error()
		}
	}
	if text == "" {
		return r.Err
	}
	return text
}

func setupPythonPath(flags *flag.FlagSet) cli.Action {
	serve := flags.Int("serve", -1, "answer the Python process at the other end of socket `N`: what the module does by itself")
	return func(e cli.Env, args []string) int {
		switch {
		case len(args) > 0:
			return e.Usage()
		case *serve >= 0:
			return servePython(e, *serve)
		}
		path, err := script.Path()
		if err != nil {
			return e.Fail(err)
		}
		fmt.Fprintln(e.Out, path)
		return 0
	}
}

// servePython makes the launches of the Python process that started this one, until that ends.
func servePython(e cli.Env, socket int) int {
	script.Outlive()
	if err := script.Serve(context.Background(), os.NewFile(uintptr(socket), "python"), nil); err != nil {
		return e.Fail(err)
	}
	return 0
}

// pythonFacts is the Python that runs scripts.
func pythonFacts(ctx context.Context) []jupyter.Fact {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	p, err := script.Find(ctx, "numpy")
	if err != nil {
		return []jupyter.Fact{{Name: "python", Lack: err.Error()}}
	}
	f := jupyter.Fact{Name: "python", Have: fmt.Sprintf("%s, %s; tiler run script.py runs Triton's kernels", p.Path, p.Version(ctx))}
	if len(p.Lacks) > 0 {
		f.Lack = p.Advice()
	}
	return []jupyter.Fact{f}
}

// isVirtual reports whether a tensor among arguments has no memory.
func isVirtual(args []any) bool {
	return slices.ContainsFunc(args, func(a any) bool {
		x, ok := a.(*tensor.Tensor)
		return ok && x.IsVirtual()
	})
}
