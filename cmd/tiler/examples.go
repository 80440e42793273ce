package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/cmd/tiler/samples"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
)

func setupExamples(flags *flag.FlagSet) cli.Action {
	dir := flags.String("o", "", "write them into the folder `DIR`, which is made if it is not there")
	return func(e cli.Env, args []string) int {
		err := error(nil)
		switch {
		case len(args) == 0 && *dir == "":
			listSamples(e)
		case *dir == "":
			err = printSamples(e, args)
		default:
			err = writeSamples(e, *dir, args)
		}
		if err != nil {
			return e.Fail(err)
		}
		return 0
	}
}

func listSamples(e cli.Env) {
	kernels := []samples.Sample{}
	for _, p := range puzzles.Course.Puzzles {
		kernels = append(kernels, samples.Sample{Name: p.Name, Title: p.Title})
	}
	for _, group := range []struct {
		head string
		list []samples.Sample
	}{
		{"examples: programs with a test each; tiler examples NAME -o DIR writes one", samples.Examples()},
		{"tutorials: notebooks for Jupyter; tiler jupyter run opens them; gonb/NAME is the one of compiled cells", samples.Tutorials()},
		{"puzzles: tiler learn NAME opens one", kernels},
	} {
		fmt.Fprintln(e.Out, group.head)
		for _, s := range group.list {
			cli.Entry(e.Out, s.Name, 20, s.Title)
		}
	}
}

// printSamples prints the programs of examples.
func printSamples(e cli.Env, names []string) error {
	list, err := samples.Named(names)
	if err != nil {
		return err
	}
	for _, s := range list {
		if !s.IsProgram() {
			return fmt.Errorf("%s is a notebook\n\tfix: say where to write it: tiler examples %[1]s -o DIR", s.Name)
		}
		text, err := s.Main()
		if err != nil {
			return err
		}
		fmt.Fprintf(e.Out, "%s", text)
	}
	return nil
}

// writeSamples writes samples into a folder, and says what one does with them.
func writeSamples(e cli.Env, dir string, names []string) error {
	list, err := samples.Named(names)
	if err != nil {
		return err
	}
	n, note, err := samples.Write(dir, list, thisModule())
	if err != nil {
		return err
	}
	fmt.Fprintf(e.Err, "tiler: wrote %s into %s\n", count(n, "file", "files"), dir)
	if note != "" {
		fmt.Fprintln(e.Err, "tiler:", note)
	}
	main := filepath.Join(dir, "main.go")
	if len(list) > 1 {
		main = filepath.Join(dir, list[0].Name, "main.go")
	}
	if slices.ContainsFunc(list, samples.Sample.IsProgram) {
		fmt.Fprintf(e.Err, "\ttiler run %s\n\tcd %s && go run %s && go test ./...\n", main, dir, relative(dir, filepath.Dir(main)))
	}
	return nil
}

// relative is a folder below dir as the go command wants it.
func relative(dir, below string) string {
	rel, err := filepath.Rel(dir, below)
	if err != nil || rel == "." {
		return "."
	}
	return "./" + filepath.ToSlash(rel)
}
