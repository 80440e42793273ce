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

func setupLearn(set *flag.FlagSet) action {
	var f learnFlags
	set.StringVar(&f.out, "o", "", "write the puzzle into `FILE.go`, which must not be there yet")
	set.BoolVar(&f.hint, "hint", false, "give a hint, and with each call a clearer one")
	set.BoolVar(&f.solution, "solution", false, "print a file that solves the puzzle; with -o, write it")
	return func(e env, args []string) int {
		if len(args) > 1 || f.hint && f.solution || f.out != "" && f.hint {
			return e.usage("learn")
		}
		if len(args) == 1 {
			f.which = args[0]
		}
		return runLearn(e, f)
	}
}

// runLearn is the puzzles: at a terminal a prompt, else files.
func runLearn(e env, f learnFlags) int {
	if filepath.Ext(f.which) == ".go" {
		if f != (learnFlags{which: f.which}) {
			return e.usage("learn")
		}
		return e.judge(f.which)
	}
	progress := puzzles.Course.Progress(homeFile("learned"))
	p := cmp.Or(progress.Next(), puzzles.Course.Puzzles[0])
	if f.which != "" {
		var err error
		if p, err = puzzles.Course.Named(f.which); err != nil {
			return e.fail(fmt.Errorf("%w\n\tfix: tiler learn lists them; the name of a file ends in .go", err))
		}
	}
	switch {
	case f.hint:
		fmt.Fprintln(e.out, progress.Hint(p))
		return 0
	case f.out != "":
		return e.writePuzzle(p, f)
	case f.solution:
		fmt.Fprint(e.out, p.File(p.Solution(), "FILE.go"))
		return 0
	case e.interactive():
		o := terminalOptions(e)
		o.Begin = ":puzzle " + f.which
		return repl.New(o).Interact()
	case f.which != "":
		fmt.Fprint(e.out, p.File(p.Skeleton(), "FILE.go"))
		return 0
	}
	fmt.Fprintf(e.out, "%s\n\n%s\n", progress.Picture(), waysToLearn(p))
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
func (e env) writePuzzle(p *learn.Puzzle, f learnFlags) int {
	text := p.Skeleton()
	if f.solution {
		text = p.Solution()
	}
	file, err := os.OpenFile(f.out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return e.fail(fmt.Errorf("%s is there already, and may have your work in it\n\tfix: choose another name", f.out))
	}
	if err == nil {
		_, err = io.WriteString(file, p.File(text, f.out))
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return e.fail(err)
	}
	fmt.Fprintf(e.err, "tiler: wrote %s, %s; tiler learn %s judges it\n", f.out, p.Title, f.out)
	return 0
}

// judge judges a file.
func (e env) judge(name string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	bar := &progress{w: e.err}
	defer bar.during("judging " + name)()
	s := repl.New(repl.Options{In: e.in, Out: above{e.out, bar}, Err: above{e.err, bar}, Args: []string{name}, Learned: homeFile("learned"), Colour: e.colour()})
	return s.JudgeFile(ctx, name)
}

// colour reports whether what is printed may have colours.
func (e env) colour() bool { return isTerminal(e.out) && os.Getenv("NO_COLOR") == "" }
