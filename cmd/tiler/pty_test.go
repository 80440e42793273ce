//go:build unix

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// A typist is the command at a terminal, with somebody who types and looks.
type typist struct {
	t    *testing.T
	f    *os.File
	vt   vt10x.Terminal
	cmd  *osexec.Cmd
	done chan error
	mu   sync.Mutex
	raw  []byte // all that the command wrote
}

// startREPL starts the command without arguments. Sessions of one home share a history.
func startREPL(t *testing.T, home string, env ...string) *typist {
	t.Helper()
	x := start(t, home, nil, env...)
	x.sees("tiler> ")
	return x
}

// needTerminal skips a test where the system has no pseudoterminals, as containers without /dev/ptmx.
func needTerminal(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, pty.ErrUnsupported) || errors.Is(err, fs.ErrNotExist) {
		t.Skip("no terminals here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// start starts the command.
func start(t *testing.T, home string, args []string, env ...string) *typist {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := &osexec.Cmd{Path: self, Args: append([]string{"tiler"}, args...)} // see TestMain
	cmd.Env = append(append(os.Environ(), "TERM=xterm-256color", "TILER_HOME="+home, "XDG_CACHE_HOME="+home), env...)
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 30, Cols: 80})
	needTerminal(t, err)
	x := &typist{t: t, f: f, vt: vt10x.New(vt10x.WithWriter(f), vt10x.WithSize(80, 30)), cmd: cmd, done: make(chan error, 1)}
	go x.look()
	t.Cleanup(func() {
		cmd.Process.Kill()
		f.Close()
	})
	return x
}

// look draws what the command writes.
func (x *typist) look() {
	buf := make([]byte, 1<<16)
	for {
		n, err := x.f.Read(buf)
		x.vt.Write(buf[:n])
		x.mu.Lock()
		x.raw = append(x.raw, buf[:n]...)
		x.mu.Unlock()
		if err != nil {
			x.done <- x.cmd.Wait()
			return
		}
	}
}

// written is all that the command wrote so far.
func (x *typist) written() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(x.raw)
}

