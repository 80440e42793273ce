package repl

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/edit"
	"github.com/tiler-go/tiler/repl/kernels"
	"github.com/tiler-go/tiler/repl/launch"
	"github.com/tiler-go/tiler/repl/lesson"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/screen"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A command is a row: help, usage, completion and README come from it.
type command struct {
	name    string
	args    string // as usage shows them
	short   string
	group   string
	long    string // more about it, for :help NAME
	example string
	words   func(*cell.Session) []string // what its argument may be, for completion; nil for none
	run     runner
}

type runner = func(s *Session, ctx context.Context, arg string) error

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
		{":plain", "[on|off|EXPRESSION]", "print values as in PyTorch", groupSee, "", ":plain tl.Arange(0, 4)", wordsOnOff, onView(cmdPlain)},
		{":tensors", "", "list the tensors", groupSee, "", ":tensors", nil, onView((*screen.View).Tensors)},
		{":kernels", "", "list the kernels and their state", groupSee, "", ":kernels", nil, onKernels(kernels.List)},
		{":doc", "NAME", "explain a name, with an example: tl.Load, Tile.Add, x.Add, add; for a package, list its names by subject", groupSee, "", ":doc tl.Load", wordsDoc, (*Session).cmdDoc},
		{"?", "NAME", "the same: ?tl.Load, ?x, ?:check, or tl.Load?; ??NAME prints its source", groupSee, "", "?tl.Where", wordsDoc, (*Session).cmdDoc},
		{":vars", "", "list the variables", groupSee, "", ":vars", nil, onView((*screen.View).Vars)},
		{":heat", "EXPRESSION", "draw a tile or tensor as a heat map", groupSee, "With more than two dimensions, it draws the first matrix. A large one is shrunk: each point is the mean of its part.", ":heat x", wordsCode, onKernels(kernels.Heat)},
		{":plot", "[WHAT]", "draw a line plot of the last :bench, of a bench over sizes, or of numbers", groupSee, kernels.PlotHelp, ":plot add[tl.Cdiv(n, 256)](tensor.Rand(1, tl.Float32, n), tensor.Empty(tl.Float32, n), n, 256) over n = 1024..1048576", wordsCode, onBench((*kernels.Bench).Plot)},
		{":blocks", "[LAUNCH] [at I J K]", "draw the blocks that one program of a launch reads and writes", groupSee, "LAUNCH is NAME[grid](arguments). " + targetHelp + " The program is the one at I J K, or p if that is one of the launch's, or the first. It works on copies of the tensors.", ":blocks add[4](x, x, out, 1000, 256) at 3", (*cell.Session).Kernels, onKernels(kernels.Blocks)},
		{":go", "[NAME]", "print a definition as plain Go; without a name, all of them", groupSee, "", ":go add", wordsDefs, onView(cmdGo)},
		{":trace", "[on|off|cells]", "report each launch; with cells, also show what each cell becomes", groupSee, "", ":trace on", wordsTrace, (*Session).cmdTrace},

		{":pid", "I [J [K]] [of NI [NJ [NK]]]", "make p that program instance", groupProgram, "The lines of a kernel can then be tried one by one. Without numbers it shows p.", ":pid 1 0 of 4 2", nil, onKernels(kernels.Pid)},
		{":begin", "", "start collecting the lines of a kernel", groupProgram, "", ":begin", nil, (*Session).cmdBegin},
		{":kernel", "NAME", "turn the statements since :begin into a kernel", groupProgram, "Older variables that the statements use become parameters.", ":kernel add", nil, (*Session).cmdKernel},
		{":step", "NAME[grid](arguments)", "walk through one instance of a launch, statement by statement", groupProgram, targetHelp + " The instance is p's if there is one, the first otherwise.", ":step add[4](x, out, 1000, 256)", (*cell.Session).Kernels, onKernels(kernels.Step)},

		{":check", "[NAME[grid](arguments)]", "run a launch with every sanitizer on", groupKernel, targetHelp, ":check add[4](x, out, 1000, 256)", (*cell.Session).Kernels, onKernels(kernels.Check)},
		{":promote", "[NAME[grid](arguments)]", "check a launch, compile the kernel and compare; from then on it runs compiled", groupKernel, targetHelp, ":promote add", (*cell.Session).Kernels, onKernels(kernels.Promote)},
		{":why", "[NAME]", "say which engine runs a kernel, why not a faster one, and by what each line is done", groupKernel, "", ":why add", (*cell.Session).Kernels, onKernels(kernels.Why)},
		{":bench", "[NAME[grid](arguments)]", "time a launch on every engine", groupKernel, targetHelp + " It works on copies of the tensors.", ":bench add", (*cell.Session).Kernels, onBench((*kernels.Bench).Run)},
		{":ir", "[NAME] [PASS|all]", "print a kernel's IR: the final form, after one pass, or after each", groupKernel, "NAME may be NAME[grid](arguments): what is compiled depends on them. " + targetHelp, ":ir add fold", (*cell.Session).Kernels, onKernels(kernels.IR)},
		{":asm", "[NAME] [avx2|avx512]", "print a kernel's machine code beside its source", groupKernel, targetHelp, ":asm add avx2", (*cell.Session).Kernels, onKernels(kernels.Asm)},

		{":puzzles", "", "list the puzzles and which are solved", groupLearn, "", ":puzzles", nil, onLessons((*lesson.Lessons).Puzzles)},
		{":puzzle", "[N]", "open a puzzle: the next one, or puzzle N", groupLearn, "Its kernel is judged as soon as it is defined. N may be the kernel's name, also that of a tutorial's exercise.", ":puzzle 5", wordsPuzzles, onLessons((*lesson.Lessons).Puzzle)},
		{":judge", "[NAME]", "judge the kernel of a puzzle, or of a tutorial's exercise, as it is defined now", groupLearn, "It is launched on the sizes of the puzzle, of which some are not shown, with every sanitizer on; what is wrong is explained, and what is right compiled. In a notebook it stands below the kernel, in the same cell.", ":judge saxpy", wordsJudged, onLessons((*lesson.Lessons).Judge)},
		{":hint", "[NAME]", "give a hint for the puzzle; each further one is clearer", groupLearn, "", ":hint", wordsJudged, onLessons((*lesson.Lessons).Hint)},
		{":solution", "[NAME]", "show a kernel that solves the puzzle", groupLearn, "", ":solution", wordsJudged, onLessons((*lesson.Lessons).Solution)},

		{":save", "FILE.go", "save the session as a Go program", groupSession, "go run and tiler run accept it.", ":save session.go", wordsFiles, onView(cmdSave)},
		{":time", "CELL", "evaluate a cell and print how long it took", groupSession, "", ":time tl.Dot(a, b)", wordsCode, (*Session).cmdTime},
		{":history", "[PATTERN]", "list the last cells and commands, or all that contain PATTERN", groupSession, "", ":history tl.Load", nil, (*Session).cmdHistory},
		{":set", "[NAME VALUE]", "list the settings, or change one for this session", groupSession, screen.SetHelp, ":set theme light", wordsSet, onView((*screen.View).Set)},
		{":load", "FILE [NAME]", "evaluate a .go file: a script of cells, or a program's declarations and main; or a notebook's cells; or read an .npy or .npz file; or the Triton kernels of a .py file", groupSession, "An array becomes the variable NAME. Each array of an .npz file becomes a variable named as in the file, after NAME_ if there is a NAME. Each kernel of a .py file becomes a function: add_kernel(exec.Grid{4}, x, y, out, 1000, 256) launches it, and :check, :promote, :ir and :asm take add_kernel[4](x, y, out, 1000, 256).", ":load x.npy x", wordsFiles, (*Session).cmdLoad},
		{":notebook", "FILE.ipynb [gonb]", "save the session as a notebook: its cells, or what they are for gonb", groupSession, "The cells and commands that did not fail, as they were typed, for Jupyter's kernel tiler (tiler jupyter install). With gonb, cells that Go compiles, each with what made the variables that it uses.", ":notebook session.ipynb", wordsFiles, (*Session).cmdNotebook},
		{":edit", "[NAME]", "edit a definition, or the last cell, in $EDITOR", groupSession, "", ":edit add", wordsDefs, (*Session).cmdEdit},
		{":reset", "", "forget everything", groupSession, "", ":reset", nil, (*Session).cmdReset},
		{":help", "[COMMAND]", "list the commands, or say more about one", groupSession, "", ":help :check", wordsCommands, onView(cmdHelp)},
		{":quit", "", "leave (Ctrl-D does too)", groupSession, "", ":quit", nil, (*Session).cmdQuit},
	}
}

