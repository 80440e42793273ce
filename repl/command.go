package repl

import (
	"context"
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A command is a row: help, usage, completion and README come from it.
type command struct {
	name  string
	args  string // as usage shows them
	short string
	group string
	long  string                  // more about it, for :help NAME
	words func(*Session) []string // what its argument may be, for completion; nil for none
	run   func(s *Session, ctx context.Context, arg string) error
}

// Groups of commands, in the order of help.
const (
	groupSee     = "seeing"
	groupProgram = "being a program instance"
	groupKernel  = "kernels"
	groupLearn   = "learning"
	groupSession = "the session"
)

func groups() []string {
	return []string{groupSee, groupProgram, groupKernel, groupLearn, groupSession}
}

const targetHelp = "NAME is a kernel, or a variable that holds one. Without a grid and arguments, its last launch is repeated; without a NAME, it is the kernel launched last."

func commands() []command {
	return []command{
		{":plain", "[on|off|EXPRESSION]", "print values as in PyTorch", groupSee, "", wordsOnOff, (*Session).cmdPlain},
		{":tensors", "", "list the tensors", groupSee, "", nil, (*Session).cmdTensors},
		{":kernels", "", "list the kernels and their state", groupSee, "", nil, (*Session).cmdKernels},
		{":doc", "NAME", "explain a name: tl.Load, Tile.Add, x.Add, a function of yours", groupSee, "", (*Session).wordsDoc, (*Session).cmdDoc},
		{":go", "[NAME]", "print a definition as plain Go; without a name, all of them", groupSee, "", (*Session).wordsDefs, (*Session).cmdGo},
		{":trace", "[on|off|cells]", "report each launch; with cells, also show what each cell becomes", groupSee, "", wordsTrace, (*Session).cmdTrace},

		{":pid", "I [J [K]] [of NI [NJ [NK]]]", "make p that program instance", groupProgram, "The lines of a kernel can then be tried one by one. Without numbers it shows p.", nil, (*Session).cmdPid},
		{":begin", "", "start collecting the lines of a kernel", groupProgram, "", nil, (*Session).cmdBegin},
		{":kernel", "NAME", "turn the statements since :begin into a kernel", groupProgram, "Older variables that the statements use become parameters.", nil, (*Session).cmdKernel},
		{":step", "NAME[grid](arguments)", "walk through one instance of a launch, statement by statement", groupProgram, targetHelp + " The instance is p's if there is one, the first otherwise.", (*Session).wordsKernels, (*Session).cmdStep},

		{":check", "[NAME[grid](arguments)]", "run a launch with every sanitizer on", groupKernel, targetHelp, (*Session).wordsKernels, (*Session).cmdCheck},
		{":promote", "[NAME[grid](arguments)]", "check a launch, compile the kernel and compare; from then on it runs compiled", groupKernel, targetHelp, (*Session).wordsKernels, (*Session).cmdPromote},
		{":why", "[NAME]", "say which engine runs a kernel, and why not a faster one", groupKernel, "", (*Session).wordsKernels, (*Session).cmdWhy},
		{":bench", "[NAME[grid](arguments)]", "time a launch on every engine", groupKernel, targetHelp + " It works on copies of the tensors.", (*Session).wordsKernels, (*Session).cmdBench},
		{":ir", "[NAME] [PASS|all]", "print a kernel's IR: the final form, after one pass, or after each", groupKernel, "NAME may be NAME[grid](arguments): what is compiled depends on them. " + targetHelp, (*Session).wordsKernels, (*Session).cmdIR},
		{":asm", "[NAME] [avx2|avx512]", "print a kernel's machine code beside its source", groupKernel, targetHelp, (*Session).wordsKernels, (*Session).cmdAsm},

		{":puzzles", "", "list the puzzles and which are solved", groupLearn, "", nil, (*Session).cmdPuzzles},
		{":puzzle", "[N]", "open a puzzle: the next one, or puzzle N", groupLearn, "Its kernel is judged as soon as it is defined. N may be the kernel's name.", wordsPuzzles, (*Session).cmdPuzzle},
		{":hint", "", "give a hint for the puzzle; each further one is clearer", groupLearn, "", nil, (*Session).cmdHint},
		{":solution", "", "show a kernel that solves the puzzle", groupLearn, "", nil, (*Session).cmdSolution},

		{":save", "FILE.go", "save the session as a Go program", groupSession, "go run and tiler run accept it.", wordsFiles, (*Session).cmdSave},
		{":load", "FILE.go", "evaluate a file: a script of cells, or a program's declarations and its main", groupSession, "", wordsFiles, (*Session).cmdLoad},
		{":notebook", "FILE.ipynb", "save the session as a notebook for gonb", groupSession, "", wordsFiles, (*Session).cmdNotebook},
		{":edit", "[NAME]", "edit a definition, or the last cell, in $EDITOR", groupSession, "", (*Session).wordsDefs, (*Session).cmdEdit},
		{":reset", "", "forget everything", groupSession, "", nil, (*Session).cmdReset},
		{":help", "[COMMAND]", "list the commands, or say more about one", groupSession, "", wordsCommands, (*Session).cmdHelp},
		{":quit", "", "leave (Ctrl-D does too)", groupSession, "", nil, (*Session).cmdQuit},
	}
}

// command does one line that begins with a colon.
func (s *Session) command(ctx context.Context, line string) error {
	name, arg, _ := strings.Cut(line, " ")
	if i := strings.IndexAny(name, "\t\n"); i >= 0 {
		name, arg = line[:i], line[i+1:]
	}
	c, err := commandNamed(name)
	if err != nil {
		return err
	}
	arg = strings.TrimSpace(arg)
	if arg != "" && c.args == "" {
		return fmt.Errorf("%s takes no argument, got %s", c.name, arg)
	}
	return c.run(s, ctx, arg)
}

// commandNamed is a command by its name, or by a beginning of it that no other has.
func commandNamed(name string) (command, error) {
	var found []command
	var names []string
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
		if len(name) > 1 && strings.HasPrefix(c.name, name) {
			found = append(found, c)
		}
		names = append(names, c.name)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		var list []string
		for _, c := range found {
			list = append(list, c.name)
		}
		return command{}, fmt.Errorf("%s may be %s", name, strings.Join(list, ", "))
	}
	if near := diag.Nearest(name, names); near != "" {
		return command{}, fmt.Errorf("unknown command %s (did you mean %s?)", name, near)
	}
	return command{}, fmt.Errorf("unknown command %s\n\tfix: :help lists the commands", name)
}

