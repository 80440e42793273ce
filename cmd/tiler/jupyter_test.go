package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/notebooks/jupyter"
)

func TestJupyterCommands(t *testing.T) {
	nowhere := t.TempDir()
	for _, c := range []struct {
		args     string
		status   int
		out, err string
	}{
		{"jupyter", 2, "", "usage: tiler jupyter install|run|doctor|uninstall"},
		{"jupyter start", 2, "", "usage: tiler jupyter install|run|doctor|uninstall"},
		{"jupyter install -user -prefix x", 2, "", "usage: tiler jupyter install|run|doctor|uninstall"},
		{"jupyter install here", 2, "", "usage: tiler jupyter install|run|doctor|uninstall"},
		{"jupyter install -kernel x", 2, "", "usage: tiler jupyter"},
		{"jupyter run -h", 0, "flags of Jupyter", ""},
		{"jupyter run --no-browser --port 9 -prefix " + nowhere, 1, "", "get it with: tiler jupyter install"},
		{"jupyter uninstall -prefix " + nowhere, 0, "not there", ""},
		{"jupyter run -prefix " + nowhere, 1, "", "get it with: tiler jupyter install"},
		{"jupyter doctor -prefix " + nowhere, 0, "get it with: tiler jupyter install", ""},
		{"doctor -fast", 2, "", "usage: tiler doctor"},
	} {
		var out, err bytes.Buffer
		status := run(strings.Fields(c.args), strings.NewReader(""), &out, &err)
		if status != c.status || !strings.Contains(out.String(), c.out) || !strings.Contains(err.String(), c.err) {
			t.Errorf("tiler %s: status %d, want %d\nstdout %q, want %q\nstderr %q, want %q", c.args, status, c.status, out.String(), c.out, err.String(), c.err)
		}
	}
}

func TestFacts(t *testing.T) {
	var out bytes.Buffer
	facts(cli.Env{Out: &out}, append(machineFacts(), jupyter.Fact{Name: "thing", Lack: "it is gone\nget it with: buy"}))
	for _, part := range []string{"engines   interpreted, portable", "thing     no: it is gone\n          get it with: buy\n"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q in %q", part, &out)
		}
	}
}
