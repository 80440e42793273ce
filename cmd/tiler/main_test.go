package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// archive writes the cases of the recorded archive whose names keep accepts, or one of
// an op that does not exist, to a file of their own.
func archive(t *testing.T, keep func(name string) bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cases.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	defer z.Close()
	from, err := zip.OpenReader("../../exec/golden/testdata/ops.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	var cases []map[string]any
	for _, c := range manifest(t, from) {
		if keep(c["name"].(string)) {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		cases = []map[string]any{{"name": "mystery/float32", "op": "mystery", "grid": []int{1}}}
	}
	for _, entry := range from.File {
		if keep(filepath.Dir(entry.Name)) {
			if err := z.Copy(entry); err != nil {
				t.Fatal(err)
			}
		}
	}
	w, err := z.Create("manifest.json")
	if err == nil {
		err = json.NewEncoder(w).Encode(map[string]any{"cases": cases})
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func manifest(t *testing.T, z *zip.ReadCloser) []map[string]any {
	t.Helper()
	r, err := z.Open("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var m struct{ Cases []map[string]any }
	if err := json.NewDecoder(r).Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m.Cases
}

func TestCommands(t *testing.T) {
	few := archive(t, func(name string) bool {
		return strings.HasPrefix(name, "program/") || strings.HasPrefix(name, "sort/int8/desc0")
	})
	bad := archive(t, func(name string) bool { return false })
	for _, c := range []struct {
		args     string
		status   int
		out, err string
	}{
		{"", 0, "", ""}, // nothing came in
		{"help", 0, "golden      check an engine", ""},
		{"--help", 0, "usage: tiler [COMMAND", ""},
		{"goldn", 2, "", `unknown command "goldn" (did you mean golden?)`},
		{"xyzzy", 2, "", `unknown command "xyzzy"` + "\nrun 'tiler help' for the list"},
		{"golden a b", 2, "", "usage: tiler golden [-engine E] [ZIP]"},
		{"golden -fast", 2, "", "usage: tiler golden"},
		{"golden nowhere.zip", 1, "", "tiler: open nowhere.zip"},
		{"golden main.go", 1, "", "tiler: main.go: zip: not a valid zip file"},
		{"golden -engine warp ../../exec/golden/testdata/ops.zip", 1, "", `no engine "warp"`},
		{"golden -engine interpreted " + few, 0, "golden: engine=interpreted passed=2 failed=0 skipped=0\n", ""},
		{"golden -engine portable " + bad, 1, "golden: engine=portable passed=0 failed=1 skipped=0\nmystery/float32: no kernel for op \"mystery\"", ""},
	} {
		var out, err bytes.Buffer
		status := run(strings.Fields(c.args), strings.NewReader(""), &out, &err)
		if status != c.status || !strings.Contains(out.String(), c.out) || !strings.Contains(err.String(), c.err) {
			t.Errorf("tiler %s: status %d, want %d\nstdout %q, want %q\nstderr %q, want %q", c.args, status, c.status, out.String(), c.out, err.String(), c.err)
		}
	}
}
