package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/repl"
	"github.com/tiler-go/tiler/repl/learn"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
)

// learnFlags is the flags of learn.
type learnFlags struct {
	out            string
	hint, solution bool
	which          string // a puzzle, or a file
}

func setupLearn(set *flag.FlagSet) cli.Action {
	var f learnFlags
	set.StringVar(&f.out, "o", "", "write the puzzle into `FILE.go`, which must not be there yet")
	set.BoolVar(&f.hint, "hint", false, "give a hint, and with each call a clearer one")
	set.BoolVar(&f.solution, "solution", false, "print a file that solves the puzzle; with -o, write it")
	return func(e cli.Env, args []string) int {
		if len(args) > 1 || f.hint && f.solution || f.out != "" && f.hint {
			return e.Usage()
		}
		if len(args) == 1 {
			f.which = args[0]
		}
		return runLearn(e, f)
	}
}

// runLearn is the puzzles: at a terminal a prompt, else files.
func runLearn(e cli.Env, f learnFlags) int {
	if filepath.Ext(f.which) == ".go" {
		if f != (learnFlags{which: f.which}) {
			return e.Usage()
		}
		return judgeFile(e, f.which)
	}
	progress := puzzles.Course.Progress(homeFile("learned"))
	p := cmp.Or(progress.Next(), puzzles.Course.Puzzles[0])
	if f.which != "" {
		var err error
		if p, err = puzzles.Course.Named(f.which); err != nil {
			return e.Fail(fmt.Errorf("%w\n\tfix: tiler learn lists them; the name of a file ends in .go", err))
		}
	}
	switch {
	case f.hint:
		fmt.Fprintln(e.Out, progress.Hint(p))
		return 0
	case f.out != "":
		return writePuzzle(e, p, f)
	case f.solution:
		fmt.Fprint(e.Out, p.File(p.Solution(), "FILE.go"))
		return 0
	case interactive(e):
		return repl.New(terminalOptions(e)).Interact(":puzzle " + f.which)
	case f.which != "":
		fmt.Fprint(e.Out, p.File(p.Skeleton(), "FILE.go"))
		return 0
	}
	fmt.Fprintf(e.Out, "%s\n\n%s\n", progress.Picture(), waysToLearn(p))
	return 0
}

// waysToLearn says how to go on.
func waysToLearn(p *learn.Puzzle) string {
	return fmt.Sprintf(`tiler learn                 opens a prompt with the next puzzle, at a terminal
tiler learn -o FILE.go %[1]d    writes a file with a puzzle, to work on in an editor
tiler learn FILE.go         judges it
tiler learn -hint %[1]d         gives a hint, and with each call a clearer one
tiler learn -solution %[1]d     prints a file that solves it`, p.Number())
}

// writePuzzle writes a puzzle into a file that is not there yet.
func writePuzzle(e cli.Env, p *learn.Puzzle, f learnFlags) int {
	text := p.Skeleton()
	if f.solution {
		text = p.Solution()
	}
	file, err := os.OpenFile(f.out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return e.Fail(fmt.Errorf("%s is there already, and may have your work in it\n\tfix: choose another name", f.out))
	}
	if err == nil {
		_, err = io.WriteString(file, p.File(text, f.out))
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return e.Fail(err)
	}
	fmt.Fprintf(e.Err, "tiler: wrote %s, %s; tiler learn %s judges it\n", f.out, p.Title, f.out)
	return 0
}

// judge judges a file.
func judgeFile(e cli.Env, name string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	bar := cli.NewBar(e.Err)
	defer bar.During("judging " + name)()
	s := repl.New(repl.Options{In: e.In, Out: bar.Above(e.Out), Err: bar.Above(e.Err), Args: []string{name}, Learned: homeFile("learned"), Colour: colour(e)})
	return s.JudgeFile(ctx, name)
}

// colour reports whether what is printed may have colours.
func colour(e cli.Env) bool { return cli.IsTerminal(e.Out) && os.Getenv("NO_COLOR") == "" }
