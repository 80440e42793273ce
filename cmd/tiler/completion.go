package main

import (
	_ "embed"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/bench"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
)

// Completion: a shell's script asks this program at each Tab what may stand there, with
//
//	tiler completion -for SHELL WORD...
//
// the words after tiler up to the cursor, of which the last may be empty. The answer is a line
// for each word that begins as that one does, with what it is after a tab; and "files .go" where
// names of files may stand, those that end so and folders.

//go:embed completion.bash
var completionBash string

//go:embed completion.zsh
var completionZsh string

//go:embed completion.fish
var completionFish string

var shells = []string{"bash", "zsh", "fish"}

// A word is something that may be typed, and what it is.
type word struct{ text, does string }

// kinds is what placeholders of usage stand for. FILE.go is a file that ends in .go, and so
// with any other ending; FILE any file, DIR a folder.
func kinds() map[string]func() []word {
	return map[string]func() []word{
		"COMMAND": commandWords,
		"PUZZLE":  puzzleWords,
		"EXAMPLE": exampleWords,
		"SUITE":   func() []word { return bare(bench.Suites()) },
		"ENGINE":  func() []word { return bare(exec.Engines()) },
		"ACTION":  func() []word { return bare(jupyterActions) },
		"KERNEL":  func() []word { return bare([]string{"tiler", "gonb"}) },
		"SHELL":   func() []word { return bare(shells) },
		"TIER":    func() []word { return bare([]string{cpu.AVX2.String(), cpu.AVX512.String()}) },
	}
}

func bare(texts []string) (list []word) {
	for _, t := range texts {
		list = append(list, word{text: t})
	}
	return list
}

func commandWords() (list []word) {
	for _, c := range commands() {
		if c.name != "" {
			list = append(list, word{c.name, c.short})
		}
	}
	return list
}

func puzzleWords() (list []word) {
	for _, p := range puzzles.Course.Puzzles {
		list = append(list, word{p.Name, p.Title})
	}
	return list
}

func exampleWords() (list []word) {
	for _, s := range slices.Concat(exampleSamples(), tutorialSamples()) {
		list = append(list, word{s.name, s.title})
	}
	return list
}

func setupCompletion(flags *flag.FlagSet) action {
	shell := flags.String("for", "", "what the script of a `SHELL` asks: which words may stand at the end of the arguments")
	return func(e env, args []string) int {
		if *shell != "" {
			for _, l := range completions(args) {
				fmt.Fprintln(e.out, l)
			}
			return 0
		}
		scripts := []string{completionBash, completionZsh, completionFish}
		if len(args) != 1 || !slices.Contains(shells, args[0]) {
			return e.usage("completion")
		}
		fmt.Fprint(e.out, scripts[slices.Index(shells, args[0])])
		return 0
	}
}

// completions is the answer for the words of a command line.
func completions(words []string) (lines []string) {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	list, files := candidates(words[:len(words)-1], last)
	for _, w := range list {
		if strings.HasPrefix(w.text, last) {
			lines = append(lines, strings.TrimRight(w.text+"\t"+w.does, "\t"))
		}
	}
	if files != "" {
		lines = append(lines, files)
	}
	return lines
}

// candidates is what may stand after some words, with files as completions has it.
func candidates(before []string, last string) (list []word, files string) {
	switch {
	case len(before) == 0 && last == "":
		return commandWords(), ""
	case len(before) == 0:
		return commandWords(), "files .go"
	}
	c := named(before[0])
	if c == nil && strings.HasSuffix(before[0], ".go") {
		return nil, "files"
	}
	if c == nil {
		return nil, ""
	}
	flags := c.newFlags()
	c.setup(flags)
	place, value := 0, "" // the argument that comes next, and what the flag before it takes
	for _, w := range before[1:] {
		f := flags.Lookup(flagName(w))
		switch {
		case value != "":
			value = ""
		case f != nil && !strings.Contains(w, "=") && (place == 0 || c.mixed):
			value = takes(f)
		case flagName(w) == "":
			place++
		}
	}
	switch {
	case value != "":
		return ofKind(value)
	case strings.HasPrefix(last, "-") && (place == 0 || c.mixed):
		return flagWords(flags), ""
	}
	return ofKind(c.place(place))
}

// takes is the placeholder of a flag's value, "" of a flag without one.
func takes(f *flag.Flag) string {
	if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
		return ""
	}
	name, _ := flag.UnquoteUsage(f)
	return name
}

func flagWords(flags *flag.FlagSet) (list []word) {
	flags.VisitAll(func(f *flag.Flag) {
		_, does := flag.UnquoteUsage(f)
		list = append(list, word{"-" + f.Name, does})
	})
	return list
}

// place is the placeholders of the command's n-th argument, counted from 0.
func (c *command) place(n int) string {
	all := strings.Fields(c.places)
	switch {
	case n < len(all):
		return strings.TrimSuffix(all[n], "...")
	case len(all) > 0 && strings.HasSuffix(all[len(all)-1], "..."):
		return strings.TrimSuffix(all[len(all)-1], "...")
	}
	return ""
}

// ofKind is what placeholders stand for, which are separated by bars.
func ofKind(places string) (list []word, files string) {
	all := kinds()
	for p := range strings.SplitSeq(places, "|") {
		switch {
		case p == "FILE":
			files = "files"
		case p == "DIR":
			files = "folders"
		case strings.HasPrefix(p, "FILE."):
			if files == "" {
				files = "files"
			}
			files += " " + strings.TrimPrefix(p, "FILE")
		case all[p] != nil:
			list = append(list, all[p]()...)
		}
	}
	return list, files
}
