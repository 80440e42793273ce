package golden

import (
	"os"
	"testing"
)

// TestGolden runs every recorded case in every engine of this machine. TILER_GOLDEN
// names another archive of the same layout.
func TestGolden(t *testing.T) {
	path := os.Getenv("TILER_GOLDEN")
	if path == "" {
		path = "testdata/ops.zip"
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range Engines() {
		r := s.Run(engine)
		if r.Failed > 0 || r.Skipped > 0 || r.Passed != len(s.Cases) {
			t.Error(r)
		}
	}
}
