package repl

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/repl/edit"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// settings are what :set changes.
type settings struct {
	theme string // dark, light or none
	width int    // 0: the terminal's
	pager bool
}

func newSettings(o Options) settings {
	x := settings{theme: "none", pager: true}
	switch {
	case o.Colour && o.Light:
		x.theme = "light"
	case o.Colour:
		x.theme = "dark"
	}
	return x
}

// A setting is a row: help, completion and what :set lists come from it.
type setting struct {
	name   string
	values []string // what it may be; numbers are not listed
	short  string
	get    func(x settings) string
	set    func(x *settings, value string) bool // false for what it cannot be
}

func settingRows() []setting {
	return []setting{
		{"theme", []string{"dark", "light", "none"}, "colours for dark or light ground, or none",
			func(x settings) string { return x.theme },
			func(x *settings, v string) bool {
				x.theme = v
				return slices.Contains([]string{"dark", "light", "none"}, v)
			}},
		{"width", []string{"auto"}, "columns of output: a number from 20, or auto for the terminal's",
			func(x settings) string {
				if x.width == 0 {
					return "auto"
				}
				return strconv.Itoa(x.width)
			},
			func(x *settings, v string) bool {
				n, err := strconv.Atoi(v)
				if v == "auto" {
					n, err = 0, nil
				}
				x.width = n
				return err == nil && (n == 0 || n >= 20)
			}},
		{"pager", []string{"on", "off"}, "show long output one screen at a time",
			func(x settings) string { return map[bool]string{true: "on", false: "off"}[x.pager] },
			func(x *settings, v string) bool { x.pager = v == "on"; return v == "on" || v == "off" }},
	}
}

const setHelp = "A setting lasts for the session. To make it permanent, put the line into the startup file: tiler/init.go in $XDG_CONFIG_HOME or ~/.config, a script of cells and commands that the prompt begins with (tiler -norc skips it). Without a terminal there are neither colours nor a pager."

// cmdSet lists the settings, or changes one.
func (s *Session) cmdSet(_ context.Context, arg string) error {
	name, value, _ := strings.Cut(arg, " ")
	var names []string
	var rows [][]string
	for _, row := range settingRows() {
		if row.name == name {
			return s.change(row, strings.TrimSpace(value))
		}
		names = append(names, row.name)
		rows = append(rows, []string{row.name, row.get(s.set), row.short})
	}
	if arg == "" {
		s.say(show.Table([]string{"setting", "is", ""}, rows))
		return nil
	}
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Errorf("unknown setting %s (did you mean %s?)", name, near)
	}
	return fmt.Errorf("unknown setting %s; there is %s", name, strings.Join(names, ", "))
}

func (s *Session) change(row setting, value string) error {
	x := s.set
	switch {
	case value == "":
		s.say(show.Text(row.name + " is " + row.get(s.set) + "\n\t" + row.short))
		return nil
	case !row.set(&x, value):
		return fmt.Errorf("%s cannot be %s\n\tfix: :set %s %s: %s", row.name, value, row.name, strings.Join(row.values, "|"), row.short)
	}
	s.set = x
	if s.editor != nil {
		s.editor.SetColours(s.colour(), s.light())
	}
	return nil
}

func (s *Session) wordsSet() (words []string) {
	for _, row := range settingRows() {
		words = append(words, row.name)
		for _, v := range row.values {
			if !slices.Contains(words, v) {
				words = append(words, v)
			}
		}
	}
	return words
}

// colour reports whether there are colours: never where nobody sees them.
func (s *Session) colour() bool { return s.set.theme != "none" && (s.o.Colour || s.o.Live) }
func (s *Session) light() bool  { return s.set.theme == "light" }

// size is how much room there is.
func (s *Session) size() (width, height int) {
	width, height = s.o.Size()
	if s.set.width > 0 {
		width = s.set.width
	}
	return width, height
}

// longer reports whether a text is shown a screen at a time: not if more was pasted, which
// would then be keys.
func (s *Session) longer(text string) bool {
	if s.editor == nil || !s.o.Live || !s.set.pager || s.starting || s.editor.Follows() {
		return false
	}
	w, h := s.o.Size()
	return edit.Rows(text, w) >= h
}
