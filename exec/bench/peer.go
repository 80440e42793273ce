package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	osexec "os/exec"
	"strconv"
	"strings"
	"time"
)

// A peer is a process that does work of rivals, told line by line.
type peer struct {
	name     string // in messages
	version  string
	in       io.WriteCloser
	lines    chan string // of its output; closed at its end
	patience time.Duration
	end      func() error // waits for the end of the process
	tasks    int
}

// patience is how long a peer may take to answer: it compiles, and makes inputs.
const patience = 3 * time.Minute

// startPeer runs a command line as a peer and waits until it is ready.
func startPeer(ctx context.Context, name string, command, env []string, cpus []int) (*peer, error) {
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
	if err := startOn(cpus, cmd.Start); err != nil {
		return nil, err
	}
	p := newPeer(name, in, out)
	p.end = func() error {
		timer := time.AfterFunc(5*time.Second, func() { cmd.Process.Kill() })
		defer timer.Stop()
		return cmd.Wait()
	}
	first, err := p.receive()
	version, ready := strings.CutPrefix(first, "ready")
	if err != nil || !ready {
		p.close()
		why := firstError(stderr.String(), errors.New("it ended before it was ready"))
		return nil, errors.New(why)
	}
	p.version = strings.TrimSpace(version)
	return p, nil
}

// newPeer speaks with a peer over its streams.
func newPeer(name string, in io.WriteCloser, out io.Reader) *peer {
	p := &peer{name: name, in: in, lines: make(chan string, 1), patience: patience, end: func() error { return nil }}
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

func (p *peer) receive() (string, error) {
	select {
	case line, ok := <-p.lines:
		if !ok {
			return "", fmt.Errorf("%s: ended", p.name)
		}
		return line, nil
	case <-time.After(p.patience):
		return "", fmt.Errorf("%s: no answer for %v", p.name, p.patience)
	}
}

// ask sends a line and gives what follows ok in the answer.
func (p *peer) ask(format string, args ...any) (string, error) {
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		return "", fmt.Errorf("%s: %w", p.name, err)
	}
	line, err := p.receive()
	if err != nil {
		return "", err
	}
	if why, ok := strings.CutPrefix(line, "error "); ok {
		return "", fmt.Errorf("%s: %s", p.name, why)
	}
	rest, ok := strings.CutPrefix(line, "ok")
	if !ok {
		return "", fmt.Errorf("%s: answered %q", p.name, line)
	}
	return strings.TrimSpace(rest), nil
}

// close ends the process by ending its input.
func (p *peer) close() {
	p.in.Close()
	p.end()
}

// A peerSide is one task of a peer.
type peerSide struct {
	p  *peer
	id string
}

// newPeerSide has a peer make a task and checks some elements of its result.
func newPeerSide(p *peer, op string, want answer) (side, error) {
	p.tasks++
	s := peerSide{p, fmt.Sprint("t", p.tasks)}
	if _, err := p.ask("make %s %s", s.id, op); err != nil {
		return nil, err
	}
	if err := s.check(want); err != nil {
		s.close()
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	return s, nil
}

// mostOfPeer is how many elements of a peer's result are compared, at most: they
// travel as text.
const mostOfPeer = 300

func (s peerSide) check(want answer) error {
	if want.n == 0 {
		return nil
	}
	step := want.step(mostOfPeer)
	text, err := s.p.ask("get %s 0 %d %d", s.id, step, (want.n+step-1)/step)
	if err != nil {
		return err
	}
	for i, field := range strings.Fields(text) {
		got, err := strconv.ParseFloat(field, 32) // what results are
		if err != nil {
			return err
		}
		if w := want.at(i * step); !want.near(got, w) {
			return fmt.Errorf("wrong result: element %d is %v, want %v", i*step, got, w)
		}
	}
	return nil
}

func (s peerSide) run(n int) (float64, error) {
	text, err := s.p.ask("run %s 0 %d", s.id, n)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(text, 64)
}

func (s peerSide) close() { s.p.ask("drop %s", s.id) }
