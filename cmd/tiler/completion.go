package main

import (
	_ "embed"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/cmd/tiler/samples"
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/bench"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
)

// Completion: a shell's script asks this program at each Tab what may stand there, with
//
//	tiler completion -for SHELL WORD...
//
// the words after tiler up to the cursor.

//go:embed completion.bash
var completionBash string

//go:embed completion.zsh
var completionZsh string

//go:embed completion.fish
var completionFish string

var shells = []string{"bash", "zsh", "fish"}

// kinds is what placeholders of usage stand for: see cli.Program.
func kinds() map[string]func() []cli.Word {
	return map[string]func() []cli.Word{
		"PUZZLE":  puzzleWords,
		"EXAMPLE": exampleWords,
		"SUITE":   func() []cli.Word { return bare(bench.Suites()) },
		"ENGINE":  func() []cli.Word { return bare(exec.Engines()) },
		"ACTION":  func() []cli.Word { return bare(jupyterActions) },
		"KERNEL":  func() []cli.Word { return bare([]string{"tiler", "gonb"}) },
		"SHELL":   func() []cli.Word { return bare(shells) },
		"TIER":    func() []cli.Word { return bare([]string{cpu.AVX2.String(), cpu.AVX512.String()}) },
	}
}

func bare(texts []string) (list []cli.Word) {
	for _, t := range texts {
		list = append(list, cli.Word{Text: t})
	}
	return list
}

func puzzleWords() (list []cli.Word) {
	for _, p := range puzzles.Course.Puzzles {
		list = append(list, cli.Word{Text: p.Name, Does: p.Title})
	}
	return list
}

func exampleWords() (list []cli.Word) {
	for _, s := range slices.Concat(samples.Examples(), samples.Tutorials()) {
		list = append(list, cli.Word{Text: s.Name, Does: s.Title})
	}
	return list
}

func setupCompletion(flags *flag.FlagSet) cli.Action {
	shell := flags.String("for", "", "what the script of a `SHELL` asks: which words may stand at the end of the arguments")
	return func(e cli.Env, args []string) int {
		if *shell != "" {
			for _, l := range completions(args) {
				fmt.Fprintln(e.Out, l)
			}
			return 0
		}
		scripts := []string{completionBash, completionZsh, completionFish}
		if len(args) != 1 || !slices.Contains(shells, args[0]) {
			return e.Usage()
		}
		fmt.Fprint(e.Out, scripts[slices.Index(shells, args[0])])
		return 0
	}
}

// completions is the answer for the words of a command line. tiler FILE.go is tiler run FILE.go.
func completions(words []string) []string {
	if len(words) > 1 && strings.HasSuffix(words[0], ".go") {
		words = slices.Insert(words, 0, "run")
	}
	return commandLine().Completions(words)
}
