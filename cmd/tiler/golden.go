package main

import (
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/tiler-go/tiler/exec/golden"
)

// goldenZip is where the repository keeps its copy of the golden cases.
const goldenZip = "exec/golden/testdata/ops.zip"

func runGolden(e env, args []string) int {
	flags := flag.NewFlagSet("golden", flag.ContinueOnError)
	flags.SetOutput(e.err)
	engine := flags.String("engine", "", "the engine to check; empty means all")
	if flags.Parse(args) != nil || flags.NArg() > 1 {
		return e.usage("golden")
	}
	path := flags.Arg(0)
	if path == "" {
		path = os.Getenv("TILER_GOLDEN")
	}
	if path == "" {
		path = goldenZip
	}
	s, err := openGolden(path)
	if err != nil {
		return e.fail(err)
	}
	engines := golden.Engines()
	if *engine != "" {
		if !slices.Contains(engines, *engine) {
			return e.fail(fmt.Errorf("no engine %q here; there is %v", *engine, engines))
		}
		engines = []string{*engine}
	}
	status := 0
	for _, name := range engines {
		r := s.Run(name)
		fmt.Fprint(e.out, r)
		if r.Failed > 0 {
			status = 1
		}
	}
	return status
}

func openGolden(path string) (*golden.Suite, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	s, err := golden.Open(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}