func (x *typist) screen() string {
	lines := strings.Split(x.vt.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// sees waits until the screen ends in a text, and is how long that took.
func (x *typist) sees(end string) time.Duration {
	x.t.Helper()
	start := time.Now()
	end = strings.TrimRight(end, " ")
	for time.Since(start) < 10*time.Second {
		if strings.HasSuffix(x.screen(), end) {
			return time.Since(start)
		}
		time.Sleep(2 * time.Millisecond)
	}
	x.t.Fatalf("the screen does not end in\n%s\nit is\n%s", end, x.screen())
	return 0
}

func (x *typist) types(keys ...string) {
	for _, k := range keys {
		x.f.WriteString(k)
	}
}

// leaves waits until the command has ended.
func (x *typist) leaves() {
	x.t.Helper()
	select {
	case err := <-x.done:
		if err != nil {
			x.t.Error(err)
		}
	case <-time.After(10 * time.Second):
		x.t.Fatalf("it does not end; screen:\n%s", x.screen())
	}
}

func TestTypedCells(t *testing.T) {
	x := startREPL(t, t.TempDir())
	if lines := strings.Split(x.screen(), "\n"); len(lines) != 2 {
		t.Errorf("the prompt does not greet with one line of 80 columns: %q", lines)
	}
	x.types("1 + 41\r")
	x.sees("42\ntiler> ")
	x.types("func f(n int) int {\r")
	x.sees("\n     .    ")
	x.types("return n + 1\r")
	x.sees("     .     return n + 1\n     .    ")
	x.types("}\r")
	x.sees("     .     return n + 1\n     . }\ntiler> ")
	x.types("f(41) * 2\r")
	x.sees("84\ntiler> ")
	x.types("a := tl.Arange(0, 2)\r", "a[:, None] + a\r")
	x.sees("0 │ 0  1\n1 │ 1  2\ntiler> ")
	x.types("\x1b[3~\x1b[3~", "7 * 6\r") // Delete on an empty line
	x.sees("tiler> 7 * 6\n42\ntiler> ")
	x.types("nonsense\r")
	x.sees("undefined: nonsense\n        nonsense\n        ^\ntiler> ")
	x.types("\x04")
	x.leaves()
}

func TestTypedPaste(t *testing.T) {
	x := startREPL(t, t.TempDir())
	kernel := "func add(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {\r\toffs := tl.Arange(0, BLOCK) + p.ID(0)*BLOCK\r\r\tmask := offs < n\r\ttl.Store(out+offs, tl.Load(x+offs, tl.Mask(mask))+1, tl.Mask(mask))\r}\r\rfunc launch(x, out *tensor.Tensor) error {\r\treturn exec.New(add).Launch(exec.Grid{4}, x, out, 10, 3)\r}\r"
	x.types("\x1b[200~"+kernel+"\x1b[201~", "\r")
	x.sees("     . }\ntiler> ")
	x.types("x, out := tensor.Arange(tl.Int32, 0, 10), tensor.Zeros(tl.Int32, 10)\r", "launch(x, out)\r", "out.Ints()\r")
	x.sees("[1 2 3 4 5 6 7 8 9 10]\ntiler> ")
	x.types("\x1b[A\x1b[A\x1b[A\x1b[A") // the pasted text, as it was
	x.sees("     .     return exec.New(add).Launch(exec.Grid{4}, x, out, 10, 3)\n     . }")
	x.types("\x03", "1\r")
	x.sees("tiler> 1\n1\ntiler> ")
}

func TestTypedCompletion(t *testing.T) {
	x := startREPL(t, t.TempDir())
	x.types("tl.Aran\t")
	x.sees("tiler> tl.Arange\nfunc Arange(lo, hi int) Tile")
	x.types("(0, 3)\r")
	x.sees("0  1  2\n───────\n0  1  2\ntiler> ")
	x.types("offsets := tl.Arange(0, 2)\r", "offs\t.Broad\t")
	x.sees("func (x Tile) BroadcastTo(shape ...int) Tile")
	x.types("(2)\r")
	x.sees("0  1\n────\n0  1\ntiler> ")
	x.types(":plai\t")
	x.sees("tiler> :plain\nprint values as in PyTorch")
	x.types(" o\t")
	x.sees("tiler> :plain o\non\noff\noffsets  var tl.Tile")
	x.types("\t\r", "\r")
	x.sees("values are printed as in PyTorch; :plain off for pictures\ntiler> ")
}

func TestTypedHistory(t *testing.T) {
	home := t.TempDir()
	x := startREPL(t, home)
	x.types("x := 20\r", "x + 1\r", "func f() int {\r", "return 3\r", "}\r", ":quit\r")
	x.leaves()
	y := startREPL(t, home)
	y.types("\x1b[A\x1b[A")
	y.sees("return 3\n     . }")
	y.types("\r", "f()\r")
	y.sees("3\ntiler> ")
	y.types("\x12:= 2")
	y.sees("tiler> x := 20\nsearch: := 2")
	y.types("\r", "x\r")
	y.sees("tiler> x\n20\ntiler> ")
}

// TestTypedInterrupt: Ctrl-C ends what runs, and what was defined stays.
func TestTypedInterrupt(t *testing.T) {
	t.Parallel() // it waits most of the time
	x := startREPL(t, t.TempDir())
	x.types("func spin(p *tl.Program, out tl.Ptr, n int) {\r", "for i := 0; i < n; i++ {\r", "tl.Store(out, i)\r", "}\r", "}\r")
	x.types("func forever(p *tl.Program, n int) {\r", "for {\r", "}\r", "}\r")
	x.types("out := tensor.Zeros(tl.Int32, 1)\r", "kept := 5\r", "big := tl.Zeros(tl.Float64, 1700, 1700)\r")
	x.sees("1700)\ntiler> ")
	for _, cell := range []string{"for {}", "exec.New(spin).Launch(exec.Grid{1000}, out, 1<<40)", "select {}", ":check forever[1](1)", "tl.Dot(big, big)", "time.Sleep(1<<40)", "func() { for { fmt.Print(`x`) } }()"} {
		if strings.HasPrefix(cell, "time") {
			x.types("import \"time\"\r")
			x.sees("import \"time\"\ntiler> ")
		}
		x.types(cell+"\r", "")
		time.Sleep(100 * time.Millisecond)
		x.types("\x03")
		took := x.sees("interrupted\ntiler> ")
		t.Logf("%s: the prompt was back after %v", cell, took)
		x.types("\x0c", "kept * 2\r")
		x.sees("\n10\ntiler> ")
	}
}

// TestTypedProgress: a launch that takes over a second says how far it is.
func TestTypedProgress(t *testing.T) {
	t.Parallel()
	x := startREPL(t, t.TempDir())
	x.types("import \"time\"\r", "func slow(p *tl.Program) {\r", "time.Sleep(50*time.Millisecond)\r", "}\r", "exec.New(slow).Launch(exec.Grid{60})\r")
	for start := time.Now(); !strings.Contains(x.screen(), " of 60 programs, "); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("no progress:\n%s", x.screen())
		}
	}
	x.sees(" s\ntiler> ")
	x.types("time.Sleep(0)\r", ":check slow[30]()\r")
	for start := time.Now(); !strings.Contains(x.screen(), "checking slow: "); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("no progress:\n%s", x.screen())
		}
	}
	x.types("\x03")
	x.sees("\ntiler> ")
	if strings.Contains(x.screen(), "of 60 programs") {
		t.Errorf("the progress is still there:\n%s", x.screen())
	}
}

