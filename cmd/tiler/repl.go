package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/repl"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/edit"
)

// runRepl is the prompt; what is not typed at a terminal is a program, or cells and
// commands.
func runRepl(e cli.Env) int { return prompt(e, startupFile()) }

// runPlainRepl is the prompt without the user's script.
func runPlainRepl(e cli.Env, args []string) int {
	if len(args) > 0 {
		return e.Usage()
	}
	return prompt(e, "")
}

// prompt is the prompt, which begins with a script of the user's, if there is one.
func prompt(e cli.Env, startup string) int {
	if interactive(e) {
		o := terminalOptions(e)
		o.Startup = startup
		return repl.New(o).Interact()
	}
	in := bufio.NewReader(e.In)
	if head := peek(in); scan.IsProgram(head) {
		e.In = in
		return runInput(e)
	}
	s := repl.New(repl.Options{Out: e.Out, Err: e.Err, Args: []string{"tiler"}, Learned: homeFile("learned"), Edit: userEditor})
	return s.Stream(context.Background(), in, "standard input")
}

// interactive reports whether somebody sits at a terminal, on which texts can be edited.
func interactive(e cli.Env) bool {
	return e.In == os.Stdin && e.Out == os.Stdout && edit.IsTerminal() && os.Getenv("TERM") != "dumb"
}

// peek is the beginning of what comes in, as far as it tells a program from cells: up to
// the first line that is neither empty nor a comment.
func peek(in *bufio.Reader) string {
	for n := 1; ; n++ {
		b, err := in.Peek(n)
		text := string(b)
		if err != nil {
			return text
		}
		if !strings.HasSuffix(text, "\n") {
			continue
		}
		if scan.IsProgram(text) || !onlyComments(text) {
			return text
		}
	}
}

// onlyComments reports whether a text has no line of Go yet.
func onlyComments(text string) bool {
	inside := false
	for l := range strings.SplitSeq(text, "\n") {
		l = strings.TrimSpace(l)
		switch {
		case inside:
			inside = !strings.Contains(l, "*/")
		case strings.HasPrefix(l, "/*"):
			inside = !strings.Contains(l, "*/")
		case l != "" && !strings.HasPrefix(l, "//"):
			return false
		}
	}
	return true
}

func terminalOptions(e cli.Env) repl.Options {
	return repl.Options{
		In: e.In, Out: e.Out, Err: e.Err, Args: []string{"tiler"},
		Colour: os.Getenv("NO_COLOR") == "", Live: true, Size: edit.Size,
		History: homeFile("history"), Learned: homeFile("learned"), Edit: userEditor,
	}
}

// startupFile is the script that a prompt begins with: tiler/init.go where the user's
// programs are configured; "" if that is not known.
func startupFile() string {
	if os.Getenv("TILER_HOME") != "" || runtime.GOOS == "windows" {
		return homeFile("init.go")
	}
	dir := os.Getenv("XDG_CONFIG_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "tiler", "init.go")
}

// homeFile is where something is kept for later sessions, such as what was typed: in
// TILER_HOME, or where the system keeps such things; "" if that is not known.
func homeFile(name string) string {
	dir := os.Getenv("TILER_HOME")
	if dir == "" {
		config, err := os.UserConfigDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(config, "tiler")
	}
	return filepath.Join(dir, name)
}

// userEditor opens a file in the editor that VISUAL or EDITOR names, or in one that
// systems have.
func userEditor(file string) error {
	command := os.Getenv("VISUAL")
	if command == "" {
		command = os.Getenv("EDITOR")
	}
	if command == "" {
		if command = commonEditor(); command == "" {
			return errors.New("no editor found\n\tfix: set the environment variable EDITOR")
		}
	}
	words := append(strings.Fields(command), file)
	c := osexec.Command(words[0], words[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	return nil
}

func commonEditor() string {
	if runtime.GOOS == "windows" {
		return "notepad"
	}
	for _, name := range []string{"nano", "vim", "vi"} {
		if _, err := osexec.LookPath(name); err == nil {
			return name
		}
	}
	return ""
}
