package jupyter

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A notebook as Jupyter writes it is read and written without a change.
func TestNotebookRoundTrip(t *testing.T) {
	const text = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "cell-01",
   "metadata": {},
   "source": [
    "# Title\n",
    "a < b"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "cell-02",
   "metadata": {
    "tiler": {
     "kernel": "",
     "inputs": "12"
    }
   },
   "outputs": [
    {
     "output_type": "stream",
     "name": "stdout",
     "text": [
      "one\n",
      "two"
     ]
    },
    {
     "output_type": "display_data",
     "data": {
      "text/html": [
       "<b>x</b>"
      ]
     },
     "metadata": {}
    }
   ],
   "source": [
    "%%\n"
   ]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`
	nb, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if c := nb.Cells[1]; c.Source != "%%\n" || c.Count != 1 || c.Outputs[0].Text != "one\ntwo" || c.Outputs[1].Data["text/html"] != "<b>x</b>" {
		t.Errorf("read as %+v", c)
	}
	got, err := nb.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(text), &b) != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("written as %s", got)
	}
	if !strings.Contains(string(got), `"a < b"`) {
		t.Error("HTML is escaped")
	}
}

func TestNewNotebook(t *testing.T) {
	text, err := New(Gonb, "%%\nf()").Bytes()
	if err != nil || !strings.Contains(string(text), `"name": "tiler-gonb"`) || !strings.Contains(string(text), `"outputs": []`) || !strings.Contains(string(text), `"execution_count": null`) {
		t.Errorf("%s %v", text, err)
	}
}

func TestClone(t *testing.T) {
	here, err := Clone(".")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(here, "notebooks", "jupyter", "place.go")); err != nil {
		t.Error(err)
	}
	var missing *Missing
	if _, err := Clone(t.TempDir()); !errors.As(err, &missing) || !strings.Contains(err.Error(), "get it with: git clone") {
		t.Errorf("outside: %v", err)
	}
}

func TestPlaces(t *testing.T) {
	env := map[string]string{"XDG_DATA_HOME": "/data", "JUPYTER_DATA_DIR": "/jupyter"}
	p, err := User(func(name string) string { return env[name] })
	if err != nil || p.Kernel(Gonb) != filepath.Join("/jupyter", "kernels", "tiler-gonb") {
		t.Errorf("%+v %v", p, err)
	}
	p, err = Prefix("x")
	if err != nil || !filepath.IsAbs(p.Bin()) || !strings.HasSuffix(filepath.ToSlash(p.Bin()), "x/share/tiler/bin") {
		t.Errorf("%+v %v", p, err)
	}
	if env := p.env(); !strings.HasPrefix(env[len(env)-1], "JUPYTER_PATH="+p.Share) {
		t.Errorf("Jupyter is not told: %v", env[len(env)-1])
	}
}

// A specification is written once, and removed without a trace.
func TestKernelSpec(t *testing.T) {
	p, err := Prefix(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	clone, err := Clone(".")
	if err != nil {
		t.Fatal(err)
	}
	s := p.gonbSpec(Go{Path: "/opt/go/bin/go", Version: "go1.26"}, clone)
	for i, want := range []bool{true, false} {
		if changed, err := p.writeSpec(Gonb, s); err != nil || changed != want {
			t.Errorf("write %d: changed %v, %v", i, changed, err)
		}
	}
	back, err := p.readSpec(Gonb)
	if err != nil || back.DisplayName != "tiler (gonb)" || back.Argv[3] != "-go_work="+clone || back.Env["GOPROXY"] != "off" || !strings.Contains(back.Env["PATH"], filepath.FromSlash("/opt/go/bin")) {
		t.Errorf("%+v %v", back, err)
	}
	if f := p.gonbFact(); f.Lack != "" || !strings.Contains(f.Have, clone) {
		t.Errorf("%+v", f)
	}
	var log strings.Builder
	if err := Uninstall(p, &log); err != nil || !strings.Contains(log.String(), "removed    "+p.Kernel(Gonb)) {
		t.Errorf("%v\n%s", err, &log)
	}
	if f := p.gonbFact(); !strings.Contains(f.Lack, "get it with: tiler jupyter install") {
		t.Errorf("%+v", f)
	}
}

// TestTools: exact versions, with hashes of everything that is built.
func TestTools(t *testing.T) {
	if GonbVersion() == "" || !strings.Contains(toolsSum, gonbModule+" "+GonbVersion()+" h1:") {
		t.Errorf("gonb %q is not pinned", GonbVersion())
	}
	if strings.Contains(toolsMod, "latest") || strings.Contains(toolsMod, "replace") {
		t.Error("the tools' module is not exact versions only")
	}
	main, err := os.ReadFile("../../go.mod")
	if err != nil || !strings.Contains(string(main), gonbModule+" "+GonbVersion()) {
		t.Errorf("go.mod has another gonb than %s (%v)", GonbVersion(), err)
	}
	p, err := Prefix(t.TempDir())
	if err != nil || p.built(Go{Version: "go1.26"}) {
		t.Errorf("built: %v", err)
	}
	if stamp(Go{Version: "a"}) == stamp(Go{Version: "b"}) {
		t.Error("another Go builds the same tools")
	}
}

func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := FindGo(t.Context())
	if err == nil || !strings.Contains(err.Error(), "Go is not installed") || !strings.Contains(err.Error(), "get it with: ") {
		t.Errorf("got %v", err)
	}
	if _, err := FindServer(); err == nil || !strings.Contains(err.Error(), "get it with: ") {
		t.Errorf("got %v", err)
	}
	p, err := Prefix(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := Serve(t.Context(), p, ".", nil, nil, nil, nil); err == nil || !strings.Contains(err.Error(), "tiler jupyter install") {
		t.Errorf("got %v", err)
	}
}

// TestLinks: an installation writes through no link that lies where its files belong.
func TestLinks(t *testing.T) {
	for _, inside := range []string{"share/tiler", "share/tiler/bin", "share/tiler/built-from", "share/tiler/bin/gonb", "share/jupyter/kernels/tiler-gonb", "share/jupyter/kernels/tiler", "share/tiler/bin/tiler", "share/jupyter/kernels/tiler-gonb/kernel.json"} {
		dir, elsewhere := t.TempDir(), t.TempDir()
		p, err := Prefix(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.links(); err != nil {
			t.Errorf("an empty place: %v", err)
		}
		link := filepath.Join(dir, inside)
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(elsewhere, link); err != nil {
			t.Fatal(err)
		}
		err = Install(t.Context(), Installation{Place: p, Program: "/bin/true", Log: Log{W: io.Discard}})
		if err == nil || !strings.Contains(err.Error(), link+" is a symbolic link to "+elsewhere) {
			t.Errorf("%s: got %v", inside, err)
		}
		if list, err := os.ReadDir(elsewhere); err != nil || len(list) > 0 {
			t.Errorf("%s: written through: %v, %v", inside, list, err)
		}
	}
}

// TestTilerSpec: the kernel that is the prompt needs nothing but its program, which stays
// even if go run made it.
func TestTilerSpec(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // neither Go nor Python
	p, err := Prefix(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if f := p.tilerFact(); !strings.Contains(f.Lack, "get it with: tiler jupyter install") {
		t.Errorf("%+v", f)
	}
	made := filepath.Join(t.TempDir(), "go-build123", "tiler")
	if err := errors.Join(os.MkdirAll(filepath.Dir(made), 0o755), os.WriteFile(made, []byte("program"), 0o755)); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	if program, err := p.keep(made); err != nil || filepath.Dir(program) != p.Bin() {
		t.Errorf("%s, %v", program, err)
	}
	in := Installation{Place: p, Program: made, Log: Log{W: &log}}
	if err := in.tiler(t.Context(), Python{}, errors.New("there is no Python")); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"kernel   tiler in " + p.Kernel(Tiler) + ": written", "cell     not tried: there is no Python"} {
		if !strings.Contains(log.String(), part) {
			t.Errorf("no %q in %s", part, &log)
		}
	}
	if f := p.tilerFact(); f.Lack != "" || !strings.Contains(f.Have, filepath.Join(p.Bin(), "tiler")) {
		t.Errorf("%+v", f)
	}
	if err := os.Remove(filepath.Join(p.Bin(), program("tiler"))); err != nil {
		t.Fatal(err)
	}
	if f := p.tilerFact(); !strings.Contains(f.Lack, "program is gone") {
		t.Errorf("%+v", f)
	}
}

// TestRoot: for root Jupyter must be told to run, and the error says how.
func TestRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root")
	}
	p, err := Prefix(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.writeSpec(Tiler, tilerSpec("tiler")); err != nil {
		t.Fatal(err)
	}
	if err := Serve(t.Context(), p, ".", nil, nil, nil, nil); err == nil || !strings.Contains(err.Error(), "tiler jupyter run --allow-root") {
		t.Errorf("got %v", err)
	}
}