// TestCheckProgress: so does a check that does, and nothing of that is left. What was on the screen for a moment is in
// what was written: on a busy machine nobody looks in time.
func TestCheckProgress(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	file := filepath.Join(home, "slow.go")
	text := "import \"time\"\nfunc slow(p *tl.Program) { time.Sleep(200 * time.Millisecond) }\nexec.New(slow).Launch(exec.Grid{12})\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	x := start(t, home, []string{"check", file})
	<-x.done // not well: nothing that sleeps can be compiled
	if raw := x.written(); !strings.Contains(raw, "checking slow: ") {
		t.Errorf("no progress: %q", raw)
	}
	if screen := x.screen(); strings.Contains(screen, "checking slow") || !strings.Contains(screen, "12 programs checked in ") {
		t.Errorf("not a report alone:\n%s", screen)
	}
}

// TestRunProgress: and a program whose launch does.
func TestRunProgress(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	file := filepath.Join(home, "slow.go")
	text := "import \"time\"\nfunc slow(p *tl.Program) { time.Sleep(200 * time.Millisecond) }\nexec.New(slow).Launch(exec.Grid{1000})\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	x := start(t, home, []string{"run", file})
	for start := time.Now(); !strings.Contains(x.screen(), " of 1000 programs"); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("no progress:\n%s", x.screen())
		}
	}
}

func TestTypedResize(t *testing.T) {
	x := startREPL(t, t.TempDir())
	long := "1" + strings.Repeat(" + 1", 17)
	x.types(long)
	x.sees("tiler> " + long)
	if err := pty.Setsize(x.f, &pty.Winsize{Rows: 30, Cols: 40}); err != nil {
		t.Fatal(err)
	}
	x.vt.Resize(40, 30)
	text := "tiler> " + long
	x.sees(strings.TrimRight(text[:39], " ") + "\n" + text[39:])
	x.types("\r")
	x.sees("18\ntiler> ")
	x.types("tl.Arange(0, 20)\r") // as wide as the terminal now is
	x.sees(" 8 │  8   9  10  11  12  13  14  15\n16 │ 16  17  18  19\ntiler> ")
}