// onView is a command that needs what shows values.
func onView(run func(*screen.View, context.Context, string) error) runner {
	return func(s *Session, ctx context.Context, arg string) error { return run(s.view, ctx, arg) }
}

// onKernels is a command about kernels.
func onKernels(run func(context.Context, *launch.Kernels, string) error) runner {
	return func(s *Session, ctx context.Context, arg string) error { return run(ctx, s.kernels, arg) }
}

// onBench is a command that measures, or draws what was measured.
func onBench(run func(*kernels.Bench, context.Context, *launch.Kernels, string) error) runner {
	return func(s *Session, ctx context.Context, arg string) error { return run(&s.bench, ctx, s.kernels, arg) }
}

// onLessons is a command about puzzles.
func onLessons(run func(*lesson.Lessons, context.Context, string) error) runner {
	return func(s *Session, ctx context.Context, arg string) error { return run(s.lessons, ctx, arg) }
}

// command does one line that begins with a colon, or asks what a name means.
func (s *Session) command(ctx context.Context, line string) error {
	line = scan.Spelled(line)
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
	err = c.run(s, ctx, arg)
	if of := kernels.Usage(""); errors.As(err, &of) {
		return usage(string(of))
	}
	return err
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

func cmdHelp(v *screen.View, _ context.Context, arg string) error {
	if arg != "" {
		return helpOf(v, arg)
	}
	p := helpTable()
	p.Append(show.Aside("\nAnything else is Go. On tiles + - * / % & | ^ < <= > >= work, and x[:, None] adds a dimension. ans is the value shown last.\n:help keys lists the keys; :help COMMAND says more."))
	v.Say(p)
	return nil
}

// helpTable is the commands by group.
func helpTable() picture.Picture {
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

func helpOf(v *screen.View, name string) error {
	if name == "keys" {
		v.Say(keyTable())
		return nil
	}
	c, err := commandNamed(":" + strings.TrimPrefix(name, ":"))
	if err != nil {
		return err
	}
	v.Say(c.doc())
	return nil
}

// helpOn is what :help says about a command; ok is false if there is none.
func helpOn(name string) (p picture.Picture, ok bool) {
	c, err := commandNamed(name)
	if err != nil {
		return p, false
	}
	return c.doc(), true
}

// doc is what :help says about a command.
func (c command) doc() picture.Picture {
	text := strings.TrimSpace(c.name+" "+c.args) + "\n\t" + c.short
	if c.long != "" {
		text += "\n\t" + strings.ReplaceAll(c.long, ". ", ".\n\t")
	}
	return show.Text(text + "\n\texample: " + c.example)
}

// keyTable is what keys do.
func keyTable() picture.Picture {
	var rows [][]string
	for _, k := range edit.Keys() {
		rows = append(rows, []string{k.Label, strings.ReplaceAll(k.Help, "`", "")})
	}
	p := show.Table([]string{"key", "does"}, rows)
	p.Append(show.Aside("\nin the pager: " + edit.PageKeys))
	return p
}

func (s *Session) cmdQuit(context.Context, string) error {
	s.quit = true
	return nil
}
