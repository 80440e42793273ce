// Command tiler-beam runs kernels on tensors that are files, in pieces that fit into memory, with Apache Beam.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	tilerbeam "github.com/tiler-go/tiler/exec/beam"
)

const usage = `usage: tiler-beam run -grid N[,N[,N]] -o [PARAM=]FILE[:DTYPE][DIMS]
	FILE.go[:KERNEL] [ARGUMENTS] [BEAM'S FLAGS]

Runs a kernel of Go, or of Triton in FILE.py, whose tensors are .npy, .npz and .safetensors files, in pieces that fit
into memory. An argument is PARAM=VALUE, or a value for the next parameter that has none: a number, true, false, nil, a
dtype, or a file, FILE[#NAME][:DTYPE]. Then come the results, which -o names, each as large as the first file unless it
says otherwise.

	tiler-beam run kernels.go:add -grid 1024 x.npy y.npy -o out.npy n=1048576 BLOCK=1024
	tiler-beam run kernels.go:matmul -grid 64,64 a.npy b.npy -o 'c.npy:f32[4096,4096]' M=4096 N=4096 K=4096 BM=64 …
	tiler-beam run kernels.go:add … -runner universal -endpoint localhost:8073 -environment_type loopback

`

func main() {
	tilerbeam.Overlap()
	if tilerbeam.IsChild() {
		os.Exit(tilerbeam.Child(os.Stdin, os.Stdout))
	}
	os.Exit(run(os.Args[1:], os.Stderr))
}

// options are the command's own flags.
type options struct {
	spec    tilerbeam.Spec
	memory  string
	verbose bool
	text    string
}

func run(args []string, out io.Writer) int {
	o := &options{}
	flags := flag.CommandLine
	flags.Init("tiler-beam", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.spec.Grid, "grid", "", "programs along each axis")
	flags.Func("o", "a file for a result", func(s string) error { o.spec.Outputs = append(o.spec.Outputs, s); return nil })
	flags.StringVar(&o.memory, "memory", "256MiB", "tensors in memory at a time, in each process")
	flags.BoolVar(&o.spec.Check, "check", false, "check a program with every sanitizer before the others run")
	flags.IntVar(&o.spec.Workers, "workers", 0, "run pieces in so many processes, and again if one dies; 0: in this one")
	flags.BoolVar(&o.verbose, "v", false, "print what Beam logs")
	rest, err := parse(flags, args)
	if errors.Is(err, flag.ErrHelp) || len(args) == 0 {
		fmt.Fprint(out, usage)
		for _, name := range []string{"grid", "o", "memory", "check", "workers", "v"} {
			f := flags.Lookup(name)
			fmt.Fprintf(out, "  -%-8s %s\n", f.Name, f.Usage)
		}
		return 2
	}
	if err != nil {
		return fail(out, err)
	}
	beam.Init() // a worker of a cluster does not come back from here
	if !o.verbose {
		slog.SetDefault(slog.New(slog.DiscardHandler))
		beamlog.SetLogger(quiet{})
	}
	if len(rest) < 2 || rest[0] != "run" {
		fmt.Fprint(out, usage)
		return 2
	}
	o.spec.File, o.spec.Args = rest[1], rest[2:]
	if o.spec.Memory, err = parseSize(o.memory); err != nil {
		return fail(out, err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.launch(ctx, out); err != nil {
		return fail(out, err)
	}
	return 0
}

// parse parses flags that stand among arguments.
func parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for len(args) > 0 {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if args = flags.Args(); len(args) > 0 {
			rest, args = append(rest, args[0]), args[1:]
		}
	}
	return rest, nil
}

func fail(out io.Writer, err error) int {
	fmt.Fprintln(out, "tiler-beam:", err)
	return 1
}

// quiet drops what Beam logs: an error of a job is reported once, at its end.
type quiet struct{}

// Log implements log.Logger.
func (quiet) Log(context.Context, beamlog.Severity, int, string) {}

// parseSize reads 256MiB, 1GiB or a number of bytes.
func parseSize(text string) (int, error) {
	var n float64
	var unit string
	if _, err := fmt.Sscanf(text, "%g%s", &n, &unit); err != nil && unit == "" && n == 0 {
		return 0, fmt.Errorf("-memory: got %q, want a size such as 256MiB", text)
	}
	scale, ok := map[string]float64{"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[unit]
	if !ok || n*scale < 4096 || n*scale > 1<<50 {
		return 0, fmt.Errorf("-memory: got %q, want a size such as 256MiB", text)
	}
	return int(n * scale), nil
}

// launch runs the job to its end. What it has written is removed if that is an error.
func (o *options) launch(ctx context.Context, out io.Writer) error {
	j, err := o.spec.Job(ctx)
	if err != nil {
		return err
	}
	if alone() {
		j.Tasks = 1 // there is nobody to share with, and between tasks nothing is read ahead
	}
	pieces, rows, err := j.Complete()
	if err != nil {
		return err
	}
	// Tensors lie outside of Go's heap, so that the limit of that is what the rest of the program may take.
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(256 << 20)
	}
	if err := j.Begin(ctx); err != nil {
		return err
	}
	watch, end := tilerbeam.WatchJob(ctx, j)
	defer end()
	p := beam.NewPipeline()
	if _, err := tilerbeam.Run(p.Root(), j, pieces); err != nil {
		return err
	}
	begin := time.Now()
	result := make(chan error, 1)
	go func() { result <- beamx.Run(context.WithoutCancel(ctx), p) }()
	err = (&progress{w: out, rows: rows, pieces: pieces, begin: begin, watch: watch}).until(ctx, result)
	if first := watch.Err(); first != nil {
		err = first
	}
	if ctx.Err() != nil {
		err = errors.New("cancelled")
		cancelRemote()
	}
	if err == nil && !o.async() {
		err = j.Written()
	}
	if err != nil {
		return errors.Join(err, j.Abandon(context.WithoutCancel(ctx), pieces))
	}
	took := time.Since(begin)
	fmt.Fprintf(out, "%s: %d rows in %d pieces, %.3g s, %.4g rows/s\n",
		j.Launch.Kernel, rows, pieces, took.Seconds(), float64(rows)/took.Seconds())
	return nil
}
