package golden

import (
	"os"
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
// case, bit for bit: what passes in one passes in all.
func TestEnginesAgree(t *testing.T) {
	s := suite(t)
	for _, c := range s.Cases {
		want, _, err := s.execute(c, "interpreted")
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		for _, engine := range Engines()[1:] {
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
