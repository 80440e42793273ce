package script

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"os/signal"
	"strings"
)

// Options say how a script is run.
type Options struct {
	Args     []string // of the script
	In       io.Reader
	Out, Err io.Writer // nil: this process's own
	Launch   Handler   // what makes a launch; nil: Plain
	Check    bool      // the script is checked: what it times is called once
}

// Run runs a script to its end, and is its exit status: 128 and the signal's number if a signal
// ended it. Interrupts from the terminal are the script's own; other ends of ctx end it.
func Run(ctx context.Context, o Options, file string) (status int, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 1, err
	}
	p, err := Find(ctx, needs(string(text))...)
	if err != nil {
		return 1, err
	}
	if o.Err == nil {
		o.Err = os.Stderr
	}
	if !p.First {
		fmt.Fprintf(o.Err, "tiler: %s runs it: python3 on PATH lacks %s\n", p.Path, strings.Join(needs(string(text)), " or "))
	}
	status, err = p.run(ctx, o, file)
	if status != 0 && err == nil && len(p.Lacks) > 0 {
		err = errors.New(p.Advice())
	}
	return status, err
}

// run runs a script and serves it.
func (p Python) run(ctx context.Context, o Options, file string) (status int, err error) {
	path, err := Path()
	if err != nil {
		return 1, err
	}
	ours, theirs, err := pair()
	if err != nil {
		return 1, err
	}
	cmd := osexec.Command(p.Path, append([]string{file}, o.Args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = o.In, o.Out, o.Err
	if o.In == nil {
		cmd.Stdin = os.Stdin
	}
	if o.Out == nil {
		cmd.Stdout = os.Stdout
	}
	cmd.ExtraFiles = []*os.File{theirs} // the child's 3
	cmd.Env = append(os.Environ(), "PYTHONPATH="+strings.TrimSuffix(path+string(os.PathListSeparator)+os.Getenv("PYTHONPATH"), string(os.PathListSeparator)),
		"TILER_SCRIPT_FD=3", "TILER_SCRIPT_MODE="+map[bool]string{true: "check", false: "run"}[o.Check])
	defer passSignals(cmd)()
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		ours.Close()
		return 1, err
	}
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, ours, o.Launch) }()
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-ctx.Done():
			_ = cmd.Process.Kill() // it may have ended by itself
		case <-done:
		}
	}()
	err = cmd.Wait()
	serveErr := <-served
	var exit *osexec.ExitError
	switch {
	case errors.As(err, &exit):
		return statusOf(exit.ProcessState), serveErr
	case err != nil:
		return 1, err
	}
	return 0, serveErr
}

// Outlive keeps what the terminal sends from ending this process, which serves one that decides for itself.
func Outlive() { signal.Ignore(append(hangups, os.Interrupt)...) }

// passSignals has the script get what this process is told: an interrupt reaches both from the
// terminal, so it is only kept from ending this one. The function that it returns undoes it.
func passSignals(cmd *osexec.Cmd) (undo func()) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, append(endings, os.Interrupt)...)
	go func() {
		for s := range signals {
			if s != os.Interrupt && cmd.Process != nil {
				_ = cmd.Process.Signal(s) // it may have ended
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}
