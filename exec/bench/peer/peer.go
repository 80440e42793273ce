// Package peer runs the rivals of benchmarks: processes that do the work of a library, told line by line, and how to
// get them.
package peer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	osexec "os/exec"
	"strings"
	"time"
)

// A Peer is a process that does work of rivals, told line by line.
type Peer struct {
	Name     string // in messages
	Version  string
	in       io.WriteCloser
	lines    chan string // of its output; closed at its end
	patience time.Duration
	end      func() error // waits for the end of the process
	Tasks    int          // that it was given
}

// patience is how long a peer may take to answer: it compiles, and makes inputs.
const patience = 3 * time.Minute

// Start runs a command line as a peer and waits until it is ready; by starts the process.
func Start(ctx context.Context, name string, command, env []string, by func(start func() error) error) (*Peer, error) {
	cmd := osexec.CommandContext(ctx, command[0], command[1:]...)
	var stderr bytes.Buffer
	cmd.Env, cmd.Stderr = env, &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := by(cmd.Start); err != nil {
		return nil, err
	}
	p := On(name, in, out)
	p.end = func() error {
		timer := time.AfterFunc(5*time.Second, func() { cmd.Process.Kill() })
		defer timer.Stop()
		return cmd.Wait()
	}
	first, err := p.receive()
	version, ready := strings.CutPrefix(first, "ready")
	if err != nil || !ready {
		p.Close()
		why := firstError(stderr.String(), errors.New("it ended before it was ready"))
		return nil, errors.New(why)
	}
	p.Version = strings.TrimSpace(version)
	return p, nil
}

// On speaks with a peer over its streams.
func On(name string, in io.WriteCloser, out io.Reader) *Peer {
	p := &Peer{Name: name, in: in, lines: make(chan string, 1), patience: patience, end: func() error { return nil }}
	go func() {
		defer close(p.lines)
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			p.lines <- strings.TrimSuffix(line, "\n")
		}
	}()
	return p
}

func (p *Peer) receive() (string, error) {
	select {
	case line, ok := <-p.lines:
		if !ok {
			return "", fmt.Errorf("%s: ended", p.Name)
		}
		return line, nil
	case <-time.After(p.patience):
		return "", fmt.Errorf("%s: no answer for %v", p.Name, p.patience)
	}
}

// Ask sends a line and gives what follows ok in the answer.
func (p *Peer) Ask(format string, args ...any) (string, error) {
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		return "", fmt.Errorf("%s: %w", p.Name, err)
	}
	line, err := p.receive()
	if err != nil {
		return "", err
	}
	if why, ok := strings.CutPrefix(line, "error "); ok {
		return "", fmt.Errorf("%s: %s", p.Name, why)
	}
	rest, ok := strings.CutPrefix(line, "ok")
	if !ok {
		return "", fmt.Errorf("%s: answered %q", p.Name, line)
	}
	return strings.TrimSpace(rest), nil
}

// Close ends the process by ending its input.
func (p *Peer) Close() {
	p.in.Close()
	p.end()
}
