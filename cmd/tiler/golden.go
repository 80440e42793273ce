package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/exec/golden"
)

// goldenZip is where the repository keeps the golden cases.
const goldenZip = "exec/golden/testdata/ops.zip"

func setupGolden(flags *flag.FlagSet) cli.Action {
	engine := flags.String("engine", "", "check one `ENGINE`; all if not given")
	return func(e cli.Env, args []string) int {
		if len(args) > 1 {
			return e.Usage()
		}
		return runGolden(e, *engine, slices.Concat(args, []string{os.Getenv("TILER_GOLDEN"), ""})[0])
	}
}

// runGolden checks engines against an archive; tiler's own if path is "".
func runGolden(e cli.Env, engine, path string) int {
	s, err := openGolden(path)
	if err != nil {
		return e.Fail(err)
	}
	engines := golden.Engines()
	if engine != "" {
		if !slices.Contains(engines, engine) {
			return e.Fail(fmt.Errorf("no engine %q here%s; there is %s", engine, cli.DidYouMean(engine, engines, ""), strings.Join(engines, ", ")))
		}
		engines = []string{engine}
	}
	status := 0
	bar := cli.NewBar(e.Err)
	for _, name := range engines {
		end := bar.During("checking " + name)
		r := s.Run(name)
		end()
		fmt.Fprint(e.Out, r)
		if r.Failed > 0 {
			status = 1
		}
	}
	return status
}

func openGolden(path string) (*golden.Suite, error) {
	if path == "" {
		source, err := sourceFolder()
		if err != nil {
			return nil, fmt.Errorf("the recorded answers are a file of tiler's source: %w\n\tfix: pass its path, tiler golden %s", err, goldenZip)
		}
		path = filepath.Join(source, filepath.FromSlash(goldenZip))
	}
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
