package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/edit"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A command is a row: usage, help, completion and dispatch come from it.
type command struct {
	name   string
	args   string // as usage shows them
	short  string //
	about  string // what else there is to know; "" if nothing
	uses   []use  //
	places string // what each argument is, for completion: see kinds
	mixed  bool   // flags may stand after arguments, too
	raw    bool   // what looks like a flag is an argument
	passes string // after this argument, flags that it does not have are arguments

	// setup defines the flags, and is what runs with their values.
	setup func(flags *flag.FlagSet) action
}

// An action runs a command with the arguments that are left beside its flags.
type action func(e env, args []string) int

// A use is a command line, and what it does.
type use struct{ line, does string }

// plain is the setup of a command without flags.
func plain(do action) func(*flag.FlagSet) action {
	return func(*flag.FlagSet) action { return do }
}

// env is the streams that a command works on.
type env struct {
	in       io.Reader
	out, err io.Writer
	lost     *error // why something that was printed is lost
}

// written notes the first error of what a command prints: a disk may be full.
type written struct {
	io.Writer
	lost *error
}

// Write implements io.Writer.
func (w written) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	if err != nil && *w.lost == nil {
		*w.lost = err
	}
	return n, err
}

// printing is the commands all of whose output is their own: no program's.
var printing = []string{"golden", "replay", "merge", "python-path", "ir", "asm", "go", "bench",
	"doctor", "version", "help"}

// told is a command's exit status, 1 if what it printed is lost.
func (e env) told(status int) int {
	if *e.lost == nil {
		return status
	}
	return max(status, e.fail(*e.lost))
}

// fail prints an error as every command does, and is exit status 1.
func (e env) fail(err error) int {
	fmt.Fprintln(e.err, fitted(e.err, fmt.Sprint("tiler: ", err)))
	return 1
}

// fitted is a text with lines that are broken between words, if it goes to a terminal.
func fitted(w io.Writer, text string) string {
	if !isTerminal(w) {
		return text
	}
	columns, _ := edit.Size()
	return show.ErrorText(text).Wrapped(columns).String()
}

// usage prints how a command is called, and is exit status 2.
func (e env) usage(name string) int {
	if c := named(name); c != nil {
		fmt.Fprintf(e.err, "%s\nrun 'tiler help %s' for its flags and examples\n", c.usage(), c.name)
	}
	return 2
}

func (c *command) usage() string {
	return strings.TrimSpace(strings.Join([]string{"usage: tiler", c.name, c.args}, " "))
}

// named is the command of a name, nil if there is none.
func named(name string) *command {
	all := commands()
	if i := slices.IndexFunc(all, func(c command) bool { return c.name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// otherNames is what people call commands elsewhere.
var otherNames = map[string]string{
	"-h": "help", "-help": "help", "--help": "help",
	"-version": "version", "--version": "version",
	"--e": "-e", "-eval": "-e", "eval": "-e",
}

func run(args []string, in io.Reader, out, err io.Writer) int {
	lost := new(error)
	e := env{in, out, err, lost}
	if len(args) == 0 {
		return runRepl(e)
	}
	name := args[0]
	if other := otherNames[name]; other != "" {
		name = other
	}
	if c := named(name); c != nil {
		return c.start(e, args[1:])
	}
	if strings.HasSuffix(name, ".go") || isPython(name) {
		return named("run").start(e, args)
	}
	return e.unknown(name)
}

// unknown says that there is no such command, and is exit status 2.
func (e env) unknown(name string) int {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	fmt.Fprintf(e.err, "tiler: unknown command %q%s\nrun 'tiler help' for the list\n", name, didYouMean(name, names, ""))
	return 2
}

// didYouMean is the question after a name that is not one of those there are; "" if none is near.
func didYouMean(name string, names []string, prefix string) string {
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Sprintf(" (did you mean %s%s?)", prefix, near)
	}
	return ""
}

// start runs the command.
func (c *command) start(e env, args []string) int {
	if slices.Contains(printing, c.name) {
		e.out = written{e.out, e.lost}
	}
	return e.told(c.do(e, args))
}

// do runs the command with its flags parsed.
func (c *command) do(e env, args []string) int {
	flags := c.newFlags()
	do := c.setup(flags)
	if c.raw {
		return do(e, args)
	}
	rest, err := c.parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return c.help(e)
	case err != nil:
		fmt.Fprintf(e.err, "tiler %s: %v\n", c.name, err)
		return e.usage(c.name)
	}
	return do(e, rest)
}

// parse parses the command's flags, and is the arguments beside them.
func (c *command) parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	at := slices.Index(args, c.passes)
	if c.passes == "" || at < 0 {
		return parse(flags, args, c.mixed)
	}
	if rest, err = parse(flags, args[:at], c.mixed); err != nil {
		return nil, err
	}
	passed, err := pass(flags, args[at+1:])
	return slices.Concat(rest, []string{c.passes}, passed), err
}

// pass parses flags that there are. Others, and all that follows --, are for somebody else.
func pass(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for len(args) > 0 {
		name := flagName(args[0])
		f := flags.Lookup(name)
		switch {
		case args[0] == "--":
			return append(rest, args[1:]...), nil
		case name == "h" || name == "help":
			return nil, flag.ErrHelp
		case f == nil:
			rest, args = append(rest, args[0]), args[1:]
			continue
		}
		n := 1
		if takes(f) != "" && !strings.Contains(args[0], "=") {
			n = min(2, len(args))
		}
		if err := flags.Parse(args[:n]); err != nil {
			return nil, err
		}
		args = args[n:]
	}
	return rest, nil
}

func (c *command) newFlags() *flag.FlagSet {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// parse parses flags, and is the arguments beside them. Flags may stand among arguments if
// mixed is set, up to "--".
func parse(flags *flag.FlagSet, args []string, mixed bool) (rest []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, flagError(flags, args, err)
		}
		left := flags.Args()
		ended := len(left) < len(args) && args[len(args)-len(left)-1] == "--"
		if !mixed || ended || len(left) == 0 {
			return append(rest, left...), nil
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}

// flagError is what is wrong with a flag; of one that there is not, the nearest that there is.
func flagError(flags *flag.FlagSet, args []string, err error) error {
	at := len(args) - flags.NArg() - 1 // the flag that was looked at last
	if errors.Is(err, flag.ErrHelp) || at < 0 {
		return err
	}
	name := flagName(args[at])
	if name == "" || flags.Lookup(name) != nil {
		return err
	}
	var names []string
	flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if len(names) == 0 {
		return fmt.Errorf("unknown flag -%s: there are none", name)
	}
	return fmt.Errorf("unknown flag -%s%s", name, didYouMean(name, names, "-"))
}

// flagName is the name in -name=value; "" if a text is no flag.
func flagName(arg string) string {
	name, found := strings.CutPrefix(arg, "-")
	if !found {
		return ""
	}
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "-"), "=")
	return name
}
