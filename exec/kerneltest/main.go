package kerneltest

import (
	"os"
	"runtime/debug"
	"testing"
)

// Main runs the tests of a package. Short runs collect garbage less often, which takes a quarter of their time; with
// TILER_LONG=1 the collector works as in programs.
func Main(m *testing.M) {
	if os.Getenv("TILER_LONG") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
