package cli

import (
	"flag"
	"strings"
)

// A Word is something that may be typed, and what it is.
type Word struct{ Text, Does string }

// words is the names of the commands.
func (p *Program) words() (list []Word) {
	for _, c := range p.Commands {
		if c.Name != "" {
			list = append(list, Word{c.Name, c.Short})
		}
	}
	return list
}

// Completions is the answer for the words of a command line up to the cursor, of which the last may be
// empty: a line for each word that begins as that one does, with what it is after a tab; and "files .go"
// where names of files may stand, those that end so and folders.
func (p *Program) Completions(words []string) (lines []string) {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	list, files := p.candidates(words[:len(words)-1], last)
	for _, w := range list {
		if strings.HasPrefix(w.Text, last) {
			lines = append(lines, strings.TrimRight(w.Text+"\t"+w.Does, "\t"))
		}
	}
	if files != "" {
		lines = append(lines, files)
	}
	return lines
}

// candidates is what may stand after some words, with files as Completions has it.
func (p *Program) candidates(before []string, last string) (list []Word, files string) {
	switch {
	case len(before) == 0 && last == "":
		return p.words(), ""
	case len(before) == 0:
		_, files = p.ofKind(p.Places)
		return p.words(), files
	}
	c := p.named(before[0])
	if c == nil {
		return nil, ""
	}
	flags := c.newFlags()
	c.Setup(flags)
	place, value := 0, "" // the argument that comes next, and what the flag before it takes
	for _, w := range before[1:] {
		f := Lookup(flags, w)
		switch {
		case value != "":
			value = ""
		case f != nil && !strings.Contains(w, "=") && (place == 0 || c.Mixed):
			value = takes(f)
		case flagName(w) == "":
			place++
		}
	}
	switch {
	case value != "":
		return p.ofKind(value)
	case strings.HasPrefix(last, "-") && (place == 0 || c.Mixed):
		return flagWords(flags), ""
	}
	return p.ofKind(c.place(place))
}

// takes is the placeholder of a flag's value, "" of a flag without one.
func takes(f *flag.Flag) string {
	if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
		return ""
	}
	name, _ := flag.UnquoteUsage(f)
	return name
}

func flagWords(flags *flag.FlagSet) (list []Word) {
	flags.VisitAll(func(f *flag.Flag) {
		_, does := flag.UnquoteUsage(f)
		list = append(list, Word{"-" + f.Name, does})
	})
	return list
}

// place is the placeholders of the command's n-th argument, counted from 0.
func (c *Command) place(n int) string {
	all := strings.Fields(c.Places)
	switch {
	case n < len(all):
		return strings.TrimSuffix(all[n], "...")
	case len(all) > 0 && strings.HasSuffix(all[len(all)-1], "..."):
		return strings.TrimSuffix(all[len(all)-1], "...")
	}
	return ""
}

// ofKind is what placeholders stand for, which are separated by bars.
func (p *Program) ofKind(places string) (list []Word, files string) {
	for place := range strings.SplitSeq(places, "|") {
		switch {
		case place == "FILE":
			files = "files"
		case place == "DIR":
			files = "folders"
		case strings.HasPrefix(place, "FILE."):
			if files == "" {
				files = "files"
			}
			files += " " + strings.TrimPrefix(place, "FILE")
		case place == "COMMAND":
			list = append(list, p.words()...)
		case p.Kinds[place] != nil:
			list = append(list, p.Kinds[place]()...)
		}
	}
	return list, files
}
