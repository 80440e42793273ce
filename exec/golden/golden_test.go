package golden

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/tilelang/tensor"
)

// suite is the recorded cases. TILER_GOLDEN names another archive of the same layout.
func suite(t *testing.T) *Suite {
	t.Helper()
	path := os.Getenv("TILER_GOLDEN")
	if path == "" {
		path = "testdata/ops.zip"
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestGolden compares every recorded case with the interpreter.
func TestGolden(t *testing.T) {
	s := suite(t)
	if r := s.Run("interpreted"); r.Failed > 0 || r.Skipped > 0 || r.Passed != len(s.Cases) {
		t.Error(r)
	}
}

// TestEnginesAgree compares the interpreter with every other engine on every recorded
// case, bit for bit: what passes in one passes in all. Without TILER_LONG=1 every second case runs in one other engine.
func TestEnginesAgree(t *testing.T) {
	s := suite(t)
	others := Engines()[1:]
	for i, c := range s.Cases {
		if os.Getenv("TILER_LONG") == "" && i%2 != 0 {
			continue
		}
		want, _, err := s.execute(c, "interpreted")
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		for j, engine := range others {
			if os.Getenv("TILER_LONG") == "" && j != i/2%len(others) {
				continue
			}
			got, _, err := s.execute(c, engine)
			if err != nil {
				t.Errorf("%s: %s: %v", c.Name, engine, err)
				continue
			}
			for name, x := range want {
				if !tensor.Equal(got[name], x) {
					t.Errorf("%s: %s: %s is\n%v\nwant\n%v", c.Name, engine, name, got[name], x)
				}
			}
		}
	}
}

// archive is a zip file with the given files.
func archive(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestHostile: an archive of garbage is an error, or cases that fail.
func TestHostile(t *testing.T) {
	for manifest, want := range map[string]string{
		"":                                      "manifest.json: unexpected end of JSON input",
		"[1]":                                   "manifest.json: json: cannot unmarshal",
		`{"cases": [null]}`:                     "manifest.json: case 0 is null",
		strings.Repeat(" ", maxFile+1):          "manifest.json inflates to over 64 MiB",
		`{"cases": [{"name": "a", "op": "b"}]}`: "",
		`{"cases": [{"name": "a", "op": "add", "in": {"x": {"dtype": "none"}}, "out": {"x": {}}, "grid": [4611686018427387904, 2]}]}`:            "",
		`{"cases": [{"name": "a", "op": "sum", "attrs": {"axis": "x"}, "params": {"N": -5}, "in": {"x": {"dtype": "float32", "shape": [-1]}}}]}`: "",
	} {
		b := archive(t, map[string]string{"manifest.json": manifest, "a/x.npy": "\x93NUMPYgarbage"})
		s, err := Open(bytes.NewReader(b), int64(len(b)))
		switch {
		case want == "" && err != nil:
			t.Errorf("%.80s: %v", manifest, err)
		case want == "":
			if r := s.Run("interpreted"); r.Failed != 1 {
				t.Errorf("%.80s: %v", manifest, r)
			}
		case err == nil || !strings.Contains(err.Error(), want):
			t.Errorf("%.80s: got %v, want %s", manifest, err, want)
		}
	}
}
