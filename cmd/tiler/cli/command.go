package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Command is a row: usage, help, completion and dispatch come from it.
type Command struct {
	Name   string      // "" of what runs without arguments
	Args   string      // as usage shows them
	Short  string      //
	About  string      // what else there is to know; "" if nothing
	Uses   [][2]string // command lines, and what each does
	Places string      // what each argument is, for completion: see Program.Kinds
	Mixed  bool        // flags may stand after arguments, too
	Raw    bool        // what looks like a flag is an argument
	Prints bool        // all of its output is its own, no program's: it fails if some of that is lost
	Passes string      // after this argument, flags that it does not have are arguments

	// Setup defines the flags, and is what runs with their values.
	Setup func(flags *flag.FlagSet) Action
}

// An Action runs a command with the arguments that are left beside its flags.
type Action func(e Env, args []string) int

// Plain is the setup of a command without flags.
func Plain(do Action) func(*flag.FlagSet) Action {
	return func(*flag.FlagSet) Action { return do }
}

// start runs the command.
func (c *Command) start(e Env, args []string) int {
	if c.Prints {
		e.Out = e.Noting(e.Out)
	}
	return e.told(c.do(e, args))
}

// do runs the command with its flags parsed.
func (c *Command) do(e Env, args []string) int {
	e.command = c
	flags := c.newFlags()
	do := c.Setup(flags)
	if c.Raw {
		return do(e, args)
	}
	rest, err := c.parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return c.help(e)
	case err != nil:
		fmt.Fprintf(e.Err, "%s %s: %v\n", e.program.Name, c.Name, err)
		return e.Usage()
	}
	return do(e, rest)
}

// parse parses the command's flags, and is the arguments beside them.
func (c *Command) parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	at := slices.Index(args, c.Passes)
	if c.Passes == "" || at < 0 {
		return parse(flags, args, c.Mixed)
	}
	if rest, err = parse(flags, args[:at], c.Mixed); err != nil {
		return nil, err
	}
	passed, err := pass(flags, args[at+1:])
	return slices.Concat(rest, []string{c.Passes}, passed), err
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

func (c *Command) newFlags() *flag.FlagSet {
	flags := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// Parse parses flags, and is the arguments after them.
func Parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	return parse(flags, args, false)
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
	return fmt.Errorf("unknown flag -%s%s", name, DidYouMean(name, names, "-"))
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

// Lookup is the flag that a word is, -name or -name=value; nil if it is none of these.
func Lookup(flags *flag.FlagSet, word string) *flag.Flag { return flags.Lookup(flagName(word)) }
