package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/exec/bench"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/shard"
)

// benchFlags are the command's.
type benchFlags struct {
	json, peers, list bool
	filter, threads   string
	svg, from         string // files
	part              *shard.Shard
	o                 bench.Options
}

func setupBench(set *flag.FlagSet) cli.Action {
	var f benchFlags
	set.BoolVar(&f.json, "json", false, "print one JSON object per row")
	set.BoolVar(&f.peers, "peers", false, "list the peers that work here, and how to install the others")
	set.BoolVar(&f.list, "list", false, "list the suites")
	set.BoolVar(&f.o.Quick, "quick", false, "measure only the most important rows, with fewer repetitions")
	set.BoolVar(&f.o.Alone, "alone", false, "do not measure the peers")
	set.StringVar(&f.filter, "filter", "", "measure only rows whose suite and case match `REGEXP`")
	set.StringVar(&f.o.Engine, "engine", "", "run kernels on `ENGINE` (default: the fastest of this machine)")
	set.StringVar(&f.threads, "threads", "", "numbers of threads: `N,N` such as 1,2")
	set.StringVar(&f.svg, "svg", "", "also draw the results as a chart in `FILE.svg`")
	set.StringVar(&f.from, "from", "", "with -svg: draw the results in `FILE`, as -json prints them, and measure nothing")
	f.part = shard.Flag(set)
	return func(e cli.Env, args []string) int {
		f.o.Suites = args
		return runBench(e, f)
	}
}

func runBench(e cli.Env, f benchFlags) int {
	if err := f.check(); err != nil {
		return e.Fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch {
	case f.from != "":
		return benchChart(e, f)
	case f.list:
		fmt.Fprintln(e.Out, strings.Join(bench.Suites(), "\n"))
		return 0
	case f.peers:
		return benchPeers(ctx, e, f.json)
	}
	var all []bench.Result
	status := benchRows(ctx, e, f, &all)
	if f.svg != "" && len(all) > 0 {
		if err := writeChart(e, f.svg, all); err != nil {
			return e.Fail(err)
		}
	}
	return status
}

// check turns the text of flags into options.
func (f *benchFlags) check() (err error) {
	if f.from != "" && f.svg == "" {
		return errors.New("-from: there is nothing to do with results but to draw them\n	fix: add -svg FILE.svg")
	}
	if f.filter != "" {
		if f.o.Filter, err = regexp.Compile(f.filter); err != nil {
			return fmt.Errorf("-filter: %w", err)
		}
	}
	if f.threads != "" {
		for n := range strings.SplitSeq(f.threads, ",") {
			v, err := strconv.Atoi(n)
			if err != nil || v < 1 {
				return fmt.Errorf("-threads: got %q, want numbers like 1,2", f.threads)
			}
			f.o.Threads = append(f.o.Threads, v)
		}
	}
	suites := bench.Suites()
	for _, s := range f.o.Suites {
		if !slices.Contains(suites, s) {
			return fmt.Errorf("no suite %q%s; there is %s", s, cli.DidYouMean(s, suites, ""), strings.Join(suites, ", "))
		}
	}
	return nil
}

func benchPeers(ctx context.Context, e cli.Env, asJSON bool) int {
	end := cli.NewBar(e.Err).During("looking for libraries")
	peers, err := bench.Peers(ctx)
	end()
	if err != nil {
		return e.Fail(err)
	}
	if !asJSON {
		bench.WritePeers(e.Out, peers)
		return 0
	}
	enc := json.NewEncoder(e.Out)
	for _, p := range peers {
		if err := enc.Encode(p); err != nil {
			return e.Fail(err)
		}
	}
	return 0
}

// benchRows measures, prints and keeps results; a row that fails makes the status 1, one that misses
// its goal does not.
func benchRows(ctx context.Context, e cli.Env, f benchFlags, all *[]bench.Result) int {
	var sum bench.Summary
	bar := cli.NewBar(e.Err)
	detail, end := bar.Busy("measuring")
	defer end()
	f.o.Progress = detail
	e.Out = bar.Above(e.Out)
	table := bench.Printer{W: e.Out}
	enc := json.NewEncoder(e.Out)
	part := f.part.Lines("bench", strings.Join(f.o.Suites, " "), e.Out)
	f.json = f.json || part.Given()
	if !f.json {
		fmt.Fprint(e.Out, cpu.Describe())
	}
	rows := 0
	f.o.Pick = func(row int) bool { rows = row + 1; return part.Has(row) }
	err := bench.Run(ctx, f.o, func(r bench.Result) {
		sum.Add(r)
		*all = append(*all, r)
		switch {
		case part.Given():
			_ = part.Item(rows-1, r.Error != "", r) // e.Out notes what is lost
		case f.json:
			_ = enc.Encode(r) // of plain fields
		default:
			table.Print(r)
		}
	})
	if err == nil && part.Given() {
		err = part.End(rows)
	}
	if err != nil {
		return e.Fail(err)
	}
	if !f.json {
		sum.Write(e.Out)
	}
	if sum.Failed() > 0 {
		return 1
	}
	return 0
}

// benchChart draws results of earlier.
func benchChart(e cli.Env, f benchFlags) int {
	text, err := os.ReadFile(f.from)
	if err != nil {
		return e.Fail(err)
	}
	list, err := bench.ReadResults(bytes.NewReader(text))
	if err != nil {
		return e.Fail(fmt.Errorf("%s: %w\n	fix: write it with tiler bench -json", f.from, err))
	}
	if err := writeChart(e, f.svg, list); err != nil {
		return e.Fail(err)
	}
	return 0
}

// writeChart draws results, and says where.
func writeChart(e cli.Env, name string, list []bench.Result) error {
	var b bytes.Buffer
	if err := bench.WriteChart(&b, list); err != nil {
		return err
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		return err
	}
	fmt.Fprintln(e.Err, "tiler: wrote", name)
	return nil
}
