package jupyter

import (
	"bytes"
	"errors"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A module cache without what cells need is seen before a cell is run.
func TestModulesLacking(t *testing.T) {
	g, err := FindGo(t.Context())
	if err != nil {
		t.Skip(err)
	}
	clone, err := Clone(".")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", filepath.Join(t.TempDir(), "empty"))
	t.Setenv("GOFLAGS", "-modcacherw") // so that the folder can be removed
	var missing *Missing
	if err := modules(t.Context(), g, clone); !errors.As(err, &missing) || !strings.Contains(err.Error(), "cells do not compile: ") || !strings.Contains(err.Error(), "get it with: tiler jupyter install") {
		t.Errorf("got %v", err)
	}
}

// The go command finds the workspace, whatever stands around it.
func TestWorkspace(t *testing.T) {
	g, err := FindGo(t.Context())
	if err != nil {
		t.Skip(err)
	}
	clone, err := Clone(".")
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorkspace(t.Context(), g, clone)
	if err != nil {
		t.Fatal(err)
	}
	defer w.remove()
	out, err := w.command(t.Context(), "env", "GOWORK").Output()
	if got := strings.TrimSpace(string(out)); err != nil || filepath.Base(got) != "go.work" || filepath.Dir(got) == clone {
		t.Errorf("GOWORK is %q, %v", got, err)
	}
}

func TestTried(t *testing.T) {
	printed := Output{Kind: "stream", Name: "stdout", Text: trialPrints + "\n"}
	drawn := Output{Kind: "display_data", Data: map[string]MultiLine{"text/html": `<div class="tiler-output">`}}
	for _, c := range []struct {
		outputs []Output
		want    string // "" if nothing is wrong
	}{
		{[]Output{printed, drawn}, ""},
		{[]Output{printed}, "drew none"},
		{[]Output{{Kind: "error", Value: "exit status 1"}, drawn}, "gave\n\texit status 1"},
		{nil, "gave\n\t"},
	} {
		if err := tried(c.outputs); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.outputs, err, c.want)
		}
	}
}

func TestSteps(t *testing.T) {
	var seen []string
	s := &steps{show: func(text string) { seen = append(seen, text) }}
	for _, part := range []string{"go: downloading a v1", ".2.3\nb/c", "\nd\n"} {
		s.Write([]byte(part))
	}
	if got := strings.Join(seen, "; "); got != "fetching a v1.2.3; package 1: b/c; package 2: d" {
		t.Error(got)
	}
}

// What takes its time is one plain line where nobody watches, and its whole output where it fails.
func TestLogRun(t *testing.T) {
	if _, err := osexec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	var out bytes.Buffer
	err := Log{W: &out}.run(osexec.Command("go", "nonsense"), "building")
	if out.String() != "building: a minute or two the first time, seconds later\n" {
		t.Errorf("%q", &out)
	}
	if err == nil || !strings.HasPrefix(err.Error(), "building: exit status 2\n\tgo nonsense: ") {
		t.Error(err)
	}
	var text []string
	busy := func(what string) (func(string), func()) {
		text = append(text, what)
		return func(s string) { text = append(text, s) }, func() { text = append(text, "end") }
	}
	out.Reset()
	if err := (Log{W: &out, Busy: busy}).run(osexec.Command("go", "version"), "asking"); err != nil || out.Len() > 0 {
		t.Errorf("%v, %q", err, &out)
	}
	if len(text) != 3 || text[0] != "asking" || text[2] != "end" {
		t.Errorf("%q", text)
	}
}

func TestDisk(t *testing.T) {
	p, err := Prefix(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if got := p.disk([]int64{5e6, 0}, []int64{105e6, 4e5}); got != "0 MB of tools; 100 MB of compiled packages in Go's cache (go clean -cache frees it)" {
		t.Error(got)
	}
}
