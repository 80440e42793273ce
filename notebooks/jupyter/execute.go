package jupyter

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	osexec "os/exec"
	"strings"
	"time"
)

//go:embed execute.py
var executeScript string

// A Runner runs notebooks, each in a kernel of its own.
type Runner struct {
	Place  Place
	Kernel string // its name
	Python Python
	Env    []string // added to the environment
}

// A Run is a notebook that was run.
type Run struct {
	Notebook    *Notebook `json:"notebook"`
	Start       float64   `json:"start"`       // seconds until the kernel was ready
	Cells       []float64 `json:"cells"`       // seconds each cell took
	Interrupted []float64 `json:"interrupted"` // seconds from an interrupt until the kernel was idle
	Log         string    `json:"-"`           // what the kernel said of itself

	// Processor is the processor time of the kernel and its client. Unlike what a clock on the
	// wall says, it hardly depends on what else the machine does.
	Processor time.Duration `json:"-"`
}

// Run runs a notebook's cells in order, as if it lay in dir. Errors of cells are in their
// outputs.
func (r Runner) Run(ctx context.Context, nb *Notebook, dir string) (*Run, error) {
	const cellTimeout = 120 * time.Second
	request, err := json.Marshal(map[string]any{
		"notebook": nb, "kernel": r.Kernel, "dir": dir, "timeout": int(cellTimeout.Seconds()),
	})
	if err != nil {
		return nil, err
	}
	cmd := osexec.CommandContext(ctx, r.Python.Path, "-c", executeScript)
	cmd.Env = append(r.Place.env(), r.Env...)
	cmd.Dir = dir
	var out, log bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(request), &out, &log
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("running a notebook: %w\n\t%s", err, strings.ReplaceAll(tail(log.String(), 60), "\n", "\n\t"))
	}
	run := &Run{Log: log.String(), Processor: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	return run, json.Unmarshal(out.Bytes(), run)
}

// tail is the last lines of a text.
func tail(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
