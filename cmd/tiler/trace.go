package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/types"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/trace"
	"github.com/tiler-go/tiler/exec/triton/script"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/tilelang/overwrite"
)

// traceFlags is the flags of trace, which may also follow the file.
type traceFlags struct {
	out    string
	limits trace.Limits
	file   string
	args   []string // of the program
}

func setupTrace(flags *flag.FlagSet) cli.Action {
	var f traceFlags
	flags.StringVar(&f.out, "o", "", "write the page to `FILE.html`; - is standard output, and what the program prints goes to standard error then")
	flags.IntVar(&f.limits.Instances, "instances", trace.DefaultInstances, "record at most `N` program instances of each launch")
	flags.IntVar(&f.limits.Lanes, "lanes", trace.DefaultLanes, "record at most `N` lanes in all")
	return func(e cli.Env, args []string) int {
		if err := f.complete(flags, args); err != nil {
			fmt.Fprintln(e.Err, "tiler trace:", err)
			return e.Usage()
		}
		return runTrace(e, f)
	}
}

// complete takes the file, flags that follow it, and the program's arguments.
func (f *traceFlags) complete(flags *flag.FlagSet, args []string) (err error) {
	if len(args) == 0 {
		return errors.New("no file given")
	}
	f.file, f.args = args[0], args[1:]
	if len(f.args) > 0 && cli.Lookup(flags, f.args[0]) != nil {
		if f.args, err = cli.Parse(flags, f.args); err != nil {
			return err
		}
	}
	if f.limits.Instances < 1 || f.limits.Lanes < 1 {
		return errors.New("-instances and -lanes are at least 1")
	}
	if f.out == "" {
		base := filepath.Base(f.file)
		f.out = strings.TrimSuffix(base, filepath.Ext(base)) + ".trace.html"
	}
	return nil
}

// runTrace runs a file with its launches recorded, and writes the page. It is exit status 1
// if the program or one of its launches fails; the page is there all the same.
func runTrace(e cli.Env, f traceFlags) int {
	text, err := scan.ReadText(f.file)
	if err != nil {
		return e.Fail(err)
	}
	t := tracing{r: trace.NewRecorder(f.file, text, f.limits), bar: cli.NewBar(e.Err)}
	o := cell.Options{Args: append([]string{f.file}, f.args...), Launch: t.launch, Step: t.step, Progress: t.bar.Show}
	run := e
	if f.out == "-" {
		run.Out = e.Err // standard output is the page's
	}
	status := 0
	if isPython(f.file) {
		status = runScript(run, script.Options{Args: f.args, Out: run.Out, Err: run.Err, In: run.In, Launch: t.scriptLaunch}, f.file)
	} else {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		s := newSession(run, o)
		status = exit(run, s, s.RunFile(ctx, f.file, text))
	}
	t.bar.Wipe()
	return f.traced(e, t.r.Trace(), status)
}

// traced writes the page of a run that ended with a status, and is this one's.
func (f traceFlags) traced(e cli.Env, record *trace.Trace, status int) int {
	if len(record.Launches) == 0 {
		if status == 0 {
			fmt.Fprintln(e.Err, "tiler: nothing was traced: the program launches no kernel")
			return 0
		}
		return 1
	}
	if err := writeTrace(e, f.out, record); err != nil {
		return e.Fail(err)
	}
	failed := 0
	for _, l := range record.Launches {
		if l.Failure != nil {
			failed++
		}
	}
	switch {
	case failed > 0:
		fmt.Fprintf(e.Err, "tiler: %d of %s failed: the page shows where\n", failed, count(len(record.Launches), "launch", "launches"))
		return 1
	case status != 0:
		fmt.Fprintf(e.Err, "tiler: %s ended with exit status %d\n", f.file, status)
		return 1
	}
	return 0
}

// writeTrace writes the page, and says on standard error where, and what is not in it.
func writeTrace(e cli.Env, name string, t *trace.Trace) error {
	var page bytes.Buffer
	if err := t.WritePage(&page); err != nil {
		return err
	}
	for _, n := range t.Notes {
		fmt.Fprintln(e.Err, "tiler:", n)
	}
	if name == "-" {
		_, err := page.WriteTo(e.Out)
		return err
	}
	if err := overwrite.Bytes(name, 0o644, page.Bytes()); err != nil {
		return err
	}
	fmt.Fprintln(e.Err, "tiler: wrote", name)
	return nil
}

// tracing ties a session's launches and steps to a recorder.
type tracing struct {
	r   *trace.Recorder
	bar *cli.Bar
}

func (t *tracing) launch(l *cell.Launch) error {
	switch {
	case l.Kernel == nil:
		return l.Run() // which says so
	case !strings.HasPrefix(l.Op, "Launch"):
		t.r.Checked()
		return l.Run()
	}
	return t.r.Launch(l.Context(), trace.Run{Kernel: l.Name(), Args: l.Args, Observe: l.Observe, Plain: l.Run})
}

// scriptLaunch records a launch of a Python script.
func (t *tracing) scriptLaunch(ctx context.Context, l *script.Launch) error {
	return t.r.Launch(ctx, trace.Run{
		Kernel: l.Kernel.Name(), Args: l.Args,
		Observe: func(o exec.Observer) error { return l.Kernel.Observe(ctx, o, l.Grid, l.Args...) },
		Plain:   func() error { return script.Plain(ctx, l) },
	})
}

func (t *tracing) step(s cell.Step) error {
	assigned := make([]trace.Assigned, len(s.Names))
	for i, name := range s.Names {
		v := s.Values[i]
		assigned[i] = trace.Assigned{Name: name, Value: v.V}
		if v.Type != nil {
			assigned[i].Type = types.TypeString(v.Type, func(p *types.Package) string { return p.Name() })
		}
	}
	t.r.Step(s.Pos.Line, assigned)
	return nil
}
