//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestReadmePasted pastes the sessions of README.md into one prompt, in order and as they stand
// there: with their prompts and with what they print.
func TestReadmePasted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(root, "README.md")
	home := t.TempDir()
	// Nobody is there who would leave the pager.
	if err := os.WriteFile(filepath.Join(home, "init.go"), []byte(":set pager off\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	x := startREPL(t, home, "NO_COLOR=1")
	x.size(200, 30) // the lines of README.md are as long as they are
	n := 0
	for _, e := range examples(t, path) {
		if !strings.HasPrefix(e.text, "tiler> ") {
			continue
		}
		n++
		if got := x.pastes(e.text); !prints(got, e.text) {
			t.Errorf("README.md:%d: what this session prints is no longer what README.md shows.\n%s\nfix: paste the blocks of README.md into tiler, in order, and copy what this one prints into it; "+
				"a line … stands for any lines, times and engines may differ", e.line, firstOther(got, e.text))
		}
	}
	if n == 0 {
		t.Error("README.md shows no session: a block that begins with the prompt, tiler>")
	}
}

// pastes pastes a session, and is how it then looks: each cell with its prompts, and what it
// printed.
func (x *typist) pastes(session string) string {
	x.t.Helper()
	var cells []string // with their prompts
	for line := range strings.SplitAfterSeq(session, "\n") {
		switch {
		case strings.HasPrefix(line, "tiler>"):
			cells = append(cells, line)
		case strings.HasPrefix(line, "     ."):
			cells[len(cells)-1] += line
		}
	}
	before := len(x.outputs())
	x.types("\x1b[200~"+strings.ReplaceAll(session, "\n", "\r")+"\x1b[201~", "\r")
	var got []string
	for start := time.Now(); len(got) < len(cells); time.Sleep(5 * time.Millisecond) {
		if got = x.outputs()[before:]; time.Since(start) > 60*time.Second {
			x.t.Fatalf("%d of the %d cells of a pasted session have come to their end; the screen is\n%s", len(got), len(cells), x.screen())
		}
	}
	for i := range got[:len(cells)] {
		cells[i] += got[i]
	}
	if len(got) > len(cells) {
		x.t.Errorf("more than its cells were evaluated of a pasted session:\n%s", session)
	}
	return strings.Join(cells, "")
}

// outputs is what each text that was entered printed. The editor marks when it reads: while it
// does, what is pasted is to have marks.
func (x *typist) outputs() (list []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	parts := strings.Split(string(x.raw), "\x1b[?2004l")
	for _, p := range parts[1:] {
		text, _, drawn := strings.Cut(p, "\x1b[?25l")
		if !drawn {
			break
		}
		text = strings.ReplaceAll(text, "\r\n", "\n")
		list = append(list, wiped.ReplaceAllString(text, ""))
	}
	return list
}

// wiped is progress that was taken away.
var wiped = regexp.MustCompile(`\r\x1b\[K([^\n]*\r\x1b\[K)?`)
