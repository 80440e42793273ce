package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/shard"
	"github.com/tiler-go/tiler/exec/triton/replay"
)

func setupReplay(flags *flag.FlagSet) cli.Action {
	engine := flags.String("engine", "", "compare one `ENGINE` with the interpreter; all if not given")
	asJSON := flags.Bool("json", false, "print every launch as JSON")
	part := shard.Flag(flags)
	return func(e cli.Env, args []string) int {
		if len(args) != 1 {
			return e.Usage()
		}
		return runReplay(e, args[0], *engine, *asJSON, *part)
	}
}

// runReplay runs recorded launches of Triton kernels; the status is 1 if a result is wrong.
func runReplay(e cli.Env, path, engine string, asJSON bool, part shard.Shard) int {
	f, err := os.Open(path)
	if err != nil {
		return e.Fail(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return e.Fail(err)
	}
	a, err := replay.Open(f, info.Size())
	if err != nil {
		return e.Fail(fmt.Errorf("%s: %w", path, err))
	}
	r := &replay.Runner{Archive: a}
	if engine != "" {
		if engines := exec.Engines(); !slices.Contains(engines, engine) {
			return e.Fail(fmt.Errorf("no engine %q here%s; there is %s", engine, cli.DidYouMean(engine, engines, ""), strings.Join(engines, ", ")))
		}
		r.Engines = []string{engine}
	}
	launches := len(a.Launches)
	if part.Given() {
		a.Launches = shard.Of(part, a.Launches)
	}
	end := cli.NewBar(e.Err).During("replaying " + path)
	report := r.All(func(int) {})
	end()
	if part.Given() {
		err = replayLines(part.Lines("replay", path, e.Out), report, launches)
	} else if asJSON {
		err = json.NewEncoder(e.Out).Encode(report)
	} else {
		_, err = fmt.Fprint(e.Out, report)
	}
	if err != nil {
		return e.Fail(err)
	}
	return min(report.Wrong, 1)
}

// replayLines prints a line for each launch of a shard.
func replayLines(s shard.Lines, report *replay.Report, launches int) error {
	for i, r := range report.Results {
		if err := s.Item(s.I+i*s.N, r.Verdict == replay.Wrong, r); err != nil {
			return err
		}
	}
	return s.End(launches)
}
