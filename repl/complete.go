package repl

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/edit"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
	"github.com/tiler-go/tiler/repl/screen"
)

// Complete says what the word before pos may become: a command, its argument, or a
// name of Go's.
func (s *Session) Complete(text string, pos int) (start int, list []edit.Candidate) {
	if isCommand(text) {
		return completeCommand(s.cells, text, pos)
	}
	return completeGo(s.cells, text, pos)
}

func completeCommand(cells *cell.Session, text string, pos int) (start int, list []edit.Candidate) {
	before := text[:pos]
	lead := len(before) - len(strings.TrimLeft(before, " \t"))
	if asked := strings.TrimLeft(before, " \t?"); len(asked) < len(before)-lead {
		return completeAsked(cells, text, pos-len(asked), pos)
	}
	name, arg, hasArg := strings.Cut(before[lead:], " ")
	if !hasArg {
		for _, c := range commands() {
			if strings.HasPrefix(c.name, name) {
				list = append(list, edit.Candidate{Text: c.name, Detail: c.short})
			}
		}
		return lead, list
	}
	c, err := commandNamed(name)
	if err != nil {
		return pos, nil
	}
	word := arg[strings.LastIndexAny(arg, " \t")+1:]
	if strings.ContainsAny(arg, "[(") {
		return completePart(cells, text, pos-len(arg), pos)
	}
	start = pos - len(word)
	if c.words == nil {
		return start, nil
	}
	for _, w := range c.words(cells) {
		if strings.HasPrefix(w, word) {
			list = append(list, edit.Candidate{Text: w})
		}
	}
	if c.name == ":save" || c.name == ":load" || c.name == ":notebook" {
		list = files(word)
	}
	if c.name == ":doc" && strings.Contains(word, ".") || slices.Contains([]string{":plain", ":heat", ":plot", ":time"}, c.name) {
		at, names := completePart(cells, text, start, pos)
		if at == start || len(list) == 0 {
			return at, append(list, names...)
		}
	}
	return start, list
}

// completeAsked completes what is asked about from a place on.
func completeAsked(cells *cell.Session, text string, from, pos int) (start int, list []edit.Candidate) {
	if isCommand(text[from:pos]) {
		start, list = completeCommand(cells, text[from:pos], pos-from)
		return start + from, list
	}
	return completePart(cells, text, from, pos)
}

// completePart completes a name of Go's in the part of a text from a place on.
func completePart(cells *cell.Session, text string, from, pos int) (start int, list []edit.Candidate) {
	start, list = completeGo(cells, text[from:pos], pos-from)
	return start + from, list
}

// completeGo completes a name of Go's; where a call's argument begins it says what the
// function takes.
func completeGo(cells *cell.Session, text string, pos int) (start int, list []edit.Candidate) {
	if before := strings.TrimRight(text[:pos], " "); strings.HasSuffix(before, "(") {
		callee := before[:len(before)-1]
		callee = callee[strings.LastIndexAny(callee, " \t\n(,=+-*/&|[{!<>:;")+1:]
		if doc, ok := cells.Doc(callee); ok {
			line, _, _ := strings.Cut(doc.Decl, "\n")
			return pos, []edit.Candidate{{Detail: line}}
		}
	}
	at, found := cells.Complete(text, pos)
	for _, c := range found {
		detail := c.Detail
		if !strings.HasPrefix(detail, c.Kind) {
			detail = strings.TrimSpace(c.Kind + " " + detail)
		}
		list = append(list, edit.Candidate{Text: c.Text, Detail: detail})
	}
	return at, list
}

// files is the Go files and notebooks, and the folders, that a path may become.
func files(word string) (list []edit.Candidate) {
	dir, base := filepath.Split(word)
	entries, err := os.ReadDir(filepath.Join(".", dir))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name := e.Name()
		switch ext := filepath.Ext(name); {
		case !strings.HasPrefix(name, base) || strings.HasPrefix(name, ".") && base == "":
		case e.IsDir():
			list = append(list, edit.Candidate{Text: dir + name + "/"})
		case slices.Contains([]string{".go", ".ipynb", ".npy", ".npz"}, ext):
			list = append(list, edit.Candidate{Text: dir + name})
		}
	}
	return list
}

// Words of arguments.

func wordsOnOff(*cell.Session) []string { return []string{"on", "off"} }
func wordsTrace(*cell.Session) []string { return []string{"on", "off", "cells"} }
func wordsSet(*cell.Session) []string   { return screen.SettingWords() }
func wordsFiles(*cell.Session) []string { return nil }

func wordsCommands(*cell.Session) (names []string) {
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

func wordsPuzzles(*cell.Session) (names []string) {
	for _, p := range puzzles.Course.Puzzles {
		names = append(names, p.Name)
	}
	return names
}

func wordsJudged(*cell.Session) (names []string) {
	for _, p := range puzzles.Course.All() {
		names = append(names, p.Name)
	}
	return names
}

func wordsDefs(cells *cell.Session) (names []string) {
	for _, d := range cells.Defs() {
		if d.Source != "" && d.Source != d.Go || d.Kernel {
			names = append(names, d.Name)
		}
	}
	return names
}

// wordsDoc is names that have documentation: packages, with a dot, and what the session
// defines.
func wordsDoc(cells *cell.Session) (names []string) {
	for _, d := range cells.Defs() {
		names = append(names, d.Name)
	}
	return names
}

// wordsCode is no words of its own: the argument is Go.
func wordsCode(*cell.Session) []string { return nil }
