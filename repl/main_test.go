package repl_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets short runs collect garbage less often, which takes a quarter of their time; with TILER_LONG=1
// the collector works as in programs.
func TestMain(m *testing.M) {
	if os.Getenv("TILER_LONG") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
