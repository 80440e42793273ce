package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/types"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tiler-go/tiler/exec/trace"
	"github.com/tiler-go/tiler/repl/cell"
)

const traceArgs = "[-o FILE.html] [-instances N] [-lanes N] FILE.go [arguments]"

// traceFlags is the flags of trace, which may also follow the file.
type traceFlags struct {
	out    string
	limits trace.Limits
	file   string
	args   []string // of the program
}

func parseTrace(args []string) (f traceFlags, err error) {
	set := flag.NewFlagSet("trace", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.out, "o", "", "")
	set.IntVar(&f.limits.Instances, "instances", trace.DefaultInstances, "")
	set.IntVar(&f.limits.Lanes, "lanes", trace.DefaultLanes, "")
	if err := set.Parse(args); err != nil {
		return f, err
	}
	if set.NArg() == 0 {
		return f, errors.New("no file")
	}
	f.file, f.args = set.Arg(0), set.Args()[1:]
	if len(f.args) > 0 && set.Lookup(flagName(f.args[0])) != nil {
		if err := set.Parse(f.args); err != nil {
			return f, err
		}
		f.args = set.Args()
	}
	if f.limits.Instances < 1 || f.limits.Lanes < 1 {
		return f, errors.New("limits are at least 1")
	}
	if f.out == "" {
		base := filepath.Base(f.file)
		f.out = strings.TrimSuffix(base, filepath.Ext(base)) + ".trace.html"
	}
	return f, nil
}

// flagName is the name in -name=value; "" if a text is no flag.
func flagName(arg string) string {
	name, found := strings.CutPrefix(arg, "-")
	if !found {
		return ""
	}
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "-"), "=")
	return name
}

// runTrace runs a file with its launches recorded, and writes the page. It is exit status 1
// if the program or one of its launches fails; the page is there all the same.
func runTrace(e env, args []string) int {
	f, err := parseTrace(args)
	if err != nil {
		return e.usage("trace")
	}
	text, err := os.ReadFile(f.file)
	if err != nil {
		return e.fail(err)
	}
	t := tracing{r: trace.NewRecorder(f.file, string(text), f.limits), bar: progress{w: e.err, began: time.Now()}}
	o := cell.Options{Args: append([]string{f.file}, f.args...), Launch: t.launch, Step: t.step, Progress: t.bar.show}
	run := e
	if f.out == "-" {
		run.out = e.err // standard output is the page's
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s := run.session(o)
	status := run.exit(s, s.RunFile(ctx, f.file, string(text)))
	t.bar.wipe()
	record := t.r.Trace()
	if len(record.Launches) == 0 {
		if status == 0 {
			fmt.Fprintln(e.err, "tiler: nothing was traced: the program launches no kernel")
			return 0
		}
		return 1
	}
	if err := writeTrace(e, f.out, record); err != nil {
		return e.fail(err)
	}
	failed := slices.ContainsFunc(record.Launches, func(l *trace.Launch) bool { return l.Failure != nil })
	if status != 0 || failed {
		return 1
	}
	return 0
}

// writeTrace writes the page, and says on standard error where, and what is not in it.
func writeTrace(e env, name string, t *trace.Trace) error {
	var page bytes.Buffer
	if err := t.WritePage(&page); err != nil {
		return err
	}
	for _, n := range t.Notes {
		fmt.Fprintln(e.err, "tiler:", n)
	}
	if name == "-" {
		_, err := page.WriteTo(e.out)
		return err
	}
	if err := os.WriteFile(name, page.Bytes(), 0o644); err != nil {
		return err
	}
	fmt.Fprintln(e.err, "tiler: wrote", name)
	return nil
}

// tracing ties a session's launches and steps to a recorder.
type tracing struct {
	r   *trace.Recorder
	bar progress
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
