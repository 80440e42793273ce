package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// runHelp lists the commands, or explains one.
func runHelp(e env, args []string) int {
	switch len(args) {
	case 0:
		listCommands(e)
		return 0
	case 1:
		name := args[0]
		if other := otherNames[name]; other != "" {
			name = other
		}
		if c := named(name); c != nil {
			return c.help(e)
		}
		return e.unknown(name)
	}
	return e.usage("help")
}

func listCommands(e env) {
	fmt.Fprint(e.out, "tiler runs tile kernels written in Go.\n\nusage: tiler [COMMAND [arguments]]\n       tiler FILE.go [arguments]\n\n")
	for _, c := range commands() {
		name := c.name
		if name == "" {
			name = "(none)"
		}
		entry(e.out, name, 12, c.short)
	}
	fmt.Fprint(e.out, "\ntiler help COMMAND explains its flags, with examples.\n")
}

// help explains a command, and is exit status 0.
func (c *command) help(e env) int {
	fmt.Fprintf(e.out, "%s\n\n", c.usage())
	paragraph(e.out, strings.ToUpper(c.short[:1])+c.short[1:]+". "+c.about)
	flags := c.newFlags()
	c.setup(flags)
	head := "\nflags:\n"
	flags.VisitAll(func(f *flag.Flag) {
		value, does := flag.UnquoteUsage(f)
		fmt.Fprint(e.out, head)
		head = ""
		entry(e.out, strings.TrimSpace("-"+f.Name+" "+value), 17, does+defaultOf(f))
	})
	head = "\nexamples:\n"
	for _, x := range c.uses {
		fmt.Fprint(e.out, head)
		head = ""
		fmt.Fprintf(e.out, "  %s\n", x.line)
		for l := range strings.SplitSeq(folded(x.does, lineWidth-6), "\n") {
			fmt.Fprintf(e.out, "      %s\n", l)
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

// entry prints a name and, beside it, what it is about; below it if the name is long.
func entry(w io.Writer, name string, column int, text string) {
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
