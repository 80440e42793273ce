package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// Help is the action of a command that lists the commands, or explains one.
func Help(e Env, args []string) int {
	switch len(args) {
	case 0:
		e.list()
		return 0
	case 1:
		name := e.program.meant(args[0])
		if c := e.program.named(name); c != nil {
			return c.help(e)
		}
		return e.unknown(name)
	}
	return e.Usage()
}

// list lists the commands.
func (e Env) list() {
	p := e.program
	fmt.Fprintf(e.Out, "%s %s.\n\nusage: %[1]s [COMMAND [arguments]]\n       %[1]s %[3]s [arguments]\n\n", p.Name, p.About, p.Places)
	for _, c := range p.Commands {
		name := c.Name
		if name == "" {
			name = "(none)"
		}
		Entry(e.Out, name, 12, c.Short)
	}
	fmt.Fprintf(e.Out, "\n%s help COMMAND explains its flags, with examples.\n", p.Name)
}

// usage is how the command is called.
func (c *Command) usage(program string) string {
	return strings.TrimSpace(strings.Join([]string{"usage: " + program, c.Name, c.Args}, " "))
}

// help explains a command, and is exit status 0.
func (c *Command) help(e Env) int {
	fmt.Fprintf(e.Out, "%s\n\n", c.usage(e.program.Name))
	paragraph(e.Out, strings.ToUpper(c.Short[:1])+c.Short[1:]+". "+c.About)
	flags := c.newFlags()
	c.Setup(flags)
	head := "\nflags:\n"
	flags.VisitAll(func(f *flag.Flag) {
		value, does := flag.UnquoteUsage(f)
		fmt.Fprint(e.Out, head)
		head = ""
		Entry(e.Out, strings.TrimSpace("-"+f.Name+" "+value), 17, does+defaultOf(f))
	})
	head = "\nexamples:\n"
	for _, x := range c.Uses {
		fmt.Fprint(e.Out, head)
		head = ""
		fmt.Fprintf(e.Out, "  %s\n", x[0])
		for l := range strings.SplitSeq(folded(x[1], lineWidth-6), "\n") {
			fmt.Fprintf(e.Out, "      %s\n", l)
		}
	}
	return 0
}

// defaultOf says what a flag is if it is not given; nothing where that is nothing.
func defaultOf(f *flag.Flag) string {
	switch f.DefValue {
	case "", "false", "0":
		return ""
	}
	return " (" + f.DefValue + " if not given)"
}

// lineWidth is what help keeps to, whatever the terminal.
const lineWidth = 80

// Entry prints a name and, beside it, what it is about; below it if the name is long.
func Entry(w io.Writer, name string, column int, text string) {
	lines := strings.Split(folded(text, lineWidth-column-2), "\n")
	if len(name) >= column {
		fmt.Fprintf(w, "  %s\n", name)
		name = ""
	}
	for _, l := range lines {
		fmt.Fprintf(w, "  %-*s%s\n", column, name, l)
		name = ""
	}
}

// paragraph prints a text in lines; those of its own are kept.
func paragraph(w io.Writer, text string) {
	for l := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		fmt.Fprintln(w, folded(l, lineWidth))
	}
}

// folded is a text in lines of at most so many letters, broken between words.
func folded(text string, most int) string {
	var out strings.Builder
	n := 0
	for i, word := range strings.Fields(text) {
		w := len([]rune(word))
		switch {
		case i == 0:
		case n+1+w > most:
			out.WriteByte('\n')
			n = 0
		default:
			out.WriteByte(' ')
			n++
		}
		out.WriteString(word)
		n += w
	}
	return out.String()
}
