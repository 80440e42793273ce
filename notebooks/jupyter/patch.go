package jupyter

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
)

//go:embed sugar.go
var sugar string

const gonbModule = "github.com/janpfeifer/gonb"

// A patch is a line of gonb that is built otherwise than it was released.
type patch struct{ file, old, new string }

// patches is what stands between gonb and being usable. Each old text must be there
// exactly once, so that another version of gonb is looked at again.
var patches = []patch{
	// A line on standard error with two colons before a position in a cell, such as what
	// panic(fmt.Errorf("launch: %w", err)) prints, has "column 0", and ended the kernel: it
	// indents a marker by column-1 spaces.
	{"internal/goexec/gonberror.go", "\tif col == -1 {\n", "\tif col < 1 {\n"},
	// With nothing to be had from a network (see Env), "go get" ahead of each cell only
	// takes time; %autoget brings it back.
	{"internal/goexec/goexec.go", "AutoGet:         true,", "AutoGet:         false,"},
	// gopls looks at the whole workspace when nothing happens for a while, and took a second
	// from the next cell: it gets one processor.
	{"internal/goexec/goplsclient/exec.go", "\tc.goplsExec.Dir = c.dir\n", "\tc.goplsExec.Dir = c.dir\n\tc.goplsExec.Env = append(c.goplsExec.Environ(), \"GOMAXPROCS=1\")\n"},
	// gopls ends when its kernel has: one that is killed cannot tell it.
	{"internal/goexec/goplsclient/exec.go", "exec.Command(goplsPath, \"-listen\", addr)", "exec.Command(goplsPath, \"-listen\", addr, \"-listen.timeout\", \"1m\")"},
	// Code hosts and exporters colour cells as the language that the kernel names.
	{"internal/kernel/messages.go", "\t\t\t\tFileExtension: \".go\",\n", "\t\t\t\tFileExtension: \".go\", PygmentsLexer: \"go\", CodeMirrorMode: \"go\",\n"},
	// An error of a cell that was written as one of the prompt says what to write instead.
	{"internal/goexec/gonberror.go", "\tlineNum -= 1 // Error messages start at line 1 (as opposed to 0)\n", "\tlineNum -= 1\n\tif lineNum >= 0 && lineNum < len(codeLines) {\n\t\tl.Message += sugarHint(l.Message, codeLines[lineNum])\n\t}\n"},
	// A cell's build is over before collecting its garbage pays. When it is interrupted, so
	// are its compiler and its linker, as at a terminal: go build waits for what it began.
	// An interrupt from before the build began ends it too.
	{"internal/goexec/execcode.go", "\t\"strings\"\n", "\t\"strings\"\n\t\"syscall\"\n"},
	{"internal/goexec/execcode.go", "\toutput, err := cmd.CombinedOutput()\n", "\tcmd.Env = append(cmd.Environ(), \"GOGC=400\")\n\tvar said bytes.Buffer\n\tcmd.Stdout, cmd.Stderr = &said, &said\n\tcmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}\n\terr := cmd.Start()\n\tif err == nil {\n\t\tend := func(kernel.SubscriptionId) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }\n\t\tbuilding := msg.Kernel().SubscribeInterrupt(end)\n\t\tif msg.Kernel().Interrupted.Load() {\n\t\t\tend(building)\n\t\t}\n\t\terr = cmd.Wait()\n\t\tmsg.Kernel().UnsubscribeInterrupt(building)\n\t}\n\tif msg.Kernel().Interrupted.Load() {\n\t\t_ = kernel.PublishWriteStream(msg, kernel.StreamStderr, \"^C\\ninterrupted while the cell was built\\n\")\n\t\treturn errors.New(\"interrupted while the cell was built\")\n\t}\n\toutput = said.Bytes()\n"},
	// An interrupt that comes while a cell is built is one of its program too: it was lost,
	// and the program ran on.
	{"internal/dispatcher/dispatcher.go", "\t\t\tmsg.Kernel().CallInterruptSubscribers()\n", "\t\t\tmsg.Kernel().Interrupted.Store(true)\n\t\t\tmsg.Kernel().CallInterruptSubscribers()\n"},
	{"internal/jpyexec/jpyexec.go", "\tif exec.stdinContent != nil {\n", "\tif exec.Msg.Kernel().Interrupted.Load() {\n\t\texec.Msg.Kernel().CallInterruptSubscribers()\n\t}\n\n\tif exec.stdinContent != nil {\n"},
}

// patchedGonb puts gonb's source, patched, below the tools' module, and makes that use
// it. The source comes from the module cache, where its hash was compared.
func patchedGonb(ctx context.Context, g Go, dir string) error {
	cmd := osexec.CommandContext(ctx, g.Path, "mod", "download", "-json", gonbModule)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if json.Unmarshal(out, &module) == nil && module.Error != "" {
		return fmt.Errorf("%s %s: %s", gonbModule, GonbVersion(), module.Error)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", gonbModule, GonbVersion(), err)
	}
	to := filepath.Join(dir, "gonb")
	if err := os.CopyFS(to, os.DirFS(module.Dir)); err != nil {
		return err
	}
	for _, p := range patches {
		path := filepath.Join(to, filepath.FromSlash(p.file))
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n := strings.Count(string(text), p.old); n != 1 {
			return fmt.Errorf("gonb %s: %s has the text of a patch %d times, want once", GonbVersion(), p.file, n)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), p.old, p.new, 1)), 0o644); err != nil {
			return err
		}
	}
	hints := strings.Replace(sugar, "package jupyter\n", "package goexec\n", 1)
	if err := os.WriteFile(filepath.Join(to, "internal", "goexec", "sugar.go"), []byte(hints), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte(toolsMod+"\nreplace "+gonbModule+" => ./gonb\n"), 0o644)
}