func (c command) usage() error {
	return fmt.Errorf("usage: %s %s", c.name, c.args)
}

func usage(name string) error {
	c, err := commandNamed(name)
	if err != nil {
		return err
	}
	return c.usage()
}

func (s *Session) cmdHelp(_ context.Context, arg string) error {
	if arg != "" {
		return s.helpOf(arg)
	}
	s.say(helpTable())
	s.say(show.Aside("\nAnything else is Go. On tiles + - * / % & | ^ < <= > >= work, and x[:, None] adds a dimension."))
	return nil
}

// helpTable is the commands by group.
func helpTable() show.Picture {
	var rows [][]string
	for _, g := range groups() {
		rows = append(rows, []string{"", ""}, []string{g, ""})
		for _, c := range commands() {
			if c.group == g {
				rows = append(rows, []string{"  " + strings.TrimSpace(c.name+" "+c.args), c.short})
			}
		}
	}
	return show.Table([]string{"", ""}, rows[1:])
}

func (s *Session) helpOf(name string) error {
	c, err := commandNamed(":" + strings.TrimPrefix(name, ":"))
	if err != nil {
		return err
	}
	text := strings.TrimSpace(c.name+" "+c.args) + "\n\t" + c.short
	if c.long != "" {
		text += "\n\t" + strings.ReplaceAll(c.long, ". ", ".\n\t")
	}
	s.say(show.Text(text))
	return nil
}

func (s *Session) cmdQuit(context.Context, string) error {
	s.quit = true
	return nil
}