func TestTypedEdit(t *testing.T) {
	home := t.TempDir()
	editor := filepath.Join(home, "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nsed -i.old s/1/20/ \"$1\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	x := startREPL(t, home, "VISUAL=", "EDITOR="+editor)
	x.types("1 + 2\r")
	x.sees("3\ntiler> ")
	x.types(":edit\r")
	x.sees("22\ntiler> ")
	x.types("1 + 1\x18")
	x.sees("tiler> 20 + 1")
	x.types("\r")
	x.sees("21\ntiler> ")
}

// TestTypedStep: a walk waits after each statement.
func TestTypedStep(t *testing.T) {
	x := startREPL(t, t.TempDir())
	x.types("func f(p *tl.Program, out tl.Ptr) {\r", "a := p.ID(0) + 1\r", "b := 2 * a\r", "c := 3 * b\r", "tl.Store(out, c)\r", "}\r", "out := tensor.Zeros(tl.Int32, 1)\r")
	x.types(":step f[2](out)\r")
	x.sees("    a = 1\nnext (Enter), to the end (c), stop (q), help (?)> ")
	x.types("\r")
	x.sees("    b = 2\nnext (Enter), to the end (c), stop (q), help (?)> ")
	x.types("tl.Load(out) + 40\r") // a parameter
	x.sees("40  i32\nnext (Enter), to the end (c), stop (q), help (?)> ")
	x.types("c\r")
	x.sees("    c = 6\n5  tl.Store(out, c)\ntiler> ")
	x.types(":step f\r")
	x.sees("    a = 1\nnext (Enter), to the end (c), stop (q), help (?)> ")
	x.types("\x03", "out.Ints()\r")
	x.sees("[6]\ntiler> ")
	x.types("\x1b[A\x1b[A") // answers are not in the history
	x.sees("tiler> :step f")
}

// TestTypedPuzzles: the puzzles at a terminal, from the text to the next one, and on another
// day.
func TestTypedPuzzles(t *testing.T) {
	home := t.TempDir()
	x := start(t, home, []string{"learn"})
	skeleton := "tiler> func addTen(p *tl.Program, x, out tl.Ptr, N tl.Const) {\n     .     offs := tl.Arange(0, N)\n     .     v := tl.Load(x + offs)\n     .     tl.Store(out + offs, v)\n     . }"
	x.sees("so that you can try lines first;\n:puzzle brings it back.\n" + skeleton)
	x.types("\x03", "x + tl.Arange(0, N)\r")
	x.sees("■ ■ ■ ■ ■ ■ ■ ■\ntiler> ")
	x.types(":puzzle\r")
	x.sees(skeleton)
	x.types("\r")
	x.sees("want │ 17   13   14   19   12   15\ntiler> ")
	x.types(":hint\r")
	x.sees("can be added to\nit.\ntiler> ")
	x.types(":puzzle\r") // with what was typed
	x.sees(skeleton)
	x.types("\x1b[A", "\x05", "\x7f", "+10)", "\x1b[B", "\r")
	x.sees("next: Puzzle 2 of 16: The ragged end. :puzzle opens it\ntiler> ")
	x.types(":quit\r")
	x.leaves()
	y := start(t, home, []string{"learn"})
	y.sees("     .     tl.Store(out + offs, v * 2)\n     . }")
	y.types("\x03", "func double(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {\r", "for {\r", "}\r", "}\r")
	time.Sleep(300 * time.Millisecond)
	y.types("\x03")
	y.sees("interrupted\ntiler> ")
	y.types("n\r")
	y.sees("6\ntiler> ")
	z := start(t, home, []string{"learn", "16"})
	z.sees("acc, tl.Mask(i[:, No\nne] < rows))\n     . }")
}

// TestTypedCommandsInPaste: a pasted text may hold commands.
func TestTypedCommandsInPaste(t *testing.T) {
	x := startREPL(t, t.TempDir())
	x.types("\x1b[200~x := 5\r:plain tl.Arange(0, x)\rx * 2\x1b[201~", "\r")
	x.sees("tensor([0, 1, 2, 3, 4])\n10\ntiler> ")
}

// TestTypedFlood: a cell that prints without end, or very much, leaves a usable session.
func TestTypedFlood(t *testing.T) {
	x := startREPL(t, t.TempDir())
	x.types("import \"strings\"\r", "line := strings.Repeat(`x`, 999)\r")
	start := time.Now()
	x.types("for range 5000 { fmt.Println(line) }\r")
	time.Sleep(100 * time.Millisecond)
	x.types("fmt.Println(`end`)\r")
	for !strings.HasSuffix(x.screen(), "end\ntiler>") && time.Since(start) < 60*time.Second {
		time.Sleep(20 * time.Millisecond)
	}
	x.types("6 * 7\r")
	x.sees("42\ntiler> ")
	t.Logf("5 MB took %v", time.Since(start))
}

// TestStartTime: the prompt is there at once.
func TestStartTime(t *testing.T) {
	best := time.Hour
	for range 3 {
		start := time.Now()
		x := startREPL(t, t.TempDir())
		best = min(best, time.Since(start))
		x.types("\x04")
		x.leaves()
	}
	t.Logf("start to prompt: %v", best)
	if best > time.Second {
		t.Errorf("the prompt came after %v", best)
	}
}

// TestPiped: without a terminal there is no prompt, and commands work.
func TestPiped(t *testing.T) {
	var out, err strings.Builder
	in := "// a script\nx := 4\n:plain tl.Arange(0, x)\nnonsense\nx\n"
	if status := run(nil, strings.NewReader(in), &out, &err); status != 1 {
		t.Errorf("status %d, want 1", status)
	}
	if got, want := out.String(), "tensor([0, 1, 2, 3])\n4\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := err.String(), "standard input:4:1: undefined: nonsense\n\tnonsense\n\t^\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	out.Reset()
	if status := run(nil, strings.NewReader("\n/* a\nb */ // c\npackage main\n\nfunc main() { println() }\n"), &out, &out); status != 0 || fmt.Sprintf("%q", out.String()) != `"\n"` {
		t.Errorf("status %d, got %q", status, out.String())
	}
}
