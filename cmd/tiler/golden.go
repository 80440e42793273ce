package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/golden"
)

// goldenZip is where the repository keeps the golden cases.
const goldenZip = "exec/golden/testdata/ops.zip"

func setupGolden(flags *flag.FlagSet) action {
	engine := flags.String("engine", "", "check one `ENGINE`; all if not given")
	return func(e env, args []string) int {
		if len(args) > 1 {
			return e.usage("golden")
		}
		return runGolden(e, *engine, slices.Concat(args, []string{os.Getenv("TILER_GOLDEN"), ""})[0])
	}
}

// runGolden checks engines against an archive; tiler's own if path is "".
func runGolden(e env, engine, path string) int {
	s, err := openGolden(path)
	if err != nil {
		return e.fail(err)
	}
	engines := golden.Engines()
	if engine != "" {
		if !slices.Contains(engines, engine) {
			return e.fail(fmt.Errorf("no engine %q here%s; there is %s", engine, didYouMean(engine, engines, ""), strings.Join(engines, ", ")))
		}
		engines = []string{engine}
	}
	status := 0
	bar := &progress{w: e.err}
	for _, name := range engines {
		end := bar.during("checking " + name)
		r := s.Run(name)
		end()
		fmt.Fprint(e.out, r)
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
