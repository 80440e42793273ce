package repl_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/tiler-go/tiler/repl"
)

// TestStoppedShowsNothing: what a cell computes after it was told to stop is not shown to the next one.
func TestStoppedShowsNothing(t *testing.T) {
	s := newScreen(repl.Options{})
	s.input("large := tl.Arange(0, 1<<20).Reshape(1024, 1024).To(tl.Float64)")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := s.Eval(ctx, "tl.Dot(tl.Dot(large, large), large)"); err == nil {
		t.Fatal("it ended")
	}
	if got := s.input("6 * 7"); strings.Contains(got, "1023") || !strings.Contains(got, "42") {
		t.Errorf("got %s", got)
	}
}
