package screen

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

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

// SetHelp is more about settings, for :help.
const SetHelp = "A setting lasts for the session. To make it permanent, put the line into the startup file: tiler/init.go in $XDG_CONFIG_HOME or ~/.config, a script of cells and commands that the prompt begins with (tiler -norc skips it). Without a terminal there are neither colours nor a pager."

// Set lists the settings, or changes the one that an argument of :set names.
func (x *Screen) Set(_ context.Context, arg string) error {
	name, value, _ := strings.Cut(arg, " ")
	var names []string
	var rows [][]string
	for _, row := range settingRows() {
		if row.name == name {
			return x.change(row, strings.TrimSpace(value))
		}
		names = append(names, row.name)
		rows = append(rows, []string{row.name, row.get(x.set), row.short})
	}
	if arg == "" {
		x.Say(show.Table([]string{"setting", "is", ""}, rows))
		return nil
	}
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Errorf("unknown setting %s (did you mean %s?)", name, near)
	}
	return fmt.Errorf("unknown setting %s; there is %s", name, strings.Join(names, ", "))
}

func (x *Screen) change(row setting, value string) error {
	set := x.set
	switch {
	case value == "":
		x.Say(show.Text(row.name + " is " + row.get(set) + "\n\t" + row.short))
		return nil
	case !row.set(&set, value):
		return fmt.Errorf("%s cannot be %s\n\tfix: :set %s %s: %s", row.name, value, row.name, strings.Join(row.values, "|"), row.short)
	}
	x.set = set
	if x.editor != nil {
		x.editor.SetColours(x.Colour(), x.Light())
	}
	return nil
}

// SettingWords is the settings and what they may be.
func SettingWords() (words []string) {
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
