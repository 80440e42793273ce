// Package cli is a command line whose commands are rows of a table: it parses their flags, prints their help and
// completes their words, and does not know what any of them does.
//
//	words ─ Program.Run ─ the row of the first word ─ its Setup's flags ─ Action(Env, the words beside them) ─ exit status
//
// A row says what a flag or an argument stands for by a placeholder, as usage prints it, and the Program what may
// be typed for each. An action prints on the streams of its Env and returns the exit status: 2 is Env.Usage, 1 is
// Env.Fail. What takes long has a Bar, a line on a terminal that goes away again.
package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Program is a command line.
type Program struct {
	Name, About string
	Commands    []Command // in the order in which help lists them
	Places      string    // what may stand in a command's place; the caller of Run knows which command that is for

	// Others is what people call commands elsewhere.
	Others map[string]string

	// Kinds is what placeholders of usage stand for. FILE.go is a file that ends in .go, and so
	// with any other ending; FILE any file, DIR a folder; COMMAND one of the commands.
	Kinds map[string]func() []Word
}

// Run runs the command that the first word names, the one without a name if there are no words. It is the exit status.
func (p *Program) Run(args []string, in io.Reader, out, err io.Writer) int {
	e := Env{In: in, Out: out, Err: err, program: p, lost: new(error)}
	if len(args) == 0 {
		return p.named("").do(e, nil)
	}
	if c := p.named(p.meant(args[0])); c != nil {
		return c.start(e, args[1:])
	}
	return e.unknown(p.meant(args[0]))
}

// meant is a command's name for what is its name elsewhere.
func (p *Program) meant(name string) string {
	if other := p.Others[name]; other != "" {
		return other
	}
	return name
}

// named is the command of a name, nil if there is none.
func (p *Program) named(name string) *Command {
	if i := slices.IndexFunc(p.Commands, func(c Command) bool { return c.Name == name }); i >= 0 {
		return &p.Commands[i]
	}
	return nil
}

// unknown says that there is no such command, and is exit status 2.
func (e Env) unknown(name string) int {
	var names []string
	for _, c := range e.program.Commands {
		names = append(names, c.Name)
	}
	self := e.program.Name
	fmt.Fprintf(e.Err, "%s: unknown command %q%s\nrun '%[1]s help' for the list\n", self, name, DidYouMean(name, names, ""))
	return 2
}

// DidYouMean is the question after a name that is not one of those there are; "" if none is near. prefix is
// what one types before a name.
func DidYouMean(name string, names []string, prefix string) string {
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Sprintf(" (did you mean %s%s?)", prefix, near)
	}
	return ""
}
